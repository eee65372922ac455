/**
 * PositionModel: what is known about the next gap between two positions of a term in a page, before it is read. Writer
 * and reader of positions walk the same model, so that both know which code the gap is in; see `position-codec.ts`.
 *
 * A gap is coded as its bucket, half an octave wide, and its place in the bucket. Two things are told beforehand:
 *
 *   foreseen   The gap that followed the last time when the two gaps before were the same: copied passages and rows of
 *              tables repeat. For the first gap of a page, that of the last page of the same length with as many
 *              positions, which is often a copy, or else that of the page before: pages of a site begin alike.
 *   context    Which code is best: by the mean gap (length of the page by number of positions, in octaves), by the gap
 *              before in octaves, and by whether what was foreseen came true last time. First positions of words of the
 *              title and last ones of words of the URL have contexts of their own, as their places are known.
 *
 * Nothing is learnt beyond a block of postings, so that a block can be read alone. All arithmetic is of whole numbers
 * or exact, so that every machine has the same contexts.
 */
import { ZONES } from './document.ts'
import { LENGTHS } from './length-byte.ts'

/** Buckets of gaps: 0 to 3 alone, then two for each octave, up to gaps of 20 bits. */
export const BUCKETS = 40
export const GAP_BITS = 20
/** The symbol after the buckets: as foreseen. */
export const FORESEEN: number = BUCKETS

/** Contexts: for each mean gap, last of a URL word, first (in the title or not), and after a gap of each octave. */
export const LEVELS = 21
const LAST = 0
const FIRST = 3
const FIRST_OF_TITLE = 6
export const LATER = 9
export const CONTEXTS_A_LEVEL: number = LATER + 3 * (BUCKETS / 2)

/** What a context says of the gap that is foreseen. */
const MISSED = 0
const CAME_TRUE = 1
const NONE = 2

const HASH_BITS = 13
const GAP_MASK = (1 << GAP_BITS) - 1
const MAX_EPOCH = (1 << (32 - GAP_BITS)) - 1

export function bucketOf(gap: number): number {
  if (gap < 4) return gap
  const octave = 31 - Math.clz32(gap)
  return 2 * octave + ((gap >>> (octave - 1)) & 1)
}

/** Mean gap in octaves, rounded: 181/128 is the square root of two. */
export function levelOf(length: number, count: number): number {
  const scaled = Math.floor(((LENGTHS[length] as number) * 181) / (count * 128))
  return scaled < 2 ? 0 : Math.min(LEVELS - 1, 31 - Math.clz32(scaled))
}

export class PositionModel {
  /** Of the next gap. */
  context = 0
  /** Of the next gap; below zero when there is none. */
  foreseen = -1
  /** Gaps by what stood before them, with the number of the block, which saves us emptying it. */
  readonly #gaps = new Int32Array(1 << HASH_BITS)
  #block = 0
  #slot = 0
  #left = 0
  #level = 0
  #isInUrl = false
  #before = 0
  #trust = MISSED
  #firstBefore = -1

  /** A block begins: nothing is known. */
  startBlock(): void {
    this.#firstBefore = -1
    if (++this.#block <= MAX_EPOCH) return
    this.#gaps.fill(0)
    this.#block = 1
  }

  /** A page begins, of so many positions: its first gap is next. */
  startPage(length: number, count: number, zones: number): void {
    this.#left = count
    this.#level = levelOf(length, count) * CONTEXTS_A_LEVEL
    this.#isInUrl = (zones & ZONES.url) !== 0
    this.#trust = MISSED
    this.#before = -1
    const known = this.#recall(~count, ~length)
    const trust = known >= 0 ? CAME_TRUE : this.#firstBefore >= 0 ? MISSED : NONE
    this.foreseen = known >= 0 ? known : this.#firstBefore
    const kind = this.#isInUrl && count === 1 ? LAST : (zones & ZONES.title) !== 0 ? FIRST_OF_TITLE : FIRST
    this.context = this.#level + kind + trust
  }

  /** The gap was this: turn to the one after it. */
  learn(gap: number, bucket: number): void {
    this.#gaps[this.#slot] = (this.#block << GAP_BITS) | gap
    if (this.#before < 0) this.#firstBefore = gap
    if (this.foreseen >= 0) this.#trust = this.foreseen === gap ? CAME_TRUE : MISSED
    const known = this.#recall(gap, this.#before)
    this.#before = gap
    this.foreseen = known
    const kind = --this.#left === 1 && this.#isInUrl ? LAST : LATER + 3 * (bucket >>> 1)
    this.context = this.#level + kind + (known < 0 ? NONE : this.#trust)
  }

  #recall(last: number, before: number): number {
    const slot = (Math.imul(last + 2, 0x9e3779b1) ^ Math.imul(before + 3, 0x85ebca6b)) >>> (32 - HASH_BITS)
    const entry = this.#gaps[slot] as number
    this.#slot = slot
    return entry >>> GAP_BITS === this.#block ? entry & GAP_MASK : -1
  }
}
