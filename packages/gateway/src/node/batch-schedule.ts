/**
 * Batch schedule: when a batch is cut, and when one leaves. Pure.
 *
 * 001 §V: a router takes as long to send its index data as it took to gather them, at a rate in proportion to their
 * volume, so that nothing is left over and nothing comes in bursts. So a batch is cut when it is large enough to pack
 * well, or when its oldest part has waited for a period; and what waits leaves evenly spread over the next period: two
 * batches that wait leave half a period apart, ten a tenth.
 */
import type { Instant } from '@comity/protocol'

export interface BatchSchedule {
  /** How long what was seen may wait for its batch, and how long it takes to send what waits. */
  readonly everyMs: number
  /** About as large as a batch becomes: pages share words, so small ones cost more for each page. */
  readonly batchBytes: number
  /** URLs in it. */
  readonly batchRows: number
}

export const batchSchedule: BatchSchedule = { everyMs: 300_000, batchBytes: 4 << 20, batchRows: 50_000 }

/** What is gathered for the next batch. */
export interface Gathered {
  /** Of its first part; undefined while there is none. */
  readonly since: Instant | undefined
  /** About as large as it is now. */
  readonly bytes: number
  readonly rows: number
}

/** When it is to be cut; Infinity while there is nothing in it. */
export function cutsAt({ since, bytes, rows }: Gathered, { everyMs, batchBytes, batchRows }: BatchSchedule): Instant {
  if (since === undefined) return Infinity
  return bytes >= batchBytes || rows >= batchRows ? since : since + everyMs
}

/** When the next batch leaves, of so many that wait; Infinity for none. */
export function leavesAt(lastLeftAt: Instant, waiting: number, { everyMs }: BatchSchedule): Instant {
  return waiting === 0 ? Infinity : lastLeftAt + Math.floor(everyMs / waiting)
}
