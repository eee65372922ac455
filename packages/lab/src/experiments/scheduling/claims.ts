/** Every claim that the experiment answers, in order; and those about the web itself: 1 and 9 of 004, 9 of 002. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { answersOf, untestable } from './answer.ts'
import type { SchedulingContext } from './answer.ts'
import { aloneAnswers, optimalAnswers, stableAnswers } from './order-claims.ts'
import type { SchedulingOutcome } from './outcome.ts'
import { connectionAnswers, daysAnswers, leastAnswers, speedUpAnswers } from './time-claims.ts'
import { DEEP } from './web.ts'

const MIN_SITES = 50
/** "A small number of sites". */
const FEW_SITES = 0.1

export function schedulingClaims(id: string, outcome: SchedulingOutcome): ClaimAnswer[] {
  const context = { id, web: outcome.web.name, isFitted: outcome.isFitted }
  return [
    sizesAnswers,
    leastAnswers,
    aloneAnswers,
    optimalAnswers,
    stableAnswers,
    speedUpAnswers,
    connectionAnswers,
    daysAnswers,
    depthAnswers,
    siteSizeAnswers,
  ].flatMap((answers) => answers(context, outcome))
}

function sizesAnswers(context: SchedulingContext, { web, shape }: SchedulingOutcome): ClaimAnswer[] {
  const law = shape.sizeLaw
  if (web.sites < MIN_SITES || law === undefined)
    return untestable(
      '004.1',
      context,
      `this web has ${web.sites} sites`,
      `It takes ${MIN_SITES} sites of six pages or more.`,
    )
  const isGood = law.distance <= toleranceOf('good-fit')
  const sizes = shape.siteSizes.toSorted((a, b) => b - a)
  const few = Math.max(1, Math.round(web.sites * FEW_SITES))
  const onFew = sizes.subarray(0, few).reduce((sum, size) => sum + size, 0) / web.pages
  const fitted = (is: boolean): boolean | 'holds by construction' =>
    context.isFitted && is ? 'holds by construction' : is
  return answersOf(
    context,
    {
      why: context.isFitted ? 'This web was made so: it shows that we measure it right, not that the Web is so.' : '',
      shownIn: ['fig3'],
    },
    [
      {
        part: '004.1a',
        found: fitted(isGood),
        ours:
          `density falls with the power ${formatNumber(law.exponent)} of size from ${formatNumber(law.from)} pages on, ` +
          `${formatNumber(law.count)} of ${formatNumber(web.sites)} sites, at a distance of ${formatNumber(law.distance)} from the law`,
        why: 'Fitted by maximum likelihood. That it is a power law is read off Figure 3; the prose says where most pages are.',
      },
      {
        part: '004.1b',
        found: fitted(onFew > 0.5),
        ours: `the largest tenth of the sites has ${formatQuantity(onFew, 'share')} of the pages`,
      },
    ],
  )
}

function depthAnswers(context: SchedulingContext, { shape }: SchedulingOutcome): ClaimAnswer[] {
  const { levels, shallowCorrelation: shallow, deepCorrelation: deep } = shape
  if (levels.length <= DEEP + 1 || Number.isNaN(deep) || Number.isNaN(shallow))
    return untestable(
      '004.9',
      context,
      `this web is ${levels.length - 1} clicks deep`,
      `It takes levels past ${DEEP} clicks.`,
    )
  const none = toleranceOf('no-correlation')
  const means = levels.slice(0, 9).map(({ mean }) => formatNumber(mean))
  return answersOf(context, { why: `Mean PageRank by level: ${means.join(', ')}.`, shownIn: ['fig10'] }, [
    {
      part: '004.9a',
      found: shallow <= -none,
      ours: `correlation of depth and log PageRank ${formatNumber(shallow)} up to ${DEEP} clicks`,
    },
    { part: '004.9b', found: Math.abs(deep) < none, ours: `${formatNumber(deep)} from ${DEEP} clicks on` },
  ])
}

function siteSizeAnswers(context: SchedulingContext, { shape }: SchedulingOutcome): ClaimAnswer[] {
  const { sizeCorrelation, allCorrelation, siteSizes } = shape
  const fewest = toleranceOf('fewest-pages')
  const counted = siteSizes.filter((size) => size >= fewest).length
  if (counted < MIN_SITES || Number.isNaN(sizeCorrelation))
    return untestable(
      '002.9',
      context,
      `this web has ${formatNumber(counted)} sites of ${fewest} pages or more`,
      `It takes ${MIN_SITES} of them, of different sizes.`,
    )
  return answersOf(
    context,
    {
      why: `Sites of one page are mostly the cut-off border of a graph, and are left out; with them it is ${formatNumber(allCorrelation)}.`,
      shownIn: ['fig64'],
    },
    [
      {
        part: '002.9a',
        found: Math.abs(sizeCorrelation) < toleranceOf('no-correlation'),
        ours: `correlation of the logarithms ${formatNumber(sizeCorrelation)} over ${formatNumber(counted)} sites of ${fewest} pages or more`,
      },
    ],
  )
}
