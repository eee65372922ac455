/** Claims 2, 6, 7 and 8 of 004: how long a crawl takes, and what it has by when. */
import { formatNumber, formatQuantity } from '../../report/number.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { answersOf, untestable } from './answer.ts'
import type { SchedulingContext } from './answer.ts'
import { tooFewSites } from './order-claims.ts'
import type { SchedulingOutcome, SpeedRun } from './outcome.ts'
import { rankAtShare } from './statistics.ts'
import { meanRobots, paperSpeedUps } from './tables.ts'

/** A millionth: what adding up millions of numbers may lose. */
const ROUNDING = 1e-6
/** Of PageRank and of pages (004 §7). */
const [ABOUT_80, OVER_95] = [0.8, 0.95]
const [BY_DAY_2, BY_DAY_4] = [0.5, 0.8]

const share = (value: number): string => formatQuantity(value, 'share')
const time = (ms: number): string => formatQuantity(ms / 1_000, 's')

const made = (is: boolean): false | 'holds by construction' => is && 'holds by construction'

export function leastAnswers(context: SchedulingContext, { speeds }: SchedulingOutcome): ClaimAnswer[] {
  const isNeverFaster = speeds.every(({ result }) => result.timeMs >= result.leastTimeMs * (1 - ROUNDING))
  const addsUp = speeds.every(({ bandwidth, result: { timeMs, bytes, lost } }) => {
    const all = (bandwidth * timeMs) / 1_000
    return Math.abs(lost.politeness + lost.slowSites + lost.fewSites + bytes - all) <= all * ROUNDING
  })
  const ratios = speeds.map(({ result }) => result.timeMs / result.leastTimeMs)
  const most = speeds[ratios.indexOf(Math.max(...ratios))]!
  const least = speeds[ratios.indexOf(Math.min(...ratios))]!
  return answersOf(
    context,
    {
      why: 'A link that carries no more than its bandwidth can do nothing else: it shows that our clocks and sums are right.',
      shownIn: ['losses'],
    },
    [
      {
        part: '004.2a',
        found: made(isNeverFaster),
        ours:
          `T / T* from ${formatNumber(Math.min(...ratios))} (${linkOf(least)}) to ${formatNumber(Math.max(...ratios))} ` +
          `(${linkOf(most)}), in ${speeds.length} crawls`,
      },
      {
        part: '004.2b',
        found: made(addsUp),
        ours: `most was lost ${worstLoss(most)} where T / T* is largest, ${worstLoss(least)} where it is smallest`,
        why: 'The three losses and the bytes are the whole link at each moment.',
      },
    ],
  )
}

const linkOf = ({ bandwidth, robots }: SpeedRun): string =>
  `${formatNumber(bandwidth)} bytes a second, ${robots} ${robots === 1 ? 'robot' : 'robots'}`

function worstLoss({ result: { lost } }: SpeedRun): string {
  const all = lost.politeness + lost.slowSites + lost.fewSites
  const [[name, bytes] = ['', 0]] = (
    [
      ['to slow sites', lost.slowSites],
      ['to politeness', lost.politeness],
      ['to too few sites', lost.fewSites],
    ] as const
  ).toSorted((a, b) => b[1] - a[1])
  return all === 0 ? 'nothing' : `${name} (${share(bytes / all)} of the loss)`
}

export function speedUpAnswers(context: SchedulingContext, outcome: SchedulingOutcome): ClaimAnswer[] {
  const few = tooFewSites('004.6', context, outcome)
  if (few !== undefined) return few
  const { settings, speeds, shape, web } = outcome
  const [first, ...more] = settings.robots
  if (more.length === 0 || settings.bandwidths.length < 2)
    return untestable('004.6', context, 'one number of robots, or one link', 'A speed-up takes two of each.')
  const columnOf = (count: number): number[] =>
    speeds.filter(({ robots }) => robots === count).map(({ speedUp }) => speedUp)
  const halfOf = (count: number): number => speeds.find(({ robots }) => robots === count)!.halfSpeedUp
  const base = speeds[0]!.result.timeMs
  const largest = shape.siteSizes.reduce((most, size) => Math.max(most, size), 0)
  const restMs = (Math.ceil(largest / settings.pagesPerConnection) - 1) * settings.waitMs
  const bound = base / restMs
  const linear = more.every((count) => columnOf(count)[0]! >= (toleranceOf('nearly-linear') * count) / first!)
  const isAsPaper = largest / web.pages <= toleranceOf('largest-site')
  const each = (text: (count: number) => string): string =>
    more.map((count) => `r = ${count}: ${text(count)}`).join('; ')
  const bounded = `The largest site has ${formatNumber(largest)} pages, ${share(largest / web.pages)} of all, and rests for ${time(restMs)}, so no number of robots can be more than ${formatNumber(bound)} times as fast as one, which takes ${time(base)}.`
  return answersOf(context, { why: '', shownIn: ['table1', 'losses'] }, [
    {
      part: '004.6a',
      found: isAsPaper || linear ? linear : 'cannot be tested here',
      ours: each(
        (count) =>
          `${formatNumber(columnOf(count)[0]!)}, for the first half of the pages ${formatNumber(halfOf(count))}`,
      ),
      why: `${bounded}${isAsPaper ? '' : ' The paper’s largest is under 0.7 % of its web. It takes a web of which no site is over 1 %.'}`,
    },
    {
      part: '004.6b',
      found: more.every((count) => columnOf(count).at(-1)! <= (toleranceOf('pointless') * count) / first!),
      ours: each((count) => `${formatNumber(columnOf(count).at(-1)!)} on the narrowest link`),
    },
    {
      part: '004.6c',
      found: more.every((count) => isFalling(columnOf(count))),
      ours: each((count) => columnOf(count).map(formatNumber).join(', ')),
    },
    {
      part: '004.6d',
      found: false,
      ours: each((count) => `${columnOf(count).slice(-2).map(formatNumber).join(', ')} on the two narrowest`),
      why: impossibleRows(),
    },
  ])
}

const isFalling = (values: readonly number[]): boolean =>
  values.every((value, n) => n === 0 || value <= values[n - 1]! * (1 + ROUNDING))

/**
 * One robot on a narrower link takes at most T* longer than on a wide one. So its own speed-up s says that T* is at least
 * 1/s − 1 of its time on the wide link, and as nobody is faster than T*, that no speed-up can be above 1 / (1/s − 1). The
 * printed s may have been up to 0.05 more.
 */
function impossibleRows(): string {
  const rows = paperSpeedUps.flatMap(({ bandwidth, speedUps: [alone = 1, ...rest] }) => {
    const bound = 1 / (1 / (alone + 0.05) - 1)
    return alone >= 1 || Math.max(...rest) <= bound
      ? []
      : [`${formatNumber(bandwidth)} (at most ${formatNumber(bound)})`]
  })
  return (
    `The paper's rows for ${rows.join(' and ')} bytes a second cannot come from any link that obeys claim 2, by their own ` +
    `first column: one robot loses so much there that T* leaves no room for what the others are said to win.`
  )
}

export function connectionAnswers(context: SchedulingContext, outcome: SchedulingOutcome): ClaimAnswer[] {
  const few = tooFewSites('004.7', context, outcome)
  if (few !== undefined) return few
  const { tails, settings, tailWeb } = outcome
  const pairs = settings.tailBandwidths.map((bandwidth) => {
    const [one, many] = tails.filter((run) => run.bandwidth === bandwidth).map(({ result }) => result)
    return { bandwidth, one: one!, many: many!, left: many!.timeMs / one!.timeMs }
  })
  const [wide, narrow] = [pairs[0]!, pairs.at(-1)!]
  const each = (text: (pair: (typeof pairs)[number]) => string): string =>
    pairs.map((pair) => `${formatNumber(pair.bandwidth)} bytes a second: ${text(pair)}`).join('; ')
  const times = each(({ one, many }) => `${time(one.timeMs)} to ${time(many.timeMs)} (T* ${time(one.leastTimeMs)})`)
  return answersOf(
    context,
    {
      why:
        `k = ${settings.pagesPerConnection} to ${settings.manyPagesPerConnection}, on one batch of ${formatNumber(tailWeb.pages)} pages. ` +
        `The paper's 29 and 3 hours are both some 210 MB, nothing but T*; its 9 hours are the rests of the largest site of its batch.`,
      shownIn: ['batch', ...settings.tailBandwidths.map((bandwidth) => `fig7-${bandwidth}`)],
    },
    [
      { part: '004.7a', found: pairs.every(({ left }) => left < 1), ours: times },
      { part: '004.7b', found: pairs.length > 1 && wide.left < narrow.left, ours: times },
      {
        part: '004.7c',
        found: pairs.every(({ one, many }) => meanRobots(many) > meanRobots(one)),
        ours: each(
          ({ one, many }) => `${formatNumber(meanRobots(one))} to ${formatNumber(meanRobots(many))} robots at work`,
        ),
      },
    ],
  )
}

const isNear = (pages: number, paper: number): boolean => Math.abs(pages - paper) <= toleranceOf('pages-by-day')

export function daysAnswers(context: SchedulingContext, outcome: SchedulingOutcome): ClaimAnswer[] {
  const few = tooFewSites('004.8', context, outcome)
  if (few !== undefined) return few
  const { inBatches, days } = outcome
  const total = inBatches.curve.rank.at(-1)!
  const [half, most] = [0.5, 0.8].map((pages) => rankAtShare(inBatches.curve, pages) / total)
  const means = days.map(({ mean }) => mean).filter((value) => !Number.isNaN(value))
  const falls = means.slice(1).every((mean) => mean < means[0]!) && means.at(-1)! < means[0]! / 2
  return answersOf(
    context,
    {
      why: `Days are eighths of a crawl of ${time(inBatches.timeMs)} in ${inBatches.batches.length} batches.`,
      shownIn: ['fig8', 'fig9', 'days'],
    },
    [
      {
        part: '004.8a',
        found: half! >= ABOUT_80 - toleranceOf('rank-by-day'),
        ours: `half of the pages hold ${share(half!)} of PageRank`,
      },
      { part: '004.8b', found: most! > OVER_95, ours: `80 % of the pages hold ${share(most!)} of PageRank` },
      {
        part: '004.8c',
        found: isNear(days[1]!.pages, BY_DAY_2) && isNear(days[3]!.pages, BY_DAY_4),
        ours: `by day 2 ${share(days[1]!.pages)} of the pages, by day 4 ${share(days[3]!.pages)}`,
        why: 'How pages are spread over the days depends on links and failures of 2004 that the paper does not print.',
      },
      {
        part: '004.8d',
        found: falls,
        ours: `mean PageRank by day ${means.map(formatNumber).join(', ')}`,
        why: 'Held when the first day is the best and the last less than half as good.',
      },
    ],
  )
}
