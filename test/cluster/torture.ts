/**
 * Torture of a cluster: real machines, three NATS servers, and what befalls them, round after round, each by its seed; the sites' own
 * log is the judge.
 *
 *   npm run torture:cluster -- --minutes 60 [--seed 1] [--lease 8] [--machines 3] [--keep]
 *
 * With root it stands in network namespaces, with partitions and names that move; else on loopback, without these. A failure names its
 * seed, and the logs of the machines stay.
 */
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runRound } from './torture/round.ts'
import type { RoundReport } from './torture/round.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    lease: { type: 'string', default: '8' },
    machines: { type: 'string', default: '3' },
    trouble: { type: 'string', default: '240' },
    loopback: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})

// Whoever ends us ends all that we have begun.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(130))

const end = performance.now() + Number(values.minutes) * 60_000
const reports: RoundReport[] = []
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
const dir = join(tmpdir(), `comity-torture-${process.pid}`)

for (let seed = Number(values.seed); reports.length === 0 || performance.now() < end; seed++) {
  say(`seed ${seed}`)
  const report = await runRound({
    seed,
    dir,
    leaseMs: Number(values.lease) * 1_000,
    machines: Number(values.machines),
    shards: 2 * Number(values.machines),
    // On loopback all names have one address.
    hosts: values.loopback ? 8 : 100,
    addresses: values.loopback ? 5 : 3,
    pages: values.loopback ? 40 : 5,
    delayMs: 100,
    troubleMs: Number(values.trouble) * 1_000,
    pauseMs: 2_000,
    isDivided: !values.loopback,
    say,
  })
  reports.push(report)
  say(line(report))
  for (const offence of report.offences.slice(0, 20)) say(`  OFFENCE ${offence}`)
  if (report.offences.length > 0) {
    say(`  the logs of the machines are in ${dir}`)
    process.exitCode = 1
    break
  }
}
if (process.exitCode !== 1 && !values.keep) rmSync(dir, { recursive: true, force: true })
process.stdout.write(`${JSON.stringify(sum(reports))}\n`)
// A round that failed may have left timers.
process.exit()

function line({ seed, mishaps, offences, excused, requests, again, pages, mayMove, seconds }: RoundReport): string {
  const moves = mayMove ? ', shards may move' : ''
  return `seed ${seed}: ${mishaps.length} mishaps, ${pages} pages, ${requests} requests, ${again} again, ${offences.length} offences, ${excused} excused, ${seconds.toFixed(0)} s${moves}`
}

function sum(all: readonly RoundReport[]): Record<string, unknown> {
  const befallen = new Map<string, number>()
  for (const { kind } of all.flatMap(({ mishaps }) => mishaps)) befallen.set(kind, (befallen.get(kind) ?? 0) + 1)
  const total = (of: (report: RoundReport) => number): number => all.reduce((so, one) => so + of(one), 0)
  return {
    rounds: all.length,
    minutes: Math.round(total(({ seconds }) => seconds) / 60),
    mishaps: Object.fromEntries([...befallen].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    pages: total(({ pages }) => pages),
    requests: total(({ requests }) => requests),
    again: total(({ again }) => again),
    excused: total(({ excused }) => excused),
    offences: total(({ offences }) => offences.length),
  }
}
