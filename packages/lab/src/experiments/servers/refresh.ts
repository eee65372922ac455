/**
 * The two crawlers of 000 §6, to the letter, day by day:
 *
 *   conventional   each day the next pages of a fixed order, as many as the bandwidth allows, round and round
 *   metadata       each day the metadata, then the next pages of that order that have changed; with none left, it stops
 *
 * A day's changes come first, then its publication, then its downloads: a page downloaded on a day is fresh until the
 * next. Bandwidth and sizes are in any one unit a day (the paper's is a page). A download may overrun the end of a day;
 * the next day pays for it. What a day leaves over is lost.
 *
 * They are transcriptions of the paper. The policies that a live crawl has are in the frontier.
 */
import { changedByDay, lastChangeDay } from '../../webs/change-process.ts'
import type { ChangeProcess } from '../../webs/change-process.ts'

/** What both crawlers keep fresh, as far as it need not be worked out for each bandwidth again. */
export interface Repository {
  readonly pages: number
  readonly days: number
  readonly changed: readonly Uint32Array[]
  /** Of all pages that changed on each day. */
  readonly changedSize: readonly number[]
  readonly lastChange: Int32Array
  /** Of each page. */
  readonly sizes: Float64Array
  /** Bandwidth for all pages in a day: what the paper calls 1. */
  readonly total: number
}

export function repositoryOf(process: ChangeProcess, sizes: Float64Array): Repository {
  const { pages, days } = process
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const changed = changedByDay(process)
  const changedSize = changed.map((list) => list.reduce((sum, page) => sum + sizes[page]!, 0))
  return { pages, days, changed, changedSize, lastChange: lastChangeDay(process), sizes, total }
}

/**
 * The share of pages that are fresh at the end. Worked out without walking through the days: the order is fixed and all
 * bandwidth is spent, so how much was spent before a page's last turn tells the day of that turn.
 */
export function conventionalFreshness(
  { pages, days, lastChange, sizes, total }: Repository,
  bandwidth: number,
): number {
  const spent = Math.min(bandwidth, total) * days
  let [fresh, before] = [0, 0]
  for (let page = 0; page < pages; page++) {
    const rounds = Math.ceil((spent - before) / total) - 1
    const visited = rounds < 0 ? -1 : Math.floor((before + rounds * total) / Math.min(bandwidth, total))
    if (visited >= lastChange[page]!) fresh++
    before += sizes[page]!
  }
  return fresh / pages
}

interface MetadataCost {
  /** Bandwidth that the metadata of each day takes. */
  readonly overhead: ArrayLike<number>
  /** What a changed page costs, as a share of its size: 1 without differences. */
  readonly changeShare: number
}

export function metadataFreshness(repository: Repository, bandwidth: number, cost: MetadataCost): number {
  const { pages, days, changed, changedSize, sizes } = repository
  // Enough for the busiest day is enough for all, and need not be played.
  if (changedSize.every((size, day) => size * cost.changeShare + cost.overhead[day]! <= bandwidth)) return 1
  const isStale = new Uint8Array(pages)
  let [credit, next, stale, staleSize] = [0, 0, 0, 0]
  for (let day = 0; day < days; day++) {
    for (const page of changed[day]!) {
      if (isStale[page] === 1) continue
      isStale[page] = 1
      stale++
      staleSize += sizes[page]!
    }
    credit = Math.min(credit, 0) + bandwidth - cost.overhead[day]!
    // With something left it has come round to where it began.
    if (staleSize * cost.changeShare < credit) {
      isStale.fill(0)
      ;[stale, staleSize, credit] = [0, 0, 0]
      continue
    }
    while (credit > 0 && stale > 0) {
      if (isStale[next] === 1) {
        isStale[next] = 0
        stale--
        staleSize -= sizes[next]!
        credit -= sizes[next]! * cost.changeShare
      }
      next = next + 1 === pages ? 0 : next + 1
    }
  }
  return 1 - stale / pages
}
