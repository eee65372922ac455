/**
 * OfferMemory: how far a site has told us, while it is being asked: a row of `site-offers.ts` that can be written to. A
 * reader notes something only once it has read it, so an inquiry that breaks off goes on from there.
 */
import { ownValue } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { NamedPages } from './named-pages.ts'
import type { SiteOffers } from '../site-offers.ts'
import type { DocumentMark } from '@comity/ingest'

/** Documents remembered of one site; of what is beyond, everything is read again. */
const MAX_MARKS = 2_000
const MAX_PARTS = 1_000

export class OfferMemory {
  token: string | undefined
  method: SiteOffers['method']
  changesUntil: Instant | undefined
  openList: string | undefined
  archivesUpTo: number | undefined
  /** Pages that the list which is being read names. */
  readonly named: NamedPages
  readonly #marks: Map<string, DocumentMark>
  readonly #row: SiteOffers | undefined
  readonly #list: string | undefined

  /** `list`: where the offer that is looked at begins. */
  constructor(row?: SiteOffers, list?: string) {
    this.#row = row
    this.#list = list
    this.named = new NamedPages(list === undefined ? undefined : ownValue(row?.named, list))
    this.token = row?.token
    this.method = row?.method
    this.changesUntil = row?.changesUntil
    this.openList = row?.openList
    this.archivesUpTo = row?.archivesUpTo
    this.#marks = new Map(Object.entries(row?.marks ?? {}))
  }

  mark(url: string): DocumentMark | undefined {
    return this.#marks.get(url)
  }

  /** The document was read to its end. */
  remember(url: string, mark: DocumentMark): void {
    this.named.end(url)
    this.#marks.delete(url)
    if (this.#marks.size >= MAX_MARKS) this.#marks.delete(this.#marks.keys().next().value as string)
    const parts = mark.parts?.slice(0, MAX_PARTS)
    this.#marks.set(url, parts === undefined || parts.length === 0 ? { ...mark, parts: undefined } : { ...mark, parts })
  }

  forget(url: string): void {
    this.#marks.delete(url)
  }

  row(): Pick<SiteOffers, 'token' | 'method' | 'changesUntil' | 'openList' | 'archivesUpTo' | 'marks' | 'named'> {
    const { token, method, changesUntil, openList, archivesUpTo } = this
    const marks = Object.fromEntries(this.#marks)
    return { token, method, changesUntil, openList, archivesUpTo, marks, named: this.#namedRow() }
  }

  /** Of lists that are still offered. */
  #namedRow(): SiteOffers['named'] {
    const offered = new Set(this.#row?.offers.map(({ url }) => url))
    const others = Object.entries(this.#row?.named ?? {}).filter(([url]) => offered.has(url) && url !== this.#list)
    const own = this.#list === undefined ? undefined : this.named.row()
    return Object.fromEntries(own === undefined ? others : [...others, [this.#list!, own]])
  }
}
