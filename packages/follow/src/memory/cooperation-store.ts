/**
 * CooperationStore: what is remembered of each site as a partner: what it offers crawlers, and how far it can be
 * believed. One row a site in the collection, written with the commit that the visits it came from are in.
 */
import type { Instant } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { SiteTrustState } from '@comity/frontier'
import type { PushRow } from './push-store.ts'
import type { PushRecord } from '../choose/push-record.ts'
import { MAX_FEEDS } from '../polls/feed-poll.ts'
import type { SiteOffers } from '../site-offers.ts'
import { isCooperationRow } from '@comity/ingest'
import type { SitePriorityRow } from '../choose/site-priority.ts'

/** Field names are part of the format. */
export interface CooperationRow {
  readonly trust?: SiteTrustState | undefined
  readonly offers?: SiteOffers | undefined
  /** Where its pages say that it tells what it offers. */
  readonly capabilityLists?: readonly string[] | undefined
  /** Its feeds, as its pages link to them or its robots.txt names them among the sitemaps. */
  readonly feeds?: readonly string[] | undefined
  readonly pushes?: PushRecord | undefined
  readonly worth?: SitePriorityRow | undefined
  /** Its pages in the order that its agent gave them, the best first. */
  readonly order?: readonly number[] | undefined
  /** What it sent unasked, and what came of that. */
  readonly calls?: PushRow | undefined
  readonly differences?: BrokenDifferences | undefined
}

/** Differences from what we hold that could not be used: the pages were asked for whole. */
interface BrokenDifferences {
  readonly count: number
  /** Of the last one. */
  readonly problem: string
  readonly at: Instant
}

/** Of one site. */
const MAX_CAPABILITY_LISTS = 4

/** Undefined for a site of which nothing is remembered. */
export function cooperationOf(collection: Collection, site: number): CooperationRow | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its shape says so.
  return collection.cooperation(site, isCooperationRow) as CooperationRow | undefined
}

export class CooperationStore {
  readonly #collection: Collection
  readonly #rows = new Map<number, CooperationRow>()
  #callers = 0

  constructor(collection: Collection) {
    this.#collection = collection
  }

  of(site: number): CooperationRow {
    return this.#rows.get(site) ?? cooperationOf(this.#collection, site) ?? {}
  }

  /** A page names a capability list of its own site. False when that was known, or is one too many. */
  linked(site: number, url: string): boolean {
    const known = this.of(site).capabilityLists ?? []
    if (known.includes(url) || known.length >= MAX_CAPABILITY_LISTS) return false
    this.note(site, { capabilityLists: [...known, url] })
    return true
  }

  /** Feeds of the site's own became known; those beyond what a site can have are not kept. */
  fed(site: number, urls: readonly string[]): void {
    const known = this.of(site).feeds ?? []
    const all = [...new Set([...known, ...urls])].slice(0, MAX_FEEDS)
    if (all.length > known.length) this.note(site, { feeds: all })
  }

  /** A difference that it sent could not be used. */
  brokenDifference(site: number, problem: string, at: Instant): void {
    const count = (this.of(site).differences?.count ?? 0) + 1
    this.note(site, { differences: { count, problem, at } })
  }

  /** How often a site was found that offers to push: another number than before means that there is a new one. */
  get callersFound(): number {
    return this.#callers
  }

  note(site: number, part: CooperationRow): void {
    const before = this.of(site)
    const row = { ...before, ...part }
    if (before.offers?.push === undefined && row.offers?.push !== undefined) this.#callers++
    this.#rows.set(site, row)
    this.#collection.putCooperation(site, row)
  }
}
