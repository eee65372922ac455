import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateWeb } from '../../webs/generated/web.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { aloneAnswers, optimalAnswers, stableAnswers } from './order-claims.ts'
import { measure } from './outcome.ts'
import type { SchedulingOutcome } from './outcome.ts'
import { SchedulingRuns } from './runs.ts'
import { sampleWeb } from './sample.ts'
import { scaledTo, schedulingSettings } from './settings.ts'
import { connectionAnswers, daysAnswers, leastAnswers, speedUpAnswers } from './time-claims.ts'
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
/** Each part by itself: `+` holds, `-` does not, `≡` by construction, `?` cannot be tested. */
const signs = (answers: readonly ClaimAnswer[]): string =>
  answers
    .map(
      ({ verdict }) =>
        ({ holds: '+', 'does not hold here': '-', 'holds by construction': '≡' })[verdict as string] ?? '?',
    )
    .join('')
const context = { id: 'x', web: 'w', isFitted: false }

const alone: [sentence: string, crawls: Record<string, SimulationResult>, parts: string][] = [
  ['lines as the paper tells of them', asInPaper, '++++'],
  ['a Depth that is better than Length, and so far from Batch', { ...asInPaper, depth: bent(5) }, '---+'],
  ['a Partial that is good', { ...asInPaper, 'partial:5': bent(3) }, '+++-'],
  ['no Partial', { length: bent(4), depth: bent(2), random: bent(1) }, '????'],
]
for (const [sentence, crawls, parts] of alone)
  test(`claim 3, ${sentence}: ${parts}`, () => assert.equal(signs(aloneAnswers(context, withCrawls(crawls))), parts))

const greedy = line(0, 0.5, 0.7, 0.8, 0.85, 0.88, 0.9, 0.91, 0.92, 0.93, 1)
const optimal: [sentence: string, other: SimulationResult, parts: string, says: RegExp][] = [
  ['overtaken late', bent(1.8), '++', /leads up to (7|8)/],
  ['overtaken early', bent(6), '--', /leads up to [1-4]/],
  ['never overtaken', bent(1), '+-', /leads to the end/],
]
for (const [sentence, other, parts, says] of optimal) {
  test(`claim 4, ${sentence}: ${parts}`, () => {
    const answers = optimalAnswers(context, withCrawls({ optimal: greedy, length: other }))
    assert.equal(signs(answers), parts, answers[0]!.ours)
    assert.match(answers[0]!.ours, says)
  })
}

const stable: [sentence: string, many: Record<string, SimulationResult>, parts: string][] = [
  ['Length stays and Depth improves', { length: bent(4.1), depth: bent(3) }, '++'],
  ['Length moves more', { length: bent(2), depth: bent(2.1) }, '-+'],
  ['Depth gets worse', { length: bent(4), depth: bent(1) }, '+-'],
  ['Depth was not run', { length: bent(4) }, '??'],
]
for (const [sentence, many, parts] of stable)
  test(`claim 5, ${sentence}: ${parts}`, () =>
    assert.equal(signs(stableAnswers(context, withCrawls({ length: bent(4), depth: bent(2) }, many))), parts))

test('claim 2 fails for a crawl that is faster than T*, and for losses that do not add up', () => {
  const speed = (result: SimulationResult): string =>
    signs(
      leastAnswers(context, {
        ...measured,
        speeds: [{ bandwidth: 1_000, robots: 1, result, speedUp: 1, halfSpeedUp: 1 }],
      }),
    )
  assert.equal(signs(leastAnswers(context, measured)), '≡≡')
  assert.equal(speed(bent(1)), '≡≡')
  assert.equal(speed({ ...bent(1), leastTimeMs: 11_000 }), '-≡')
  assert.equal(speed({ ...bent(1), bytes: 8_000 }), '≡-')
})

const speedTable = (...rows: [bandwidth: number, one: number, four: number][]): SchedulingOutcome => ({
  ...measured,
  speeds: rows.flatMap(([bandwidth, ...speedUps]) =>
    speedUps.map((speedUp, n) => ({ bandwidth, robots: n === 0 ? 1 : 4, result: bent(1), speedUp, halfSpeedUp: 1 })),
  ),
})
const small = { ...measured.shape, siteSizes: new Uint32Array(600).fill(1) }
// oxfmt-ignore
const tables: [sentence: string, rows: [number, number, number][], parts: string][] = [
  ['wide links that pay, narrow ones that do not',    [[1e7, 1, 3.5], [1e3, 0.2, 0.3]], '+++-'],
  ['robots that do not pay on the widest link',       [[1e7, 1, 2],   [1e3, 0.2, 0.3]], '-++-'],
  ['robots that pay on the narrowest',                [[1e7, 1, 3.5], [1e3, 0.2, 2]],   '+-+-'],
  ['a narrower link that is faster',                  [[1e7, 1, 3.5], [1e3, 0.2, 3.7]], '+---'],
]
for (const [sentence, rows, parts] of tables)
  test(`claim 6, ${sentence}: ${parts}`, () =>
    assert.equal(signs(speedUpAnswers(context, { ...speedTable(...rows), shape: small })), parts))

test('claim 6 cannot be told where one site is a tenth of the web, as its rests bound every speed-up', () => {
  const large = { ...measured.shape, siteSizes: Uint32Array.of(60, 540) }
  const [wide] = speedUpAnswers(context, { ...speedTable([1e7, 1, 2], [1e3, 0.2, 0.3]), shape: large })
  assert.equal(wide!.verdict, 'cannot be tested here')
  assert.match(wide!.why, /90.% of all, and rests .* It takes a web of which no site is over 1 %/)
})

test('claim 6 says which rows of the paper no link can give', () => {
  const { why } = speedUpAnswers(context, measured).at(-1)!
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
  assert.equal(signs(connectionAnswers(context, batchTimes(9, 3, 33, 29))), '+++')
  assert.equal(signs(connectionAnswers(context, batchTimes(9, 8.9, 33, 29))), '+-+')
  assert.equal(signs(connectionAnswers(context, batchTimes(9, 3, 33, 34))), '-+-')
})

const daily = (
  result: SimulationResult,
  means: readonly number[],
  byDay: readonly number[] = [],
): SchedulingOutcome => ({
  ...measured,
  inBatches: result,
  days: means.map((mean, n) => ({ number: n + 1, pages: byDay[n] ?? (n + 1) / 8, rank: 1, mean })),
})
test('claim 8 reads PageRank at half and at 80 % of the pages, and pages by day', () => {
  const falling = [3, 2, 1, 1, 0.5, 0.4, 0.3, 0.2]
  assert.equal(signs(daysAnswers(context, daily(bent(3), falling, [0.3, 0.5, 0.7, 0.8]))), '++++')
  assert.equal(signs(daysAnswers(context, daily(bent(1.5), falling))), '---+')
  assert.equal(signs(daysAnswers(context, daily(bent(3), falling.toReversed()))), '++--')
})
