/** What a simulated crawl is told, and what it tells. */
import type { BatchOptions, Politeness } from '@comity/frontier'
import type { Instant } from '@comity/protocol'
import type { Activity, Curve } from './record.ts'

export interface SimulationSettings {
  /** By name, as `--order` takes it. */
  readonly order: string
  /** r of 004 §4.3. */
  readonly robots: number
  /** B, bytes a second. */
  readonly bandwidth: number
  /** w and k of 004 §4.1 and §4.2 among them. */
  readonly politeness: Politeness
  readonly seed: number
  /** The web's own when not given. */
  readonly homes?: readonly number[]
  readonly batch?: BatchOptions | undefined
  /** Stop after so many pages. */
  readonly maxPages?: number
  readonly maxPagesPerSite?: number
  /** The PageRank of each page; solved when not given. */
  readonly ranks?: Float64Array
  /** For what the web does not say. */
  readonly unknown?: UnknownSpeeds
  readonly requestLatency?: number
}

export interface UnknownSpeeds {
  readonly bytes: number
  readonly latencyMs: number
  readonly bandwidth: number
}

/** 000 §3.4 measured 13 KB a page; the rest is what a generated web has in the middle. */
export const unknownSpeeds: UnknownSpeeds = { bytes: 13_000, latencyMs: 200, bandwidth: 20_000 }

export interface SimulationResult {
  readonly pages: number
  readonly bytes: number
  readonly timeMs: number
  /** T* = ΣP / B (004 §3). */
  readonly leastTimeMs: number
  readonly curve: Curve
  readonly activity: Activity
  /** In bytes. */
  readonly lost: LostBandwidth
  readonly batches: readonly SimulatedBatch[]
}

export interface LostBandwidth {
  readonly politeness: number
  readonly slowSites: number
  readonly fewSites: number
}

export interface SimulatedBatch {
  readonly pages: number
  readonly sites: number
  readonly beganAt: Instant
  /** Pages fetched before it. */
  readonly after: number
}

export interface SimulationHooks {
  onPage?(page: number, now: Instant): void
  /** A connection to a site of the web is closed. */
  onConnection?(site: number, openedAt: Instant, closedAt: Instant, pages: number): void
}
