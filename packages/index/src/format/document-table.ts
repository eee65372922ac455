/**
 * The documents of a segment, in the order of their URLs: neighbours on a site are neighbours here, so the pages of a
 * term stand in runs and their differences are small (Silvestri 2007).
 *
 * What ranking and filters ask of every page stands in columns in memory, some 20 bytes a page. URLs stay on disk,
 * front-coded in frames of 1,024.
 */
import type { Instant } from '@comity/protocol'
import { ByteReader } from './byte-reader.ts'
import { ByteWriter } from './byte-writer.ts'

/** One document as a segment holds it. */
export interface DocumentEntry {
  readonly key: number
  readonly url: string
  /** The key of the page it is a near duplicate of; its own otherwise. */
  readonly group: number
  /** As `format/length-byte.ts` makes it. */
  readonly length: number
  readonly site: string
  readonly type: string
  readonly language: string
  readonly at: Instant
}

export const URLS_A_FRAME = 1_024
export const ROWS_A_FRAME = 8_192

const MINUTE = 60_000

/** Words that repeat from page to page, by number. */
export class WordTable {
  readonly words: string[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(word: string): number {
    let number = this.#numbers.get(word)
    if (number === undefined) {
      number = this.words.push(word) - 1
      this.#numbers.set(word, number)
    }
    return number
  }
}

export interface DocumentTables {
  readonly sites: readonly string[]
  readonly types: readonly string[]
  readonly languages: readonly string[]
}

/** Takes documents one by one and hands out frames as they fill. */
export class DocumentTableWriter {
  readonly sites: WordTable = new WordTable()
  readonly types: WordTable = new WordTable()
  readonly languages: WordTable = new WordTable()
  readonly #putRows: (bytes: Uint8Array) => void
  readonly #putUrls: (bytes: Uint8Array) => void
  readonly #rows: DocumentEntry[] = []
  readonly #urls = new ByteWriter()
  #lastUrl = Buffer.alloc(0)
  #count = 0

  constructor(putRows: (bytes: Uint8Array) => void, putUrls: (bytes: Uint8Array) => void) {
    this.#putRows = putRows
    this.#putUrls = putUrls
  }

  get count(): number {
    return this.#count
  }

  add(entry: DocumentEntry): void {
    this.#rows.push(entry)
    this.#url(entry.url)
    this.#count++
    if (this.#rows.length === ROWS_A_FRAME) this.#flushRows()
    if (this.#count % URLS_A_FRAME === 0) this.#flushUrls()
  }

  end(): void {
    if (this.#rows.length > 0) this.#flushRows()
    if (this.#urls.length > 0) this.#flushUrls()
  }

  #url(url: string): void {
    const bytes = Buffer.from(url, 'utf8')
    let shared = 0
    if (this.#urls.length > 0) {
      const most = Math.min(bytes.length, this.#lastUrl.length)
      while (shared < most && bytes[shared] === this.#lastUrl[shared]) shared++
    }
    this.#urls.varint(shared)
    this.#urls.varint(bytes.length - shared)
    this.#urls.append(bytes, shared)
    this.#lastUrl = bytes
  }

  #flushUrls(): void {
    this.#putUrls(this.#urls.bytes)
    this.#urls.clear()
  }

  /** Column after column: like numbers beside each other pack best. */
  #flushRows(): void {
    const out = new ByteWriter(this.#rows.length * 12)
    let before = 0
    for (const { key } of this.#rows) {
      out.zigzag(key - before)
      before = key
    }
    for (const { key, group } of this.#rows) out.zigzag(key - group)
    for (const { length } of this.#rows) out.byte(length)
    for (const { site } of this.#rows) out.varint(this.sites.numberOf(site))
    for (const { type } of this.#rows) out.varint(this.types.numberOf(type))
    for (const { language } of this.#rows) out.varint(this.languages.numberOf(language))
    before = 0
    for (const { at } of this.#rows) {
      const minute = Math.max(0, Math.floor(at / MINUTE))
      out.zigzag(minute - before)
      before = minute
    }
    this.#putRows(out.bytes)
    this.#rows.length = 0
  }
}

/** The columns of all documents of a segment. */
export class DocumentColumns {
  readonly keys: Uint32Array
  readonly groups: Uint32Array
  readonly lengths: Uint8Array
  readonly sites: Uint32Array
  readonly types: Uint16Array
  readonly languages: Uint16Array
  readonly minutes: Uint32Array
  #byKey: Uint32Array | undefined

  constructor(count: number) {
    this.keys = new Uint32Array(count)
    this.groups = new Uint32Array(count)
    this.lengths = new Uint8Array(count)
    this.sites = new Uint32Array(count)
    this.types = new Uint16Array(count)
    this.languages = new Uint16Array(count)
    this.minutes = new Uint32Array(count)
  }

  get count(): number {
    return this.keys.length
  }

  /** Read a frame of rows into place. */
  fill(bytes: Uint8Array, first: number): void {
    const from = new ByteReader(bytes)
    const end = Math.min(first + ROWS_A_FRAME, this.count)
    for (let doc = first, key = 0; doc < end; doc++) this.keys[doc] = key += from.zigzag()
    for (let doc = first; doc < end; doc++) this.groups[doc] = (this.keys[doc] as number) - from.zigzag()
    for (let doc = first; doc < end; doc++) this.lengths[doc] = from.byte()
    for (let doc = first; doc < end; doc++) this.sites[doc] = from.varint()
    for (let doc = first; doc < end; doc++) this.types[doc] = from.varint()
    for (let doc = first; doc < end; doc++) this.languages[doc] = from.varint()
    for (let doc = first, minute = 0; doc < end; doc++) this.minutes[doc] = minute += from.zigzag()
  }

  at(doc: number): Instant {
    return (this.minutes[doc] as number) * MINUTE
  }

  /** The document of a page; -1 when the segment has none. */
  find(key: number): number {
    const order = (this.#byKey ??= orderOf(this.keys))
    let [low, high] = [0, order.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const doc = order[middle] as number
      const found = this.keys[doc] as number
      if (found === key) return doc
      if (found < key) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

/** The URLs of one frame. */
export function decodeUrls(bytes: Uint8Array): string[] {
  const from = new ByteReader(bytes)
  const urls: string[] = []
  let url = Buffer.alloc(0)
  while (!from.isAtEnd) {
    const shared = from.varint()
    const more = from.take(from.varint())
    url = Buffer.concat([url.subarray(0, shared), more])
    urls.push(url.toString('utf8'))
  }
  return urls
}

/** Places sorted by key. Keys and places in one number each sort ten times as fast as with a comparison. */
function orderOf(keys: Uint32Array): Uint32Array {
  const pairs = new Float64Array(keys.length)
  const scale = keys.length
  for (const [doc, key] of keys.entries()) pairs[doc] = key * scale + doc
  pairs.sort()
  return Uint32Array.from(pairs, (pair) => pair % scale)
}
