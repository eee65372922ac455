/**
 * Journal record: what one commit of a crawl says about pages. Read here as a feed of changes, since every visit that
 * ends leaves its page in the record of its commit; `queue/frontier-batch.ts` in `frontier` writes them and has the layout.
 *
 *   u8 version · u24 0 · u32 first page id · u32 new pages · u32 changes
 *   per new page   u32 key high · u32 key low · u32 site · u32 seed · u16 depth · u8 state · u8 tries
 *   per change     u32 page · u16 depth · u8 state · u8 tries
 */
const VERSION = 1
const HEADER_BYTES = 16
const NEW_BYTES = 20
const CHANGE_BYTES = 8

export interface JournalHeader {
  /** Id of the first new page, how many there are, and how many old ones changed. */
  readonly first: number
  readonly added: number
  readonly changes: number
}

export interface JournalReader {
  added(page: number, site: number, keyLow: number, depth: number, state: number): void
  changed(page: number, depth: number, state: number): void
}

/** Undefined for what is no record of this version, or damaged. */
export function journalHeader(bytes: Uint8Array): JournalHeader | undefined {
  if (bytes.byteLength < HEADER_BYTES || bytes[0] !== VERSION) return undefined
  const view = viewOf(bytes)
  const [first, added, changes] = [view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)]
  const length = HEADER_BYTES + added * NEW_BYTES + changes * CHANGE_BYTES
  return bytes.byteLength === length ? { first, added, changes } : undefined
}

/** Tell a reader all that a record says, in its order. */
export function readJournal(bytes: Uint8Array, { first, added, changes }: JournalHeader, reader: JournalReader): void {
  const view = viewOf(bytes)
  let at = HEADER_BYTES
  for (let i = 0; i < added; i++, at += NEW_BYTES) {
    const [site, low] = [view.getUint32(at + 8, true), view.getUint32(at + 4, true)]
    reader.added(first + i, site, low, view.getUint16(at + 16, true), view.getUint8(at + 18))
  }
  for (let i = 0; i < changes; i++, at += CHANGE_BYTES) {
    reader.changed(view.getUint32(at, true), view.getUint16(at + 4, true), view.getUint8(at + 6))
  }
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
