/** Tally: what a crawl has done so far, counted once, for the live line, the summary and `--json`. */
import { factKind } from '@comity/collection'
import type { Collection, FactKind, PageRow } from '@comity/collection'
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
  /** Pages that show next to nothing without scripts, and the first of them; absent before the first. */
  needsScripts?: { pages: number; examples: number[] }
}

export const TOTALS: FactKind<Totals> = factKind('totals', isTotals)

const MAX_EXAMPLES = 5

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

  /** Of a page that is known otherwise than before. */
  countScripts(page: number, before: PageRow | undefined, row: PageRow): void {
    const [was, is] = [before?.needsScripts === true, row.needsScripts === true]
    if (was === is) return
    const { pages, examples } = (this.totals.needsScripts ??= { pages: 0, examples: [] })
    const others = examples.filter((one) => one !== page)
    const named = is && others.length < MAX_EXAMPLES ? [...others, page] : others
    this.totals.needsScripts = { pages: Math.max(0, pages + (is ? 1 : -1)), examples: named }
  }
}

/** Those that are held and show next to nothing without scripts, looked up in all rows. */
export function pagesNeedingScripts(collection: Collection): NonNullable<Totals['needsScripts']> {
  const examples: number[] = []
  let pages = 0
  for (const { key, value } of collection.pages()) {
    if (value.needsScripts !== true) continue
    pages++
    if (examples.length < MAX_EXAMPLES) examples.push(key)
  }
  return { pages, examples }
}

/** Visits that ended badly, by outcome. */
export function failuresOf(outcomes: Totals['outcomes']): [Outcome, number][] {
  return Object.entries(outcomes)
    .map(([outcome, count]) => [outcome as Outcome, count] as [Outcome, number])
    .filter(([outcome]) => outcome === 'client-error' || meaningOf(outcome).disposition !== 'done')
    .toSorted(([, a], [, b]) => b - a)
}
