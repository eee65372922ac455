/**
 * FeedLinks: which of the feeds that pages link to are feeds of the site. Many systems give each page one of its own, with the
 * comments on it, and a site has room for a few: a feed counts when its home page links to it, or two other pages do.
 */
import { ownUrl } from '../offer-poll.ts'
import { MAX_FEEDS } from '../polls/feed-poll.ts'

/** Feeds that one page has linked to so far; the oldest are forgotten for new ones. */
const MAX_ONCE = 10_000

export class FeedLinks {
  /** With the page that links to it. */
  readonly #once = new Map<string, string>()

  /** Those of them that are a site's, on its own origin. */
  linked(origin: string, page: string, feeds: readonly string[]): readonly string[] {
    const own = feeds.flatMap((feed) => ownUrl(feed, origin) ?? [])
    return own.slice(0, MAX_FEEDS).filter((feed) => page === `${origin}/` || this.#isLinkedTwice(feed, page))
  }

  #isLinkedTwice(feed: string, page: string): boolean {
    const first = this.#once.get(feed)
    if (first !== undefined) return first !== page
    if (this.#once.size >= MAX_ONCE) this.#once.delete(this.#once.keys().next().value as string)
    this.#once.set(feed, page)
    return false
  }
}
