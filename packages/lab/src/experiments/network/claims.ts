/** What the simulated network says to claims 4 to 10 of 001. */
import type { ClaimAnswer, Verdict } from '../../claims/claim.ts'
import { peakOf, plateauOf, valueAt } from './scenarios.ts'
import type { CaseOutcome, NetworkPoint } from './scenarios.ts'
import { formatNumber } from '../../report/number.ts'
import { holds, percent } from '../servers/answer.ts'

const CLAIMS: Readonly<Record<number, string>> = {
  4: 'Without crawlers and overhead clients get about 222 bits a tick at most, and past saturation about 140.',
  5: 'With indexing at 0, 3 and 7 % overhead clients get about 220 bits a tick at most.',
  6: '20 % crawlers leave clients 175 bits a tick at most (20 % less), 40 % leave 120 (45 % less): the loss can exceed the share.',
  7: 'Crawlers get twice as much in the 40 % case as in the 20 % case.',
  8: 'Client delay grows much with the share of crawlers and not with indexing; crawler delay hardly depends on their share.',
  9: 'At 0.0025 client requests a tick 40 % crawlers cut completed requests by nearly 60 %; with indexing all complete alike.',
  10: 'Active indexing is up to 30 % more efficient than crawling.',
}

export const PAPER_PEAK = 222
export const PAPER_PLATEAU = 140
const PAPER_RATE = 0.0025
/** What counts as the same, of a throughput or a share, where the paper says "about". */
const ABOUT = 0.05

export interface NetworkFindings {
  readonly base: CaseOutcome
  /** By rising share and overhead. */
  readonly crawlers: readonly CaseOutcome[]
  readonly indexing: readonly CaseOutcome[]
}

export function networkClaims(id: string, found: NetworkFindings, isCalibrated: boolean): ClaimAnswer[] {
  const answer = (number: number, verdict: Verdict, ours: string, why: string, ...shownIn: string[]): ClaimAnswer => ({
    paper: '001',
    number,
    claim: CLAIMS[number]!,
    verdict,
    ours,
    why,
    shownIn: shownIn.map((part) => `${id}-${part}`),
  })
  return [
    answer(4, ...peakAnswer(found, isCalibrated), 'fig2', 'cases'),
    answer(5, ...indexAnswer(found), 'fig2', 'cases'),
    answer(6, ...lossAnswer(found), 'fig2', 'cases'),
    answer(7, ...twiceAnswer(found), 'fig3'),
    answer(8, ...delayAnswer(found), 'fig4', 'fig5'),
    answer(9, ...completedAnswer(found), 'fig6'),
    answer(10, ...gainAnswer(found), 'cases'),
  ]
}

type Answer = readonly [verdict: Verdict, ours: string, why: string]

const peak = (outcome: CaseOutcome): number => peakOf(outcome).client.throughput.mean
const bits = (value: number): string => formatNumber(Math.round(value * 10) / 10)
const isNear = (value: number, wanted: number, tolerance = ABOUT): boolean => Math.abs(value - wanted) <= tolerance

function peakAnswer({ base }: NetworkFindings, isCalibrated: boolean): Answer {
  const [most, plateau] = [peak(base), plateauOf(base)]
  const ours = `${bits(most)} bits a tick at ${formatNumber(peakOf(base).clientRate)} requests, then ${bits(plateau)}`
  if (isCalibrated)
    return [
      'cannot be tested',
      ours,
      'Link speeds, buffers, windows and timeouts were chosen to give this, as the paper names none of them. They are not touched in the other cases.',
    ]
  const isAlike = isNear(most / PAPER_PEAK, 1) && isNear(plateau / PAPER_PLATEAU, 1)
  return [holds(isAlike), ours, 'Settings are not those that were calibrated.']
}

function indexAnswer({ base, indexing }: NetworkFindings): Answer {
  const losses = indexing.map((one) => 1 - peak(one) / peak(base))
  return [
    holds(losses.every((loss) => Math.abs(loss) <= ABOUT / 2)),
    indexing.map((one, at) => `${one.name}: ${bits(peak(one))} (${lossText(losses[at]!)})`).join('; '),
    `Held when all are within ${percent(ABOUT / 2)} of the case without. Index messages leave by the gateways that are the bottleneck here, so their bits are missing there; see the case with slow servers, where they are not.`,
  ]
}

const lossText = (loss: number): string =>
  Math.abs(loss) < 0.0005 ? 'the same' : `${percent(Math.abs(loss))} ${loss > 0 ? 'less' : 'more'}`

function lossAnswer({ base, crawlers }: NetworkFindings): Answer {
  const paper = new Map([
    [0.2, 0.2],
    [0.4, 0.45],
  ])
  const losses = crawlers.map((one) => ({ one, loss: 1 - peak(one) / peak(base) }))
  const isAlike = losses.every(({ one, loss }) => isNear(loss, paper.get(one.crawlerShare) ?? loss, 2 * ABOUT))
  const exceeding = losses.filter(({ one, loss }) => loss > one.crawlerShare)
  return [
    losses.some(({ one }) => paper.has(one.crawlerShare)) ? holds(isAlike) : 'cannot be tested',
    losses.map(({ one, loss }) => `${one.name}: ${bits(peak(one))} (${lossText(loss)})`).join('; '),
    `Held within ${percent(2 * ABOUT)} of the clients' throughput. The loss is ${exceeding.length === 0 ? 'not larger than the share in any case' : `larger than the share with ${exceeding.map(({ one }) => one.name).join(' and ')}`}.`,
  ]
}

/** Both at the same total rate, where both were run. */
function twiceAnswer({ crawlers }: NetworkFindings): Answer {
  const [few, many] = [crawlers.find(isShare(0.2)), crawlers.find(isShare(0.4))]
  if (few === undefined || many === undefined) return ['cannot be tested', '', 'The cases of 20 and 40 % were not run.']
  const ratios = ratiosOf(many, few, ({ crawler }) => crawler.throughput.mean)
  const [mean, last] = [meanOf(ratios), peakOf(many).totalRate]
  const calm = meanOf(ratiosOf(upTo(many, last), few, ({ crawler }) => crawler.throughput.mean))
  return [
    holds(isNear(mean, 2, 4 * ABOUT)),
    `${bits(calm)} times as much up to the peak of the clients, ${bits(mean)} times over all rates (${bits(Math.min(...ratios))} to ${bits(Math.max(...ratios))})`,
    `Past saturation both lose, and those who ask more lose more. At the same rate of all requests. Held when the mean is within ${percent(2 * ABOUT)} of twice.`,
  ]
}

const upTo = (one: CaseOutcome, totalRate: number): CaseOutcome => ({
  ...one,
  points: one.points.filter((point) => point.totalRate <= totalRate),
})

const isShare =
  (share: number) =>
  ({ crawlerShare }: CaseOutcome): boolean =>
    crawlerShare === share

const xOf = ({ totalRate }: NetworkPoint): number => totalRate

/** One over the other at the total rates of the first. */
function ratiosOf(one: CaseOutcome, other: CaseOutcome, measure: (point: NetworkPoint) => number): number[] {
  return one.points
    .map((point) => measure(point) / valueAt(other.points, xOf(point), xOf, measure))
    .filter((ratio) => Number.isFinite(ratio))
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const atPaperRate = ({ points }: CaseOutcome, measure: (point: NetworkPoint) => number): number =>
  valueAt(points, PAPER_RATE, ({ clientRate }) => clientRate, measure)

const MUCH = 1.5

const delay = (one: CaseOutcome): number => atPaperRate(one, ({ client }) => client.delay.mean)

function delayAnswer({ base, crawlers, indexing }: NetworkFindings): Answer {
  const times = (one: CaseOutcome): number => delay(one) / delay(base)
  const [few, many] = [crawlers[0]!, crawlers.at(-1)!]
  const crawlerRatio = meanOf(ratiosOf(many, few, ({ crawler }) => crawler.delay.mean))
  const isClient = times(many) >= MUCH && indexing.every((one) => isNear(times(one), 1, 4 * ABOUT))
  const isCrawler = isNear(crawlerRatio, 1, 4 * ABOUT)
  return [
    Number.isFinite(delay(base)) ? holds(isClient && isCrawler) : 'cannot be tested',
    `at ${PAPER_RATE}: ${[base, ...crawlers, ...indexing.filter(({ overhead }) => overhead > 0)].map((one) => `${one.name} ${formatNumber(Math.round(delay(one)))}`).join(', ')} ticks; ` +
      `crawlers wait ${formatNumber(Math.round(crawlerRatio * 100) / 100)} times as long in the ${percent(many.crawlerShare)} case as in the ${percent(few.crawlerShare)} case`,
    `Held when the largest share of crawlers makes clients wait ${MUCH} times as long or longer, indexing no more than ${percent(4 * ABOUT)} longer (${holdsWord(isClient)}), and crawlers wait alike within ${percent(4 * ABOUT)} at the same total rate (${holdsWord(isCrawler)}).`,
  ]
}

const holdsWord = (whether: boolean): string => (whether ? 'so it is' : 'it is not so')

const completed = (one: CaseOutcome): number => atPaperRate(one, ({ client }) => client.completed.mean)

function completedAnswer({ base, crawlers, indexing }: NetworkFindings): Answer {
  const many = crawlers.find(isShare(0.4))
  if (many === undefined || Number.isNaN(completed(base)))
    return ['cannot be tested', '', `The case of 40 % was not run, or not around ${PAPER_RATE}.`]
  const cut = 1 - completed(many) / completed(base)
  const isAlike = indexing.every((one) => isNear(completed(one), completed(base)))
  return [
    holds(isNear(cut, 0.6, 2 * ABOUT) && isAlike),
    `${percent(completed(base))} without crawlers, ${percent(completed(many))} with 40 %: cut by ${percent(cut)}; ` +
      indexing.map((one) => `${one.name}: ${percent(completed(one))}`).join('; '),
    `Held when the cut is within ${percent(2 * ABOUT)} of 60 %, and with indexing as many complete within ${percent(ABOUT)} (${holdsWord(isAlike)}).`,
  ]
}

function gainAnswer({ crawlers, indexing }: NetworkFindings): Answer {
  const dearest = indexing.at(-1)!
  const gains = crawlers.map((one) => ({ one, gain: peak(dearest) / peak(one) - 1 }))
  const paper = 'The paper does not say of what. Its own peaks give 26 % (220 over 175) and 83 % (220 over 120)'
  return [
    holds(gains.some(({ gain }) => gain >= 0.3)),
    `${dearest.name}: ${gains.map(({ one, gain }) => `${percent(gain)} more than with ${one.name}`).join(', ')}`,
    `${paper}; ours are of the largest client throughput too. Held when one of them is 30 % or more.`,
  ]
}
