/**
 * ArchivedPages: the pages that somebody else has archived, as the frontier is to know them. An import asks nobody for anything:
 * what its pages link to is known from then on and waits for nobody. Such a link is infinitely far from every start page, so a
 * later crawl that finds it anywhere asks its own scope.
 *
 * A capture is known by its URL and date: what is in the collection, or is about to be, is not taken in again.
 */
import { siteOf } from '@comity/protocol'
import type { HeaderList, Instant, UrlRules } from '@comity/protocol'
import { forgottenSites } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { DONE, FAILED, FORGOTTEN, WAITING, reasonCode } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import { locationOf, meaningOf } from '@comity/ingest'
import type { Ending, FollowUp, Outcome, PageTask, SkipReason } from '@comity/ingest'

/** As far as the frontier can count. */
const FARTHEST = 0xffff
const NOT_REACHED = reasonCode('depth')

export class ArchivedPages implements FollowUp {
  readonly #frontier: Frontier
  readonly #collection: Collection
  readonly #urlRules: UrlRules
  readonly #forgotten: ReadonlySet<string>
  /** Captures taken in and perhaps not committed, page by instant. */
  readonly #taken = new Map<number, Set<Instant>>()

  constructor(frontier: Frontier, collection: Collection, urlRules: UrlRules) {
    this.#frontier = frontier
    this.#collection = collection
    this.#urlRules = urlRules
    this.#forgotten = forgottenSites(collection)
  }

  /** The page that an observation is of, entered when it is new; or why it is not taken in. */
  enter(url: string, at: Instant): PageTask | SkipReason {
    const page = this.#pageOf(url, at)
    if (typeof page === 'string') return page
    const taken = this.#taken.get(page)
    if (taken === undefined) this.#taken.set(page, new Set([at]))
    else taken.add(at)
    return { kind: 'page', page, url, depth: FARTHEST - 1, tries: 0 }
  }

  #pageOf(url: string, at: Instant): number | SkipReason {
    const frontier = this.#frontier
    if (this.#forgotten.has(siteOf(url))) return 'forgotten'
    const known = frontier.findUrl(url)
    if (known === -1 && !frontier.hasRoomFor(url)) return 'no-room'
    const page = known === -1 ? frontier.offer(url, { depth: 0, seed: 0, excluded: NOT_REACHED }) : known
    if (frontier.pages.stateOf(page) === FORGOTTEN) return 'forgotten'
    return known !== -1 && this.#isKnown(known, at) ? 'known' : page
  }

  #isKnown(page: number, at: Instant): boolean {
    if (this.#taken.get(page)?.has(at) === true) return true
    for (const { key } of this.#collection.captures(page)) if (key[1] === at) return true
    return false
  }

  get taken(): number {
    return this.#taken.size
  }

  /** Everything that was taken in is committed. */
  committed(): void {
    this.#taken.clear()
  }

  redirect({ page, url }: PageTask, headers: HeaderList): Ending {
    const frontier = this.#frontier
    const to = locationOf(headers, url, this.#urlRules)
    if (to === undefined) return { outcome: 'redirect-nowhere', problem: 'no usable Location' }
    if (to === url) return { outcome: 'redirect-loop', to }
    if (frontier.findUrl(to) === -1 && frontier.hasRoomFor(to))
      frontier.offer(to, { depth: FARTHEST, seed: 0, parent: page, excluded: NOT_REACHED })
    return { outcome: 'redirect', to }
  }

  /** Nothing is chosen by what an archive says. */
  learn(): void {}

  /** A page that a crawl waits for goes on waiting: whoever wants it fetched wants it of today. */
  settle(page: number, outcome: Outcome): void {
    const frontier = this.#frontier
    if (frontier.pages.stateOf(page) === WAITING) return
    // Out of the frontier's hands first, which also has the next batch tell of the page. A frontier has no word for a
    // page that came without being asked for, so what it is now is written straight into the table.
    frontier.forget(page)
    frontier.pages.setState(page, meaningOf(outcome).disposition === 'done' ? DONE : FAILED)
    if (frontier.pages.depthOf(page) === FARTHEST) frontier.pages.setDepth(page, 0)
  }
}
