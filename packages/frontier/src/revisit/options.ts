/** Revisit options: what a queue of visits is told, and what it tells of each visit. */
import type { Instant } from '@comity/protocol'
import type { RevisitPolicy } from './policies.ts'
import type { BudgetOptions } from '../queue/visit-budget.ts'

export interface RevisitOptions {
  readonly policy: RevisitPolicy
  readonly budget: BudgetOptions
  readonly random: () => number
  /** How long a day lasts for rates, trust and floors; less in a demonstration. */
  readonly dayMs?: number
  /** Visits to one site at a time. */
  readonly outPerSite?: number
  readonly maxIntervalDays?: number
  /** Largest share of visits that go to pages beyond the longest interval. */
  readonly floorShare?: number
  readonly auditShare?: number
}

export const revisitDefaults = {
  dayMs: 86_400_000,
  outPerSite: 1,
  maxIntervalDays: 30,
  floorShare: 0.1,
  auditShare: 0.015,
} as const

/**
 * Due; early, as nothing is due; or beside the calendar: beyond the longest interval, to find hidden changes, or to try a
 * channel that is not believed.
 */
export type RevisitReason = 'due' | 'early' | 'floor' | 'audit' | 'sample'

export interface Revisit {
  readonly page: number
  readonly site: number
  readonly reason: RevisitReason
  readonly value: number
  readonly price: number
}

/** From when on a site may be asked again, by its politeness: `now` or earlier when it is free. */
export type SiteClock = (site: number) => Instant
