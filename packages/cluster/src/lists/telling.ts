/**
 * Telling: what a shard tells another of the pages that it found for it. Made of rows when asked for, from a position on; what is said
 * of a page is its state, never a difference, so that saying it again changes nothing.
 *
 * A shard that goes on from a copy may have shorter lists than it had. Each opening has its epoch and says how long they were then; who
 * asks with an earlier epoch goes back to where the lists were the same, which only an epoch among these openings tells.
 */
import type { Opening } from '@comity/collection'

/** What is told of a page. */
export interface Told {
  readonly url: string
  readonly depth: number
  readonly seed: number
}

/** A shard's lists as they are durable, and the rows behind them. */
export interface ListSource {
  readonly epoch: number
  readonly openings: readonly Opening[]
  lengthFor(shard: number): number
  pagesFor(shard: number, from: number, most: number): readonly number[]
  /** Undefined when it was forgotten. */
  told(page: number): Told | undefined
}

export interface Question {
  /** Who asks. */
  readonly shard: number
  /** What it has taken so far. */
  readonly epoch: number
  readonly position: number
}

export interface Telling {
  readonly epoch: number
  readonly from: number
  readonly next: number
  /** Of the whole list. */
  readonly length: number
  readonly entries: readonly Told[]
}

/** An answer that fits a message of a megabyte, at two thousand characters a URL. */
const MAX_ENTRIES = 400
const MAX_CHARS = 256_000
/** Openings that are told apart. */
const MAX_OPENINGS = 256

export function tell(source: ListSource, { shard, epoch, position }: Question): Telling {
  const length = source.lengthFor(shard)
  const from = Math.min(resumeAt(source.openings, shard, epoch, position), length)
  const entries: Told[] = []
  let next = from
  let chars = 0
  for (const page of source.pagesFor(shard, from, MAX_ENTRIES)) {
    const told = source.told(page)
    chars += told?.url.length ?? 0
    if (chars > MAX_CHARS && next > from) break
    if (told !== undefined) entries.push(told)
    next++
  }
  return { epoch: source.epoch, from, next, length, entries }
}

/**
 * Where who has taken so much goes on: no further than the lists reached at any opening since. An epoch that is none of ours was another
 * branch, begun from some earlier copy, and nobody here knows where it left ours: all is told again.
 */
export function resumeAt(openings: readonly Opening[], shard: number, epoch: number, position: number): number {
  if (!openings.some((one) => one.epoch === epoch)) return 0
  const later = openings.filter((one) => one.epoch > epoch)
  return later.reduce((least, { lengths }) => Math.min(least, lengths[shard] ?? 0), position)
}

/** One more opening. Of many the oldest are let go: who knew one of these begins anew. */
export function withOpening(openings: readonly Opening[], opening: Opening): readonly Opening[] {
  return [...openings, opening].slice(-MAX_OPENINGS)
}
