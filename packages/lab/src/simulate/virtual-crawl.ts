/**
 * VirtualCrawl: a real frontier let loose on a web in memory (003 §5: "virtual crawlers"). The queues, orders, batches and
 * politeness are those of a live crawl; only the fetching is left to whoever drives it, in simulated time.
 */
import { Frontier, NO_PARENT, politeDefaults } from '@comity/frontier'
import type { BatchOptions, Lease, Politeness, Order, OrderSettings, BatchPageText, PageVisit } from '@comity/frontier'
import { siteOf } from '@comity/protocol'
import type { WebGraph } from '../webs/graph/web-graph.ts'

interface VirtualCrawlOptions {
  readonly order: Order
  readonly politeness: Politeness
  readonly random: () => number
  /** Pages the crawl begins with; the web's own when not given. */
  readonly homes?: readonly number[]
  /** The true importance of a page of the web. */
  readonly oracle?: ((page: number) => number) | undefined
  readonly importance?: Omit<OrderSettings, 'random' | 'oracle'>
  readonly batch?: BatchOptions | undefined
  readonly maxPagesPerSite?: number
  /** IS(P, Q) of a page of the web, and whether that makes it hot; for crawls with a topic. */
  readonly similarityOf?: (page: number) => { readonly similarity: number; readonly isHot: boolean }
}

const UNKNOWN = 0xffffffff
/** What the frontier would have made durable is let go every so many pages. */
const DRAIN_EVERY = 16_384
/** Spreads page numbers over 32 bits, none lost (Knuth, TAOCP 3, §6.4). */
const SPREAD = 0x9e3779b1
const NOT_ON_TOPIC = { similarity: 0, isHot: false }

export class VirtualCrawl {
  readonly frontier: Frontier
  readonly #web: WebGraph
  readonly #options: VirtualCrawlOptions
  /** Page of the frontier ↔ page of the web. */
  readonly #idOf: Uint32Array
  readonly #pageOf: Uint32Array
  /** Sites of the web as the frontier numbers them. */
  readonly #siteIds: Int32Array
  #known = 0
  #undrained = 0

  constructor(web: WebGraph, options: VirtualCrawlOptions) {
    this.#web = web
    this.#options = options
    this.#idOf = new Uint32Array(web.pages).fill(UNKNOWN)
    this.#pageOf = new Uint32Array(web.pages)
    this.#siteIds = new Int32Array(web.sites).fill(-1)
    this.frontier = this.#createFrontier()
    for (const page of options.homes ?? web.homes) this.#find(page, 0, NO_PARENT)
  }

  /** Pages found so far. */
  get known(): number {
    return this.#known
  }

  /** The page of the web that a leased task is for. */
  pageOf({ task }: Lease): number {
    if (task.kind !== 'page') throw new Error('a virtual crawl has no prerequisites')
    return this.#pageOf[task.page]!
  }

  /** The page came: its links are found, and the order learns from them. */
  fetched(page: number): void {
    const { frontier } = this
    const id = this.#idOf[page]!
    const { starts, targets } = this.#web
    const [from, to] = [starts[page]!, starts[page + 1]!]
    const depth = frontier.pages.depthOf(id) + 1
    const links = new Uint32Array(to - from)
    for (let at = from; at < to; at++) links[at - from] = this.#find(targets[at]!, depth, id)
    const { words } = this.#web
    const topic = this.#options.similarityOf?.(page) ?? NOT_ON_TOPIC
    const visit: PageVisit = { links, anchorOf: (n) => words?.anchorOf(from + n) ?? '', ...topic }
    frontier.visited(id, visit)
    frontier.settle(id, 'done')
    if (++this.#undrained >= DRAIN_EVERY) this.#drain()
  }

  /** Visit pages one after the other, whoever is best, with no politeness and no time passing (003 Figure 1). */
  *inOrder(): Generator<number> {
    const { frontier } = this
    const answer = { endedAt: 0, tookMs: 0, overloaded: false }
    for (let lease = frontier.lease(0); lease !== undefined; lease = frontier.lease(0)) {
      const page = this.pageOf(lease)
      this.fetched(page)
      frontier.answered(lease, answer)
      frontier.release(lease, 0)
      yield page
    }
  }

  #find(page: number, depth: number, parent: number): number {
    const known = this.#idOf[page]!
    if (known !== UNKNOWN) {
      this.frontier.reach(known, depth)
      return known
    }
    const site = this.#web.siteOf[page]!
    if (this.#siteIds[site] === -1) this.#siteIds[site] = this.frontier.site(this.#originOf(page))
    const found = { depth, seed: 0, parent }
    // Known before it is added, as it is ranked at once.
    this.#pageOf[this.#known] = page
    const id = this.frontier.add(this.#siteIds[site]!, Math.imul(page, SPREAD) >>> 0, page, this.#pathOf(page), found)
    this.#idOf[page] = id
    this.#known++
    return id
  }

  #textOf(page: number): BatchPageText {
    return { site: this.#siteIds[this.#web.siteOf[page]!]!, path: this.#pathOf(page), parent: NO_PARENT }
  }

  #originOf(page: number): string {
    const { words, siteOf: sites } = this.#web
    return words === undefined ? `http://${sites[page]}` : siteOf(words.urlOf(page))
  }

  /** A web without URLs needs none: no order that it can be used with reads them. */
  #pathOf(page: number): string {
    const url = this.#web.words?.urlOf(page)
    return url === undefined ? '' : url.slice(siteOf(url).length)
  }

  #drain(): void {
    this.#undrained = 0
    this.frontier.drain()
    this.frontier.stored()
  }

  #createFrontier(): Frontier {
    const { order, politeness, random, oracle, importance, batch, maxPagesPerSite = Infinity } = this.#options
    return new Frontier({
      order,
      random,
      batch,
      importance: { ...importance, ...(oracle && { oracle: (id) => oracle(this.#pageOf[id]!) }) },
      politenessOf: () => politeness,
      budgetOf: () => ({ maxPages: maxPagesPerSite, maxBytes: Infinity, maxKnown: Infinity }),
      siteLimits: { maxSites: Infinity, maxSitesPerDomain: Infinity },
      maxTries: 1,
      gates: false,
      textOf: (id) => this.#textOf(this.#pageOf[id]!),
    })
  }
}

/** No rest at all: the virtual crawlers of 003 are not asked for politeness. */
export const noPoliteness: Politeness = { ...politeDefaults, delayMs: 0, pagesPerConnection: 1 }
