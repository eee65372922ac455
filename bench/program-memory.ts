/**
 * What memory does a program take that imports the packages, without what the command's first line sets?
 *
 *   npm run bench:program-memory -- [--minutes 5] [--rate 12]
 *
 * A small living web is crawled and then kept fresh by programs of a few lines that call `crawl` of `@comity/crawler`. They run beside each
 * other, each into a collection of its own, so that the machine is as busy for each. What differs is their environment:
 *
 *   plain    nothing
 *   malloc   what glibc reads: MALLOC_ARENA_MAX=2 and the bounds of the command
 *   whole    that, and the two flags of V8 that the command has
 *
 * Printed every minute: resident memory that is no file's (RssAnon); at the end the largest of all (VmHWM, files that are mapped included), the time
 * of the processor and what was done.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crawl, watchOptions } from '@comity/crawler'
import { createLivingWeb } from '@comity/testbed'
import { readArguments } from './arguments.ts'
import { formatCount, processSeconds, rssAnonMb } from './measure.ts'

const { flags } = readArguments(import.meta.filename, {
  minutes: 5,
  rate: 12,
  // Set for the programs.
  into: '',
  seeds: [],
})

const MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '262144' }
const V8 = ['--max-semi-space-size=8', '--heap-growing-percent=100']
const VARIANTS: readonly (readonly [name: string, environment: object, flags: readonly string[]])[] = [
  ['plain', {}, []],
  ['malloc', MALLOC, []],
  ['whole', MALLOC, V8],
]
/** 242 pages of four sites that change all the time, as in the demo. */
const SITES = [90, 70, 50, 32].map((pages) => ({
  pages,
  odd: false,
  robots: 'allow' as const,
  latencyMs: 5,
  bytesPerSecond: Infinity,
  changeEveryMs: 12_000,
}))
const MINUTE = 60_000

if (flags.into === '') await direct()
else await program()

/** The ten lines that people write. */
async function program(): Promise<void> {
  const common = { userAgent: 'bench/1.0 (+https://example.org/bot)', allowPrivate: true, privateDelayMs: 0 }
  const first = await crawl({ into: flags.into, options: { ...common, seeds: flags.seeds } })
  process.send?.({ count: first.pages })
  const stop = new AbortController()
  process.once('message', () => stop.abort())
  const watch = watchOptions({ requestsPerSecond: flags.rate, dayMs: 5_000, minPollMs: 1_500 })
  const kept = await crawl({ into: flags.into, options: { ...common, seeds: [], watch }, signal: stop.signal })
  process.send?.({ count: kept.requests })
  process.disconnect()
}

interface Running {
  readonly name: string
  readonly child: ChildProcess & { readonly pid: number }
  /** Of what was said last: pages of the crawl, then requests of what kept them fresh. */
  requests: number
  readonly minutes: number[]
}

async function direct(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'comity-program-'))
  await using web = await createLivingWeb({ seed: 7, sites: SITES })
  const seeds = web.sites.map(({ origin }) => `--seeds=${origin}/`)
  const running = VARIANTS.map(([name, environment, nodeFlags]): Running => {
    const args = [...nodeFlags, import.meta.filename, `--into=${join(scratch, name)}`, `--rate=${flags.rate}`, ...seeds]
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...withoutMalloc(), ...environment },
    })
    const one: Running = { name, child: child as Running['child'], requests: 0, minutes: [] }
    child.on('message', ({ count }: { count: number }) => (one.requests = count))
    return one
  })
  try {
    // The crawl ends first; the minutes are of what goes on for long.
    await Promise.all(running.map(async ({ child }) => await once(child, 'message')))
    for (let minute = 0; minute <= flags.minutes; minute++) {
      if (minute > 0) await sleep(MINUTE)
      for (const { child, minutes } of running) minutes.push(rssAnonMb(child.pid))
      console.log(
        `minute ${minute}   ${running.map(({ name, minutes }) => `${name} ${formatCount(minutes.at(-1)!)} MB`).join('   ')}`,
      )
    }
    for (const one of running) await end(one)
  } finally {
    for (const { child } of running) child.kill('SIGKILL')
    rmSync(scratch, { recursive: true, force: true })
  }
}

function withoutMalloc(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('MALLOC_')))
}

async function end(one: Running): Promise<void> {
  const { name, child, minutes } = one
  const [peak, seconds] = [peakMb(child.pid), processSeconds(child.pid)]
  const told = once(child, 'message')
  child.send('stop')
  await told
  console.log(
    `${name.padEnd(7)} at the end ${formatCount(minutes.at(-1)!)} MB, at most ${formatCount(peak)} MB, ` +
      `processor ${formatCount(seconds)} s, requests ${formatCount(one.requests)}`,
  )
}

/** In MB (10⁶ bytes). NaN without /proc. */
function peakMb(pid: number): number {
  try {
    return (Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024) / 1e6
  } catch {
    return Number.NaN
  }
}
