/**
 * How much of a page is another one when it has changed: the size of its difference as a share of its size. From one change
 * to the next, and over the whole year (002 §6.3 quotes that after a year half of the changed pages have changed by less
 * than 5 %).
 */
import { encodeVcdiff } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { YearState } from '../../cooperating/year.ts'
import type { Bodies, Year } from '../../cooperating/year.ts'

export interface ChangeSizes {
  /** Pages that were there when the year began and when it ended, and which of them were other ones then. */
  readonly kept: number
  /** Shares of the page, ascending. */
  readonly year: readonly number[]
  readonly changes: readonly number[]
}

/** `upTo`: single changes are compared up to then; what became of pages is over the whole year. */
export function changeSizes(year: Year, bodies: Bodies, upTo: Instant = year.until): ChangeSizes {
  const state = new YearState(year)
  const begin = new Map(state.pages)
  const now = new Map(begin)
  const changes: number[] = []
  for (const { at, path, content } of state.advance(year.until)) {
    const before = now.get(path)
    if (content === undefined) now.delete(path)
    else {
      if (at <= upTo && before !== undefined && before !== content) changes.push(differs(bodies, before, content))
      now.set(path, content)
    }
  }
  const kept = [...begin].filter(([path]) => now.has(path))
  const changed = kept.filter(([path, content]) => now.get(path) !== content)
  return {
    kept: kept.length,
    year: changed.map(([path, content]) => differs(bodies, content, now.get(path)!)).toSorted((a, b) => a - b),
    changes: changes.toSorted((a, b) => a - b),
  }
}

function differs(bodies: Bodies, before: string, after: string): number {
  const [one, other] = [bodies.get(before)!, bodies.get(after)!]
  // A difference that is longer than the page is not sent.
  return Math.min(1, encodeVcdiff(one, other).length / Math.max(1, other.length))
}

export const shareBelow = (sizes: readonly number[], limit: number): number =>
  sizes.length === 0 ? NaN : sizes.filter((size) => size < limit).length / sizes.length

export const medianOf = (sizes: readonly number[]): number => sizes[Math.floor((sizes.length - 1) / 2)] ?? NaN
