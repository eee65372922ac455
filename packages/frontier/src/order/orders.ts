/**
 * The orders, by name. Some take a parameter after a colon, `batch:50000`, `topic:pagerank`; and an expression over
 * metrics is an order too: `0.7*pagerank + 0.3*topic`.
 */
import { parseExpression } from './expression.ts'
import { METRICS, Ranks, metricNamed } from './metric.ts'
import type { Metric } from './metric.ts'
import type { Order, OrderSettings, RankedWeb, Ranking } from './order.ts'
import { BatchRanking, PartialRanking } from './periodic-rankings.ts'
import { TieredRanking } from './tiered-ranking.ts'
import { TopicJudge } from './topic-judge.ts'
import { WebbaseRanking } from './webbase-ranking.ts'

/** An order in the table: what its parameter is, and how it is made from one. */
export interface OrderKind {
  readonly name: string
  readonly description: string
  /** What may follow the colon, and what is meant when nothing does. */
  readonly parameter?: { readonly name: string; readonly byDefault: string }
  /** Needs an importance that only a lab can know. */
  readonly isLabOnly?: true
  /** Means nothing without a `--topic`. */
  readonly needsTopic?: true
  /** The order; a sentence when the parameter makes no sense. */
  make(parameter: string): Omit<Order, 'name' | 'description'> | string
}

/** 004 §5 tried 10,000, 50,000 and 100,000. */
const K = { name: 'K', byDefault: '10000' }
/** Puts a page behind all that are on topic. More than any rank, and little enough that ranks stay apart. */
const OFF_TOPIC = 2 ** 30

export const ORDERS: readonly OrderKind[] = [
  {
    name: 'depth',
    description: 'breadth-first: pages fewest clicks from a start page first (004 §5, Depth)',
    make: () => ({ start: byDepth }),
  },
  {
    name: 'fifo',
    description: 'in the order they were found (003 Figure 2, breadth-first: "do nothing")',
    make: () => ({ start: () => ({ rankPage: (page) => page }) }),
  },
  {
    name: 'length',
    description: 'breadth-first in each site, the site with the longest queue first (004 §5, Length)',
    make: () => ({ start: (web) => ({ ...byDepth(web), rankSite: ({ waiting }) => -waiting }) }),
  },
  {
    name: 'backlink',
    description: 'pages that most links point to, as far as seen (003 §2, IB)',
    make: () => ({ start: (web, settings) => byMetric(metricNamed('backlink')!.start(web, settings)) }),
  },
  {
    name: 'pagerank',
    description: 'highest PageRank first, kept true at every page (003 §2, IR; 004 §5, Batch with K = 1)',
    make: () => ({ start: (web) => byMetric(new Ranks(web, false)) }),
  },
  {
    name: 'batch',
    description: 'in batches of K pages, the highest PageRank at that moment (004 §5, Batch)',
    parameter: K,
    make: (k) => whole(k, (batch) => ({ batch, start: () => new BatchRanking() })),
  },
  {
    name: 'partial',
    description: 'PageRank solved every K pages, temporary ranks in between (004 §5, Partial)',
    parameter: K,
    make: (k) => whole(k, (every) => ({ start: (web) => new PartialRanking(web, every) })),
  },
  {
    name: 'tiered',
    description: 'tiers of PageRank, backlinks and depth together; first found first inside a tier (our own)',
    make: () => ({ start: (web) => new TieredRanking(web) }),
  },
  {
    name: 'topic',
    description: 'pages that look to be on --topic first, ties by another order (003 Figures 4 and 5)',
    parameter: { name: 'ORDER', byDefault: 'depth' },
    needsTopic: true,
    make: topicOrder,
  },
  {
    name: 'anchor',
    description: 'pages whose links have words most like --topic (003 §4, O(u) = IS(A, Q))',
    needsTopic: true,
    make: () => ({ start: (web, settings) => byMetric(metricNamed('anchor')!.start(web, settings)) }),
  },
  {
    name: 'forward',
    description: 'pages that many links will come from, judged by those that link to them (003 §2, IF)',
    make: () => ({ start: (web, settings) => byMetric(metricNamed('forward')!.start(web, settings)) }),
  },
  {
    name: 'location',
    description: 'by the look of the URL: endings, words, slashes (003 §2, IL)',
    make: () => ({ start: (web, settings) => byMetric(metricNamed('location')!.start(web, settings)) }),
  },
  { name: 'random', description: 'any page as likely as any other (003 §3)', make: () => ({ start: atRandom }) },
  {
    name: 'webbase',
    description: 'queues by a hash of the host, read in turn (003 §5.1)',
    parameter: { name: 'QUEUES', byDefault: '500' },
    make: (queues) => whole(queues, (count) => ({ start: () => new WebbaseRanking(count) })),
  },
  {
    name: 'optimal',
    description: 'highest true importance among the pages found (004 §5, Optimal)',
    isLabOnly: true,
    make: () => ({ start: byOracle }),
  },
  {
    name: 'perfect',
    description: 'highest true importance of all, found or not (003 §3, the ideal crawler)',
    isLabOnly: true,
    make: () => ({ start: byOracle }),
  },
]

/** The order of this name, with its parameter, or that an expression stands for; a sentence when there is none. */
export function parseOrder(text: string): Order | string {
  const colon = text.indexOf(':')
  const name = colon === -1 ? text : text.slice(0, colon)
  const kind = ORDERS.find((order) => order.name === name.trim())
  if (kind === undefined) return expressionOrder(text)
  if (kind.parameter === undefined && colon !== -1) return `${name} takes no parameter`
  const made = kind.make(colon === -1 ? (kind.parameter?.byDefault ?? '') : text.slice(colon + 1).trim())
  if (typeof made === 'string') return `${name}: ${made}`
  return { ...made, name: text, description: kind.description, needsTopic: kind.needsTopic ?? made.needsTopic }
}

/** For names that are known to be good. */
export function orderNamed(name: string): Order {
  const order = parseOrder(name)
  if (typeof order === 'string') throw new RangeError(order)
  return order
}

/** The names of those that any crawl can use; where they are batched, in batches of so many pages. */
export function usableOrders(batch: number): readonly string[] {
  const usable = ORDERS.filter(({ isLabOnly }) => isLabOnly !== true)
  return usable.map(({ name, parameter }) => (parameter === K ? `${name}:${batch}` : name))
}

function byMetric(metric: Metric): Ranking {
  return {
    rankPage: (page) => -metric.score(page),
    ...(metric.visited && { visited: metric.visited.bind(metric) }),
    ...(metric.restore && { restore: metric.restore.bind(metric) }),
    ...(metric.refresh && { refresh: metric.refresh.bind(metric) }),
  }
}

function byDepth(web: RankedWeb): Ranking {
  return { rankPage: (page) => web.depthOf(page) }
}

function atRandom(_: RankedWeb, { random }: OrderSettings): Ranking {
  const ranks: number[] = []
  return { rankPage: (page) => (ranks[page] ??= random()) }
}

function byOracle(_: RankedWeb, { oracle }: OrderSettings): Ranking {
  if (oracle === undefined) throw new RangeError('this order needs an oracle, which only a lab has')
  return { rankPage: (page) => -oracle(page) }
}

function topicOrder(name: string): Omit<Order, 'name' | 'description'> | string {
  const ties = parseOrder(name)
  if (typeof ties === 'string') return ties
  if (ties.batch !== undefined) return `ties cannot be broken by batches`
  return {
    start: (web, settings) => {
      const judge = new TopicJudge(web, settings)
      const ranking = ties.start(web, settings)
      return {
        rankPage: (page) => ranking.rankPage(page) + (judge.isHot(page) ? 0 : OFF_TOPIC),
        visited: (page, visit) => {
          ranking.visited?.(page, visit)
          judge.visited(page, visit)
        },
        refresh: () => ranking.refresh?.(),
      }
    },
  }
}

function expressionOrder(text: string): Order | string {
  const names = METRICS.map(({ name }) => name)
  const expression = parseExpression(text, (name) => names.includes(name))
  if (typeof expression === 'string') {
    if (/^[\w-]+$/.test(text)) return `there is no order "${text}"`
    return `${expression}. An order is one of ${ORDERS.map(({ name }) => name).join(', ')}, or an expression over ${names.join(', ')}`
  }
  return {
    name: text,
    description: `highest ${text} first (003 §2, IC)`,
    needsTopic: expression.names.some((name) => metricNamed(name)!.needsTopic),
    start: (web, settings) => {
      const metrics = expression.names.map((name) => metricNamed(name)!.start(web, settings))
      return {
        rankPage: (page) => -expression.evaluate((n) => metrics[n]!.score(page)),
        visited: (page, visit) => metrics.forEach((metric) => metric.visited?.(page, visit)),
        refresh: () => metrics.forEach((metric) => metric.refresh?.()),
      }
    },
  }
}

function whole<Made>(text: string, make: (number: number) => Made): Made | string {
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? make(number) : `"${text}" is no number above 0`
}
