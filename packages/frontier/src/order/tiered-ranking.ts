/**
 * Tiered, an order of our own: a page's score is its PageRank · √(1 + backlinks) / ⁴√(1 + depth), as far as seen, and
 * scores within a factor of 1.3 are one tier, in which the page found first comes first. A site falls by the tenth root
 * of the pages it has given, so that no site, however densely it links to itself, holds the others up.
 *
 * Why tiers: of most waiting pages only a link or two is known, and what exact ranks tell apart there is mostly how many
 * other links stood beside that one. In what order pages were found is the better guess then. A page that many links
 * point to leaves its tier whatever the noise; links are counted along with ranks since on our webs well-linked pages
 * are found soonest by their number. Exponents and width were chosen on one half of our webs and start pages and then
 * left alone. On most of the other half it gathers PageRank sooner than `depth` and `backlink`; but `backlink` stays a
 * little ahead for well-linked pages, and `pagerank` far ahead for all on a dense web such as uk-2007-05.
 *
 * It knows nothing an honest crawl does not, and costs what `pagerank` does: PageRank kept true page by page.
 */
import { grown } from '../queue/grown.ts'
import type { PageVisit, RankedWeb, Ranking, OrderSiteFacts } from './order.ts'
import { PageRank } from './page-rank.ts'

/** One tier, as a difference of logarithms. */
const TIER = Math.log(1.3)
const SITE = 1 / 10

export class TieredRanking implements Ranking {
  readonly #web: RankedWeb
  readonly #ranks = new PageRank()
  #backlinks = new Uint32Array(1_024)
  /** The last answer for each page: most links change no tier, and then the queue need not be told. */
  #said = new Int16Array(1_024)
  readonly #look = (page: number): void => {
    if (this.#rankOf(page) !== this.#said[page]) this.#web.moved(page)
  }

  constructor(web: RankedWeb) {
    this.#web = web
  }

  rankPage(page: number): number {
    this.#reserve()
    return (this.#said[page] = this.#rankOf(page))
  }

  rankSite({ best, visited }: OrderSiteFacts): number {
    return best + Math.floor((SITE * Math.log(1 + visited)) / TIER)
  }

  visited(page: number, { links }: PageVisit): void {
    const before = this.#ranks.graph.linksOf(page).slice()
    this.#reserve()
    this.#ranks.set(page, links)
    this.#count(before, page)
    for (const to of before) this.#look(to)
    for (const to of this.#ranks.graph.linksOf(page)) this.#look(to)
  }

  refresh(): void {
    this.#ranks.settle(this.#look)
  }

  restore(visits: Iterable<readonly [page: number, visit: PageVisit]>): void {
    this.#reserve()
    for (const [page, { links }] of visits) {
      const before = this.#ranks.graph.linksOf(page).slice()
      this.#ranks.set(page, links)
      this.#count(before, page)
    }
    this.#ranks.solve()
  }

  /** A page that linked to `before` has its new links. Counted as the graph keeps them, which may be fewer than given. */
  #count(before: Uint32Array, page: number): void {
    for (const to of before) this.#backlinks[to]!--
    for (const to of this.#ranks.graph.linksOf(page)) this.#backlinks[to]!++
  }

  #rankOf(page: number): number {
    return -tierOf(this.#ranks.valueOf(page), this.#backlinks[page]!, this.#web.depthOf(page))
  }

  #reserve(): void {
    this.#backlinks = grown(this.#backlinks, this.#web.count)
    this.#said = grown(this.#said, this.#web.count)
  }
}

/** Higher is better. `pageRank` may carry any factor that is the same for all pages. */
export function tierOf(pageRank: number, backlinks: number, depth: number): number {
  const score = (pageRank * Math.sqrt(1 + backlinks)) / Math.sqrt(Math.sqrt(1 + depth))
  return Math.floor(Math.log(score) / TIER)
}
