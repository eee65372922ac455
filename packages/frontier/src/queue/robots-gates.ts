/**
 * RobotsGates: what a site is asked besides its pages, and the gate it stands behind: robots.txt is asked for before its first
 * page, and again when it expires. A site that does not answer is given up for the rest of the run.
 */
import type { Instant } from '@comity/protocol'
import type { SiteList } from './site-list.ts'
import type { Prerequisite, Site } from './site.ts'
import type { Workbench } from './workbench.ts'

export class RobotsGates {
  readonly #sites: SiteList
  readonly #bench: Workbench

  constructor(sites: SiteList, bench: Workbench) {
    this.#sites = sites
    this.#bench = bench
  }

  /** The prerequisite that comes before the next page of a site, if any: first of all its robots.txt, when that has expired. */
  nextPrerequisite(site: Site, now: Instant): Prerequisite | undefined {
    const isShut = site.gateUntil <= now && !site.gateAsked && !site.givenUp
    if (isShut && site.pages.size > 0) {
      site.gateAsked = true
      site.prerequisites.unshift({ kind: 'robots', onBehalfOf: site.id, path: '/robots.txt', hops: 0 })
    }
    return site.prerequisites.shift()
  }

  open(siteId: number, until: Instant, crawlDelayMs: number, now: Instant): void {
    this.#sites.at(siteId).crawlDelayMs = crawlDelayMs
    this.#set(siteId, until, now + crawlDelayMs)
  }

  close(siteId: number, retryAt: Instant): void {
    this.#set(siteId, 0, retryAt)
  }

  run(siteId: number, prerequisite: Prerequisite): void {
    const site = this.#sites.touch(siteId)
    if (site.givenUp) return this.#abandon(prerequisite, siteId)
    site.prerequisites.push(prerequisite)
    this.#bench.schedule(site)
  }

  giveUp(siteId: number): void {
    const site = this.#sites.at(siteId)
    const { prerequisites } = site
    site.givenUp = true
    site.prerequisites = []
    this.#bench.schedule(site)
    for (const prerequisite of prerequisites) this.#abandon(prerequisite, siteId)
  }

  /** A site whose robots.txt is where nobody answers has none we could read, so it may not be visited either. */
  #abandon({ kind, onBehalfOf }: Prerequisite, siteId: number): void {
    if (kind === 'robots' && onBehalfOf !== siteId && !this.#sites.at(onBehalfOf).givenUp) this.giveUp(onBehalfOf)
  }

  #set(siteId: number, until: Instant, askedUntil: Instant): void {
    const site = this.#sites.touch(siteId)
    site.gateAsked = false
    site.gateUntil = until
    site.askedUntil = Math.max(site.askedUntil, askedUntil)
    this.#bench.schedule(site)
  }
}
