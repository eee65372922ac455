/** Claims 2, 6, 7 and 8 of 004: how long a crawl takes, and what it has by when. */
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { untestable, verdictOf } from './answer.ts'
import type { Finding } from './answer.ts'
import { tooFewSites } from './order-claims.ts'
import type { SchedulingOutcome, SpeedRun } from './outcome.ts'
import { rankAtShare } from './statistics.ts'
import { meanRobots, paperSpeedUps } from './tables.ts'

/** A millionth: what adding up millions of numbers may lose. */
const ROUNDING = 1e-6
/** The paper's 54.6 of 64 and 220.1 of 256 are 85 and 86 %; its 1.6 and 3.0 on the narrowest link 2.5 and 1.2 %. */
const NEARLY_LINEAR = 0.75
const POINTLESS = 0.1
/** "about 80 %" and "more than 95 %" (004 §7). */
const ABOUT_80 = 0.75
const OVER_95 = 0.95

const share = (value: number): string => formatQuantity(value, 'share')
const time = (ms: number): string => formatQuantity(ms / 1_000, 's')

export function leastFinding(id: string, { speeds }: SchedulingOutcome): Finding {
  const isNeverFaster = speeds.every(({ result }) => result.timeMs >= result.leastTimeMs * (1 - ROUNDING))
  const addsUp = speeds.every(({ bandwidth, result: { timeMs, bytes, lost } }) => {
    const all = (bandwidth * timeMs) / 1_000
    return Math.abs(lost.politeness + lost.slowSites + lost.fewSites + bytes - all) <= all * ROUNDING
  })
  const { verdict, failed } = verdictOf([
    ['a crawl was faster than T*', isNeverFaster],
    ['the losses do not add up to what was lost', addsUp],
  ])
  const ratios = speeds.map(({ result }) => result.timeMs / result.leastTimeMs)
  const most = speeds[ratios.indexOf(Math.max(...ratios))]!
  const least = speeds[ratios.indexOf(Math.min(...ratios))]!
  return {
    verdict,
    ours:
      `T / T* from ${formatNumber(Math.min(...ratios))} (${linkOf(least)}) to ${formatNumber(Math.max(...ratios))} ` +
      `(${linkOf(most)}), in ${speeds.length} crawls`,
    why: `${failed} Most was lost ${worstLoss(most)} where T / T* is largest, ${worstLoss(least)} where it is smallest.`,
    shownIn: [`${id}-losses`],
  }
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

export function speedUpFinding(id: string, outcome: SchedulingOutcome): Finding {
  const few = tooFewSites(outcome)
  if (few !== undefined) return few
  const { settings, speeds, shape } = outcome
  const [first, ...more] = settings.robots
  if (more.length === 0 || settings.bandwidths.length < 2) {
    return untestable('one number of robots, or one link', 'A speed-up takes two of each.')
  }
  const columnOf = (count: number): number[] =>
    speeds.filter(({ robots }) => robots === count).map(({ speedUp }) => speedUp)
  const halfOf = (count: number): number => speeds.find(({ robots }) => robots === count)!.halfSpeedUp
  const { verdict, failed } = verdictOf([
    [
      'robots do not pay in proportion on the widest link',
      more.every((count) => columnOf(count)[0]! >= (NEARLY_LINEAR * count) / first!),
    ],
    ['they pay on the narrowest link', more.every((count) => columnOf(count).at(-1)! <= (POINTLESS * count) / first!)],
    ['a narrower link is faster', more.every((count) => isFalling(columnOf(count)))],
  ])
  const base = speeds[0]!.result.timeMs
  const largest = shape.siteSizes.reduce((most, size) => Math.max(most, size), 0)
  const restMs = (Math.ceil(largest / settings.pagesPerConnection) - 1) * settings.waitMs
  return {
    verdict,
    ours: more
      .map(
        (count) =>
          `r = ${count}: ${columnOf(count).map(formatNumber).join(', ')}; ${formatNumber(halfOf(count))} for the first half on the widest link`,
      )
      .join('. '),
    why:
      `${failed} The largest site has ${formatNumber(largest)} pages and rests for ${time(restMs)} in all, so no number of ` +
      `robots can be more than ${formatNumber(base / restMs)} times as fast as one, which takes ${time(base)}. ${impossibleRows()}`,
    shownIn: [`${id}-table1`, `${id}-losses`],
  }
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

export function connectionFinding(id: string, outcome: SchedulingOutcome): Finding {
  const few = tooFewSites(outcome)
  if (few !== undefined) return few
  const { tails, settings, tailWeb } = outcome
  const pairs = settings.tailBandwidths.map((bandwidth) => {
    const [one, many] = tails.filter((run) => run.bandwidth === bandwidth).map(({ result }) => result)
    return { bandwidth, one: one!, many: many!, left: many!.timeMs / one!.timeMs }
  })
  const [wide, narrow] = [pairs[0]!, pairs.at(-1)!]
  const { verdict, failed } = verdictOf([
    ['a batch is not shortened', pairs.every(({ left }) => left < 1)],
    ['the wide link does not gain more', pairs.length > 1 && wide.left < narrow.left],
    ['no more robots are at work', pairs.every(({ one, many }) => meanRobots(many) > meanRobots(one))],
  ])
  return {
    verdict,
    ours: pairs
      .map(
        ({ bandwidth, one, many }) =>
          `${formatNumber(bandwidth)} bytes a second: ${time(one.timeMs)} to ${time(many.timeMs)} (T* ${time(one.leastTimeMs)}), ` +
          `${formatNumber(meanRobots(one))} to ${formatNumber(meanRobots(many))} robots at work`,
      )
      .join('; '),
    why:
      `${failed} k = ${settings.pagesPerConnection} to ${settings.manyPagesPerConnection}, on one batch of ` +
      `${formatNumber(tailWeb.pages)} pages. The paper's 29 and 3 hours are both some 210 MB, nothing but T*; ` +
      `its 9 hours are the rests of the largest site of its batch.`,
    shownIn: [`${id}-batch`, ...settings.tailBandwidths.map((bandwidth) => `${id}-fig7-${bandwidth}`)],
  }
}

export function daysFinding(id: string, outcome: SchedulingOutcome): Finding {
  const few = tooFewSites(outcome)
  if (few !== undefined) return few
  const { inBatches, days } = outcome
  const total = inBatches.curve.rank.at(-1)!
  const [half, most] = [0.5, 0.8].map((pages) => rankAtShare(inBatches.curve, pages) / total)
  const means = days.map(({ mean }) => mean).filter((value) => !Number.isNaN(value))
  const { verdict, failed } = verdictOf([
    ['half of the pages hold less', half! >= ABOUT_80],
    ['80 % of the pages hold less', most! >= OVER_95],
    ['the first day is not the best', means.slice(1).every((mean) => mean < means[0]!)],
    ['the last day is more than half as good as the first', means.at(-1)! < means[0]! / 2],
  ])
  return {
    verdict,
    ours:
      `half of the pages hold ${share(half!)} of PageRank, 80 % hold ${share(most!)}; by day 2 ${share(days[1]!.pages)} of the ` +
      `pages, by day 4 ${share(days[3]!.pages)}; mean PageRank by day ${means.map(formatNumber).join(', ')}`,
    why:
      `${failed} Days are eighths of a crawl of ${time(inBatches.timeMs)} in ${inBatches.batches.length} batches. How pages are ` +
      `spread over the days depends on links and failures of 2004 that the paper does not print, so the answer does not rest on it.`,
    shownIn: [`${id}-fig8`, `${id}-fig9`, `${id}-days`],
  }
}
