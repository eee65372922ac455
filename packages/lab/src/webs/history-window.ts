/** A stretch of a site's history: the pages that were there all the time, when they changed, and how large they were. */
import { processOf } from './change-process.ts'
import type { ChangeProcess } from './change-process.ts'
import type { History, HistoryEvent } from './history-file.ts'
import type { Instant } from '@comity/protocol'

export const DAY_MS = 86_400_000

interface HistoryWindow {
  readonly from: Instant
  readonly process: ChangeProcess
  /** Of each page, as it was when the window begins. */
  readonly bytes: Float64Array
  readonly paths: readonly string[]
  /** Pages there at the beginning that were deleted before the end. */
  readonly leftOut: number
}

export function historyWindow(history: History, from: Instant, days: number): HistoryWindow {
  const until = from + days * DAY_MS
  const kept: { readonly path: string; readonly bytes: number; readonly changes: readonly HistoryEvent[] }[] = []
  let leftOut = 0
  for (const { path, events } of history.pages) {
    const before = versionBefore(events, from)
    if (before === undefined) continue
    if (isDeletedWithin(events, from, until)) leftOut++
    else kept.push({ path, bytes: before.bytes, changes: events.filter(({ at }) => at >= from && at < until) })
  }
  const process = processOf(kept.length, days, (page, add) => {
    for (const { at } of kept[page]!.changes) add((at - from) / DAY_MS)
  })
  return {
    from,
    process,
    bytes: Float64Array.from(kept, ({ bytes }) => bytes),
    paths: kept.map(({ path }) => path),
    leftOut,
  }
}

/** Whether the window has any page: one that was there before it begins and is not deleted before it ends. */
export function hasPages(history: History, from: Instant, days: number): boolean {
  const until = from + days * DAY_MS
  return history.pages.some(
    ({ events }) => versionBefore(events, from) !== undefined && !isDeletedWithin(events, from, until),
  )
}

/** As the page was before an instant; undefined when it was not there. */
function versionBefore(events: readonly HistoryEvent[], from: Instant): HistoryEvent | undefined {
  const before = events.findLast(({ at }) => at < from)
  return before?.change === 'deleted' ? undefined : before
}

const isDeletedWithin = (events: readonly HistoryEvent[], from: Instant, until: Instant): boolean =>
  events.some(({ at, change }) => change === 'deleted' && at >= from && at < until)

/** Where windows begin that lie evenly over a history, without overlap where there is room. */
export function windowStarts({ from, until }: History, count: number, days: number): Instant[] {
  const room = until - from - days * DAY_MS
  if (room < 0) return []
  return Array.from({ length: count }, (_, i) => from + Math.floor((room * (i + 1)) / count))
}
