/** SitesGivenUp: the sites that a run leaves with pages still waiting, and why; said when it happens and in the summary. */
import type { Frontier } from '@comity/frontier'
import type { Instant } from '@comity/protocol'
import { siteGivenUp } from '@comity/ingest'
import type { SiteOutcome } from '@comity/ingest'
import type { SiteReport } from './summary.ts'
import { unfinishedSites } from './unfinished-sites.ts'

export class SitesGivenUp {
  readonly #frontier: Frontier
  readonly #bySite = new Map<number, SiteReport>()

  constructor(frontier: Frontier) {
    this.#frontier = frontier
  }

  get reports(): readonly SiteReport[] {
    return [...this.#bySite.values()]
  }

  /** Leave a site alone for the rest of this run. */
  add(site: number, outcome: SiteOutcome, problem: string): void {
    this.#frontier.giveUp(site)
    this.#name(site, outcome, problem)
  }

  /** The run is over: name those too that it did not wait for. */
  nameUnfinished(latest: Instant): void {
    for (const [site, outcome, problem] of unfinishedSites(this.#frontier, latest)) this.#name(site, outcome, problem)
  }

  /** The first reason is the cause; those after it are its consequences. */
  #name(site: number, outcome: SiteOutcome, problem: string): void {
    if (this.#bySite.has(site)) return
    const { origin } = this.#frontier.sites[site] as { origin: string }
    this.#bySite.set(site, { origin, outcome, problem })
    if (siteGivenUp.hasSubscribers) siteGivenUp.publish({ origin, outcome, problem })
  }
}
