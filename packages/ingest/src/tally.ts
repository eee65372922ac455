/** Tally: what a crawl has done so far, counted once, for the live line, the summary and `--json`. */
import { factKind } from '@comity/collection'
import type { Collection, FactKind } from '@comity/collection'
import { meaningOf } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { isTotals } from './stored-shapes.ts'

export interface Totals {
  /** Pages that were fetched whole, each counted once however often it is visited. */
  pages: number
  /** Body bytes, as sent. */
  bytes: number
  links: number
  requests: number
  outcomes: Partial<Record<Outcome, number>>
}

export const TOTALS: FactKind<Totals> = factKind('totals', isTotals)

/** Of all runs before. */
export function earlierTotals(collection: Collection): Totals | undefined {
  return collection.fact(TOTALS)
}

export class Tally {
  readonly totals: Totals
  /** Visits of this run that found a page whole or unchanged. */
  goodVisits = 0

  constructor(before?: Totals) {
    this.totals = before ?? { pages: 0, bytes: 0, links: 0, requests: 0, outcomes: {} }
  }

  count(outcome: Outcome, bytes: number, isNew: boolean): void {
    const { totals } = this
    totals.bytes += bytes
    totals.outcomes[outcome] = (totals.outcomes[outcome] ?? 0) + 1
    if (outcome === 'ok' || outcome === 'not-modified') this.goodVisits++
    if (outcome === 'ok' && isNew) totals.pages++
  }
}

/** Visits that ended badly, by outcome. */
export function failuresOf(outcomes: Totals['outcomes']): [Outcome, number][] {
  return Object.entries(outcomes)
    .map(([outcome, count]) => [outcome as Outcome, count] as [Outcome, number])
    .filter(([outcome]) => outcome === 'client-error' || meaningOf(outcome).disposition !== 'done')
    .toSorted(([, a], [, b]) => b - a)
}
