/**
 * FilterDelivery: pages that a site's filter sends because they have changed (002 §6.2), instead of telling of them first.
 * Each has been told of, so it is due already; what cannot be taken in here is fetched like any page that is announced.
 *
 * How much of what a site tells is worth a visit is learnt, as pages that nobody would have fetched are bytes for nothing.
 */
import { canonicalUrl, siteOf } from '@comity/protocol'
import type { BatchPage, Instant, UrlRules } from '@comity/protocol'
import { DONE, FAILED, WAITING } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import type { DeliveredPages } from './delivered-pages.ts'

interface FilterDeliveryParts {
  readonly frontier: Frontier
  readonly delivered: DeliveredPages
  readonly urlRules: UrlRules
  readonly now: () => Instant
  readonly allows: (site: number, url: string) => boolean
  /** Pages that are new are taken, too. */
  readonly takesNew: boolean
  /** A page comes by itself, and need not be fetched. */
  readonly expect: (page: number) => void
  readonly track: (settled: Promise<void>, bytes: number) => void
  /** Most of what came could not be used. */
  readonly onUseless: (site: number, problem: string) => void
}

/** Weight of the newest signal in the share that is worth a visit, and what is thought of it before. */
const NEWEST = 0.05
const FIRST_WANTED = 0.5
/** Pages of one answer that must be of no use before the next is not asked for. */
const LEAST_USELESS = 3

export class FilterDelivery {
  readonly #parts: FilterDeliveryParts
  readonly #wanted = new Map<number, number>()

  constructor(parts: FilterDeliveryParts) {
    this.#parts = parts
  }

  /** A site has told of a change; was the page worth a visit then? */
  told(site: number, isDue: boolean): void {
    const before = this.wantedOf(site)
    this.#wanted.set(site, before + NEWEST * (Number(isDue) - before))
  }

  /** Share of what a site tells that is worth a visit. */
  wantedOf(site: number): number {
    return this.#wanted.get(site) ?? FIRST_WANTED
  }

  take(site: number, sent: readonly BatchPage[], address: string): void {
    const wanted = sent.flatMap((one) => {
      const page = this.#pageOf(site, one.url)
      return page === undefined ? [] : [{ page, sent: { ...one, url: this.#parts.frontier.urlOf(page) } }]
    })
    // All at once: what is taken in piece by piece would be visited meanwhile.
    const free = wanted.filter(({ page }) => this.#isFree(page))
    for (const { page } of free) this.#parts.expect(page)
    const bytes = free.reduce((sum, one) => sum + one.sent.body.length, 0)
    this.#parts.track(this.#takeIn(site, free, address), bytes)
  }

  async #takeIn(site: number, pages: readonly { page: number; sent: BatchPage }[], address: string): Promise<void> {
    const { frontier, delivered, now, onUseless } = this.#parts
    const at = now()
    const arrival = { site, way: 'filter', address, at, askedAt: at } as const
    let useless = 0
    for (const { page, sent } of pages) {
      if (await delivered.take(page, sent, arrival)) continue
      useless++
      frontier.settle(page, 'waiting')
    }
    const isBad = useless >= LEAST_USELESS && useless > pages.length / 2
    if (isBad) onUseless(site, 'its differences are from something that is not held')
  }

  /** Whoever waits is taken from its queue first; what is being visited at this moment comes that way. */
  #isFree(page: number): boolean {
    const { frontier } = this.#parts
    return isHeld(frontier, page) || (frontier.pages.stateOf(page) === WAITING && frontier.takeOut(page))
  }

  /** A page of the site's that is held or waits, and may be fetched. */
  #pageOf(site: number, told: string): number | undefined {
    const { frontier, urlRules, allows, takesNew } = this.#parts
    const url = canonicalUrl(told, undefined, urlRules)
    if (url === undefined || siteOf(url) !== frontier.sites[site]!.origin || !allows(site, url)) return undefined
    const page = frontier.findUrl(url)
    if (page === -1) return undefined
    const isNew = frontier.pages.stateOf(page) === WAITING
    return isHeld(frontier, page) || (isNew && takesNew) ? page : undefined
  }
}

function isHeld(frontier: Frontier, page: number): boolean {
  const state = frontier.pages.stateOf(page)
  return state === DONE || state === FAILED
}
