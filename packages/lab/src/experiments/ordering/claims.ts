/** The claims of 003 §6 and §3, answered from the curves, part by part. */
import { answerTo, holds, holdsUnlessMade } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import { areaUnder, gapsToDiagonal, slopeBetween, valueAt } from '../../simulate/crawl-model-curves.ts'
import type { Spread } from '../../simulate/crawl-model-curves.ts'
import { aheadVerdict, aheadWhy, pairedDifference } from '../../simulate/paired.ts'
import type { PairedDifference } from '../../simulate/paired.ts'
import { withRevisits } from './random-crawl.ts'
import type { Heights, LinkResults, LinkSpread } from './links.ts'
import type { SiteResults } from './site.ts'
import { rounded } from './targets.ts'

export interface ClaimContext extends AnswerContext {
  readonly web: string
  /** The web was fitted to what the paper says of its own. */
  readonly isFitted: boolean
}

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.02 ? 2 : 1)} %`
export const areaOf = ({ mean }: Spread): number => areaUnder(mean)

export function linkClaims(context: ClaimContext, results: LinkResults): ClaimAnswer[] {
  return [hotShares, thresholds, ordersCompared, otherModels, randomCrawl].flatMap((answer) => answer(context, results))
}

const HOT_PARTS = ['003.1a', '003.1b', '003.1c'] as const

function hotShares(context: ClaimContext, { backlinks, targets }: LinkResults): ClaimAnswer[] {
  const factor = toleranceOf('share-factor')
  return targets.backlinks.map(({ paper, paperShare }, n) => {
    const share = backlinks.filter((count) => count >= paper).length / backlinks.length
    return answerTo(HOT_PARTS[n]!, context, {
      verdict: holdsUnlessMade(context.isFitted, share <= paperShare! * factor && share >= paperShare! / factor),
      ours: `${percent(share)} of ${backlinks.length} pages have ${paper} or more`,
      why: `Pages that the start page leads to are counted.${context.isFitted ? ' This web was fitted to these shares.' : ''}`,
      shownIn: ['hot'],
    })
  })
}

function thresholds(context: ClaimContext, { orders, targets }: LinkResults): ClaimAnswer[] {
  const curves = ofOrder(orders, 'backlink').backlinks.map(({ mean }) => mean)
  const early = curves.map((curve) => areaUnder(curve, 0.2, 0.5))
  const late = curves.map((curve) => slopeBetween(curve, 0.8, 1))
  const names = targets.backlinks.map(({ used }) => rounded(used)).join(', ')
  const apart = toleranceOf('random-speed')
  return [
    answerTo('003.2a', context, {
      verdict: holds(early[0]! < early[1]! && early[1]! < early[2]!),
      ours: `G = ${names}: ${early.map(percent).join(', ')} found on average between 20 and 50 % of the crawl`,
      why: 'Of the mean curve over start pages.',
      shownIn: ['graph-1'],
    }),
    answerTo('003.2b', context, {
      verdict: holds(late.every((slope) => Math.abs(slope - 1) <= apart)),
      ours: `G = ${names}: ${late.map((slope) => slope.toFixed(2)).join(', ')} times the speed of random past 80 %`,
      why: 'Slower than random is not the speed of random either: nearly all hot pages are found by then.',
      shownIn: ['graph-1'],
    }),
  ]
}

function ordersCompared(context: ClaimContext, { orders, perSite }: LinkResults): ClaimAnswer[] {
  const trio = areas(orders, rarest)
  const followed = trioOf((order) => ofOrder(orders, order).followed)
  const stays = followed[2] > Math.max(followed[0], followed[1])
  const queues = perSite.length === 0 ? [] : ['queues']
  const perSiteText =
    perSite.length === 0 ? '' : ` With a queue for each site, so with other ties: ${named(areas(perSite, rarest))}.`
  const [breadthAhead, breadthBehind] = [
    against(orders, 'rarest', 'depth', 'backlink'),
    against(orders, 'rarest', 'pagerank', 'depth'),
  ]
  return [
    leadAnswer('003.3a', context, against(orders, 'rarest', 'pagerank', 'backlink'), {
      ours: `mean height ${named(trio)}`,
      why: `Best first: ${bestFirst(trio)}.${perSiteText}`,
      shownIn: ['graph-2', 'areas', ...queues],
    }),
    answerTo('003.3b', context, {
      verdict: 'not claimed',
      ours: `breadth-first less backlink ${differenceText(breadthAhead)}; PageRank less breadth-first ${differenceText(breadthBehind)}`,
      why: `Best first here: ${bestFirst(trio)}.`,
      shownIn: ['graph-2', 'areas'],
    }),
    answerTo('003.3c', context, {
      verdict: holds(stays),
      ours: `the next page is a link of the last for ${named(followed)}`,
      why: `Backlink order ${stays ? 'follows' : 'does not follow'} the page it has just seen more than the others do, which is what staying in a cluster looks like.`,
      shownIn: ['graph-2', 'areas'],
    }),
  ]
}

type Evidence = Pick<ClaimAnswer, 'ours' | 'why' | 'shownIn'>

/** What is decided by a paired difference. */
const leadAnswer = (
  part: string,
  context: ClaimContext,
  lead: PairedDifference,
  { ours, why, shownIn }: Evidence,
): ClaimAnswer =>
  answerTo(part, context, {
    verdict: aheadVerdict(lead),
    ours: `${differenceText(lead)}; ${ours}`,
    why: `${aheadWhy(lead)} ${why}`.trim(),
    shownIn,
  })

const against = (
  orders: readonly LinkSpread[],
  model: keyof Heights,
  first: string,
  second: string,
): PairedDifference => pairedDifference(ofOrder(orders, first).heights[model], ofOrder(orders, second).heights[model])

const sign = (value: number): string => `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`

/** `+4.1 points (1.2 to 6.3), ahead from 8 of 8 start pages, p = 0.008` */
function differenceText({ mean, low, high, p, pairs, ahead }: PairedDifference): string {
  if (pairs === 1) return `${sign(mean)} points from one start page`
  return `${sign(mean)} points (${sign(low)} to ${sign(high)}), ahead from ${ahead} of ${pairs} start pages, p = ${p < 0.001 ? '< 0.001' : p.toFixed(3)}`
}

function otherModels(context: ClaimContext, { orders }: LinkResults): ClaimAnswer[] {
  const [stop, untied, rank] = [
    areas(orders, (of) => of.stop),
    areas(orders, (of) => of.untied),
    areas(orders, (of) => of.rank),
  ]
  const heights = (order: string, model: keyof Heights): readonly number[] => ofOrder(orders, order).heights[model]
  const leads = (model: keyof Heights): number[] =>
    heights('pagerank', model).map(
      (value, n) => value - Math.max(heights('depth', model)[n]!, heights('backlink', model)[n]!),
    )
  const other = rank[1] > rank[2] ? 'depth' : 'backlink'
  return [
    leadAnswer('003.4a', context, against(orders, 'stop', 'pagerank', 'backlink'), {
      ours: `mean height under Crawl & Stop: ${named(stop)}`,
      why: `Best first: ${bestFirst(stop)}. Pages worth as much as the K-th best all count, as printed.`,
      shownIn: ['graph-3', 'areas'],
    }),
    leadAnswer('003.4b', context, against(orders, 'rank', 'pagerank', other), {
      ours: `mean height by PageRank: ${named(rank)}`,
      why: `Beside the better of the others, ${other === 'depth' ? 'breadth-first' : 'backlink'}. Best first: ${bestFirst(rank)}.`,
      shownIn: ['graph-4', 'areas'],
    }),
    leadAnswer('003.4c', context, pairedDifference(leads('rank'), leads('rarest')), {
      ours: 'of its lead by PageRank over that by backlinks',
      why: 'The lead over the better of the others, start page by start page.',
      shownIn: ['graph-4', 'areas'],
    }),
    leadAnswer('003.4d', context, against(orders, 'untied', 'pagerank', 'backlink'), {
      ours: `mean height: ${named(untied)}`,
      why: `Best first: ${bestFirst(untied)}.`,
      shownIn: ['graph-3-untied'],
    }),
  ]
}

function randomCrawl(context: ClaimContext, { orders, targets }: LinkResults): ClaimAnswer[] {
  const gaps = ofOrder(orders, 'random').backlinks.map(({ mean }) => gapsToDiagonal(mean))
  const list = gaps.map(
    ({ above, below }, n) =>
      `G = ${rounded(targets.backlinks[n]!.used)}: ${points(above)} above, ${points(below)} below`,
  )
  const drawn = withRevisits()
  // By arithmetic: no web has a say in it.
  const anyWeb = { id: context.id }
  return [
    answerTo('003.9a', anyWeb, {
      verdict: holds(drawn.furthest <= toleranceOf('like-random')),
      ours: `after T visits ${percent(drawn.atEnd)}, up to ${points(drawn.furthest)} below K / T, by drawing; 1 − e^(−K/T) is met within ${points(drawn.fromLaw)}`,
      why: 'Who may draw a page again has seen 1 − e^(−K/T) of them after K visits, and as much of the hot ones: the printed K / T forgets the visits that find nothing new. It does not depend on the web.',
      shownIn: ['graph-2'],
    }),
    answerTo('003.9b', anyWeb, {
      verdict: 'holds by construction',
      ours: 'K / T, the diagonal of every plot',
      why: 'By arithmetic: each visit is to a hot page with the same probability.',
      shownIn: ['graph-2'],
    }),
    answerTo('003.9c', context, {
      verdict: 'not claimed',
      ours: `furthest from K / T: ${list.join('; ')}`,
      why: `${points(toleranceOf('like-random'))} would be along the diagonal.`,
      shownIn: ['graph-2'],
    }),
  ]
}

export function siteClaims(context: ClaimContext, { orders, backlinks, site }: SiteResults): ClaimAnswer[] {
  const gaps = trioOf((name) => gapsToDiagonal(orders.find(({ order }) => order === name)!.found.low).below)
  const few = backlinks.filter((count) => count < 10).length / backlinks.length
  const why = `${site.name}, ${backlinks.length} pages.`
  return [
    answerTo('003.5a', context, {
      verdict: holds(gaps.every((gap) => gap > toleranceOf('below-random'))),
      ours: `at worst below random: ${named(gaps, points)}`,
      why: `${why} At some moment, from some start page.`,
      shownIn: ['graph-5'],
    }),
    answerTo('003.5b', context, {
      verdict: holds(few > 0.5),
      ours: `${percent(few)} of the pages have fewer than 10 backlinks`,
      why,
      shownIn: ['graph-6'],
    }),
  ]
}

/** A figure for each order of the paper that is not random. */
type Trio = readonly [rank: number, breadth: number, backlink: number]

const trioOf = (valueOf: (order: string) => number): Trio => [
  valueOf('pagerank'),
  valueOf('depth'),
  valueOf('backlink'),
]

const areas = (orders: readonly LinkSpread[], of: (spread: LinkSpread) => Spread): Trio =>
  trioOf((order) => areaOf(of(ofOrder(orders, order))))

/** Pages with most backlinks, G = 100. */
const rarest = ({ backlinks }: LinkSpread): Spread => backlinks.at(-1)!

const named = ([rank, breadth, backlink]: Trio, text: (share: number) => string = percent): string =>
  `PageRank ${text(rank)}, breadth-first ${text(breadth)}, backlink ${text(backlink)}`

function bestFirst([rank, breadth, backlink]: Trio): string {
  const orders = [['PageRank', rank] as const, ['breadth-first', breadth] as const, ['backlink', backlink] as const]
  return orders
    .toSorted(([, a], [, b]) => b - a)
    .map(([name]) => name)
    .join(', ')
}

function ofOrder(orders: readonly LinkSpread[], name: string): LinkSpread {
  return orders.find(({ order }) => order === name)!
}

export const points = (share: number): string => `${(share * 100).toFixed(1)} points`
export const at = (share: number, { mean }: Spread): number => valueAt(mean, share)
