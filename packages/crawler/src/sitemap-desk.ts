/**
 * SitemapDesk: reads the sitemaps that sites name in their robots.txt and offers what they list.
 *
 * A sitemap speaks for the site whose robots.txt named it, and for no other (sitemaps.org, "cross submits"). What a site
 * lists itself is meant to be fetched, so it is not mistaken for a program or a side effect.
 */
import { canonicalUrl, createSitemapReader, decodeBody, headerOf, siteOf } from '@comity/protocol'
import type { SitemapEntry, UrlRules } from '@comity/protocol'
import { reasonCode } from '@comity/frontier'
import type { Errand, Frontier, Scope } from '@comity/frontier'
import type { Head } from './connection.ts'

/** An index names sitemaps, which name pages; more levels than this is a trap. */
const MAX_NESTING = 2
/** Sitemaps of an index that we read. */
const MAX_CHILDREN = 1_000
/** The protocol's own limit. */
const MAX_DECODED_BYTES = 50 << 20

export interface SitemapDeskOptions {
  readonly scope: Scope
  readonly urlRules: UrlRules
}

export class SitemapDesk {
  readonly #frontier: Frontier
  readonly #options: SitemapDeskOptions

  constructor(frontier: Frontier, options: SitemapDeskOptions) {
    this.#frontier = frontier
    this.#options = options
  }

  /** A sitemap came. Returns how many pages it listed that we may visit. */
  read(errand: Errand, url: string, { head, body }: { head: Head; body: Uint8Array }): number {
    const decoded = decodeBody(body, headerOf(head.headers, 'content-encoding'), { maxBytes: MAX_DECODED_BYTES })
    // What a cut or corrupt coding still gave is read: a sitemap is a list of claims, each good by itself.
    if (!('body' in decoded)) return 0
    const speaker = this.#frontier.sites[errand.onBehalfOf]?.origin ?? ''
    let offered = 0
    let children = 0
    const onEntry = (entry: SitemapEntry): void => {
      const loc = canonicalUrl(entry.loc, url, this.#options.urlRules)
      if (loc === undefined) return
      if (entry.kind === 'sitemap') {
        if (children++ < MAX_CHILDREN) this.follow(errand, loc)
      } else if (siteOf(loc) === speaker) offered += this.#offer(loc)
    }
    const reader = createSitemapReader({ url, onEntry })
    reader.write(decoded.body)
    reader.end()
    return offered
  }

  /** A sitemap has moved, or an index names another. */
  follow(errand: Errand, loc: string): void {
    if (errand.hops >= MAX_NESTING) return
    const origin = siteOf(loc)
    this.#frontier.runErrand(this.#frontier.site(origin), {
      ...errand,
      path: loc.slice(origin.length),
      hops: errand.hops + 1,
    })
  }

  #offer(url: string): number {
    const outside = this.#options.scope(url, { depth: 1, listed: true })
    const page = this.#frontier.findUrl(url)
    if (page === -1 && !this.#frontier.hasRoom(this.#frontier.site(siteOf(url)))) return 0
    const found = { depth: 1, seed: 0 }
    this.#frontier.offer(url, outside === undefined ? found : { ...found, outside: reasonCode(outside) })
    return outside === undefined ? 1 : 0
  }
}
