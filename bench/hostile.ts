/**
 * The longest pause of the main thread while each document of the hostile table (`test/security/hostile-table.ts`) arrives at a running
 * receiver, crawl, or at the threads that read for one. All run in this process, so its main thread is theirs; what the
 * documents are made of is made before. No peer: nobody else reads these. A pause counts only where the document ended as its row
 * says: another outcome is another work, and the exit code tells.
 *
 *   npm run bench:hostile
 *   npm run bench:hostile -- bomb           only those with this in their names, or in how they arrive
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { endWith, readArguments } from './arguments.ts'
import { formatSeconds } from './equal-work.ts'
import { ownTime } from './measure.ts'
import { hostileTable, openHostileHost } from '../test/security/hostile-table.ts'

const TICK_MS = 2

/**
 * The longest time between two ticks, less the time that a tick is, and the most that the main thread itself worked between
 * two: on a machine that others use as well, the rest of a pause is theirs.
 */
async function longestPause<Value>(
  act: () => Promise<Value>,
): Promise<{ value: Value; pauseMs: number; workMs: number; tookMs: number }> {
  let [longest, last, most, worked] = [0, performance.now(), 0, ownWork()]
  const tick = (): void => {
    const [now, work] = [performance.now(), ownWork()]
    longest = Math.max(longest, now - last - TICK_MS)
    most = Math.max(most, work - worked)
    ;[last, worked] = [now, work]
  }
  const timer = setInterval(tick, TICK_MS)
  const began = performance.now()
  const value = await act()
  const tookMs = performance.now() - began
  tick()
  clearInterval(timer)
  return { value, pauseMs: Math.max(0, longest), workMs: most, tookMs }
}

/** Milliseconds of processor that this thread has had. */
function ownWork(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** What a crawl's own start and end cost on this machine, as busy as it is: no document is to blame for so much. */
async function pausesOfFinePages(): Promise<number[]> {
  const fine = hostileTable[0]!
  const pauses: number[] = []
  for (let time = 0; time < 10; time++) pauses.push((await longestPause(() => host.arrive(fine, fine.make()))).pauseMs)
  return pauses.toSorted((a, b) => a - b)
}

const { positionals: wanted } = readArguments(import.meta.filename, {}, 100)
const rows = hostileTable.filter(
  ({ name, arrives }) => wanted.length === 0 || wanted.some((part) => `${name}, as a ${arrives}`.includes(part)),
)
if (rows.length === 0) endWith(import.meta.filename, `No document has ${wanted.join(' or ')} in its name`)
await using host = await openHostileHost()
console.log(
  `${'document'.padEnd(32)} ${'arrives as'.padEnd(11)} ${'bytes'.padStart(9)}   pause      of it work   ends after  outcome`,
)
let [worst, hardest] = [0, 0]
const odd: string[] = []
const floor = await pausesOfFinePages()
for (const row of rows) {
  const body = row.make()
  const { length } = body
  // What was made of it is collected before, not meanwhile.
  await sleep(50)
  const { value, pauseMs, workMs, tookMs } = await longestPause(() => host.arrive(row, body))
  const isRight = value === row.expect
  if (isRight) [worst, hardest] = [Math.max(worst, pauseMs), Math.max(hardest, workMs)]
  else odd.push(row.name)
  const name = `${row.name.padEnd(32)} ${row.arrives.padEnd(11)} ${String(length).padStart(9)}`
  const figures = `${pauseMs.toFixed(0).padStart(6)} ms ${workMs.toFixed(0).padStart(10)} ms ${tookMs.toFixed(0).padStart(9)} ms`
  console.log(`${name} ${figures}  ${value}${isRight ? '' : `, NOT ${row.expect}`}`)
}
console.log(`a crawl of one fine page, ten times: ${floor.map((ms) => ms.toFixed(0)).join(', ')} ms`)
if (odd.length > 0) {
  process.exitCode = 1
  console.error(`no longest pause, as these ended otherwise than they should: ${odd.join(', ')}`)
} else
  console.log(
    `longest pause of all ${rows.length}: ${worst.toFixed(0)} ms; most work of the main thread in one go: ` +
      `${hardest.toFixed(0)} ms; ${formatSeconds(ownTime().cpuSeconds)} of processor in all`,
  )
