/** CrawlCall: what `crawl` is called with, and what it tells its caller while it runs. */
import type { CollectionOptions } from '@comity/collection'
import type { CrawlControl } from './control/crawl-control.ts'
import type { IntakePort } from './push/intake-port.ts'
import type { ShardPort } from './run/shard-port.ts'
import type { CrawlOptions } from './options.ts'
import type { Totals } from '@comity/ingest'
import type { WatchSample } from '@comity/follow'
import type { World } from './world.ts'

/** A look at a running crawl, for progress lines. */
export interface CrawlProgress {
  readonly totals: Totals
  readonly waiting: number
  readonly visits: number
  readonly sitesReady: number
  /** Until the first site has rested, where none is ready; Infinity when nothing waits. */
  readonly restMs: number
  readonly sites: number
  /** Of a run that keeps fresh. */
  readonly watch?: WatchSample | undefined
}

export interface CrawlCall {
  readonly into: string
  readonly options?: Partial<CrawlOptions>
  readonly world?: World
  /** Aborting stops politely. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CrawlProgress) => void
  readonly collection?: Partial<CollectionOptions>
  /** What whoever starts crawls wants to find in the collection the next time. */
  readonly settings?: string | undefined
  /** Called once, when the crawl is about to begin, with the means to steer it. */
  readonly onControl?: (control: CrawlControl) => void
  /** Let other processes steer it too, through a socket in the collection (`connectCrawl`). True when not given. */
  readonly listen?: boolean
  /** Where sites that push are heard, by a run that keeps fresh. */
  readonly intake?: IntakePort
  /** It is one shard of a crawl by several machines. */
  readonly shard?: ShardPort | undefined
}
