/** The claims of 003 §6 and §3, answered from the curves. What counts as "about" and "roughly" is said in each answer. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import { areaUnder, gapsToDiagonal, slopeBetween, valueAt } from '../../simulate/crawl-model-curves.ts'
import type { Spread } from '../../simulate/crawl-model-curves.ts'
import type { LinkResults, LinkSpread } from './links.ts'
import type { SiteResults } from './site.ts'
import { rounded } from './targets.ts'

export interface ClaimContext {
  /** Prefix of the ids of figures and tables. */
  readonly id: string
  readonly web: string
}

type Answer = Pick<ClaimAnswer, 'verdict' | 'ours' | 'why'> & { readonly shownIn: readonly string[] }

const CLAIMS: Readonly<Record<number, string>> = {
  1: 'Of 179,000 pages 47 % have 3 or more backlinks, 10 % have 10 or more, 0.8 % have 100 or more.',
  2: 'In backlink order, the higher the threshold the sooner hot pages are found; past 80 % of the crawl at random speed.',
  3: 'PageRank order beats backlink order even for pages with 100 backlinks, breadth-first is between; backlink order stays in clusters.',
  4: 'The same holds under Crawl & Stop, and more so when importance is PageRank of 13 or more.',
  5: 'On one small site every order is at times worse than random; most pages there have fewer than 10 backlinks.',
  6: 'With a hot queue by anchor and address, backlink and PageRank order are no better than random; breadth-first is good.',
  7: 'Pages near hot ones first helps every order; breadth-first still leads, as over a third of hot pages have one backlink.',
  8: 'When hot is on topic and linked five times, PageRank and breadth-first have over 80 % of it after 40 % of the crawl.',
  9: 'A random crawl finds hot pages in proportion to the pages it visits: P = K / T.',
}

export function answerTo(number: number, { id, web }: ClaimContext, answer: Answer): ClaimAnswer {
  const shownIn = answer.shownIn.map((part) => `${id}-${part}`)
  return { paper: '003', number, claim: CLAIMS[number]!, web, ...answer, shownIn }
}

export const untested = (number: number, context: ClaimContext, why: string): ClaimAnswer =>
  answerTo(number, context, { verdict: 'cannot be tested', ours: '', why, shownIn: [] })

export const holds = (whether: boolean): ClaimAnswer['verdict'] => (whether ? 'holds here' : 'does not hold here')
export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.02 ? 2 : 1)} %`
export const areaOf = ({ mean }: Spread): number => areaUnder(mean)

export function linkClaims(context: ClaimContext, results: LinkResults): ClaimAnswer[] {
  return [hotShares, thresholds, ordersCompared, otherModels, randomCrawl].map((answer) => answer(context, results))
}

/** Shares within this factor of the paper's are of one kind with them. */
const ALIKE = 1.5

function hotShares(context: ClaimContext, { backlinks, targets }: LinkResults): ClaimAnswer {
  const shares = targets.backlinks.map(
    ({ paper }) => backlinks.filter((count) => count >= paper).length / backlinks.length,
  )
  const alike = targets.backlinks.every(
    ({ paperShare }, n) => shares[n]! <= paperShare! * ALIKE && shares[n]! >= paperShare! / ALIKE,
  )
  return answerTo(1, context, {
    verdict: holds(alike),
    ours: `${shares.map(percent).join(', ')} of ${backlinks.length} pages`,
    why: `Held to be alike when every share is within a factor of ${ALIKE} of the paper's; pages that the start page leads to are counted.`,
    shownIn: ['hot'],
  })
}

/** "Roughly the same rate as a random crawler": found a page, as against random. */
const [SLOWEST, FASTEST] = [0.5, 1.5]

function thresholds(context: ClaimContext, { orders, targets }: LinkResults): ClaimAnswer {
  const curves = ofOrder(orders, 'backlink').backlinks.map(({ mean }) => mean)
  const early = curves.map((curve) => areaUnder(curve, 0.2, 0.5))
  const late = curves.map((curve) => slopeBetween(curve, 0.8, 1))
  const isFaster = early[0]! < early[1]! && early[1]! < early[2]!
  const isRandom = late.every((slope) => slope >= SLOWEST && slope <= FASTEST)
  const names = targets.backlinks.map(({ used }) => rounded(used)).join(', ')
  return answerTo(2, context, {
    verdict: holds(isFaster && isRandom),
    ours:
      `G = ${names}: ${early.map(percent).join(', ')} found on average between 20 and 50 % of the crawl; ` +
      `past 80 % ${late.map((slope) => slope.toFixed(2)).join(', ')} times the speed of random`,
    why:
      `${isFaster ? 'A higher threshold is found sooner' : 'A higher threshold is not always found sooner'}; the end is ` +
      `${isRandom ? 'about' : 'not'} as slow as random, taken as ${SLOWEST} to ${FASTEST} times its speed.`,
    shownIn: ['graph-1'],
  })
}

function ordersCompared(context: ClaimContext, { orders, perSite }: LinkResults): ClaimAnswer {
  const trio = areas(orders, rarest)
  const [rank, breadth, backlink] = trio
  const followed = trioOf((order) => ofOrder(orders, order).followed)
  const stays = followed[2] > Math.max(followed[0], followed[1])
  return answerTo(3, context, {
    verdict: holds(rank > breadth && breadth > backlink),
    ours: `mean height ${named(trio)}; the next page is a link of the last for ${named(followed)}`,
    why:
      `Best first: ${bestFirst(trio)}. Backlink order ${stays ? 'follows' : 'does not follow'} the page it has just seen ` +
      `more than the others do, which is what staying in a cluster looks like.` +
      (perSite.length === 0
        ? ''
        : ` With a queue for each site, so with other ties: ${named(areas(perSite, rarest))}.`),
    shownIn: ['graph-2', 'areas', ...(perSite.length === 0 ? [] : ['queues'])],
  })
}

function otherModels(context: ClaimContext, { orders }: LinkResults): ClaimAnswer {
  const stop = areas(orders, (of) => of.stop)
  const rank = areas(orders, (of) => of.rank)
  const backlinks = areas(orders, rarest)
  return answerTo(4, context, {
    verdict: holds(lead(stop) > 0 && lead(rank) > 0 && lead(rank) > lead(backlinks)),
    ours: `mean height under Crawl & Stop: ${named(stop)}; by PageRank: ${named(rank)}`,
    why:
      `Best first under Crawl & Stop: ${bestFirst(stop)}; by PageRank: ${bestFirst(rank)}. PageRank order is ahead of the ` +
      `better of the others by ${points(lead(rank))} when importance is PageRank, by ${points(lead(backlinks))} when it is backlinks.`,
    shownIn: ['graph-3', 'graph-4', 'areas'],
  })
}

/** Further from the diagonal than this, at any moment, is not along it. */
const RANDOM_GAP = 0.05

function randomCrawl(context: ClaimContext, { orders, targets }: LinkResults): ClaimAnswer {
  const gaps = ofOrder(orders, 'random').backlinks.map(({ mean }) => gapsToDiagonal(mean))
  const worst = Math.max(...gaps.flatMap(({ above, below }) => [above, below]))
  const list = gaps.map(
    ({ above, below }, n) =>
      `G = ${rounded(targets.backlinks[n]!.used)}: ${points(above)} above, ${points(below)} below`,
  )
  return answerTo(9, context, {
    verdict: holds(worst <= RANDOM_GAP),
    ours: `furthest from K / T: ${list.join('; ')}`,
    why:
      `The paper's random crawler may draw any page of the web, and has K / T by arithmetic. One that draws from the pages ` +
      `found so far ${worst <= RANDOM_GAP ? 'does as well' : 'is off it: what many link to is found early'}; ${points(RANDOM_GAP)} are allowed.`,
    shownIn: ['graph-2'],
  })
}

/** A point below the diagonal is seen in a plot; less may be chance. */
const SEEN = 0.01

export function siteClaim(context: ClaimContext, { orders, backlinks, site }: SiteResults): ClaimAnswer {
  const gaps = trioOf((name) => gapsToDiagonal(orders.find(({ order }) => order === name)!.found.low).below)
  const few = backlinks.filter((count) => count < 10).length / backlinks.length
  return answerTo(5, context, {
    verdict: holds(gaps.every((gap) => gap > SEEN) && few > 0.5),
    ours: `at worst below random: ${named(gaps, points)}; ${percent(few)} of the pages have fewer than 10 backlinks`,
    why: `${site.name}, ${backlinks.length} pages. Worse: more than ${points(SEEN)} below the diagonal at some moment, from some start page.`,
    shownIn: ['graph-5', 'graph-6'],
  })
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

/** How far PageRank order is ahead of the better of the others. */
const lead = (trio: Trio): number => trio[0] - Math.max(trio[1], trio[2])

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
