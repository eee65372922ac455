/**
 * FrontierBatch: everything a frontier has learnt since the last batch, ready to be made durable in one transaction
 * or sent to another machine. A frontier's state is the sum of its batches, in order.
 *
 * Page log record, little-endian:
 *   u8 version · u24 0 · u32 first page id · u32 new pages · u32 changes
 *   per new page   4 × u32 facts (key high, key low, site, seed) · u16 depth · u8 state · u8 tries or reason
 *   per change     u32 page · u16 depth · u8 state · u8 tries or reason
 */
import { FrontierError } from '../errors.ts'
import type { PageVisit } from '../order/order.ts'
import { FACT_WORDS, LEASED, PAGE_STATES, WAITING } from './page-table.ts'
import type { PageTable } from './page-table.ts'
import type { SiteRow } from './site.ts'

const VERSION = 1
const HEADER_BYTES = 16
const NEW_BYTES = FACT_WORDS * 4 + 4
const CHANGE_BYTES = 8

/** What stands behind a page id: its site, path and query, and the page it was found on. */
export interface BatchPageText {
  readonly site: number
  readonly path: string
  /** `NO_PARENT` for a start page. */
  readonly parent: number
}

export const NO_PARENT = 0xffffffff

/** Stands for all addresses: its instant is the last unclean stop, since when everybody may have been visited. */
export const ALL_ADDRESSES = '*'

export interface FrontierBatch {
  readonly pageLog: Uint8Array
  /** Id of the first new page, and the texts of all of them. */
  readonly first: number
  readonly texts: readonly BatchPageText[]
  readonly sites: readonly (readonly [site: number, row: SiteRow])[]
  /** Addresses that moved and when they may be connected to again; `ALL_ADDRESSES` may be among them. */
  readonly addresses: readonly (readonly [address: string, readyAt: number])[]
  /** Pages that other shards are to be told of, in the order in which they were found. */
  readonly elsewhere?: readonly (readonly [shard: number, page: number])[] | undefined
}

/** Where a frontier's batches come back from. A Map or an array will do; `collection` keeps them on disk. */
export interface FrontierSource {
  pageLog(): Iterable<Uint8Array>
  sites(): Iterable<readonly [site: number, row: SiteRow]>
  addresses(): Iterable<readonly [address: string, readyAt: number]>
  /** What visited pages said, for orders that learn from links. */
  visits?(): Iterable<readonly [page: number, visit: PageVisit]>
}

export function encodePageLog(table: PageTable, from: number, to: number, changed: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + (to - from) * NEW_BYTES + changed.length * CHANGE_BYTES)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, VERSION)
  view.setUint32(4, from, true)
  view.setUint32(8, to - from, true)
  view.setUint32(12, changed.length, true)
  let at = HEADER_BYTES
  for (let page = from; page < to; page++) {
    view.setUint32(at, table.keyHighOf(page), true)
    view.setUint32(at + 4, table.keyLowOf(page), true)
    view.setUint32(at + 8, table.siteOf(page), true)
    view.setUint32(at + 12, table.seedOf(page), true)
    writeState(view, at + 16, table, page)
    at += NEW_BYTES
  }
  for (const page of changed) {
    view.setUint32(at, page, true)
    writeState(view, at + 4, table, page)
    at += CHANGE_BYTES
  }
  return bytes
}

function writeState(view: DataView, at: number, table: PageTable, page: number): void {
  const state = table.stateOf(page)
  view.setUint16(at, table.depthOf(page), true)
  // A lease does not outlive the process that holds it.
  view.setUint8(at + 2, state === LEASED ? WAITING : state)
  view.setUint8(at + 3, table.triesOf(page))
}

/** Whoever reads a page log is told of new pages, and behind them of changes of old ones. What they throw ends the reading. */
export interface PageLogReader {
  /** The record's first new page has this number. */
  begins(first: number): void
  added(
    page: number,
    site: number,
    keyHigh: number,
    keyLow: number,
    seed: number,
    depth: number,
    state: number,
    tries: number,
  ): void
  changed(page: number, depth: number, state: number, tries: number): void
}

/** Tell a reader all that one record says, in its order. Returns how many changes it held. Throws by name for what is no record of this version, or damaged. */
export function readPageLog(bytes: Uint8Array, reader: PageLogReader): number {
  const { view, first, added, changes } = open(bytes)
  reader.begins(first)
  let at = HEADER_BYTES
  for (let i = 0; i < added; i++, at += NEW_BYTES) {
    reader.added(
      first + i,
      view.getUint32(at + 8, true),
      view.getUint32(at, true),
      view.getUint32(at + 4, true),
      view.getUint32(at + 12, true),
      view.getUint16(at + 16, true),
      readState(view, at + 18),
      view.getUint8(at + 19),
    )
  }
  for (let i = 0; i < changes; i++, at += CHANGE_BYTES) {
    const page = view.getUint32(at, true)
    if (page >= first + added) throw pageLogUnreadable(`a change to page ${page} of ${first + added}`)
    reader.changed(page, view.getUint16(at + 4, true), readState(view, at + 6), view.getUint8(at + 7))
  }
  return changes
}

/** A record whose header and length fit together. */
function open(bytes: Uint8Array): { view: DataView; first: number; added: number; changes: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength < HEADER_BYTES) throw pageLogUnreadable(`a record of ${view.byteLength} bytes`)
  if (view.getUint8(0) !== VERSION) throw pageLogUnreadable(`version ${view.getUint8(0)}`)
  const [first, added, changes] = [view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)]
  const length = HEADER_BYTES + added * NEW_BYTES + changes * CHANGE_BYTES
  if (view.byteLength !== length) throw pageLogUnreadable(`a record of ${view.byteLength} bytes instead of ${length}`)
  return { view, first, added, changes }
}

function readState(view: DataView, at: number): number {
  const state = view.getUint8(at)
  if (state >= PAGE_STATES.length || state === LEASED) throw pageLogUnreadable(`a page in state ${state}`)
  return state
}

/** Apply one page log record to a table, which is to be indexed after the last. Returns how many changes it held, which is what compaction would save. */
export function applyPageLog(table: PageTable, bytes: Uint8Array): number {
  return readPageLog(bytes, {
    begins: (first) => {
      if (first !== table.count) throw pageLogUnreadable(`page ${first} follows page ${table.count - 1}`)
    },
    added: (_, site, keyHigh, keyLow, seed, depth, state, tries) =>
      table.append(site, keyHigh, keyLow, seed, depth, state, tries),
    changed: (page, depth, state, tries) => {
      table.setDepth(page, depth)
      table.setState(page, state)
      table.setTries(page, tries)
    },
  })
}

export const pageLogUnreadable = (what: string): FrontierError =>
  new FrontierError(
    'JOURNAL_UNREADABLE',
    `The frontier's journal cannot be read (${what}). It was written by another version of comity or is damaged; ` +
      'use the version that wrote it, or restore the collection from a copy.',
  )
