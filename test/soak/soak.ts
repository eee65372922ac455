/**
 * Soak: what grows when everything is left running. Five commands live together on loopback (`roles.ts`); memory, open files and
 * threads of each are printed as they go, and drawn at the end.
 *
 *   npm run torture:soak -- --hours 8 [--every 60] [--plot soak.svg] [--keep]
 *   npm run torture:soak -- --minutes 10
 *
 * Ends with 1 when a process ended by itself, or something still grew between the third quarter of the time and the last.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { clock, soakPlot } from './plot.ts'
import { growths, readingOf } from './reading.ts'
import type { Reading } from './reading.ts'
import { openSoak } from './roles.ts'

const { values } = parseArgs({
  options: {
    hours: { type: 'string' },
    minutes: { type: 'string' },
    every: { type: 'string' },
    plot: { type: 'string', default: 'soak.svg' },
    keep: { type: 'boolean', default: false },
  },
})

const lastsMs = (Number(values.hours ?? 0) * 60 + Number(values.minutes ?? 0)) * 60_000 || 600_000
if (!(lastsMs > 0)) throw new Error('Say how long: --hours 8 or --minutes 10.')
/** Some hundred readings are enough for a plot, and more often than each second tells nothing. */
const everyMs = values.every === undefined ? Math.max(1_000, lastsMs / 400) : Number(values.every) * 1_000
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)
const COLUMN = 15
/** Lines between two heads. */
const HEAD_EVERY = 20

const dir = mkdtempSync(join(tmpdir(), 'comity-soak-'))
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())

const series = new Map<string, Reading[]>()
const gone = new Map<string, string>()
{
  say(`five commands, ${clock(lastsMs)}; what they say is in ${dir}`)
  await using soak = await openSoak(dir)
  const { roles, done } = soak
  const begun = performance.now()
  for (let line = 0; !stop.signal.aborted && gone.size === 0; line++) {
    const at = performance.now() - begun
    if (at > lastsMs) break
    if (line % HEAD_EVERY === 0)
      say(
        `memory MB / files / threads\n${'time'.padEnd(9)}${roles.map(({ name }) => name.padEnd(COLUMN)).join('')}`.trimEnd(),
      )
    const cells = roles.map(({ name, pid, ended }) => {
      const reading = readingOf(pid, at)
      const how = ended()
      if (how !== undefined || reading === undefined) gone.set(name, how ?? 'it is gone')
      else series.set(name, [...(series.get(name) ?? []), reading])
      return (
        reading === undefined ? 'gone' : `${megabytes(reading.memory)}/${reading.files}/${reading.threads}`
      ).padEnd(COLUMN)
    })
    say(`${clock(at).padEnd(9)}${cells.join('')}`.trimEnd())
    await sleep(everyMs, undefined, { signal: stop.signal }).catch(() => undefined)
  }
  say(`${done.changes} changes, ${done.reads} pages read, ${done.questions} questions; ${done.failed} of these failed`)
}

writeFileSync(values.plot, soakPlot(series))
say(`the plot is in ${values.plot}`)
for (const [name, how] of gone) say(`OFFENCE ${name} ended by itself: ${how}`)
const growing = [...series].flatMap(([name, readings]) => growths(readings).map((growth) => [name, growth] as const))
for (const [name, { measure, from, to, perHour }] of growing) {
  const shown = (value: number): string => (measure === 'memory' ? `${megabytes(value)} MB` : value.toFixed(0))
  say(`GROWS ${name}: ${measure} from ${shown(from)} to ${shown(to)} in the last quarter, ${shown(perHour)} an hour`)
}
if (gone.size === 0 && growing.length === 0) say('nothing grew between the third quarter and the last')
else process.exitCode = 1
if (process.exitCode !== 1 && !values.keep) rmSync(dir, { recursive: true, force: true })
