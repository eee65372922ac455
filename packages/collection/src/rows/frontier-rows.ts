/** Frontier rows: what a frontier has learnt since its last batch, and where it goes in the state. */
import type { Instant } from '@comity/protocol'
import { BLOCK_PAGES, encodeTexts } from './page-texts.ts'
import type { PageText } from './page-texts.ts'
import type { SiteFacts } from './rows.ts'
import { putShardLists } from './shard-lists.ts'
import type { ListLengths } from './shard-lists.ts'
import type { State } from './state.ts'

/** What a frontier wants kept; see `FrontierBatch` in `frontier`. */
export interface FrontierRows {
  readonly pageLog: Uint8Array
  readonly first: number
  readonly texts: readonly PageText[]
  readonly sites: readonly (readonly [site: number, row: SiteFacts])[]
  readonly addresses: readonly (readonly [address: string, readyAt: Instant])[]
  /** Pages that other shards are to be told of. */
  readonly elsewhere?: readonly (readonly [shard: number, page: number])[] | undefined
}

/** Write a batch inside a transaction; `number` is its place in the page log. */
export function putFrontierRows(state: State, number: number, rows: FrontierRows, lengths: ListLengths): void {
  const { pageLog, first, texts, sites, addresses, elsewhere } = rows
  void state.pageLog.put(number, Buffer.from(pageLog))
  for (let i = 0; i < texts.length; i += BLOCK_PAGES) {
    void state.texts.put(first + i + 1, encodeTexts(texts.slice(i, i + BLOCK_PAGES)))
  }
  for (const [site, row] of sites) void state.sites.put(site, row)
  for (const [address, readyAt] of addresses) void state.addresses.put(address, readyAt)
  if (elsewhere !== undefined) putShardLists(state.lists, elsewhere, lengths)
}
