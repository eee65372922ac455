/**
 * Tiered, an order of our own: a page's score is its PageRank · √(1 + backlinks) / ⁴√(1 + depth), as far as seen, and
 * scores within a factor of 1.3 are one tier, in which the page found first comes first. A site falls by the tenth root
 * of the pages it has given, so that no site, however densely it links to itself, holds the others up.
 *
 * Why tiers: of most waiting pages only a link or two is known, and what exact ranks tell apart there is mostly how many
 * other links stood beside that one. Breadth-first is the better guess then, as pages near a start page tend to matter
 * (004 §5, Depth). A page that many links point to leaves its tier whatever the noise; and links are counted along with
 * ranks since well-linked pages are found soonest by their number (003 §6). The exponents and the width were chosen on
 * half of the webs and start pages we have and confirmed on the others; none of them is critical.
 *
 * It knows nothing an honest crawl does not, and costs what `pagerank` does: PageRank kept true page by page.
 */
import type { PageVisit, RankedWeb, Ranking, SiteFacts } from './order.ts'
import { PageRank } from './page-rank.ts'

/** One tier, as a difference of logarithms. */
const TIER = Math.log(1.3)
const BACKLINKS = 1 / 2
const DEPTH = 1 / 4
const SITE = 1 / 10

export class TieredRanking implements Ranking {
  readonly #web: RankedWeb
  readonly #ranks = new PageRank()
  #backlinks = new Uint32Array(1_024)
  readonly #moved = (page: number): void => this.#web.moved(page)

  constructor(web: RankedWeb) {
    this.#web = web
  }

  rankPage(page: number): number {
    return -tierOf(this.#ranks.valueOf(page), this.#backlinks[page] ?? 0, this.#web.depthOf(page))
  }

  rankSite({ best, visited }: SiteFacts): number {
    return best + Math.floor((SITE * Math.log(1 + visited)) / TIER)
  }

  visited(page: number, { links }: PageVisit): void {
    const before = this.#ranks.graph.linksOf(page).slice()
    this.#ranks.link(page, links, this.#moved)
    this.#count(before, page)
    for (const to of before) this.#web.moved(to)
    for (const to of this.#ranks.graph.linksOf(page)) this.#web.moved(to)
  }

  restore(visits: Iterable<readonly [page: number, visit: PageVisit]>): void {
    for (const [page, { links }] of visits) {
      const before = this.#ranks.graph.linksOf(page).slice()
      this.#ranks.set(page, links)
      this.#count(before, page)
    }
    this.#ranks.solve()
  }

  /** A page that linked to `before` has its new links. Counted as the graph keeps them, which may be fewer than given. */
  #count(before: Uint32Array, page: number): void {
    if (this.#web.count > this.#backlinks.length) this.#grow()
    for (const to of before) this.#backlinks[to]!--
    for (const to of this.#ranks.graph.linksOf(page)) this.#backlinks[to]!++
  }

  #grow(): void {
    const backlinks = new Uint32Array(this.#web.count * 2)
    backlinks.set(this.#backlinks)
    this.#backlinks = backlinks
  }
}

/** Higher is better. `pageRank` may carry any factor that is the same for all pages. */
export function tierOf(pageRank: number, backlinks: number, depth: number): number {
  const score = Math.log(pageRank) + BACKLINKS * Math.log(1 + backlinks) - DEPTH * Math.log(1 + depth)
  return Math.floor(score / TIER)
}
