/**
 * PageTable: what is known of every page that was shipped, so that a page that goes by again is known to be as it was
 * (001 §IV's hash table: page identifier, Last-Modified, hit counter). URLs are not kept, only 64 bits of their
 * digest: a table of a million pages fits into memory, and whoever finds it learns no address from it.
 *
 *   row, 88 bytes   key 8 · digest of the body 32 · digest of the answer as it came 8 · of its entity tag 8
 *                   4 each: seconds of Last-Modified, Expires, shipped, seen, told as unchanged; readers, robots, bytes
 *
 * Open addressing with linear probing, at most two thirds full. When there are more pages than may be, an eighth goes,
 * those that were seen longest ago: each of them would be shipped once more if it came back.
 */
import { hash } from 'node:crypto'

/** Times are in seconds since 1970; 0 is none. */
export interface ShippedPageRow {
  /** 64 hexadecimal digits of SHA-256 over the body without its content coding. */
  readonly digest: string
  /** 16 digits of what came, coding and some fields included, and by which rules it was let in; the same again is the same page. */
  readonly coded: string
  /** 16 digits of the entity tag, or zeros for none. */
  readonly etag: string
  readonly lastModified: number
  readonly expires: number
  /** Never 0. */
  readonly shippedAt: number
  readonly seenAt: number
  /** When the repository was last told that it has this page as it is. */
  readonly toldAt: number
  /** All that went by, ever. */
  readonly readers: number
  readonly robots: number
  /** Of the body without its content coding. */
  readonly bytes: number
}

export const NO_TAG = '0000000000000000'
export const ROW_BYTES = 88
const WORDS = ROW_BYTES / 4
const [DIGEST, CODED, ETAG] = [8, 40, 48] as const
/** In words. */
const [LAST_MODIFIED, EXPIRES, SHIPPED, SEEN, TOLD, READERS, ROBOTS, BYTES] = [14, 15, 16, 17, 18, 19, 20, 21] as const
const FIRST_SLOTS = 1_024
const MOST_SECONDS = 2 ** 32 - 1

export class PageTable {
  readonly #maxPages: number
  #bytes: Buffer
  #words: Uint32Array
  #slots: number
  #size = 0
  #evicted = 0
  /** Keys of rows that were changed since `takeChanged`. */
  #changed = new Set<bigint>()

  /** `maxPages`: 1,000 at least, since an eighth of it is evicted at a time. */
  constructor(maxPages: number) {
    this.#maxPages = Math.max(1_000, maxPages)
    this.#slots = FIRST_SLOTS
    this.#bytes = Buffer.alloc(FIRST_SLOTS * ROW_BYTES)
    this.#words = wordsOf(this.#bytes)
  }

  get size(): number {
    return this.#size
  }

  /** Pages that had to go. */
  get evicted(): number {
    return this.#evicted
  }

  get memoryBytes(): number {
    return this.#bytes.length
  }

  has(url: string): boolean {
    return this.#isKnown(this.#slotOf(keyOf(url)))
  }

  get(url: string): ShippedPageRow | undefined {
    const slot = this.#slotOf(keyOf(url))
    if (!this.#isKnown(slot)) return undefined
    const at = slot * ROW_BYTES
    const first = slot * WORDS
    const word = (place: number): number => this.#words[first + place]!
    return {
      digest: this.#bytes.toString('hex', at + DIGEST, at + CODED),
      coded: this.#bytes.toString('hex', at + CODED, at + ETAG),
      etag: this.#bytes.toString('hex', at + ETAG, at + ETAG + 8),
      lastModified: word(LAST_MODIFIED),
      expires: word(EXPIRES),
      shippedAt: word(SHIPPED),
      seenAt: word(SEEN),
      toldAt: word(TOLD),
      readers: word(READERS),
      robots: word(ROBOTS),
      bytes: word(BYTES),
    }
  }

  set(url: string, page: ShippedPageRow): void {
    const key = keyOf(url)
    const slot = this.#slotFor(key)
    const at = slot * ROW_BYTES
    this.#bytes.write(page.digest, at + DIGEST, 32, 'hex')
    this.#bytes.write(page.coded, at + CODED, 8, 'hex')
    this.#bytes.write(page.etag, at + ETAG, 8, 'hex')
    const { lastModified, expires, shippedAt, seenAt, toldAt, readers, robots, bytes } = page
    const words = [lastModified, expires, shippedAt, seenAt, toldAt, readers, robots, bytes]
    for (const [place, value] of words.entries())
      this.#words[slot * WORDS + LAST_MODIFIED + place] = Math.min(MOST_SECONDS, Math.max(0, value))
    this.#changed.add(key)
  }

  /** It will be new when it comes again. */
  forget(url: string): void {
    const slot = this.#slotOf(keyOf(url))
    if (!this.#isTaken(slot)) return
    // The row stays, so that probing goes on over it; what it says fits no page any more.
    this.#bytes.fill(0, slot * ROW_BYTES + DIGEST, (slot + 1) * ROW_BYTES)
    this.#changed.add(keyOf(url))
  }

  /** Rows that were changed since the last call, as bytes. */
  *takeChanged(): Generator<Buffer> {
    const keys = this.#changed
    this.#changed = new Set()
    for (const key of keys) {
      const slot = this.#slotOf(key)
      // Evicted meanwhile.
      if (this.#isTaken(slot)) yield this.#bytes.subarray(slot * ROW_BYTES, (slot + 1) * ROW_BYTES)
    }
  }

  *rows(): Generator<Buffer> {
    for (let slot = 0; slot < this.#slots; slot++)
      if (this.#isTaken(slot)) yield this.#bytes.subarray(slot * ROW_BYTES, (slot + 1) * ROW_BYTES)
  }

  /** A row as `rows` gave it, in place of the one with the same key. */
  restore(row: Uint8Array): void {
    const key = Buffer.from(row.buffer, row.byteOffset, row.length).readBigUInt64LE(0)
    if (key === 0n) return
    const slot = this.#slotFor(key)
    this.#bytes.set(row, slot * ROW_BYTES)
  }

  /** A page that was forgotten has no time of shipping. */
  #isKnown(slot: number): boolean {
    return this.#words[slot * WORDS + SHIPPED] !== 0
  }

  #isTaken(slot: number): boolean {
    return (this.#words[slot * WORDS]! | this.#words[slot * WORDS + 1]!) !== 0
  }

  /** Where the key is, or would be. */
  #slotOf(key: bigint): number {
    const [low, high] = [Number(key & 0xffffffffn), Number(key >> 32n)]
    const words = this.#words
    for (let slot = low % this.#slots; ; slot = (slot + 1) % this.#slots) {
      const at = slot * WORDS
      const [a, b] = [words[at]!, words[at + 1]!]
      if ((a === low && b === high) || (a === 0 && b === 0)) return slot
    }
  }

  #slotFor(key: bigint): number {
    const slot = this.#slotOf(key)
    if (this.#isTaken(slot)) return slot
    if (this.#size >= this.#maxPages) this.#evict()
    else if (this.#size * 3 >= this.#slots * 2) this.#rebuild(this.#slots * 2, 0)
    const free = this.#slotOf(key)
    this.#bytes.writeBigUInt64LE(key, free * ROW_BYTES)
    this.#size++
    return free
  }

  #evict(): void {
    const times = new Uint32Array(this.#size)
    let count = 0
    for (let slot = 0; slot < this.#slots; slot++)
      if (this.#isTaken(slot)) times[count++] = this.#words[slot * WORDS + SEEN]!
    times.sort()
    const before = this.#size
    // Rows of the same second go together, unless that is all of them.
    const border = times[Math.floor(count / 8)]!
    this.#rebuild(this.#slots, border === times.at(-1) ? border : border + 1)
    if (this.#size === before) this.#rebuild(this.#slots, MOST_SECONDS + 1)
    this.#evicted += before - this.#size
  }

  /** In so many slots, those that were seen since `from`. */
  #rebuild(slots: number, from: number): void {
    const [bytes, words, old] = [this.#bytes, this.#words, this.#slots]
    this.#slots = slots
    this.#bytes = Buffer.alloc(slots * ROW_BYTES)
    this.#words = wordsOf(this.#bytes)
    this.#size = 0
    for (let slot = 0; slot < old; slot++) {
      const at = slot * WORDS
      if ((words[at]! | words[at + 1]!) === 0 || words[at + SEEN]! < from) continue
      const key = bytes.readBigUInt64LE(slot * ROW_BYTES)
      bytes.copy(this.#bytes, this.#slotOf(key) * ROW_BYTES, slot * ROW_BYTES, (slot + 1) * ROW_BYTES)
      this.#size++
    }
  }
}

const wordsOf = (bytes: Buffer): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / Uint32Array.BYTES_PER_ELEMENT)

/** No page has key 0. */
function keyOf(url: string): bigint {
  const key = hash('sha256', url, 'buffer').readBigUInt64LE(0)
  return key === 0n ? 1n : key
}
