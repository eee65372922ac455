/**
 * Matches: where the bytes that come next stand already, in the source or earlier in the target window.
 *
 * Indexed are blocks of the source, all of a small one and every n-th of a large one, and of the target every place
 * whose byte had to be added. What an index proposes is compared and extended both ways, and the best match is the one
 * that saves most: its length less what its address costs. The source is indexed only when first needed, as most of a
 * page's versions differ in few places and straight copies say the rest.
 */
import { BlockIndex, IndexTables } from './block-index.ts'
import type { AddressCache } from './vcdiff-addresses.ts'

/** Target bytes from `start` on, `length` of them, stand at `address`; `gain` is 0 when nothing was found. */
export interface Match {
  readonly start: number
  readonly length: number
  readonly address: number
  readonly gain: number
}

/** A match this long is taken without looking for a better one. */
const ENOUGH = 256
/** No shorter COPY is worth its instruction. */
const SHORTEST = 4
/** How many places of equal hash are compared. Twice as many make deltas of real pages 1 % smaller. */
const SOURCE_TRIES = 16
const TARGET_TRIES = 8
const TARGET_BLOCK = 4
/** As far back as the target is searched. */
const TARGET_REACH = 1 << 18
/** Most entries of the source, at eight to sixteen bytes each. Twice as many make deltas of 8 MB a tenth shorter. */
const MAX_ENTRIES = 1 << 20

const sourceTables = new IndexTables()
const targetTables = new IndexTables()

/** Block and stride: what is at least `block + stride - 1` long is found wherever it stands. */
function sourceIndex(length: number): BlockIndex {
  if (length < 1 << 14) return new BlockIndex(5, 1, length, sourceTables)
  if (length < 1 << 20) return new BlockIndex(5, 2, length, sourceTables)
  const stride = Math.max(4, Math.ceil(length / MAX_ENTRIES))
  return new BlockIndex(stride <= 8 ? 8 : stride <= 16 ? 16 : 32, stride, length, sourceTables)
}

export class MatchFinder {
  readonly #source: Uint8Array
  readonly #target: Uint8Array
  #sourceIndex: BlockIndex | undefined
  #targetIndex: BlockIndex | undefined
  #windowStart = 0
  #windowEnd = 0
  /** How far the source stood behind the target at the last copy: where as many bytes were changed, it goes on so. */
  #shift = 0
  // The match found, in fields: searches are too many to make an object each.
  #start = 0
  #length = 0
  #address = 0
  #gain = 0

  constructor(source: Uint8Array, target: Uint8Array) {
    this.#source = source
    this.#target = target
  }

  openWindow(start: number, end: number): void {
    this.#windowStart = start
    this.#windowEnd = end
    this.#targetIndex = undefined
  }

  /** Remembers the byte at `at` as added, so that what follows may copy from there. */
  noteAdded(at: number): void {
    if (at + TARGET_BLOCK > this.#windowEnd) return
    const reach = Math.min(this.#windowEnd - at, TARGET_REACH)
    this.#targetIndex ??= new BlockIndex(TARGET_BLOCK, 1, reach, targetTables)
    this.#targetIndex.add(this.#target, at, at - this.#windowStart)
  }

  noteCopied({ start, address }: Match): void {
    if (address < this.#source.length) this.#shift = start - address
  }

  /** Does the source simply go on as the target does? */
  straightOn(at: number, cache: AddressCache): Match {
    this.#reset()
    this.#trySource(at - this.#shift, at, at, cache)
    return this.#match()
  }

  /** The best match that covers `at` and begins at `from` or later. */
  search(at: number, from: number, cache: AddressCache): Match {
    this.#reset()
    this.#trySource(at - this.#shift, at, from, cache)
    if (this.#length < ENOUGH) this.#searchSource(at, from, cache)
    if (this.#length < ENOUGH) this.#searchTarget(at, from, cache)
    return this.#gain === 0 ? NOTHING : this.#match()
  }

  #reset(): void {
    this.#gain = 0
    this.#length = 0
  }

  #match(): Match {
    return { start: this.#start, length: this.#length, address: this.#address, gain: this.#gain }
  }

  #searchSource(at: number, from: number, cache: AddressCache): void {
    const index = (this.#sourceIndex ??= this.#indexedSource())
    if (at + index.block > this.#windowEnd) return
    let place = index.first(this.#target, at)
    for (let tries = SOURCE_TRIES; place >= 0 && tries > 0 && this.#length < ENOUGH; tries--) {
      this.#trySource(place, at, from, cache)
      place = index.next(place)
    }
  }

  #indexedSource(): BlockIndex {
    const index = sourceIndex(this.#source.length)
    index.addAll(this.#source)
    return index
  }

  #trySource(place: number, at: number, from: number, cache: AddressCache): void {
    const source = this.#source
    const target = this.#target
    if (place < 0 || place >= source.length || source[place] !== target[at]) return
    const left = source.length - place
    const most = left < this.#windowEnd - at ? left : this.#windowEnd - at
    let length = 1
    while (length < most && source[place + length] === target[at + length]) length++
    const mostBack = place < at - from ? place : at - from
    let back = 0
    while (back < mostBack && source[place - back - 1] === target[at - back - 1]) back++
    this.#keepBetter(at - back, length + back, place - back, cache)
  }

  #searchTarget(at: number, from: number, cache: AddressCache): void {
    const index = this.#targetIndex
    if (index === undefined || at + TARGET_BLOCK > this.#windowEnd) return
    let place = index.first(this.#target, at)
    for (let tries = TARGET_TRIES; place >= 0 && tries > 0 && this.#length < ENOUGH; tries--) {
      this.#tryTarget(place, at, from, cache)
      place = index.next(place)
    }
  }

  /** A match may run on into what it copies: its bytes are there by the time they are needed (RFC 3284 §3). */
  #tryTarget(place: number, at: number, from: number, cache: AddressCache): void {
    const target = this.#target
    const earlier = this.#windowStart + place
    // Looking ahead notes places that are still to come: no copy can be made from those, nor from itself.
    if (earlier >= at) return
    const most = this.#windowEnd - at
    let length = 0
    while (length < most && target[earlier + length] === target[at + length]) length++
    const mostBack = place < at - from ? place : at - from
    let back = 0
    while (back < mostBack && target[earlier - back - 1] === target[at - back - 1]) back++
    this.#keepBetter(at - back, length + back, this.#source.length + place - back, cache)
  }

  #keepBetter(start: number, length: number, address: number, cache: AddressCache): void {
    if (length < SHORTEST || length - 2 <= this.#gain) return
    const here = this.#source.length + start - this.#windowStart
    const gain = length - 1 - cache.choose(address, here)
    if (gain <= this.#gain) return
    this.#start = start
    this.#length = length
    this.#address = address
    this.#gain = gain
  }
}

const NOTHING: Match = { start: 0, length: 0, address: 0, gain: 0 }
