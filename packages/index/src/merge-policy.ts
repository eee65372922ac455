/**
 * Which segments to merge: a pure function from their sizes. Segments fall into tiers, each eight times the one before;
 * when eight stand in a tier, they become one of the next. So a document is written once a tier, the number of segments
 * stays below eight times the tiers, and small merges are done often and quickly.
 */

export interface SegmentSize {
  readonly documents: number
  readonly gone: number
}

const FAN = 8
/** The first tier: what half a second of a fast crawl brings. */
const SMALLEST = 1_024
/** Beyond this share of gone documents a segment is rewritten alone, to get their room back. */
const MAX_GONE = 0.4

/** Places of the segments to merge now; empty when there is nothing to do. */
export function chooseMerge(segments: readonly SegmentSize[]): number[] {
  const tiers = new Map<number, number[]>()
  for (const [i, segment] of segments.entries()) {
    const tier = tierOf(segment)
    tiers.set(tier, [...(tiers.get(tier) ?? []), i])
  }
  const lowest = [...tiers].toSorted(([a], [b]) => a - b).find(([, places]) => places.length >= FAN)
  if (lowest !== undefined) return lowest[1].slice(0, FAN)
  const worn = segments.findIndex(({ documents, gone }) => documents > SMALLEST && gone > documents * MAX_GONE)
  return worn === -1 ? [] : [worn]
}

function tierOf({ documents, gone }: SegmentSize): number {
  let tier = 0
  for (let limit = SMALLEST; documents - gone > limit; limit *= FAN) tier++
  return tier
}
