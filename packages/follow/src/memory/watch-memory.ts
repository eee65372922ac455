/**
 * WatchMemory: what the last watch of a collection came to, kept with it: whoever looks later can say how fresh things
 * were, by which policy, and why a page is due when it is.
 */
import type { Instant } from '@comity/protocol'
import { factKind } from '@comity/collection'
import type { Collection, FactKind } from '@comity/collection'
import { isWatchMemory } from '@comity/ingest'
import type { WatchSample } from './watch-sample.ts'

/** Field names are part of the format. */
export interface WatchMemory {
  readonly at: Instant
  /** What a visit had to be worth to be made. */
  readonly price: number
  readonly bytesPerSecond: number
  readonly sample: WatchSample
}

export const WATCH: FactKind<WatchMemory> = factKind('watch', isWatchMemory)

/** Goes with the next commit. */
export function recordWatchRun(collection: Collection, memory: WatchMemory): void {
  collection.putFact(WATCH, memory)
}

/** Undefined when nobody has kept this collection fresh. */
export function lastWatch(collection: Collection): WatchMemory | undefined {
  return collection.fact(WATCH)
}
