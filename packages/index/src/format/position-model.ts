/**
 * PositionModel: what is known about the next gap between two positions of a term in a page, before it is read. Writer
 * and reader of positions walk the same model, so that both know which code the gap is in; see `format/position-codec.ts`.
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
import { ZONES } from '../document.ts'
import { LENGTHS } from './length-byte.ts'

/** Buckets of gaps: 0 to 3 alone, then two for each octave, up to gaps of 20 bits. */
export const BUCKETS = 40
const GAP_BITS = 20
/** The symbol after the buckets: as foreseen. */
export const FORESEEN: number = BUCKETS
/** Room for a symbol. */
export const SYMBOL_BITS = 6

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

// What is exported is read from memory wherever it is used; what is not, V8 compiles into the loop over all positions.
const [AS_FORESEEN, BITS_A_SYMBOL, BITS_A_GAP, AFTER_ANOTHER] = [FORESEEN, SYMBOL_BITS, GAP_BITS, LATER]

const HASH_BITS = 13
const GAP_MASK = (1 << GAP_BITS) - 1
const MAX_EPOCH = (1 << (32 - GAP_BITS)) - 1

export function bucketOf(gap: number): number {
  const octave = 31 - Math.clz32(gap | 2)
  const isBelowTwo = (gap - 2) >>> 31
  return 2 * (octave - isBelowTwo) + ((gap >>> (octave - 1)) & 1)
}

/** Mean gap in octaves, rounded: 181/128 is the square root of two. */
export function levelOf(length: number, count: number): number {
  const scaled = Math.floor((LENGTHS[length]! * 181) / (count * 128))
  return scaled < 2 ? 0 : Math.min(LEVELS - 1, 31 - Math.clz32(scaled))
}

/** `levelOf` for numbers of positions below `FEW`, which most pages have of a term: without a division. */
const FEW = 64
const LEVELS_OF_FEW = Uint8Array.from({ length: 256 * FEW }, (_, i) =>
  levelOf(Math.floor(i / FEW), Math.max(1, i % FEW)),
)

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
    const level = count < FEW ? LEVELS_OF_FEW[length * FEW + count]! : levelOf(length, count)
    this.#level = level * CONTEXTS_A_LEVEL
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

  /**
   * A whole page at once, for who knows its gaps: into `steps` comes, for each, its context shifted over `SYMBOL_BITS` and
   * its symbol. The same as `startPage` and `learn` in turn, but without branches: whether a gap is as foreseen is what
   * no processor foresees.
   */
  walkPage(length: number, count: number, zones: number, gaps: Uint32Array, steps: Int32Array): void {
    this.startPage(length, count, zones)
    const table = this.#gaps
    const block = this.#block
    const level = this.#level
    const lastOfUrl = this.#isInUrl ? count - 1 : count
    let { foreseen, context } = this
    let slot = this.#slot
    let before = -1
    let trust = MISSED
    let allBits = 0
    for (let i = 0; i < count;) {
      const gap = gaps[i]! | 0
      allBits |= gap
      const bucket = bucketOf(gap)
      const isMissed = oneUnlessSame(gap, foreseen)
      steps[i++] = (context << BITS_A_SYMBOL) | (AS_FORESEEN + ((bucket - AS_FORESEEN) & -isMissed))
      table[slot] = (block << BITS_A_GAP) | gap
      // Without a gap foreseen, nothing came true and trust stays.
      trust = (trust & (foreseen >>> 31)) | (isMissed ^ 1)
      slot = slotOf(gap, before)
      before = gap
      const entry = table[slot]!
      const isNew = oneUnlessSame(entry >>> BITS_A_GAP, block)
      foreseen = (entry & GAP_MASK) | -isNew
      const kind = i === lastOfUrl ? LAST : AFTER_ANOTHER + 3 * (bucket >>> 1)
      context = level + kind + ((isNew << 1) | (trust & (isNew ^ 1)))
    }
    this.#firstBefore = gaps[0]!
    if (allBits >>> BITS_A_GAP !== 0) throw new RangeError(`a gap is more than ${BITS_A_GAP} bits`)
  }

  #recall(last: number, before: number): number {
    const slot = slotOf(last, before)
    const entry = this.#gaps[slot] as number
    this.#slot = slot
    return entry >>> GAP_BITS === this.#block ? entry & GAP_MASK : -1
  }
}

function oneUnlessSame(a: number, b: number): number {
  const difference = a ^ b
  return (difference | -difference) >>> 31
}

function slotOf(last: number, before: number): number {
  return (Math.imul(last + 2, 0x9e3779b1) ^ Math.imul(before + 3, 0x85ebca6b)) >>> (32 - HASH_BITS)
}
