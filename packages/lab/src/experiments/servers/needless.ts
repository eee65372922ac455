/** Needless requests (000 §4.1): visits that find a page as it was. The paper's bound, and visits that are made. */
import type { ChangeProcess } from '../../webs/change-process.ts'

/**
 * The fewest needless requests of R to a page that changes C times. The printed condition R > C − 1 would give −1 where
 * R = C: a bound on a count is at least 0.
 */
export const minNeedless = (changes: number, requests: number): number => Math.max(0, requests - (changes + 1))

/** Figure 3: the bound over all pages, as a share of all requests. `changes` is what daily visits saw of each page. */
function needlessBound(changes: Uint32Array, requests: number): number {
  let needless = 0
  for (const count of changes) needless += minNeedless(count, requests)
  return needless / (requests * changes.length)
}

/** Needless among `requests` visits to each page, evenly over the days and the first at once; the first never is. */
export function needlessVisits({ pages, days, starts, instants }: ChangeProcess, requests: number): Uint32Array {
  const needless = new Uint32Array(pages)
  for (let page = 0; page < pages; page++) {
    let [useful, last] = [0, -1]
    for (let i = starts[page]!; i < starts[page + 1]!; i++) {
      // Between which two visits it happened; what happens after the last one nobody sees.
      const gap = Math.floor((instants[i]! * requests) / days)
      if (gap === last || gap >= requests - 1) continue
      useful++
      last = gap
    }
    needless[page] = requests - 1 - useful
  }
  return needless
}

export interface NeedlessPoint {
  readonly requests: number
  /** Needless at least, and found needless, as shares of all requests. */
  readonly bound: number
  readonly visited: number
  /** Pages with fewer needless visits than the bound, which then is none; and pages with exactly as many. */
  readonly below: number
  readonly tight: number
}

/** `daysChanged` is what the paper's bound is given: how often daily visits saw each page changed. */
export function needlessAt(process: ChangeProcess, daysChanged: Uint32Array, requests: number): NeedlessPoint {
  const { pages, starts } = process
  const visits = needlessVisits(process, requests)
  let [needless, below, tight] = [0, 0, 0]
  for (let page = 0; page < pages; page++) {
    // Visits between two days can tell changes of one day apart, so here every change counts.
    const least = minNeedless(starts[page + 1]! - starts[page]!, requests)
    needless += visits[page]!
    if (visits[page]! < least) below++
    else if (visits[page] === least) tight++
  }
  return { requests, bound: needlessBound(daysChanged, requests), visited: needless / (requests * pages), below, tight }
}
