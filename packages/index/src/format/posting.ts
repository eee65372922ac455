/**
 * What passes between those who make postings and those who write them: for each term, in order, its pages, in order.
 */

/** One term's postings, walked once from the first to the last. */
export interface PostingStream {
  /** Go to the next page with the term; false after the last. */
  next(): boolean
  readonly doc: number
  /** How often the term stands in the page. */
  readonly count: number
  /** The zones it stands in, see `document.ts`. */
  readonly zones: number
  /**
   * Where it stands: the first `count` are differences to the position before, less one, the first of them to -1. Empty
   * in an index without positions. Valid until `next`.
   */
  readonly gaps: Uint32Array
}

export interface TermStream {
  /** Go to the next term; false after the last. */
  next(): boolean
  readonly term: string
  readonly postings: PostingStream
}

/** Postings a block: what is skipped or decoded together. */
export const BLOCK = 128

/**
 * Terms stand in the order of their UTF-8 bytes, which for JavaScript's own order differs only where surrogates meet
 * characters above them (U+E000 to U+FFFF).
 */
export function compareTerms(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? rankOf(x) - rankOf(y) : x - y
  }
  return a.length - b.length
}

/** Surrogates belong after everything else. */
const rankOf = (unit: number): number => (unit <= 0xdfff ? unit + 0x2000 : unit - 0x800)
