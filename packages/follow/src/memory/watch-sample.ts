/** WatchSample: what a watch has cost and brought so far, and how fresh it thinks its collection is. */
import type { GatewayRows } from '@comity/ingest'

/** What one way of asking has come to. `page`: whole pages, one for each request. */
export interface SchemeFigures {
  readonly requests: number
  readonly bytes: number
  /** Pages that were found to be others than before, or new. */
  readonly changed: number
  readonly unchanged: number
}

export interface WatchSample {
  readonly policy: string
  /** The budget: requests a second, all together. */
  readonly requestsPerSecond: number
  /** How long a day lasts, for rates and trust: less in a demonstration. */
  readonly dayMs: number
  /** Pages that are kept fresh. */
  readonly pages: number
  /** Estimated, 0 to 1, each page by its importance. */
  readonly freshness: number
  /** Estimated mean age of the copies, in seconds; 0 for a copy that is fresh. */
  readonly ageSeconds: number
  readonly requests: number
  readonly bytes: number
  /** Visits that found nothing new. */
  readonly needless: number
  readonly schemes: Readonly<Record<string, SchemeFigures>>
  /** What sites said, by channel: how often it was news. */
  readonly signals: Readonly<Record<string, { readonly news: number; readonly known: number }>>
  /** What sites sent unasked; absent where nobody is heard. */
  readonly pushes?: PushFigures | undefined
  /** What gateways came to, by name; absent where none is heard. */
  readonly gateways?: GatewayRows | undefined
}

export interface PushFigures {
  /** Pages and notices, by what came of each. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly bytes: number
  /** Pages and notices a second, over the last ten. */
  readonly perSecond: number
  /** From its arrival until it was taken in, in milliseconds, of the last thousand. */
  readonly delayP50Ms: number
  readonly delayP99Ms: number
  /** From a change at its site until it can be found; absent before the first. */
  readonly searchable?: DelayFigures | undefined
  readonly subscriptions: SubscriptionCounts
  /** At the endpoints; absent until they were asked. */
  readonly doors?: EndpointFigures | undefined
}

export interface DelayFigures {
  /** How many were measured, older ones too. */
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface SubscriptionCounts {
  /** Sites that push. */
  readonly active: number
  /** Hubs that have yet to verify what they were asked for. */
  readonly asked: number
}

export interface EndpointFigures {
  /** Requests, not pages. */
  readonly accepted: number
  readonly acceptedBytes: number
  readonly byDoor: Readonly<Record<string, number>>
  /** By reason. */
  readonly refused: Readonly<Record<string, number>>
  /** With a bad signature, by a callback: answered as if it were good (WebSub §8.1). Counted among the refused, too. */
  readonly ignored: number
  /** Accepted and not taken in yet. */
  readonly waiting: number
  readonly waitingBytes: number
  /** Notices whose proof could not be looked at yet. */
  readonly pending: number
  /** How full the room for what waits is, from 0 to 1. */
  readonly fill: number
}
