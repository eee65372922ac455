/** What the simulated network says to claims 4 to 10 of 001. */
import type { ClaimAnswer, Verdict } from '../../claims/claim.ts'
import { peakOf, plateauOf, valueAt } from './scenarios.ts'
import type { CaseOutcome, NetworkPoint } from './scenarios.ts'
import { answerTo, holds, holdsUnlessMade } from '../../claims/claim-answer.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { formatNumber } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'
import { intervalOf } from '../servers/curve.ts'
import type { Interval } from '../servers/curve.ts'

export const PAPER_PEAK = 222
export const PAPER_PLATEAU = 140
const PAPER_RATE = 0.0025

export interface NetworkFindings {
  readonly base: CaseOutcome
  /** By rising share and overhead. */
  readonly crawlers: readonly CaseOutcome[]
  readonly indexing: readonly CaseOutcome[]
}

export function networkClaims(id: string, found: NetworkFindings, isCalibrated: boolean): ClaimAnswer[] {
  const answer: Answer = (part, verdict, ours, why, ...shownIn) =>
    answerTo(part, { id }, { verdict, ours, why, shownIn })
  return [
    ...peakAnswers(answer, found, isCalibrated),
    indexAnswer(answer, found),
    ...lossAnswers(answer, found),
    twiceAnswer(answer, found),
    ...delayAnswers(answer, found),
    ...completedAnswers(answer, found),
    gainAnswer(answer, found),
  ]
}

type Answer = (part: string, verdict: Verdict, ours: string, why: string, ...shownIn: string[]) => ClaimAnswer

const peak = (outcome: CaseOutcome): number => peakOf(outcome).client.throughput.mean
const bits = (value: number): string => formatNumber(Math.round(value * 10) / 10)
const times = (value: number): string => formatNumber(Math.round(value * 100) / 100)
const isNear = (value: number, wanted: number, tolerance: number): boolean => Math.abs(value - wanted) <= tolerance
const ABOUT = toleranceOf('about-throughput')
const LOSS = toleranceOf('loss-share')
const ALIKE = toleranceOf('same-delay')

const CALIBRATED =
  'Link speeds, buffers, windows and timeouts were chosen to give this, as the paper names none of them. They are not touched in the other cases.'

function peakAnswers(answer: Answer, { base }: NetworkFindings, isCalibrated: boolean): ClaimAnswer[] {
  const [most, plateau] = [peak(base), plateauOf(base)]
  const why = isCalibrated ? CALIBRATED : 'Settings are not those that were calibrated.'
  const verdict = (ratio: number): Verdict => holdsUnlessMade(isCalibrated, isNear(ratio, 1, ABOUT))
  return [
    answer(
      '001.4a',
      verdict(most / PAPER_PEAK),
      `${bits(most)} bits a tick at ${formatNumber(peakOf(base).clientRate)} requests`,
      why,
      'fig2',
      'cases',
    ),
    answer(
      '001.4b',
      verdict(plateau / PAPER_PLATEAU),
      `${bits(plateau)} bits a tick past saturation`,
      why,
      'fig2',
      'cases',
    ),
  ]
}

/** Of the largest throughput, seed by seed. */
function lossOf(one: CaseOutcome, base: CaseOutcome): Interval {
  const [own, other] = [peakOf(one).clientRuns, peakOf(base).clientRuns]
  return intervalOf(own.map((value, seed) => 1 - value / other[seed]!))
}

const isInside = ({ loss }: { loss: Interval }): boolean => loss.low >= -ABOUT && loss.high <= ABOUT

const isOutside = ({ loss }: { loss: Interval }): boolean => loss.low > ABOUT || loss.high < -ABOUT

/** It is told when the whole interval is on one side of the tolerance. */
function indexAnswer(answer: Answer, { base, indexing }: NetworkFindings): ClaimAnswer {
  const losses = indexing.map((one) => ({ one, loss: lossOf(one, base) }))
  const verdict = losses.some(isOutside)
    ? 'does not hold here'
    : losses.every(isInside)
      ? 'holds'
      : 'cannot be tested here'
  const open = losses.filter((one) => !isInside(one) && !isOutside(one)).map(({ one }) => one.name)
  return answer(
    '001.5a',
    verdict,
    losses.map(({ one, loss }) => `${one.name}: ${bits(peak(one))} (${withinText(loss)} less)`).join('; '),
    `Less than without, seed by seed, with its 95 % interval.${verdict === 'cannot be tested here' ? ` That of ${open.join(' and ')} is wider than what counts as alike. It takes more runs (seeds, ticks).` : ''} Index messages leave by the gateways that are the bottleneck here, so their bits are missing there; see the case with slow servers, where they are not.`,
    'fig2',
    'cases',
  )
}

const withinText = ({ mean, low, high }: Interval): string => `${percent(mean)}, ${percent(low)} to ${percent(high)}`

const PAPER_LOSSES = [
  ['001.6a', 0.2, 0.2],
  ['001.6b', 0.4, 0.45],
] as const

function lossAnswers(answer: Answer, { base, crawlers }: NetworkFindings): ClaimAnswer[] {
  const losses = crawlers.map((one) => ({ one, loss: lossOf(one, base) }))
  const all = losses.map(({ one, loss }) => `${one.name}: ${bits(peak(one))} (${withinText(loss)} less)`)
  const single = PAPER_LOSSES.map(([part, share, paper]) => {
    const at = crawlers.findIndex(isShare(share))
    if (at === -1)
      return answer(part, 'cannot be tested here', '', `The case of ${percent(share)} was not run. It takes it.`)
    const { mean } = losses[at]!.loss
    return answer(
      part,
      holds(isNear(mean, paper, LOSS)),
      all[at]!,
      'Of the largest client throughput, seed by seed, with its 95 % interval.',
      'fig2',
      'cases',
    )
  })
  const exceeds = losses.filter(({ one, loss }) => loss.low > one.crawlerShare)
  const mayExceed = losses.some(({ one, loss }) => loss.high > one.crawlerShare)
  const verdict = exceeds.length > 0 ? 'holds' : mayExceed ? 'cannot be tested here' : 'does not hold here'
  const why = {
    holds: `The whole interval is above the share with ${exceeds.map(({ one }) => one.name).join(' and ')}.`,
    'does not hold here': 'No interval reaches the share.',
    'cannot be tested here': 'The share lies within the interval. It takes more runs (seeds, ticks).',
  }
  return [...single, answer('001.6c', verdict, all.join('; '), why[verdict], 'fig2', 'cases')]
}

/** Both at the same total rate, where both were run: at every single one, as a mean would hide what happens past saturation. */
function twiceAnswer(answer: Answer, { crawlers }: NetworkFindings): ClaimAnswer {
  const [few, many] = [crawlers.find(isShare(0.2)), crawlers.find(isShare(0.4))]
  if (few === undefined || many === undefined)
    return answer('001.7a', 'cannot be tested here', '', 'The cases of 20 and 40 % were not run. It takes both.')
  const ratios = ratiosOf(many, few, ({ crawler }) => crawler.throughput.mean)
  return answer(
    '001.7a',
    holds(ratios.length > 0 && ratios.every((ratio) => isNear(ratio / 2, 1, ALIKE))),
    `${rangeText(ratios)} times as much, by rate; up to the peak of the clients ${rangeText(ratiosOf(upTo(many, peakOf(many).totalRate), few, ({ crawler }) => crawler.throughput.mean))}`,
    'At the same rate of all requests. Past saturation both lose, and those who ask more lose more.',
    'fig3',
  )
}

const rangeText = (ratios: readonly number[]): string =>
  `${times(Math.min(...ratios))} to ${times(Math.max(...ratios))}`

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

const atPaperRate = ({ points }: CaseOutcome, measure: (point: NetworkPoint) => number): number =>
  valueAt(points, PAPER_RATE, ({ clientRate }) => clientRate, measure)

const delay = (one: CaseOutcome): number => atPaperRate(one, ({ client }) => client.delay.mean)

function delayAnswers(answer: Answer, { base, crawlers, indexing }: NetworkFindings): ClaimAnswer[] {
  const [few, many] = [crawlers[0]!, crawlers.at(-1)!]
  const ticks = (one: CaseOutcome): string => `${one.name} ${formatNumber(Math.round(delay(one)))}`
  const slowest = Math.max(delay(base), ...indexing.map(delay))
  const ratios = ratiosOf(many, few, ({ crawler }) => crawler.delay.mean)
  const isTold = Number.isFinite(delay(base))
  return [
    answer(
      '001.8a',
      isTold
        ? holds(crawlers.every((one) => delay(one) >= toleranceOf('much-longer') * slowest))
        : 'cannot be tested here',
      `at ${PAPER_RATE}: ${[base, ...crawlers, ...indexing.filter(({ overhead }) => overhead > 0)].map(ticks).join(', ')} ticks`,
      isTold ? 'Every case with crawlers beside the slowest with indexing.' : `It takes rates around ${PAPER_RATE}.`,
      'fig4',
    ),
    answer(
      '001.8b',
      ratios.length === 0 ? 'cannot be tested here' : holds(ratios.every((ratio) => isNear(ratio, 1, ALIKE))),
      `crawlers wait ${rangeText(ratios)} times as long in the ${percent(many.crawlerShare)} case as in the ${percent(few.crawlerShare)} case, by rate`,
      ratios.length === 0
        ? 'It takes the same total rates in both cases.'
        : 'At the same rate of all requests, at every one of them; a mean over rates would hide the ends.',
      'fig5',
    ),
  ]
}

const completed = (one: CaseOutcome): number => atPaperRate(one, ({ client }) => client.completed.mean)

function completedAnswers(answer: Answer, { base, crawlers, indexing }: NetworkFindings): ClaimAnswer[] {
  const many = crawlers.find(isShare(0.4))
  const none = `It takes the case of 40 %, and rates around ${PAPER_RATE}.`
  const isTold = many !== undefined && !Number.isNaN(completed(base))
  const cut = isTold ? 1 - completed(many) / completed(base) : NaN
  const isAlike = indexing.every((one) => isNear(completed(one), completed(base), ABOUT))
  return [
    isTold
      ? answer(
          '001.9a',
          holds(isNear(cut, 0.6, LOSS)),
          `${percent(completed(base))} without crawlers, ${percent(completed(many))} with 40 %: cut by ${percent(cut)}`,
          'Of the requests that were made.',
          'fig6',
        )
      : answer('001.9a', 'cannot be tested here', '', none),
    Number.isNaN(completed(base))
      ? answer('001.9b', 'cannot be tested here', '', none)
      : answer(
          '001.9b',
          holds(isAlike),
          indexing.map((one) => `${one.name}: ${percent(completed(one))}`).join('; '),
          `Without crawlers and indexing ${percent(completed(base))} at ${PAPER_RATE}.`,
          'fig6',
        ),
  ]
}

function gainAnswer(answer: Answer, { crawlers, indexing }: NetworkFindings): ClaimAnswer {
  const dearest = indexing.at(-1)!
  const gains = crawlers.map((one) => ({ one, gain: peak(dearest) / peak(one) - 1 }))
  return answer(
    '001.10a',
    'cannot be tested here',
    `${dearest.name}: ${gains.map(({ one, gain }) => `${percent(gain)} more client throughput than with ${one.name}`).join(', ')}`,
    'The paper does not say of what. Its own peaks give 26 % (220 over 175) and 83 % (220 over 120), and neither is 30. It takes the measure that the authors meant.',
    'cases',
  )
}
