/** The watchdog's own process: see `watchdog.ts`. */
const [pid, ms] = process.argv.slice(2).map(Number) as [number, number]
let heardAt = performance.now()

process.stdin.on('data', () => (heardAt = performance.now()))
process.stdin.on('end', () => process.exit())
process.stdin.on('error', () => process.exit())
// Ctrl-C is for the machine: it hands over, and needs watching meanwhile.
process.on('SIGINT', () => undefined)
setInterval(() => {
  if (performance.now() - heardAt < ms) return
  try {
    process.kill(pid, 'SIGKILL')
  } finally {
    process.exit()
  }
}, ms / 10)
