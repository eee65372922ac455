/** Claims 7 to 9 and 13 to 15 of 000, from what was measured of a scenario. What counts as "about" is said in each. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import { answerTo, holds, percent, percentWithin, untested } from './answer.ts'
import type { AnswerContext } from './answer.ts'
import { gains, savedAt } from './curve.ts'
import { freshnessFigureId } from './figures.ts'
import type { ScenarioOutcome } from './scenario.ts'

export function changeClaims(context: AnswerContext, outcome: ScenarioOutcome, isMade: boolean): ClaimAnswer[] {
  return [classes(context, outcome, isMade), bound(context, outcome), needless(context, outcome)]
}

export function freshnessClaims(context: AnswerContext, outcome: ScenarioOutcome): ClaimAnswer[] {
  return [perfect(context, outcome), gain(context, outcome), saved(context, outcome)]
}

const [PAPER_DAILY, PAPER_SLOW, CLASS_TOLERANCE] = [0.23, 0.3, 0.05]

function classes(context: AnswerContext, { classShares }: ScenarioOutcome, isMade: boolean): ClaimAnswer {
  const [daily, slow] = [classShares[0]!, classShares.at(-1)!]
  const ours = `${percentWithin(daily)} changed whenever visited daily, ${percentWithin(slow)} not once in four months`
  if (isMade)
    return answerTo(7, context, {
      verdict: 'cannot be tested',
      ours,
      why: 'The pages were made so. It shows that daily visits tell the classes as Figure 2 does, not how the Web changes.',
      shownIn: ['fig2'],
    })
  const isAlike = Math.abs(daily.mean - PAPER_DAILY) <= CLASS_TOLERANCE && slow.mean > PAPER_SLOW
  return answerTo(7, context, {
    verdict: holds(isAlike),
    ours,
    why: `Alike when the first is within ${percent(CLASS_TOLERANCE)} of 23 % and the second over 30 %. This is one site, edited by hand; the paper watched the 270 most linked.`,
    shownIn: ['fig2'],
  })
}

function bound(context: AnswerContext, { needless: points }: ScenarioOutcome): ClaimAnswer {
  const sum = (key: 'pages' | 'below' | 'tight'): number => points.reduce((total, point) => total + point[key], 0)
  const [cases, below, tight] = [sum('pages'), sum('below'), sum('tight')]
  return answerTo(8, context, {
    verdict: holds(below === 0),
    ours: `${below === 0 ? 'never' : `${below} times`} fewer in ${cases.toLocaleString('en')} pages visited 1 to ${points.at(-1)!.requests} times; exactly as many for ${percent(tight / cases)}`,
    why: 'Read as max(0, R − (C + 1)): the printed condition R > C − 1 would give −1 needless requests where R = C.',
    shownIn: ['fig3'],
  })
}

const [PAPER_NEEDLESS, NEEDLESS_TOLERANCE] = [0.77, 0.03]

function needless(context: AnswerContext, { needless: points, changedADay }: ScenarioOutcome): ClaimAnswer {
  const daily = points.at(-1)!
  const tenth = points.find(({ requests }) => requests >= daily.requests / 10)!
  const isAlike = Math.abs(daily.bound.mean - PAPER_NEEDLESS) <= NEEDLESS_TOLERANCE
  const isFast = tenth.bound.mean >= daily.bound.mean / 2
  return answerTo(9, context, {
    verdict: holds(isAlike && isFast),
    ours: `${percentWithin(daily.bound)} of daily visits at least, ${percentWithin(daily.visited)} of visits made; with a tenth of the visits ${percentWithin(tenth.bound)}`,
    why:
      `It is one less the share of pages that change on a day, here ${percent(changedADay.mean)}: 77 % takes 22 or 23 %. ` +
      `About is within ${percent(NEEDLESS_TOLERANCE)}; fast is more than half of it with a tenth of the visits, ${isFast ? 'as here' : 'not so here'}.`,
    shownIn: ['fig3'],
  })
}

/** More than a quarter is no longer "about a fifth". */
const ABOUT_A_FIFTH = 0.25

function perfect(context: AnswerContext, { name, perfect: found, changedADay }: ScenarioOutcome): ClaimAnswer {
  const [drawn] = found.ways
  const ratio = drawn!.metadata.mean / found.conventional.mean
  const others = found.ways
    .slice(1)
    .map((way) => `${percent(way.metadata.mean / found.conventional.mean)} when it costs ${way.name}`)
  return answerTo(13, context, {
    verdict: holds(ratio <= ABOUT_A_FIFTH),
    ours:
      `${percent(ratio)} of the conventional bandwidth: ${percentWithin(drawn!.metadata)} of the repository a day against ${percentWithin(found.conventional)}, metadata counted as ${drawn!.name}` +
      `${others.length === 0 ? '' : `; ${others.join(', ')}`}; with differences ${percent(drawn!.differences.mean / found.conventional.mean)}`,
    why: `No crawler can be perfect with less than what changes in a day, ${percent(changedADay.mean)} of the pages here. Up to ${percent(ABOUT_A_FIFTH)} counts as about a fifth, and less is better.`,
    shownIn: [freshnessFigureId(name)],
  })
}

const [PAPER_GAIN, GAIN_TOLERANCE, PAPER_TURN, TURN_TOLERANCE] = [0.25, 0.05, 0.22, 0.05]

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

function gain(context: AnswerContext, outcome: ScenarioOutcome): ClaimAnswer {
  const peak = peakOf(outcome)
  const isAlike = Math.abs(peak.gain - PAPER_GAIN) <= GAIN_TOLERANCE
  const turnsAlike = Math.abs(peak.bandwidth - PAPER_TURN) <= TURN_TOLERANCE
  return answerTo(14, context, {
    verdict: holds(isAlike && turnsAlike),
    ours: `up to ${percent(peak.gain)} more, shrinking past ${peak.bandwidth.toFixed(2)}`,
    why:
      `The gain grows until the bandwidth is what changes in a day, ${percent(outcome.changedADay.mean)} of the pages here, ` +
      `so it is largest there and not at the lowest bandwidths. Alike within ${percent(GAIN_TOLERANCE)} and ${TURN_TOLERANCE} of bandwidth.`,
    shownIn: ['fig6b'],
  })
}

const [PAPER_SAVED, SAVED_TOLERANCE] = [0.62, 0.05]

function saved(context: AnswerContext, { conventional, metadata }: ScenarioOutcome): ClaimAnswer {
  const share = savedAt(conventional, metadata, 0.8)
  const high = percent(savedAt(conventional, metadata, 0.95))
  if (Number.isNaN(share))
    return untested(
      15,
      context,
      `${percent(conventional.mean[0]!)} are fresh at the end without a single visit, so 80 % costs nothing either way.`,
      `at 95 % it saves ${high}`,
    )
  return answerTo(15, context, {
    verdict: holds(Math.abs(share - PAPER_SAVED) <= SAVED_TOLERANCE),
    ours: `${percent(share)} saved; at 95 % freshness ${high}`,
    why: `Alike within ${percent(SAVED_TOLERANCE)}.${share > PAPER_SAVED + SAVED_TOLERANCE ? ' Here it saves more than the paper found.' : ''}`,
    shownIn: ['fig6c'],
  })
}
