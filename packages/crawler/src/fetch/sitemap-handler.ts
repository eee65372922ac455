/**
 * SitemapHandler: offers what the sitemaps list that sites name in their robots.txt.
 *
 * A sitemap speaks for the site whose robots.txt named it, and for no other (sitemaps.org, "cross submits"). What a site
 * lists itself is meant to be fetched, so it is not mistaken for a program or a side effect. What it says to be of a type that
 * nobody wants is not asked for; when that is not so, one page is lost, until the site says something else of it.
 */
import { headerOf, siteOf } from '@comity/protocol'
import type { UrlRules } from '@comity/protocol'
import { EXCLUDED, FORGOTTEN, reasonCode } from '@comity/frontier'
import type { Prerequisite, Frontier, Scope } from '@comity/frontier'
import { listedReason } from '@comity/ingest'
import type { ListedLoc, WorkArgs, Head, TypeWish } from '@comity/ingest'

/** An index names sitemaps, which name pages; more levels than this is a trap. */
const MAX_NESTING = 2
/** Sitemaps that one site may send us to in a run. At 50,000 pages each, the largest sites fit. */
const MAX_SITEMAPS = 2_000
/** The protocol's own limit. */
const MAX_DECODED_BYTES = 50 << 20
const TOLD_TYPE = reasonCode('told-type')

interface SitemapHandlerOptions {
  readonly scope: Scope
  readonly urlRules: UrlRules
  readonly wish: TypeWish
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
    for (const { kind, loc, type } of locs) {
      if (kind === 'sitemap') this.follow(prerequisite, loc)
      else if (siteOf(loc) === speaker) offered += this.list(loc, type)
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

  /** A site lists one of its pages, and perhaps says of which type it is. Returns 1 when we may visit it. */
  list(url: string, type?: string): number {
    const page = this.#frontier.findUrl(url)
    const reason = listedReason(this.#options.wish, type, url)
    if (page === -1) return this.offer(url, reason)
    // Start pages are named by somebody, and meant.
    if (this.#frontier.pages.depthOf(page) === 0) return this.offer(url)
    if (reason === 'told-type') this.#frontier.exclude(page, TOLD_TYPE)
    // A list without types takes back nothing of what one with types has said.
    const isToldOtherwise = type === undefined && this.#isToldUnwanted(page)
    return reason === undefined && !isToldOtherwise ? this.offer(url) : 0
  }

  #isToldUnwanted(page: number): boolean {
    const { pages } = this.#frontier
    return pages.stateOf(page) === EXCLUDED && pages.exclusionOf(page) === TOLD_TYPE
  }

  /** The same for a page that is known to be one. */
  offer(url: string, unwanted?: 'type' | 'told-type'): number {
    const excluded = this.#options.scope(url, { depth: 1, listed: true }) ?? unwanted
    const page = this.#frontier.findUrl(url)
    if (page === -1 && !this.#frontier.hasRoomFor(url)) return 0
    const found = { depth: 1, seed: this.#options.seedOf(siteOf(url)) }
    const offered = this.#frontier.offer(
      url,
      excluded === undefined ? found : { ...found, excluded: reasonCode(excluded) },
    )
    return excluded === undefined && this.#frontier.pages.stateOf(offered) !== FORGOTTEN ? 1 : 0
  }
}
