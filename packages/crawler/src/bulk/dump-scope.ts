/** DumpScope: which pages of a site's dump are to be taken: of that site, of a wanted type, allowed, in scope, and not held. */
import { canonicalUrl, siteOf } from '@comity/protocol'
import { WAITING } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import { isWanted } from '@comity/ingest'
import type { RobotsHandler } from '../fetch/robots-handler.ts'
import type { CrawlOptions } from '../options.ts'
import type { StartPages } from '../run/start-pages.ts'

interface DumpScopeParts {
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly robots: RobotsHandler
  readonly start: StartPages
}

export class DumpScope {
  readonly #parts: DumpScopeParts

  constructor(parts: DumpScopeParts) {
    this.#parts = parts
  }

  /** The canonical URL of a page that is to be taken; undefined when it is not. */
  wanted(site: number, told: string, type: string | undefined): string | undefined {
    const { options } = this.#parts
    const url = canonicalUrl(told, undefined, options.urlRules)
    if (url === undefined || siteOf(url) !== this.#parts.frontier.sites[site]!.origin || !isWanted(options, type, url))
      return undefined
    return this.allows(site, url) && this.#isInScope(url) && this.#isMissing(url) ? url : undefined
  }

  /** Nothing is entered by asking. */
  #isInScope(url: string): boolean {
    return this.#parts.start.reasonFor(url, { depth: 1, listed: true }) === undefined
  }

  allows(site: number, url: string): boolean {
    return this.#parts.options.ignoreRobots || this.#parts.robots.allows(site, url)
  }

  /** Not held, and not excluded or given up before. */
  #isMissing(url: string): boolean {
    const { frontier } = this.#parts
    const page = frontier.findUrl(url)
    return page === -1 || frontier.pages.stateOf(page) === WAITING
  }
}
