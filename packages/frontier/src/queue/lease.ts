/** Lease: the right to one connection to one site, the tasks that are done on it, and the clocks that it moves. */
import type { Instant } from '@comity/protocol'
import type { FrontierOptions } from './frontier-options.ts'
import { addressRestMs, nextConnectionAt, nextConnectionToAddressAt, nextRequestAt } from './politeness.ts'
import type { Answer, Politeness } from './politeness.ts'
import type { SiteList } from './site-list.ts'
import type { Prerequisite, Site } from './site.ts'
import type { Workbench } from './workbench.ts'

export interface Lease {
  readonly site: Site
  /** The task that the lease was given for. */
  readonly first: Task
  /** Set again when the site's address is known. */
  politeness: Politeness
  /** The task under way. */
  task: Task
  /** Requests answered; those of them that count towards `pagesPerConnection`; the slowest. */
  requests: number
  counted: number
  slowestMs: number
}

export type Task =
  | {
      readonly kind: 'page'
      readonly page: number
      readonly url: string
      readonly depth: number
      readonly tries: number
    }
  | { readonly kind: 'prerequisite'; readonly prerequisite: Prerequisite; readonly url: string }

/** How a page's visit ended, as far as its place in the queue goes. `waiting`: it was not asked for after all. */
export type Disposition = 'done' | 'retry' | 'failed' | 'excluded' | 'forgotten' | 'waiting'

/**
 * k of 004 §4.2 counts whatever costs the server: pages, sitemaps, and a robots.txt that other sites refer to, which a
 * thousand of them may do. Only its own robots.txt is free, as no page may be asked for without it.
 */
const countsAsPage = (task: Task, site: Site): boolean =>
  task.kind === 'page' || task.prerequisite.kind !== 'robots' || task.prerequisite.onBehalfOf !== site.id

/** Of a site between requests and between connections, of its address between connections. */
export class LeaseClocks {
  readonly #sites: SiteList
  readonly #bench: Workbench
  readonly #options: Pick<FrontierOptions, 'politenessOf' | 'random'>
  /** When we last came back after an unclean stop: whom we had visited just before, nobody knows. */
  uncleanAt: Instant = -Infinity

  constructor(sites: SiteList, bench: Workbench, options: Pick<FrontierOptions, 'politenessOf' | 'random'>) {
    this.#sites = sites
    this.#bench = bench
    this.#options = options
  }

  /** False when the address must wait. */
  place(lease: Lease, address: string, now: Instant): boolean {
    const { site } = lease
    if (site.address !== address) this.#sites.touch(site.id)
    const politeness = this.#options.politenessOf({ origin: site.origin, address })
    const isFree = this.#bench.place(site, address, now, this.uncleanAt + addressRestMs(politeness))
    if (isFree) lease.politeness = politeness
    return isFree
  }

  answered(lease: Lease, answer: Answer): void {
    const site = this.#sites.touch(lease.site.id)
    lease.requests++
    if (countsAsPage(lease.task, site)) lease.counted++
    lease.slowestMs = Math.max(lease.slowestMs, answer.tookMs)
    site.strikes = answer.overloaded ? Math.min(site.strikes + 1, 255) : 0
    const at = nextRequestAt(answer, site.crawlDelayMs, site.strikes, lease.politeness, this.#options.random)
    site.askedUntil = Math.max(site.askedUntil, at)
  }

  release({ site, politeness, requests, slowestMs }: Lease, now: Instant): void {
    this.#sites.touch(site.id)
    if (requests === 0) return this.#bench.release(site, now, now)
    const addressAt = nextConnectionToAddressAt(now, slowestMs, politeness)
    this.#bench.release(site, nextConnectionAt(now, slowestMs, politeness), addressAt)
  }

  /** As if visited at the last unclean stop. A site whose address is not known yet rests when it is: see `place`. */
  restAgain(site: Site): void {
    site.askedUntil = Math.max(site.askedUntil, this.uncleanAt + site.crawlDelayMs)
    if (site.address === undefined) return
    const politeness = this.#options.politenessOf(site)
    site.readyAt = Math.max(site.readyAt, this.uncleanAt + politeness.delayMs)
    const isOwnRest = politeness.addressDelayMs !== undefined
    this.#bench.restAddress(site.address, isOwnRest ? this.uncleanAt + addressRestMs(politeness) : site.readyAt)
  }
}
