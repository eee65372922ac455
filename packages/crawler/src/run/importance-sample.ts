/**
 * ImportanceSample: how much of the importance that is known so far is held already, estimated.
 *
 * Importance is backlinks here (003 §2, IB'): of all links seen, the share that lead to pages that were fetched. The
 * PageRank of everything known would say a little more and cost every crawl what only some orders need. And not all
 * links are counted, as that needs a number for each page known: the links on a few hundred pages, drawn so that each
 * page that was read had the same chance (reservoir sampling, Vitter 1985, algorithm R), are looked at when somebody
 * asks. With 512 pages the estimate is a few hundredths from the truth at worst, and moves as smoothly as that.
 *
 * A page that waits to be visited again counts as one that is still to come.
 */
import type { Collection } from '@comity/collection'
import { DONE } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'

const SAMPLE = 512
/** Links looked at of one page; the first thousand of a list say as much as all. */
const MAX_LINKS = 1_000

export class ImportanceSample {
  readonly #frontier: Frontier
  readonly #collection: Collection
  readonly #random: () => number
  readonly #pages: number[] = []
  /** Links of the pages drawn, as far as they were read back. */
  readonly #links = new Map<number, Uint32Array>()
  #seen = 0
  /** The collection is being replaced: what is not in memory cannot be read. */
  isFrozen = false

  constructor(frontier: Frontier, collection: Collection, random: () => number) {
    this.#frontier = frontier
    this.#collection = collection
    this.#random = random
  }

  /** What earlier runs have read. */
  restore(): void {
    const { count } = this.#frontier.pages
    const wanted = Math.min(SAMPLE, this.#frontier.count('done'))
    const drawn = new Set<number>()
    // Where few of the pages known were fetched, a smaller sample has to do.
    for (let tries = 0; drawn.size < wanted && tries < 20 * SAMPLE; tries++) {
      const page = Math.floor(this.#random() * count)
      if (this.#frontier.pages.stateOf(page) === DONE) drawn.add(page)
    }
    this.#pages.push(...drawn)
    this.#seen = this.#frontier.count('done')
  }

  /** A page was read. */
  add(page: number): void {
    this.#seen++
    if (this.#links.delete(page)) return
    if (this.#pages.length < SAMPLE) {
      this.#pages.push(page)
      return
    }
    const at = Math.floor(this.#random() * this.#seen)
    if (at >= SAMPLE) return
    this.#links.delete(this.#pages[at] as number)
    this.#pages[at] = page
  }

  /** 0 to 1; 0 as long as no links are known. */
  share(): number {
    const { pages } = this.#frontier
    let links = 0
    let held = 0
    for (const page of this.#pages) {
      const targets = this.#linksOf(page)
      links += targets.length
      for (const to of targets) if (pages.stateOf(to) === DONE) held++
    }
    return links === 0 ? 0 : held / links
  }

  #linksOf(page: number): Uint32Array {
    const known = this.#links.get(page)
    if (known !== undefined) return known
    if (this.isFrozen) return NO_LINKS
    const links = this.#collection.links(page).slice(0, MAX_LINKS)
    const targets = Uint32Array.from(links, ({ to }) => to)
    // None at all may mean that its commit is still to come.
    if (targets.length > 0) this.#links.set(page, targets)
    return targets
  }
}

const NO_LINKS = new Uint32Array(0)
