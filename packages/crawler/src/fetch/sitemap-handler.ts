/**
 * SitemapHandler: offers what the sitemaps list that sites name in their robots.txt.
 *
 * A sitemap speaks for the site whose robots.txt named it, and for no other (sitemaps.org, "cross submits"). What a site
 * lists itself is meant to be fetched, so it is not mistaken for a program or a side effect.
 */
import { headerOf, siteOf } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { FORGOTTEN, reasonCode } from '@comity/frontier'
import type { Prerequisite, Frontier, Scope } from '@comity/frontier'
import type { ListedLoc, WorkArgs, Head } from '@comity/ingest'

/** An index names sitemaps, which name pages; more levels than this is a trap. */
const MAX_NESTING = 2
/** Sitemaps that one site may send us to in a run. At 50,000 pages each, the largest sites fit. */
const MAX_SITEMAPS = 2_000
/** The protocol's own limit. */
const MAX_DECODED_BYTES = 50 << 20

interface SitemapHandlerOptions {
  readonly scope: Scope
  readonly urlRules: UrlRules
  /** The start page that a site's pages are counted under. */
  readonly seedOf: (origin: string) => number
}

export class SitemapHandler {
  readonly #frontier: Frontier
  readonly #options: SitemapHandlerOptions
  /** By site: the sitemaps it has sent us to, so that an index that names itself, or everybody, ends. */
  readonly #asked = new Map<number, Set<string>>()

  constructor(frontier: Frontier, options: SitemapHandlerOptions) {
    this.#frontier = frontier
    this.#options = options
  }

  /** How one that came is read. */
  workOf(url: string, { head, body }: { head: Head; body: Uint8Array }): WorkArgs<'sitemap'> {
    const coding = headerOf(head.headers, 'content-encoding')
    return { url, body, coding, maxBytes: MAX_DECODED_BYTES, urlRules: this.#options.urlRules }
  }

  /** A sitemap was read. Returns how many pages it listed that we may visit. */
  take(prerequisite: Prerequisite, locs: readonly ListedLoc[]): number {
    const speaker = this.#frontier.sites[prerequisite.onBehalfOf]?.origin ?? ''
    let offered = 0
    for (const { kind, loc } of locs) {
      if (kind === 'sitemap') this.follow(prerequisite, loc)
      else if (siteOf(loc) === speaker) offered += this.offer(loc)
    }
    return offered
  }

  /** A sitemap has moved, or an index names another. */
  follow(prerequisite: Prerequisite, loc: string): void {
    const asked = this.#asked.get(prerequisite.onBehalfOf) ?? new Set()
    const origin = siteOf(loc)
    const site = this.#frontier.siteIfRoom(origin)
    if (site === -1 || prerequisite.hops >= MAX_NESTING || asked.size >= MAX_SITEMAPS || asked.has(loc)) return
    this.#asked.set(prerequisite.onBehalfOf, asked.add(loc))
    this.#frontier.runPrerequisite(site, {
      ...prerequisite,
      path: loc.slice(origin.length),
      hops: prerequisite.hops + 1,
    })
  }

  /** A site lists one of its pages. Returns 1 when we may visit it. */
  offer(url: string): number {
    const outside = this.#options.scope(url, { depth: 1, listed: true })
    const page = this.#frontier.findUrl(url)
    if (page === -1 && !this.#frontier.hasRoomFor(url)) return 0
    const found = { depth: 1, seed: this.#options.seedOf(siteOf(url)) }
    const offered = this.#frontier.offer(
      url,
      outside === undefined ? found : { ...found, outside: reasonCode(outside) },
    )
    return outside === undefined && this.#frontier.pages.stateOf(offered) !== FORGOTTEN ? 1 : 0
  }
}
