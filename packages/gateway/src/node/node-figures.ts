/** Node figures: what a gateway saw, took and left out, in numbers. */
import type { PageVerdict } from '../privacy/page-verdict.ts'
import { PAGE_VERDICTS } from '../privacy/page-verdict.ts'

export interface NodeFigures {
  /** Requests and answers that went by, whole or not. */
  messages: number
  /** Those that were rebuilt whole. */
  captures: number
  /** Of their bodies. */
  bytes: number
  /** Pages that may be indexed, each time, and their bytes without codings. */
  pages: number
  htmlBytes: number
  /** Why the others were left out. */
  readonly skipped: Record<string, number>
  /** What the pages were found to be. */
  readonly verdicts: Record<PageVerdict, number>
  readonly hits: { readers: number; robots: number }
  /** Told as unchanged, and as gone. */
  seenAgain: number
  gone: number
  /** HTML of pages that were shipped, and what of their words and links was shipped. */
  freshHtmlBytes: number
  postingBytes: number
  /** All that was shipped. */
  batches: number
  batchBytes: number
  /** Batches that went because nobody took them. */
  droppedBatches: number
  /** Pages of the table that went because there were too many. */
  evictedPages: number
}

export const newFigures = (): NodeFigures => ({
  messages: 0,
  captures: 0,
  bytes: 0,
  pages: 0,
  htmlBytes: 0,
  skipped: {},
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each of them.
  verdicts: Object.fromEntries(PAGE_VERDICTS.map((name) => [name, 0])) as Record<PageVerdict, number>,
  hits: { readers: 0, robots: 0 },
  seenAgain: 0,
  gone: 0,
  freshHtmlBytes: 0,
  postingBytes: 0,
  batches: 0,
  batchBytes: 0,
  droppedBatches: 0,
  evictedPages: 0,
})

/** Shipped bytes over bytes of HTML: words and links of pages that were shipped (001 §IV: about 7 %), and all of all. */
export function shippedShares(figures: NodeFigures): { readonly firstSight: number; readonly all: number } {
  const { postingBytes, freshHtmlBytes, batchBytes, htmlBytes } = figures
  return {
    firstSight: freshHtmlBytes === 0 ? 0 : postingBytes / freshHtmlBytes,
    all: htmlBytes === 0 ? 0 : batchBytes / htmlBytes,
  }
}

/** What was left out, of all that went by. */
export function skippedShare({ skipped, messages }: NodeFigures): number {
  const count = Object.values(skipped).reduce((sum, times) => sum + times, 0)
  return messages === 0 ? 0 : count / messages
}
