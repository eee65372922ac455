/** Claims 7 to 9 and 13 to 15 of 000, from what was measured of a scenario. */
import { answerTo, holds, holdsUnlessMade, untested } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import type { ClaimAnswer, Verdict } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { percent, percentWithin } from './answer.ts'
import { gains, savedAt } from './curve.ts'
import { freshnessFigureId } from './figures.ts'
import type { ScenarioOutcome } from './scenario.ts'

/** `isMade`: how often pages change was set to what the paper says, so its own figures come out again. */
export function changeClaims(context: AnswerContext, outcome: ScenarioOutcome, isMade: boolean): ClaimAnswer[] {
  return [...classes(context, outcome, isMade), bound(context, outcome), ...needless(context, outcome, isMade)]
}

export function freshnessClaims(context: AnswerContext, outcome: ScenarioOutcome, isMade: boolean): ClaimAnswer[] {
  return [perfect(context, outcome, isMade), ...gain(context, outcome, isMade), saved(context, outcome)]
}

const MADE_WHY = 'How often pages change is set to what the paper says.'
const HISTORY_WHY = 'This is one site, edited by hand; the paper watched the 270 most linked.'

const [PAPER_DAILY, PAPER_SLOW] = [0.23, 0.3]

function classes(context: AnswerContext, { classShares }: ScenarioOutcome, isMade: boolean): ClaimAnswer[] {
  const [daily, slow] = [classShares[0]!, classShares.at(-1)!]
  const why = isMade ? `${MADE_WHY} It shows that daily visits tell the classes as Figure 2 does.` : HISTORY_WHY
  const isAlike = Math.abs(daily.mean - PAPER_DAILY) <= toleranceOf('class-share')
  // Made pages that were made otherwise say nothing of the Web either.
  const verdict = (is: boolean): Verdict => (isMade && !is ? 'cannot be tested here' : holdsUnlessMade(isMade, is))
  return [
    answerTo('000.7a', context, {
      verdict: verdict(isAlike),
      ours: `${percentWithin(daily)} changed whenever visited daily`,
      why,
      shownIn: ['fig2'],
    }),
    answerTo('000.7b', context, {
      verdict: verdict(slow.mean > PAPER_SLOW),
      ours: `${percentWithin(slow)} not once in four months`,
      why,
      shownIn: ['fig2'],
    }),
  ]
}

function bound(context: AnswerContext, { needless: points }: ScenarioOutcome): ClaimAnswer {
  const sum = (key: 'pages' | 'below' | 'tight'): number => points.reduce((total, point) => total + point[key], 0)
  const [cases, below, tight] = [sum('pages'), sum('below'), sum('tight')]
  return answerTo('000.8a', context, {
    verdict: holds(below === 0),
    ours: `${below === 0 ? 'never' : `${below} times`} fewer in ${cases.toLocaleString('en')} pages visited 1 to ${points.at(-1)!.requests} times; exactly as many for ${percent(tight / cases)}`,
    why: 'Read as max(0, R − (C + 1)).',
    shownIn: ['fig3'],
  })
}

const PAPER_NEEDLESS = 0.77

function needless(
  context: AnswerContext,
  { needless: points, changedADay }: ScenarioOutcome,
  isMade: boolean,
): ClaimAnswer[] {
  const daily = points.at(-1)!
  const tenth = points.find(({ requests }) => requests >= daily.requests / 10)!
  const isAlike = Math.abs(daily.bound.mean - PAPER_NEEDLESS) <= toleranceOf('needless-share')
  const isFast = tenth.bound.mean >= daily.bound.mean / 2
  return [
    answerTo('000.9a', context, {
      verdict: holdsUnlessMade(isMade, isAlike),
      ours: `${percentWithin(daily.bound)} of daily visits at least, ${percentWithin(daily.visited)} of visits made`,
      why: `It is one less the share of pages that change on a day, here ${percent(changedADay.mean)}: 77 % takes 22 or 23 %.${isMade ? ` ${MADE_WHY}` : ''}`,
      shownIn: ['fig3'],
    }),
    answerTo('000.9b', context, {
      verdict: holdsUnlessMade(isMade, isFast),
      ours: `with a tenth of the visits ${percentWithin(tenth.bound)}, with all ${percentWithin(daily.bound)}`,
      why: `Fast is half of it or more with a tenth of the visits.${isMade ? ` ${MADE_WHY}` : ''}`,
      shownIn: ['fig3'],
    }),
  ]
}

function perfect(
  context: AnswerContext,
  { name, perfect: found, changedADay }: ScenarioOutcome,
  isMade: boolean,
): ClaimAnswer {
  const [drawn] = found.ways
  const ratio = drawn!.metadata.mean / found.conventional.mean
  const others = found.ways
    .slice(1)
    .map((way) => `${percent(way.metadata.mean / found.conventional.mean)} when it costs ${way.name}`)
  return answerTo('000.13a', context, {
    verdict: holdsUnlessMade(isMade, ratio <= toleranceOf('a-fifth')),
    ours:
      `${percent(ratio)} of the conventional bandwidth: ${percentWithin(drawn!.metadata)} of the repository a day against ${percentWithin(found.conventional)}, metadata counted as ${drawn!.name}` +
      `${others.length === 0 ? '' : `; ${others.join(', ')}`}; with differences ${percent(drawn!.differences.mean / found.conventional.mean)}`,
    why: `No crawler can be perfect with less than what changes in a day, ${percent(changedADay.mean)} of the pages here.${isMade ? ` ${MADE_WHY}` : ''}`,
    shownIn: [freshnessFigureId(name)],
  })
}

const [PAPER_GAIN, PAPER_TURN] = [0.25, 0.22]

interface Peak {
  readonly gain: number
  readonly bandwidth: number
}

/** The most that metadata gains, and at which bandwidth. */
export function peakOf({ conventional, metadata }: ScenarioOutcome): Peak {
  const all = gains(conventional.mean, metadata.mean)
  const most = Math.max(...all.filter((value) => Number.isFinite(value)))
  return { gain: most, bandwidth: conventional.bandwidths[all.indexOf(most)] ?? NaN }
}

function gain(context: AnswerContext, outcome: ScenarioOutcome, isMade: boolean): ClaimAnswer[] {
  const peak = peakOf(outcome)
  const tolerance = toleranceOf('freshness-gain')
  const why = `The gain grows until the bandwidth is what changes in a day, ${percent(outcome.changedADay.mean)} of the pages here, so it is largest there and not at the lowest bandwidths.${isMade ? ` ${MADE_WHY}` : ''}`
  return [
    answerTo('000.14a', context, {
      verdict: holdsUnlessMade(isMade, Math.abs(peak.gain - PAPER_GAIN) <= tolerance),
      ours: `up to ${percent(peak.gain)} more`,
      why,
      shownIn: ['fig6b'],
    }),
    answerTo('000.14b', context, {
      verdict: holdsUnlessMade(isMade, Math.abs(peak.bandwidth - PAPER_TURN) <= tolerance),
      ours: `shrinking past ${peak.bandwidth.toFixed(2)}`,
      why,
      shownIn: ['fig6b'],
    }),
  ]
}

const PAPER_SAVED = 0.62

function saved(context: AnswerContext, { conventional, metadata }: ScenarioOutcome): ClaimAnswer {
  const share = savedAt(conventional, metadata, 0.8)
  const high = percent(savedAt(conventional, metadata, 0.95))
  if (Number.isNaN(share))
    return untested(
      '000.15a',
      context,
      `${percent(conventional.mean[0]!)} are fresh at the end without a single visit, so 80 % costs nothing either way. It takes a site that changes more.`,
      `at 95 % it saves ${high}`,
    )
  const tolerance = toleranceOf('freshness-gain')
  return answerTo('000.15a', context, {
    verdict: holds(Math.abs(share - PAPER_SAVED) <= tolerance),
    ours: `${percent(share)} saved; at 95 % freshness ${high}`,
    why:
      share > PAPER_SAVED + tolerance
        ? 'Here it saves more than the paper found.'
        : 'It depends on the bars of Figure 2 that the text does not give.',
    shownIn: ['fig6c'],
  })
}
