/**
 * Wrong facts: what a collection remembers by name and nobody can read any more: of another type than comity writes, or damaged. Who
 * needs such a fact ends with its name; whoever only looks goes on without it, and is told which they are and how many.
 */
import { CollectionError, FACTS } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { lastWatch } from '@comity/follow'
import { earlierTotals, gatewayRows } from '@comity/ingest'
import { readingFact } from '@comity/search'

export interface WrongFacts {
  readonly count: number
  readonly names: readonly string[]
}

/** All that a collection may remember, each by its name in the format. */
export const FACT_READERS: ReadonlyMap<string, (collection: Collection) => unknown> = new Map([
  ...Object.values(FACTS).map(
    (kind) => [kind.name, (collection: Collection) => collection.fact<unknown>(kind)] as const,
  ),
  ['totals', earlierTotals] as const,
  ['watch', lastWatch] as const,
  ['gateways', gatewayRows] as const,
  ['reading', readingFact] as const,
])

export function wrongFacts(collection: Collection): WrongFacts {
  const names = [...FACT_READERS].filter(([, read]) => !isReadable(() => read(collection))).map(([name]) => name)
  return { count: names.length, names }
}

/** What it says; undefined, too, when it is wrong. */
export function unlessWrong<Value>(read: () => Value | undefined): Value | undefined {
  return isReadable(read) ? read() : undefined
}

function isReadable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof CollectionError && error.code === 'COLLECTION_DAMAGED') return false
    throw error
  }
}
