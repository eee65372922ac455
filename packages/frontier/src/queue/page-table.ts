/**
 * PageTable: every URL this frontier has ever heard of, in columns, and the exact test whether it is new.
 *
 * A page is a dense id. Two URLs are one page if and only if their sites are the same (compared exactly) and the
 * 64-bit keys of the rest are; see `url/url-key.ts` in `protocol` for what that leaves to chance and why a hostile site can
 * only confuse its own pages. The columns come in chunks, so growing copies nothing and memory follows the count.
 *
 *   chunk  ┌ facts  u32 × 4   key high, key low, site, seed ┐
 *          │ rank   f64       lower is fetched sooner        │  × 65,536 pages
 *          │ at     u32       place in its site's heap       │
 *          │ depth  u16 · state u8 · tries u8                ┘
 *   slots  256 open-addressing tables of page ids, chosen by the key's top byte: each grows alone, in milliseconds
 *
 * Keys have no seed, so a hostile site can choose them. Where a key goes in its table is therefore up to two odd numbers
 * that only this process knows (multiply-shift hashing, Dietzfelbinger et al. 1997): no choice of keys makes it slow.
 */
const CHUNK_BITS = 16
const CHUNK = 1 << CHUNK_BITS
const MASK = CHUNK - 1
const PARTS = 256
/** Slots of a table at first. */
const SMALLEST = 64

/** Facts per page, in 32-bit words. */
export const FACT_WORDS = 4

/** Where a page is in its life. The numbers are on disk: append, never renumber. */
export const PAGE_STATES = ['waiting', 'leased', 'done', 'failed', 'excluded', 'forgotten'] as const
export type PageState = (typeof PAGE_STATES)[number]
/** As JSON and exported tables have named them from the first: names there are a contract. By number, as above. */
export const WRITTEN_STATES: readonly string[] = PAGE_STATES.map((state) => (state === 'excluded' ? 'outside' : state))

export const WAITING = 0
export const LEASED = 1
export const DONE = 2
export const FAILED = 3
export const EXCLUDED = 4
export const FORGOTTEN = 5

/** No place in any heap. */
export const NOWHERE = 0xffffffff

interface PageChunk {
  readonly facts: Uint32Array
  readonly rank: Float64Array
  readonly at: Uint32Array
  readonly depth: Uint16Array
  readonly state: Uint8Array
  readonly tries: Uint8Array
}

export class PageTable {
  readonly #chunks: PageChunk[] = []
  readonly #slots: Uint32Array[] = Array.from({ length: PARTS }, () => new Uint32Array(SMALLEST))
  readonly #used = new Uint32Array(PARTS)
  readonly #oddHigh: number
  readonly #oddLow: number
  #count = 0

  constructor(random: () => number) {
    this.#oddHigh = (random() * 2 ** 32) | 1
    this.#oddLow = (random() * 2 ** 32) | 1
  }

  get count(): number {
    return this.#count
  }

  /** The page with this key on this site, or -1 when nobody has offered it yet. */
  find(site: number, high: number, low: number): number {
    const slots = this.#slots[high >>> 24]!
    const mask = slots.length - 1
    for (let i = this.#home(high, low, mask); ; i = (i + 1) & mask) {
      const slot = slots[i]!
      if (slot === 0) return -1
      const id = slot - 1
      const { facts } = this.#chunks[id >>> CHUNK_BITS]!
      const f = (id & MASK) * FACT_WORDS
      if (facts[f + 1] === low && facts[f] === high && facts[f + 2] === site) return id
    }
  }

  /** Add a page that `find` did not know; its id is the next free one. */
  add(site: number, high: number, low: number, seed: number, depth: number, state: number, tries = 0): number {
    const id = this.append(site, high, low, seed, depth, state, tries)
    this.#remember(id, high, low)
    return id
  }

  /** Add a page that `find` will not know before `index` is called: for many at once. */
  append(site: number, high: number, low: number, seed: number, depth: number, state: number, tries: number): number {
    const id = this.#count++
    const chunk = this.#chunkFor(id)
    const i = id & MASK
    const f = i * FACT_WORDS
    chunk.facts[f] = high
    chunk.facts[f + 1] = low
    chunk.facts[f + 2] = site
    chunk.facts[f + 3] = seed
    chunk.depth[i] = depth
    chunk.state[i] = state
    chunk.tries[i] = tries
    return id
  }

  /** Make every page known to `find`. Part by part, so that each table is filled while it is in the cache. */
  index(): void {
    const ends = new Uint32Array(PARTS)
    for (let id = 0; id < this.#count; id++) ends[this.keyHighOf(id) >>> 24]!++
    this.#used.set(ends)
    for (let part = 1; part < PARTS; part++) ends[part]! += ends[part - 1]!
    const byPart = new Uint32Array(this.#count)
    for (let id = this.#count - 1; id >= 0; id--) byPart[--ends[this.keyHighOf(id) >>> 24]!] = id
    for (let part = 0; part < PARTS; part++) {
      const pages = byPart.subarray(ends[part], ends[part]! + this.#used[part]!)
      const slots = new Uint32Array(slotsFor(pages.length))
      for (const id of pages) this.#fill(slots, this.keyHighOf(id), this.keyLowOf(id), id + 1)
      this.#slots[part] = slots
    }
  }

  chunkOf(id: number): PageChunk {
    return this.#chunks[id >>> CHUNK_BITS]!
  }

  siteOf(id: number): number {
    return this.chunkOf(id).facts[(id & MASK) * FACT_WORDS + 2]!
  }
  seedOf(id: number): number {
    return this.chunkOf(id).facts[(id & MASK) * FACT_WORDS + 3]!
  }
  keyHighOf(id: number): number {
    return this.chunkOf(id).facts[(id & MASK) * FACT_WORDS]!
  }
  keyLowOf(id: number): number {
    return this.chunkOf(id).facts[(id & MASK) * FACT_WORDS + 1]!
  }
  depthOf(id: number): number {
    return this.chunkOf(id).depth[id & MASK]!
  }
  setDepth(id: number, depth: number): void {
    this.chunkOf(id).depth[id & MASK] = depth
  }
  stateOf(id: number): number {
    return this.chunkOf(id).state[id & MASK]!
  }
  setState(id: number, state: number): void {
    this.chunkOf(id).state[id & MASK] = state
  }
  /** Of a page that is excluded, the code of its reason: it shares the column with tries, as no page has both. */
  exclusionOf(id: number): number {
    return this.chunkOf(id).tries[id & MASK]!
  }
  triesOf(id: number): number {
    return this.chunkOf(id).tries[id & MASK]!
  }
  setTries(id: number, tries: number): void {
    this.chunkOf(id).tries[id & MASK] = tries
  }
  rankOf(id: number): number {
    return this.chunkOf(id).rank[id & MASK]!
  }
  setRank(id: number, rank: number): void {
    this.chunkOf(id).rank[id & MASK] = rank
  }
  placeOf(id: number): number {
    return this.chunkOf(id).at[id & MASK]!
  }
  setPlace(id: number, at: number): void {
    this.chunkOf(id).at[id & MASK] = at
  }

  #chunkFor(id: number): PageChunk {
    const known = this.#chunks[id >>> CHUNK_BITS]
    if (known !== undefined) return known
    const fresh: PageChunk = {
      facts: new Uint32Array(CHUNK * FACT_WORDS),
      rank: new Float64Array(CHUNK),
      at: new Uint32Array(CHUNK).fill(NOWHERE),
      depth: new Uint16Array(CHUNK),
      state: new Uint8Array(CHUNK),
      tries: new Uint8Array(CHUNK),
    }
    this.#chunks.push(fresh)
    return fresh
  }

  #remember(id: number, high: number, low: number): void {
    const part = high >>> 24
    const used = this.#used[part]! + 1
    this.#used[part] = used
    if (slotsFor(used) > this.#slots[part]!.length) this.#grow(part)
    this.#fill(this.#slots[part]!, high, low, id + 1)
  }

  #grow(part: number): void {
    const old = this.#slots[part]!
    const grown = new Uint32Array(old.length * 2)
    for (const slot of old) {
      if (slot !== 0) this.#fill(grown, this.keyHighOf(slot - 1), this.keyLowOf(slot - 1), slot)
    }
    this.#slots[part] = grown
  }

  #fill(slots: Uint32Array, high: number, low: number, slot: number): void {
    const mask = slots.length - 1
    let i = this.#home(high, low, mask)
    while (slots[i] !== 0) i = (i + 1) & mask
    slots[i] = slot
  }

  /** Where a key's slot would be if all were free: the upper bits of the hash, as the lower ones are weak. */
  #home(high: number, low: number, mask: number): number {
    const mixed = (Math.imul(high, this.#oddHigh) + Math.imul(low, this.#oddLow)) | 0
    return mixed >>> Math.clz32(mask)
  }
}

/** A power of two, at most 70 % full: past that, linear probing gets long. */
function slotsFor(pages: number): number {
  return Math.max(SMALLEST, 2 ** Math.ceil(Math.log2((pages * 10) / 7)))
}
