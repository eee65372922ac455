/**
 * The crawls of 003 §6, about links: each order from each start page, judged under the three models of §3.
 *
 * Importance is IB or IR of the part of the web that the start page leads to, since the paper's crawlers counted no
 * other pages. The targets are those of the first part, the same for all.
 */
import { backlinkEstimate, bufferPerformance, randomBufferPerformance } from '../../simulate/crawl-model-buffer.ts'
import { areaUnder, overShare, spreadOf } from '../../simulate/crawl-model-curves.ts'
import type { ShareCurve, Spread } from '../../simulate/crawl-model-curves.ts'
import { randomStopCurve, stopCurve, thresholdCurve, untiedStopCurve } from '../../simulate/crawl-models.ts'
import { importanceOfWeb } from '../../webs/importance-of-web.ts'
import { followedShare, visitsOf } from './crawl.ts'
import type { CrawlPart } from './crawl.ts'
import { BACKLINK_TARGETS, RANK_TARGET, targetFor } from './targets.ts'
import type { Target } from './targets.ts'

/** The orders of 003 §6. Breadth-first is `depth`: with one queue it is the order in which pages are found. */
export const PAPER_ORDERS: readonly string[] = ['pagerank', 'depth', 'backlink', 'random']

interface LinkPlan {
  readonly orders: readonly string[]
  readonly seed: number
  /** Room for pages, as shares of the part. */
  readonly buffers: readonly number[]
  /** For orders that look at a topic: the word, and 1 for each page of the whole web that is hot. */
  readonly topic: { readonly word: string; readonly hot: Uint8Array }
  /** Called before each crawl. */
  readonly onCrawl: (what: string) => void
}

interface LinkTargets {
  /** G = 3, 10 and 100. */
  readonly backlinks: readonly Target[]
  readonly rank: Target
}

/** What one crawl shows: a curve for each target of IB, one for IR, P_CS for IB, and P_BC for each buffer. */
interface LinkRun {
  readonly backlinks: readonly ShareCurve[]
  readonly rank: ShareCurve
  readonly stop: ShareCurve
  readonly untied: ShareCurve
  readonly kept: readonly number[]
  readonly followed: number
}

/** The same over all start pages. */
export interface LinkSpread {
  readonly order: string
  readonly backlinks: readonly Spread[]
  readonly rank: Spread
  readonly stop: Spread
  /** P_CS where exactly K pages are hot. */
  readonly untied: Spread
  readonly kept: readonly number[]
  readonly followed: number
  /** Mean heights by start page, for paired differences. */
  readonly heights: Heights
}

/** For the rarest pages of IB, for IR, and under P_CS as printed and without ties. */
export interface Heights {
  readonly rarest: readonly number[]
  readonly rank: readonly number[]
  readonly stop: readonly number[]
  readonly untied: readonly number[]
}

export interface LinkResults {
  readonly targets: LinkTargets
  readonly orders: readonly LinkSpread[]
  /** With a queue for each site, from the first start page; none for a web of one site. */
  readonly perSite: readonly LinkSpread[]
  /** P_CS and P_BC of pages drawn at random, on the first part. */
  readonly randomStop: ShareCurve
  readonly randomKept: readonly number[]
  /** IB of the first part. */
  readonly backlinks: Float64Array
}

export function crawlLinks(parts: readonly CrawlPart[], plan: LinkPlan): LinkResults {
  const runs = new Map<string, LinkRun[]>(plan.orders.map((order) => [order, []]))
  const perSite: LinkSpread[] = []
  let first: { targets: LinkTargets; backlinks: Float64Array } | undefined
  for (const part of parts) {
    const backlinks = importanceOfWeb(part.web, 'backlink')
    const ranks = importanceOfWeb(part.web, 'pagerank')
    first ??= { targets: targetsOf(backlinks, ranks), backlinks }
    const judged: Judged = { part, backlinks, ranks, targets: first.targets, plan }
    for (const order of plan.orders) runs.get(order)!.push(runOf(judged, order, 'one'))
    if (part !== parts[0] || part.web.sites < 2) continue
    for (const order of PAPER_ORDERS) perSite.push(spreadOfRuns(order, [runOf(judged, order, 'site')]))
  }
  const { targets, backlinks } = first!
  return {
    targets,
    orders: Array.from(runs, ([order, all]) => spreadOfRuns(order, all)),
    perSite,
    randomStop: overShare(randomStopCurve(backlinks)),
    randomKept: bufferSizes(plan, backlinks).map((size) => randomBufferPerformance(backlinks, size)),
    backlinks,
  }
}

interface Judged {
  readonly part: CrawlPart
  readonly backlinks: Float64Array
  readonly ranks: Float64Array
  readonly targets: LinkTargets
  readonly plan: LinkPlan
}

function runOf({ part, backlinks, ranks, targets, plan }: Judged, order: string, queues: 'one' | 'site'): LinkRun {
  plan.onCrawl(`${order}, ${part.web.pages} pages${queues === 'site' ? ', a queue for each site' : ''}`)
  const { word, hot: hotOfWeb } = plan.topic
  const hot = Uint8Array.from(part.pages, (page) => hotOfWeb[page]!)
  const importance = { topic: [word] }
  const visits = visitsOf(part, { order, seed: plan.seed, oracle: backlinks, hot, importance, queues })
  return {
    backlinks: targets.backlinks.map(({ used }) => overShare(thresholdCurve(visits, backlinks, used))),
    rank: overShare(thresholdCurve(visits, ranks, targets.rank.used)),
    stop: overShare(stopCurve(visits, backlinks)),
    untied: overShare(untiedStopCurve(visits, backlinks)),
    kept: bufferPerformance(part.web, visits, backlinks, bufferSizes(plan, backlinks), backlinkEstimate(part.web)),
    followed: followedShare(part.web, visits),
  }
}

function spreadOfRuns(order: string, runs: readonly LinkRun[]): LinkSpread {
  return {
    order,
    backlinks: runs[0]!.backlinks.map((_, n) => spreadOf(runs.map((run) => run.backlinks[n]!))),
    rank: spreadOf(runs.map((run) => run.rank)),
    stop: spreadOf(runs.map((run) => run.stop)),
    untied: spreadOf(runs.map((run) => run.untied)),
    kept: runs[0]!.kept.map((_, n) => mean(runs.map((run) => run.kept[n]!))),
    followed: mean(runs.map((run) => run.followed)),
    heights: {
      rarest: runs.map((run) => areaUnder(run.backlinks.at(-1)!)),
      rank: runs.map((run) => areaUnder(run.rank)),
      stop: runs.map((run) => areaUnder(run.stop)),
      untied: runs.map((run) => areaUnder(run.untied)),
    },
  }
}

const targetsOf = (backlinks: Float64Array, ranks: Float64Array): LinkTargets => ({
  backlinks: BACKLINK_TARGETS.map(([target, share]) => targetFor(backlinks, target, share)),
  rank: targetFor(ranks, ...RANK_TARGET),
})

const bufferSizes = ({ buffers }: LinkPlan, { length }: Float64Array): number[] =>
  buffers.map((share) => Math.max(1, Math.round(share * length)))

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
