/**
 * Metrics: the importance of a page, as far as a crawl can know it (003 §2): IB, IR, IF, IL, IS. Higher is more
 * important. Of a page that was visited it is what the page says; of one that waits, the best guess so far.
 *
 * The lab tells a metric of a whole web and has the true importance; a crawl tells it what it sees, and orders by it.
 */
import { grown } from '../queue/grown.ts'
import { LinkGraph } from './link-graph.ts'
import { locationRules, locationScore } from './location-score.ts'
import type { OrderSettings, PageVisit, RankedWeb } from './order.ts'
import { PageRank } from './page-rank.ts'
import { topicSimilarity, similarityDefaults } from './similarity.ts'
import { TopicJudge } from './topic-judge.ts'

export interface Metric {
  score(page: number): number
  visited?(page: number, visit: PageVisit): void
  restore?(visits: Iterable<readonly [page: number, visit: PageVisit]>): void
  /** Whatever was put off until somebody asks. */
  refresh?(): void
}

export interface MetricKind {
  readonly name: string
  readonly description: string
  readonly needsTopic?: true
  start(web: RankedWeb, settings: OrderSettings): Metric
}

export const METRICS: readonly MetricKind[] = [
  { name: 'backlink', description: 'links to it seen so far (IB)', start: (web) => new Backlinks(web) },
  { name: 'pagerank', description: 'its PageRank, mean 1 (IR)', start: (web) => new Ranks(web, true) },
  {
    name: 'forward',
    description: 'links on it, or on the pages that link to it (IF)',
    start: (web) => new Forward(web),
  },
  {
    name: 'location',
    description: 'what its URL looks like (IL)',
    start: (web, { location = locationRules }) => ({ score: (page) => locationScore(web.urlOf(page), location) }),
  },
  {
    name: 'topic',
    description: 'the topic is in a link to it, in its URL, or near it: 1 or 0 (IS)',
    needsTopic: true,
    start: topic,
  },
  {
    name: 'anchor',
    description: 'similarity of the words of links to it with the topic (IS)',
    needsTopic: true,
    start: anchor,
  },
  {
    name: 'depth',
    description: 'clicks from a start page, below 0',
    start: (web) => ({ score: (page) => -web.depthOf(page) }),
  },
]

export const metricNamed = (name: string): MetricKind | undefined => METRICS.find((metric) => metric.name === name)

/** IB'(P): the number of links to P that have been seen so far. */
class Backlinks implements Metric {
  readonly #web: RankedWeb
  readonly #graph = new LinkGraph()
  #counts = new Uint32Array(1_024)

  constructor(web: RankedWeb) {
    this.#web = web
  }

  score(page: number): number {
    return this.#counts[page] ?? 0
  }

  visited(page: number, { links }: PageVisit): void {
    const before = this.#graph.linksOf(page).slice()
    this.#graph.set(page, links)
    this.#counts = grown(this.#counts, this.#web.count)
    for (const to of before) this.#counts[to]!--
    for (let i = 0; i < links.length; i++) {
      this.#counts[links[i]!]!++
      this.#web.moved(links[i]!)
    }
    for (const to of before) this.#web.moved(to)
  }
}

/** How far the common factor of all ranks may drift before every sum with a rank in it is made again. */
const MAX_DRIFT = 0.01

/** IR'(P), exact to `TOLERANCE` at every moment. `scaled`: the mean is 1; the order alone does not need that. */
export class Ranks implements Metric {
  readonly ranks: PageRank = new PageRank()
  readonly #web: RankedWeb
  readonly #scaled: boolean
  #scale = 1
  readonly #moved = (page: number): void => this.#web.moved(page)

  constructor(web: RankedWeb, scaled: boolean) {
    this.#web = web
    this.#scaled = scaled
  }

  score(page: number): number {
    return this.ranks.valueOf(page) * (this.#scaled ? this.#scale : 1)
  }

  visited(page: number, { links }: PageVisit): void {
    this.ranks.set(page, links)
  }

  refresh(): void {
    this.ranks.settle(this.#moved)
    const { scale } = this.ranks
    if (!this.#scaled || Math.abs(scale - this.#scale) < MAX_DRIFT * this.#scale) return
    this.#scale = scale
    this.#web.allMoved()
  }

  restore(visits: Iterable<readonly [page: number, visit: PageVisit]>): void {
    for (const [page, { links }] of visits) this.ranks.set(page, links)
    this.ranks.solve()
    this.#scale = this.ranks.scale
  }
}

/**
 * IF(P) is the number of links on P, which nobody knows before P was seen (003 §4). Until then: the mean of the pages
 * that link to it, as directories link to directories.
 */
class Forward implements Metric {
  readonly #web: RankedWeb
  readonly #graph = new LinkGraph()
  readonly #seen = new Set<number>()
  #sums = new Float64Array(1_024)
  #linkers = new Uint32Array(1_024)

  constructor(web: RankedWeb) {
    this.#web = web
  }

  score(page: number): number {
    if (this.#seen.has(page)) return this.#graph.countOf(page)
    const linkers = this.#linkers[page] ?? 0
    return linkers === 0 ? 0 : this.#sums[page]! / linkers
  }

  visited(page: number, { links }: PageVisit): void {
    this.#sums = grown(this.#sums, this.#web.count)
    this.#linkers = grown(this.#linkers, this.#web.count)
    this.#seen.add(page)
    const before = this.#graph.linksOf(page).slice()
    this.#count(before, -1)
    this.#graph.set(page, links)
    this.#count(links, 1)
    for (let i = 0; i < links.length; i++) this.#web.moved(links[i]!)
    for (const to of before) this.#web.moved(to)
  }

  #count(links: ArrayLike<number>, sign: 1 | -1): void {
    for (let i = 0; i < links.length; i++) {
      this.#sums[links[i]!]! += sign * links.length
      this.#linkers[links[i]!]! += sign
    }
  }
}

function topic(web: RankedWeb, settings: OrderSettings): Metric {
  const judge = new TopicJudge(web, settings)
  return { score: (page) => (judge.isHot(page) ? 1 : 0), visited: (page, visit) => judge.visited(page, visit) }
}

/** O(u) = IS(A, Q) with A the anchor text of the best link to u (003 §4). Of a visited page, its own similarity. */
function anchor(web: RankedWeb, { topic: query = [] }: OrderSettings): Metric {
  const best = new Map<number, number>()
  return {
    score: (page) => best.get(page) ?? 0,
    visited: (page, visit) => {
      best.set(page, visit.similarity)
      for (let i = 0; i < visit.links.length; i++) {
        const to = visit.links[i]!
        if (!web.isWaiting(to)) continue
        const alike = topicSimilarity({ body: visit.anchorOf(i) }, query, similarityDefaults)
        if (alike <= (best.get(to) ?? 0)) continue
        best.set(to, alike)
        web.moved(to)
      }
    },
  }
}
