/** A collection that is kept fresh for as long as a test wants, and what it holds then. */
import assert from 'node:assert/strict'
import { Collection, storedContent } from '@comity/collection'
import type { CaptureRow } from '@comity/collection'
import { crawl, watchOptions } from '@comity/crawler'
import type { CooperationRow } from '@comity/follow'
import type { WatchOptions, World } from '@comity/crawler'
import type { Hooks } from '@comity/ingest'
import { comesTrue, PATIENCE_MS, quick } from '../crawl/quick-crawl.ts'

export interface KeptPage {
  readonly text: string | undefined
  readonly outcome: string
  readonly captures: readonly CaptureRow[]
}

/** Every page by its path. */
export async function holdings(into: string): Promise<Map<string, KeptPage>> {
  await using collection = Collection.openReadOnly(into)
  const held = new Map<string, KeptPage>()
  for (const { key, value } of collection.pages()) {
    const content = value.body === undefined ? undefined : storedContent(collection, value.body)
    const text = content?.kind === 'ok' ? Buffer.from(content.bytes).toString() : undefined
    const captures = [...collection.captures(key)].map((capture) => capture.value)
    held.set(new URL(collection.url(key)!).pathname, { text, outcome: value.outcome, captures })
  }
  return held
}

/** What is remembered of the first site. */
export async function cooperationOf(into: string): Promise<CooperationRow> {
  await using collection = Collection.openReadOnly(into)
  return collection.cooperation(0) as CooperationRow
}

export const REAL_WORLD: World = { now: () => Date.now(), random: () => Math.random() }
/** Every page that is delivered is compared with what the site serves, whatever chance would have said. */
export const CHECKING_WORLD: World = { ...REAL_WORLD, random: () => 0.02 }

/** Until `isEnough`, looked at as the run goes on. */
export async function keepFresh(
  into: string,
  isEnough: () => boolean | Promise<boolean>,
  options: Partial<WatchOptions> = {},
  world: World = REAL_WORLD,
  hooks: Hooks = {},
): Promise<void> {
  const settings = { requestsPerSecond: 50, dayMs: 4_000, explore: 0.2, minPollMs: 150 }
  const stop = new AbortController()
  const watching = { ...quick, hooks, watch: watchOptions({ ...settings, ...options }) }
  const over = new AbortController()
  const run = crawl({ into, options: watching, world, signal: stop.signal }).finally(() => over.abort())
  try {
    // A run that fails is not waited for; and nobody looks any more when the next may begin.
    assert.ok(await comesTrue(isEnough, PATIENCE_MS, over.signal), 'four minutes were not enough')
  } finally {
    stop.abort()
    await run
  }
}
