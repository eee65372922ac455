import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateWeb } from '../../webs/generated/web.ts'
import { aloneFinding, optimalFinding, stableFinding } from './order-claims.ts'
import { measure } from './outcome.ts'
import type { SchedulingOutcome } from './outcome.ts'
import { SchedulingRuns } from './runs.ts'
import { sampleWeb } from './sample.ts'
import { scaledTo, schedulingSettings } from './settings.ts'
import { connectionFinding, daysFinding, leastFinding, speedUpFinding } from './time-claims.ts'
import { trueRanks } from '../../simulate/oracle.ts'
import type { Curve } from '../../simulate/record.ts'
import type { SimulationResult } from '../../simulate/settings.ts'

/** A crawl that has this much of PageRank after each tenth of its pages. */
const line = (...rank: readonly number[]): SimulationResult => {
  const curve: Curve = { pages: rank.map((_, n) => n), timeMs: rank.map((_, n) => n * 1_000), rank }
  const lost = { politeness: 1_000, slowSites: 0, fewSites: 0 }
  const activity = { stretchMs: 1_000, robots: rank.slice(1).map(() => 1) }
  return { pages: 10, bytes: 9_000, timeMs: 10_000, leastTimeMs: 9_000, curve, activity, lost, batches: [] }
}
const tenths = Array.from({ length: 11 }, (_, n) => n / 10)
/** The higher the power, the earlier PageRank comes. */
const bent = (power: number): SimulationResult => line(...tenths.map((x) => 1 - (1 - x) ** power))

const sample = sampleWeb(generateWeb({ pages: 600, sites: 60, bowTie: false }), Infinity)
const settings = scaledTo(
  600,
  schedulingSettings({ orders: ['length', 'depth'], robots: [1, 4], bandwidths: [1e7, 1e3] }),
)
const ranks = trueRanks(sample.web)
const measured = measure(sample, ranks, settings, new SchedulingRuns(sample.web, ranks, settings, {}))

const withCrawls = (
  alone: Record<string, SimulationResult>,
  many: Record<string, SimulationResult> = {},
): SchedulingOutcome => ({
  ...measured,
  crawls: new Map([
    [1, new Map(Object.entries(alone))],
    [4, new Map(Object.entries(many))],
  ]),
  atRandom: alone['random'] === undefined ? [] : [alone['random'].curve],
})

const asInPaper = { length: bent(4), depth: bent(2), 'batch:5': bent(2.1), 'partial:5': bent(1.05), random: bent(1) }
const alone: [sentence: string, crawls: Record<string, SimulationResult>, verdict: string, says: RegExp][] = [
  ['lines as the paper tells of them', asInPaper, 'holds here', /Every part/],
  [
    'a Depth that is better than Length',
    { ...asInPaper, depth: bent(5) },
    'does not hold here',
    /Length is not the best/,
  ],
  ['a Partial that is good', { ...asInPaper, 'partial:5': bent(3) }, 'does not hold here', /far from random/],
  ['no Partial', { length: bent(4), depth: bent(2), random: bent(1) }, 'cannot be tested', /It takes length/],
]
for (const [sentence, crawls, verdict, says] of alone) {
  test(`claim 3, ${sentence}: ${verdict}`, () => {
    const finding = aloneFinding('x', withCrawls(crawls))
    assert.equal(finding.verdict, verdict)
    assert.match(finding.why, says)
  })
}

const greedy = line(0, 0.5, 0.7, 0.8, 0.85, 0.88, 0.9, 0.91, 0.92, 0.93, 1)
const optimal: [sentence: string, other: SimulationResult, verdict: string, says: RegExp][] = [
  ['overtaken late', bent(1.8), 'holds here', /leads up to (7|8)/],
  ['overtaken early', bent(6), 'does not hold here', /leads up to [1-4]/],
  ['never overtaken', bent(1), 'does not hold here', /leads to the end/],
]
for (const [sentence, other, verdict, says] of optimal) {
  test(`claim 4, ${sentence}: ${verdict}`, () => {
    const finding = optimalFinding('x', withCrawls({ optimal: greedy, length: other }))
    assert.equal(finding.verdict, verdict, finding.ours)
    assert.match(finding.ours, says)
  })
}

const stable: [sentence: string, many: Record<string, SimulationResult>, verdict: string][] = [
  ['Length stays and Depth improves', { length: bent(4.1), depth: bent(3) }, 'holds here'],
  ['Length moves more', { length: bent(2), depth: bent(2.1) }, 'does not hold here'],
  ['Depth gets worse', { length: bent(4), depth: bent(1) }, 'does not hold here'],
  ['Depth was not run', { length: bent(4) }, 'cannot be tested'],
]
for (const [sentence, many, verdict] of stable) {
  test(`claim 5, ${sentence}: ${verdict}`, () =>
    assert.equal(stableFinding('x', withCrawls({ length: bent(4), depth: bent(2) }, many)).verdict, verdict))
}

test('claim 2 fails for a crawl that is faster than T*, and for losses that do not add up', () => {
  const speed = (result: SimulationResult): SchedulingOutcome => ({
    ...measured,
    speeds: [{ bandwidth: 1_000, robots: 1, result, speedUp: 1, halfSpeedUp: 1 }],
  })
  assert.equal(leastFinding('x', measured).verdict, 'holds here')
  assert.equal(leastFinding('x', speed(bent(1))).verdict, 'holds here')
  assert.match(leastFinding('x', speed({ ...bent(1), leastTimeMs: 11_000 })).why, /faster than T\*/)
  assert.match(leastFinding('x', speed({ ...bent(1), bytes: 8_000 })).why, /do not add up/)
})

const speedTable = (...rows: [bandwidth: number, one: number, four: number][]): SchedulingOutcome => ({
  ...measured,
  speeds: rows.flatMap(([bandwidth, ...speedUps]) =>
    speedUps.map((speedUp, n) => ({ bandwidth, robots: n === 0 ? 1 : 4, result: bent(1), speedUp, halfSpeedUp: 1 })),
  ),
})
test('claim 6 looks at the whole table', () => {
  assert.equal(speedUpFinding('x', speedTable([1e7, 1, 3.5], [1e3, 0.2, 0.3])).verdict, 'holds here')
  assert.match(speedUpFinding('x', speedTable([1e7, 1, 2], [1e3, 0.2, 0.3])).why, /in proportion on the widest/)
  assert.match(speedUpFinding('x', speedTable([1e7, 1, 3.5], [1e3, 0.2, 2])).why, /pay on the narrowest/)
  assert.match(speedUpFinding('x', speedTable([1e7, 1, 3.5], [1e3, 0.2, 3.7])).why, /a narrower link is faster/)
})

test('claim 6 says which rows of the paper no link can give', () => {
  const { why } = speedUpFinding('x', measured)
  assert.match(why, /rows for 2,000 \(at most 3\) and 200 \(at most 0.333\) bytes a second cannot come from any link/)
})

const batchTimes = (...hours: readonly number[]): SchedulingOutcome => ({
  ...measured,
  tails: hours.map((timeMs, n) => ({
    bandwidth: n < 2 ? 20_000 : 2_000,
    pagesPerConnection: n % 2 === 0 ? 1 : 100,
    result: { ...bent(1), timeMs, activity: { stretchMs: timeMs, robots: [1 / timeMs] } },
  })),
})
test('claim 7 wants the wide link to gain more, and more robots at work', () => {
  assert.equal(connectionFinding('x', batchTimes(9, 3, 33, 29)).verdict, 'holds here')
  assert.match(connectionFinding('x', batchTimes(9, 8.9, 33, 29)).why, /the wide link does not gain more/)
  assert.match(connectionFinding('x', batchTimes(9, 3, 33, 34)).why, /a batch is not shortened/)
})

const daily = (result: SimulationResult, means: readonly number[]): SchedulingOutcome => ({
  ...measured,
  inBatches: result,
  days: means.map((mean, n) => ({ number: n + 1, pages: (n + 1) / 8, rank: 1, mean })),
})
test('claim 8 reads PageRank at half and at 80 % of the pages', () => {
  const falling = [3, 2, 1, 1, 0.5, 0.4, 0.3, 0.2]
  assert.equal(daysFinding('x', daily(bent(3), falling)).verdict, 'holds here')
  assert.match(daysFinding('x', daily(bent(1.5), falling)).why, /half of the pages hold less/)
  assert.match(daysFinding('x', daily(bent(3), falling.toReversed())).why, /the first day is not the best/)
})
