/**
 * ReadingBook: what people and robots read, as gateways counted it: for each page (`rows/reading-row.ts` of `collection`), and by
 * hour for all pages together. Each is a row of its own, put into the collection when it is counted.
 */
import type { Instant } from '@comity/protocol'
import { withHits, addHour, decodeReading, encodeReading, factKind, fadedTo } from '@comity/collection'
import type { Collection, FactKind, HourHits, NewHits, ReadingRow } from '@comity/collection'
import { isReadingFact } from '@comity/ingest'

/** Field names are part of the format. */
export interface ReadingFact {
  /** Grows whenever something was counted. */
  readonly version: number
  /** Until when what was counted had passed. */
  readonly at: Instant
  /** In this time a hit comes to count half. */
  readonly halfLifeMs: number
  /** All pages together, oldest first. */
  readonly hours: readonly HourHits[]
}

export const READING: FactKind<ReadingFact> = factKind('reading', isReadingFact)
/** A month. */
const READING_HOURS = 720

/** Undefined when nobody has counted yet. */
export function readingFact(collection: Pick<Collection, 'fact'>): ReadingFact | undefined {
  return collection.fact(READING)
}

export function readingOf(collection: Pick<Collection, 'reading'>, page: number): ReadingRow | undefined {
  return decodeReading(collection.reading(page))
}

/** Hits of pages that passed until one moment. Goes with the next commit, all of it. */
export function countReading(
  collection: Pick<Collection, 'fact' | 'putFact' | 'reading' | 'putReading'>,
  hits: Iterable<readonly [page: number, people: number, robots: number]>,
  { at, halfLifeMs }: { readonly at: Instant; readonly halfLifeMs: number },
): { readonly people: number; readonly robots: number } {
  const all = { at, people: 0, robots: 0 }
  for (const [page, people, robots] of hits) {
    const row = withHits(readingOf(collection, page), { at, people, robots }, halfLifeMs)
    collection.putReading(page, encodeReading(row))
    all.people += people
    all.robots += robots
  }
  if (all.people + all.robots > 0) rememberAll(collection, all, halfLifeMs)
  return all
}

function rememberAll(collection: Pick<Collection, 'fact' | 'putFact'>, all: NewHits, halfLifeMs: number): void {
  const before = readingFact(collection)
  const fact: ReadingFact = {
    version: (before?.version ?? 0) + 1,
    at: Math.max(before?.at ?? 0, all.at),
    halfLifeMs,
    hours: addHour(before?.hours ?? [], all, READING_HOURS),
  }
  collection.putFact(READING, fact)
}

/** How often people read each page, by its number, for an index: as of the last that was counted. */
export function hitsOf(collection: Pick<Collection, 'fact' | 'readings'>): Float32Array {
  const { at = 0, halfLifeMs = Infinity } = readingFact(collection) ?? {}
  const pages: [page: number, people: number][] = []
  let count = 0
  for (const { key, value } of collection.readings()) {
    const row = decodeReading(value)
    if (row === undefined) continue
    pages.push([key, fadedTo(row, at, halfLifeMs).people])
    count = Math.max(count, key + 1)
  }
  const values = new Float32Array(count)
  for (const [page, people] of pages) values[page] = people
  return values
}
