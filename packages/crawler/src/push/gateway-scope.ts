/**
 * GatewayScope: which pages a gateway may tell of. Its own list of hosts, the rules of the crawl's scope, what was forgotten, and
 * robots.txt where it is known; no start page need lead there.
 */
import { canonicalUrl, siteOf } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import { FORGOTTEN } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import type { GatewayPort } from '@comity/ingest'
import type { VisitParts } from '../fetch/visit.ts'
import type { CrawlOptions } from '../options.ts'

interface GatewayScopeParts {
  readonly gateways: GatewayPort
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly visits: Pick<VisitParts, 'robots' | 'pool' | 'sitemaps' | 'start'>
  /** Origins of sites that were forgotten. */
  readonly forgotten: ReadonlySet<string>
}

export class GatewayScope {
  readonly #parts: GatewayScopeParts

  constructor(parts: GatewayScopeParts) {
    this.#parts = parts
  }

  /** Long rules that are not at hand are read by a thread before `find` asks them. */
  async rulesFor(said: string): Promise<void> {
    const { visits, options } = this.#parts
    const url = options.ignoreRobots ? undefined : canonicalUrl(said, undefined, options.urlRules)
    if (url !== undefined) await visits.robots.readyFor(url, visits.pool)
  }

  /** The page of a row, when it is known or may be; otherwise why it is not ours to hold. */
  find(
    name: string,
    said: string,
    mayBeNew: boolean,
  ): { readonly url: string; readonly page: number } | 'foreign' | 'outside' | 'forgotten' {
    const { gateways, frontier, visits, forgotten, options, collection } = this.#parts
    const url = canonicalUrl(said, undefined, options.urlRules)
    if (url === undefined || !gateways.mayName(name, url)) return 'foreign'
    if (forgotten.has(siteOf(url))) return 'forgotten'
    if (visits.start.reasonForRead(url) !== undefined) return 'outside'
    if (frontier.findUrl(url) === -1 && !mayBeNew) return 'outside'
    visits.sitemaps.offer(url)
    const page = frontier.findUrl(url)
    if (page === -1) return 'outside'
    if (frontier.pages.stateOf(page) === FORGOTTEN) return 'forgotten'
    const site = frontier.pages.siteOf(page)
    const isKnown = collection.robots(site) !== undefined
    return options.ignoreRobots || !isKnown || visits.robots.allows(site, url) ? { url, page } : 'outside'
  }

  /** A page that is to be found no more: no rule about what may be visited or held keeps one that is held in the index. */
  findGone(
    name: string,
    said: string,
  ): { readonly url: string; readonly page: number } | 'foreign' | 'outside' | 'forgotten' {
    const { gateways, frontier, options } = this.#parts
    const url = canonicalUrl(said, undefined, options.urlRules)
    if (url === undefined || !gateways.mayName(name, url)) return 'foreign'
    const page = frontier.findUrl(url)
    if (page === -1) return 'outside'
    return frontier.pages.stateOf(page) === FORGOTTEN ? 'forgotten' : { url, page }
  }
}
