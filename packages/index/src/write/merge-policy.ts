/**
 * Which segments to merge: a pure function from their sizes. Segments fall into tiers, each eight times the one before;
 * when eight stand in a tier, they become one of the next. So a document is written once a tier, and the number of segments
 * stays below eight times the tiers. The smallest are merged by sixteen, past a tier: each costs every search a little, but
 * next to nothing, and a crawl that ends soon merges them only then.
 */

export interface SegmentSize {
  readonly documents: number
  readonly gone: number
}

const FAN = 8
const SMALL_FAN = 16
/** The first tier: what half a second of a fast crawl brings. */
const SMALLEST = 1_024
/** What is larger stays for long, and is packed as well as can be; what is not is soon merged again. */
const LARGE = 65_536
/** Beyond this share of gone documents a segment is rewritten alone, to get their room back. */
const MAX_GONE = 0.4

/** Places of the segments to merge now; empty when there is nothing to do. */
export function chooseMerge(segments: readonly SegmentSize[]): number[] {
  const tiers = new Map<number, number[]>()
  for (const [i, segment] of segments.entries()) {
    const tier = tierOf(segment)
    tiers.set(tier, [...(tiers.get(tier) ?? []), i])
  }
  for (const [tier, places] of [...tiers].toSorted(([a], [b]) => a - b)) {
    const fan = tier === 0 ? SMALL_FAN : FAN
    if (places.length >= fan) return places.slice(0, fan)
  }
  const worn = segments.findIndex(({ documents, gone }) => documents > SMALLEST && gone > documents * MAX_GONE)
  return worn === -1 ? [] : [worn]
}

/** Whether what these are merged into is worth packing well. */
export const staysLong = (segments: readonly SegmentSize[]): boolean =>
  segments.reduce((sum, { documents, gone }) => sum + documents - gone, 0) > LARGE

function tierOf({ documents, gone }: SegmentSize): number {
  let tier = 0
  for (let limit = SMALLEST; documents - gone > limit; limit *= FAN) tier++
  return tier
}
