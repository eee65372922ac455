/** Every claim that the experiment answers, in order; and those about the web itself: 1 and 9 of 004, 9 of 002. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import { formatNumber } from '../../report/number.ts'
import { answerTo, untestable, verdictOf } from './answer.ts'
import type { Finding } from './answer.ts'
import { aloneFinding, optimalFinding, stableFinding } from './order-claims.ts'
import type { SchedulingOutcome } from './outcome.ts'
import { connectionFinding, daysFinding, leastFinding, speedUpFinding } from './time-claims.ts'
import { DEEP } from './web.ts'

/** Kolmogorov and Smirnov's distance up to which a law describes its data well enough to plan with. */
const GOOD_FIT = 0.1
/** Correlations below explain less than a twenty-fifth of what varies. */
const NO_CORRELATION = 0.2
const MIN_SITES = 50

export function schedulingClaims(id: string, outcome: SchedulingOutcome): ClaimAnswer[] {
  const { name } = outcome.web
  return [
    answerTo('sizes', name, sizesFinding(id, outcome)),
    answerTo('least', name, leastFinding(id, outcome)),
    answerTo('alone', name, aloneFinding(id, outcome)),
    answerTo('optimal', name, optimalFinding(id, outcome)),
    answerTo('stable', name, stableFinding(id, outcome)),
    answerTo('speedUp', name, speedUpFinding(id, outcome)),
    answerTo('connection', name, connectionFinding(id, outcome)),
    answerTo('days', name, daysFinding(id, outcome)),
    answerTo('depth', name, depthFinding(id, outcome)),
    answerTo('siteSize', name, siteSizeFinding(id, outcome)),
  ]
}

function sizesFinding(id: string, { web, shape }: SchedulingOutcome): Finding {
  const law = shape.sizeLaw
  if (web.sites < MIN_SITES || law === undefined) {
    return untestable(
      `this web has ${web.sites} sites`,
      `An exponent takes at least ${MIN_SITES} sites of six pages or more.`,
    )
  }
  return {
    verdict: law.distance <= GOOD_FIT ? 'holds here' : 'does not hold here',
    ours:
      `density falls with the power ${formatNumber(law.exponent)} of size from ${formatNumber(law.from)} pages on, ` +
      `${formatNumber(law.count)} of ${formatNumber(web.sites)} sites, at a distance of ${formatNumber(law.distance)} from the law`,
    why:
      `Fitted by maximum likelihood; a distance of at most ${GOOD_FIT} counts as a fit.` +
      ('siteExponent' in web
        ? ' This web was made so: it shows that we measure it right, not that the Web is so.'
        : ''),
    shownIn: [`${id}-fig3`],
  }
}

function depthFinding(id: string, { shape }: SchedulingOutcome): Finding {
  const { levels, shallowCorrelation: shallow, deepCorrelation: deep } = shape
  if (levels.length <= DEEP + 1 || Number.isNaN(deep) || Number.isNaN(shallow)) {
    return untestable(`this web is ${levels.length - 1} clicks deep`, `It takes levels past ${DEEP} clicks.`)
  }
  const { verdict, failed } = verdictOf([
    ['depth says nothing in the first levels either', shallow <= -NO_CORRELATION],
    ['depth still tells past them', Math.abs(deep) < NO_CORRELATION],
  ])
  const means = levels.slice(0, 9).map(({ mean }) => formatNumber(mean))
  return {
    verdict,
    ours:
      `correlation of depth and log PageRank ${formatNumber(shallow)} up to ${DEEP} clicks, ${formatNumber(deep)} from there on; ` +
      `mean PageRank by level ${means.join(', ')}`,
    why: `${failed} Less than ${NO_CORRELATION} either way counts as none.`,
    shownIn: [`${id}-fig10`],
  }
}

function siteSizeFinding(id: string, { web, shape }: SchedulingOutcome): Finding {
  const { sizeCorrelation } = shape
  if (web.sites < MIN_SITES || Number.isNaN(sizeCorrelation)) {
    return untestable(
      `this web has ${web.sites} sites`,
      `A correlation takes at least ${MIN_SITES}, of different sizes.`,
    )
  }
  return {
    verdict: Math.abs(sizeCorrelation) < NO_CORRELATION ? 'holds here' : 'does not hold here',
    ours: `correlation of the logarithms ${formatNumber(sizeCorrelation)} over ${formatNumber(web.sites)} sites`,
    why: `Less than ${NO_CORRELATION} either way counts as none.`,
    shownIn: [`${id}-fig64`],
  }
}
