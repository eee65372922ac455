/** Polling by a limit on the probability of being outdated, by a fixed period, and by value, as means over the runs. */
import { policyNamed } from '@comity/frontier'
import { byLimit, byPolicy, poll } from './polling.ts'
import type { FileChanges, Polling } from './polling.ts'
import type { CooperationSettings } from './settings.ts'
import type { Workload } from './workloads.ts'
import { intervalOf } from '../servers/curve.ts'
import type { Interval } from '../servers/curve.ts'

export interface MeanPolling {
  /** Polls of a site in a day. */
  readonly polls: number
  /** Share of them that found nothing. */
  readonly needless: number
  readonly outdated: Interval
  readonly worst: number
}

export interface WorkloadOutcome {
  readonly name: string
  readonly about: string
  readonly sites: number
  /** Changes of a site's file in a day. */
  readonly changes: number
  /** Every so many days, as settings have it. */
  readonly period: MeanPolling
  /** By the limit, rising; `fixed` is the period that makes as many requests. */
  readonly limits: readonly { readonly limit: number; readonly limited: MeanPolling; readonly fixed: MeanPolling }[]
  readonly optimal: readonly MeanPolling[]
}

/** Of `optimal`: from many polls to few. Above some price it gives up pages that change often. */
const PRICES: readonly number[] = [0.02, 0.04, 0.07, 0.1, 0.15, 0.2]

export function measureWorkload({ name, about, runs }: Workload, settings: CooperationSettings): WorkloadOutcome {
  const times = { days: settings.pollDays, warmUpDays: settings.warmUpDays }
  const over = (run: (sites: readonly FileChanges[]) => Polling): MeanPolling =>
    meanOf(runs.map((sites) => ({ ...run(sites), sites: sites.length })))
  const byPeriod = (days: number): MeanPolling =>
    over((sites) => poll(sites, byPolicy(policyNamed('uniform'), days), times))
  const sites = runs[0]!.length
  const changes = runs.flat().reduce((sum, { length }) => sum + length, 0)
  return {
    name,
    about,
    sites,
    changes: changes / (runs.length * sites * settings.pollDays),
    period: byPeriod(settings.periodDays),
    limits: settings.maxOutdated
      .toSorted((a, b) => a - b)
      .map((limit) => {
        const limited = over((one) => poll(one, byLimit(limit, settings.longestPollDays), times))
        // Without a single poll there is no period that makes as many.
        return { limit, limited, fixed: byPeriod(limited.polls > 0 ? 1 / limited.polls : settings.pollDays) }
      }),
    optimal: PRICES.map((price) => over((one) => poll(one, byPolicy(policyNamed('optimal'), price), times))),
  }
}

function meanOf(runs: readonly (Polling & { readonly sites: number })[]): MeanPolling {
  const mean = (value: (run: (typeof runs)[number]) => number): number => intervalOf(runs.map(value)).mean
  const { mean: outdated, low, high } = intervalOf(runs.map((run) => run.outdated))
  return {
    polls: mean(({ pollsADay, sites }) => pollsADay / sites),
    needless: mean((run) => run.needless),
    outdated: { mean: outdated, low: Math.max(0, low), high: Math.min(1, high) },
    worst: mean((run) => run.worst),
  }
}
