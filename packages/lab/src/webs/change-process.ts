/**
 * Change processes: when each of a set of pages changes, over a number of days. Instants are in days from the beginning,
 * rising within a page. What makes them: regular intervals (000 §6), Poisson, or the history of a real site.
 */
import type { Random } from '@comity/testbed'

export interface ChangeProcess {
  readonly pages: number
  readonly days: number
  /** Changes of page p are `instants[starts[p]]` up to `instants[starts[p + 1] - 1]`. */
  readonly starts: Uint32Array
  readonly instants: Float64Array
}

/** A page changes each `intervals[page]` days, the first time at a random moment of its first interval. */
export function regularChanges(intervals: ArrayLike<number>, days: number, random: Random): ChangeProcess {
  return processOf(intervals.length, days, (page, add) => {
    const interval = intervals[page]!
    for (let at = interval * random.next(); at < days; at += interval) add(at)
  })
}

/** As often on average, but without memory: it may change twice in an hour and then not for a year. */
export function poissonChanges(intervals: ArrayLike<number>, days: number, random: Random): ChangeProcess {
  return processOf(intervals.length, days, (page, add) => {
    const wait = (): number => -Math.log(1 - random.next()) * intervals[page]!
    for (let at = wait(); at < days; at += wait()) add(at)
  })
}

/** More changes than this are a mistake in the settings, not pages. */
const MAX_CHANGES = 100_000_000

export function processOf(
  pages: number,
  days: number,
  changesOf: (page: number, add: (at: number) => void) => void,
): ChangeProcess {
  const starts = new Uint32Array(pages + 1)
  const instants: number[] = []
  const add = (at: number): void => {
    if (instants.length >= MAX_CHANGES)
      throw new RangeError(`more than ${MAX_CHANGES} changes; take fewer pages or days`)
    instants.push(at)
  }
  for (let page = 0; page < pages; page++) {
    changesOf(page, add)
    starts[page + 1] = instants.length
  }
  return { pages, days, starts, instants: Float64Array.from(instants) }
}

/** How many changes each page had that somebody who looks once a day can see: days on which it changed. */
export function daysChanged({ pages, starts, instants }: ChangeProcess): Uint32Array {
  const counts = new Uint32Array(pages)
  for (let page = 0; page < pages; page++) {
    let last = -1
    for (let i = starts[page]!; i < starts[page + 1]!; i++) {
      const day = Math.floor(instants[i]!)
      if (day === last) continue
      counts[page]!++
      last = day
    }
  }
  return counts
}

/** The pages that changed on each day, each once, in the order of their numbers. */
export function changedByDay({ pages, days, starts, instants }: ChangeProcess): readonly Uint32Array[] {
  const lists: number[][] = Array.from({ length: days }, () => [])
  for (let page = 0; page < pages; page++) {
    let last = -1
    for (let i = starts[page]!; i < starts[page + 1]!; i++) {
      const day = Math.floor(instants[i]!)
      if (day === last) continue
      lists[day]!.push(page)
      last = day
    }
  }
  return lists.map((list) => Uint32Array.from(list))
}

/** The day each page changed last; -1 for one that never did. */
export function lastChangeDay({ pages, starts, instants }: ChangeProcess): Int32Array {
  const days = new Int32Array(pages)
  for (let page = 0; page < pages; page++) {
    const end = starts[page + 1]!
    days[page] = end === starts[page] ? -1 : Math.floor(instants[end - 1]!)
  }
  return days
}
