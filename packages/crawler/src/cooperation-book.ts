/**
 * CooperationBook: what is remembered of each site as a partner: what it offers crawlers, and how far it can be
 * believed. One row a site in the collection, written with the commit that the visits it came from are in.
 */
import type { Collection } from '@comity/collection'
import type { SiteTrustState } from '@comity/frontier'
import type { SiteOffers } from './site-offers.ts'

/** Field names are part of the format. */
export interface CooperationRow {
  readonly trust?: SiteTrustState | undefined
  readonly offers?: SiteOffers | undefined
}

export class CooperationBook {
  readonly #collection: Collection
  readonly #rows = new Map<number, CooperationRow>()

  constructor(collection: Collection) {
    this.#collection = collection
  }

  of(site: number): CooperationRow {
    return this.#rows.get(site) ?? (this.#collection.cooperation(site) as CooperationRow | undefined) ?? {}
  }

  note(site: number, part: CooperationRow): void {
    const row = { ...this.of(site), ...part }
    this.#rows.set(site, row)
    this.#collection.putCooperation(site, row)
  }
}
