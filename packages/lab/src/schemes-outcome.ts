/** All that came out of a year: the runs, the cells of the paper's table, freshness, and how much of pages changes. */
import type { ChangeSizes } from './schemes-differences.ts'
import { freshnessOf } from './schemes-freshness.ts'
import { networkBytes, pollTimes } from './schemes-run.ts'
import type { SchemeRun } from './schemes-run.ts'
import type { SchemesSettings } from './schemes-settings.ts'
import { BASE_FORM } from './schemes-table.ts'
import { cellsOf } from './schemes-verdict.ts'
import type { SchemeCell } from './schemes-verdict.ts'
import type { Year } from './schemes-year.ts'

export interface SchemesOutcome {
  readonly year: Year
  readonly settings: SchemesSettings
  readonly runs: readonly SchemeRun[]
  /** Of schemes that tell what changed, polled more often. */
  readonly often: readonly SchemeRun[]
  readonly cells: readonly SchemeCell[]
  /** At the period of `runs`, the same for all: each copy was right after each poll. */
  readonly freshness: number
  readonly oftenFreshness: number
  readonly freshnessBy: readonly (readonly [days: number, freshness: number])[]
  /** What a scheme reaches, at least, for the bytes that no cooperation takes, asked every six hours at most. */
  readonly sameBytes: ReadonlyMap<string, number>
  readonly sizes: ChangeSizes
}

const PERIODS = [0.25, 0.5, 1, 2, 4, 7, 14, 28, 56, 112]
/** However cheap, nobody is asked more often. */
const SHORTEST_DAYS = PERIODS[0]!

export function outcomeOf(
  year: Year,
  settings: SchemesSettings,
  runs: readonly SchemeRun[],
  often: readonly SchemeRun[],
  sizes: ChangeSizes,
): SchemesOutcome {
  const freshAt = (days: number): number => freshnessOf(year, pollTimes(year, days))
  const base = networkBytes(runs.find(({ form }) => form.id === BASE_FORM)!.year)
  const freshness = freshAt(settings.everyDays)
  // As if a poll cost the same however soon it comes after the last: it costs less, as less has changed.
  const daysFor = ({ everyDays, year: cost }: SchemeRun): number => everyDays * Math.min(1, networkBytes(cost) / base)
  const sameBytes = new Map(
    runs.map((run) => {
      const same = [run, ...often.filter(({ form }) => form === run.form)].map(daysFor)
      // A period that fits the end of the year worse is no reason to come less often.
      return [run.form.id, Math.max(freshness, freshAt(Math.max(SHORTEST_DAYS, Math.min(...same))))]
    }),
  )
  return {
    year,
    settings,
    runs,
    often,
    cells: cellsOf(runs),
    freshness,
    oftenFreshness: settings.oftenDays === 0 ? NaN : freshAt(settings.oftenDays),
    freshnessBy: PERIODS.map((days) => [days, freshAt(days)]),
    sameBytes,
    sizes,
  }
}
