/**
 * Document: what is indexed of one page. Its words stand on one line of positions, so that a phrase is a run of
 * numbers: first the title, then the text (headings in their place), the words of links that point here, and the words
 * of the URL. Between two of them is a gap no phrase crosses.
 *
 * Beside the line, a word knows in which special zones of the page it stands at least once. That is all BM25F needs of
 * the short fields, where a word rarely stands twice, and it costs next to nothing where a word stands in none.
 */
import type { Instant } from '@comity/protocol'

export interface IndexDocument {
  /** The page's number in its collection; in a shipment, any number that is the page's alone. */
  readonly key: number
  readonly url: string
  readonly title: string
  /** The texts of its headings; they stand in `text` too. */
  readonly headings: readonly string[]
  readonly text: string
  /** Words of links that point here, one entry a link. */
  readonly anchors: readonly string[]
  /** What the page says its language is (BCP 47); guessed when it says nothing. */
  readonly language?: string | undefined
  /** Media type without parameters: `text/html`. */
  readonly type: string
  /** When this content was first seen. */
  readonly at: Instant
  /** The key of a page with nearly the same text that was seen before. */
  readonly duplicateOf?: number | undefined
}

/** Zones are bits: a posting has the sum of those its word stands in. */
export const ZONES = { title: 1, heading: 2, anchor: 4, url: 8 } as const

export type ZoneName = keyof typeof ZONES

/** Positions between two parts of a page's line. */
export const ZONE_GAP = 64

/** A word later than this in a page is not indexed; counted by whoever indexes. */
export const MAX_POSITION = 1_000_000
