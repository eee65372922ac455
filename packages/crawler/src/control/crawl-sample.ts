/**
 * CrawlSample: one moment of a running crawl, in numbers that can be drawn. Rates are over the last half to one second,
 * whoever asks and however often: two who look at once do not shorten each other's time.
 */
import type { Instant } from '@comity/protocol'
import type { Frontier } from '@comity/frontier'
import type { RunState } from './run-switch.ts'
import { failuresOf } from '@comity/ingest'
import type { Totals } from '@comity/ingest'
import type { WatchSample } from '@comity/follow'

export interface CrawlSample {
  readonly at: Instant
  readonly state: RunState
  readonly pages: number
  readonly pagesPerSecond: number
  readonly bytes: number
  readonly bytesPerSecond: number
  /** Sites that could be visited at this moment. */
  readonly sitesReady: number
  /** Sites with pages that wait. */
  readonly sitesWaiting: number
  readonly pagesWaiting: number
  /** Visits under way. */
  readonly visits: number
  /** Failures so far by outcome. */
  readonly errors: Readonly<Record<string, number>>
  /** Share of the importance known so far that the pages fetched have, 0 to 1; see `run/importance-sample.ts`. */
  readonly importance: number
  /** Pages acknowledged and not yet searchable. */
  readonly unindexed: number
  /** Of a run that keeps the collection fresh. */
  readonly watch?: WatchSample | undefined
}

/** Where a sample is taken from. */
interface SampledCrawl {
  readonly frontier: Frontier
  readonly totals: Totals
  readonly state: () => RunState
  readonly visits: () => number
  readonly importance: () => number
  readonly unindexed: () => number
  readonly watch?: ((now: Instant) => WatchSample | undefined) | undefined
}

interface Point {
  readonly at: Instant
  readonly pages: number
  readonly bytes: number
}

export class CrawlSampler {
  readonly #crawl: SampledCrawl
  /** The last two ticks; rates count from the older one. */
  #older: Point
  #newer: Point

  constructor(crawl: SampledCrawl, now: Instant) {
    this.#crawl = crawl
    this.#older = this.#newer = this.#point(now)
  }

  /** Call it twice a second. */
  tick(now: Instant): void {
    this.#older = this.#newer
    this.#newer = this.#point(now)
  }

  sample(now: Instant): CrawlSample {
    const { frontier, totals, state, visits, importance, unindexed } = this.#crawl
    const { at, pages, bytes } = this.#older
    const watch = this.#crawl.watch?.(now)
    const perSecond = (count: number): number => (now > at ? (count * 1000) / (now - at) : 0)
    return {
      at: now,
      state: state(),
      pages: totals.pages,
      pagesPerSecond: perSecond(totals.pages - pages),
      bytes: totals.bytes,
      bytesPerSecond: perSecond(totals.bytes - bytes),
      sitesReady: frontier.readySites,
      sitesWaiting: sitesWaiting(frontier),
      pagesWaiting: frontier.count('waiting'),
      visits: visits(),
      errors: Object.fromEntries(failuresOf(totals.outcomes)),
      importance: importance(),
      unindexed: unindexed(),
      ...(watch === undefined ? {} : { watch }),
    }
  }

  #point(at: Instant): Point {
    const { pages, bytes } = this.#crawl.totals
    return { at, pages, bytes }
  }
}

function sitesWaiting({ sites }: Frontier): number {
  let count = 0
  for (const { waiting } of sites) if (waiting > 0) count++
  return count
}
