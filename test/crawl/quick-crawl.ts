/** A crawl of one's own servers without any rest, for tests that are about something else. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { crawl } from '@comity/crawler'
import type { CrawlCall, CrawlOptions, CrawlSummary } from '@comity/crawler'

const scratch = mkdtempSync(join(tmpdir(), 'comity-quick-'))
let made = 0
after(() => rmSync(scratch, { recursive: true, force: true }))

/** A directory that nobody has used yet. */
export const newDirectory = (): string => join(scratch, String(++made))

export const quick: Partial<CrawlOptions> = {
  userAgent: 'comity-test/1.0 (+https://example.org/bot)',
  allowPrivate: true,
  privateDelayMs: 0,
  threads: 0,
  politeness: {
    delayMs: 0,
    pagesPerConnection: 100,
    slowdown: 1,
    backoffMs: 20,
    maxBackoffMs: 50,
    maxRetryAfterMs: 10_000,
  },
}

export function quickCrawl(
  into: string,
  seeds: readonly string[],
  options: Partial<CrawlOptions> = {},
  signal?: AbortSignal,
  more: Pick<CrawlCall, 'intake' | 'world'> = {},
): Promise<CrawlSummary> {
  const call = { into, options: { ...quick, seeds, ...options }, ...more }
  return crawl(signal === undefined ? call : { ...call, signal })
}

/** What comes at all comes sooner, however busy the machine: less than the time limit of a test, so that it can say what did not. */
export const PATIENCE_MS = 240_000

/**
 * Whether something is so within that time, and before `over`: then it is looked at once more. A look that takes long is taken less
 * often: those who make it so need the time.
 */
export async function comesTrue(
  isSo: () => boolean | Promise<boolean>,
  withinMs: number = PATIENCE_MS,
  over?: AbortSignal,
): Promise<boolean> {
  const end = performance.now() + withinMs
  for (;;) {
    const from = performance.now()
    const isLast = over?.aborted === true || from >= end
    if (await isSo()) return true
    if (isLast) return false
    await sleep(Math.max(50, 4 * (performance.now() - from)))
  }
}
