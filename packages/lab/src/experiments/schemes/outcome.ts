/** All that came out of a year: the runs, the cells of the paper's table, freshness and its price, and how pages change. */
import type { ChangeSizes } from './differences.ts'
import type { Staleness } from './freshness.ts'
import { Prices } from './price.ts'
import { BASE_FORM, KNOWING_FORM } from './pulled.ts'
import { networkBytes } from './run.ts'
import type { SchemeCost, SchemeRun } from './run.ts'
import type { SchemesSettings } from './settings.ts'
import type { SchemeForm } from './table.ts'
import { cellsOf } from './verdict.ts'
import type { SchemeCell } from './verdict.ts'
import type { Year } from '../../cooperating/year.ts'

export interface SchemesOutcome {
  /** As much of it as was lived through, and all the days that there are. */
  readonly year: Year
  readonly wholeDays: number
  readonly days: number
  readonly settings: SchemesSettings
  /** Polled at one period, or sent. */
  readonly runs: readonly SchemeRun[]
  /** Of schemes that tell what changed, polled more often. */
  readonly often: readonly SchemeRun[]
  /** Against GET of every page, and against GET of just those that changed. */
  readonly cells: readonly SchemeCell[]
  readonly knowingCells: readonly SchemeCell[]
  /** Of each run, by its form. */
  readonly staleness: ReadonlyMap<string, Staleness>
  /** What a form reaches, at least, for the bytes that no cooperation takes; undefined where it takes more. */
  readonly equalBytes: ReadonlyMap<string, Staleness | undefined>
  readonly equalFreshness: readonly EqualFreshness[]
  /** By the days between polls. */
  readonly byPeriod: readonly (readonly [days: number, staleness: Staleness])[]
  readonly sizes: ChangeSizes
}

/** What it takes to be as fresh as who is polled so often. */
interface EqualFreshness extends Staleness {
  readonly everyDays: number
  /** By form; undefined for those that are not sent so often. */
  readonly costs: ReadonlyMap<string, SchemeCost | undefined>
}

const [HOUR, MINUTE] = [1 / 24, 1 / 1_440]
const PERIODS = [MINUTE, MINUTE * 5, HOUR / 2, HOUR, HOUR * 6, 1, 2, 4, 7, 14, 28, 56, 112]
const EQUAL_DAYS: readonly number[] = [1, HOUR, MINUTE]

interface OutcomeParts {
  readonly year: Year
  readonly wholeDays: number
  readonly settings: SchemesSettings
  readonly runs: readonly SchemeRun[]
  readonly often: readonly SchemeRun[]
  readonly sizes: ChangeSizes
}

export function outcomeOf(parts: OutcomeParts): SchemesOutcome {
  const { year, settings, runs, often } = parts
  const prices = new Prices(year)
  const base = networkBytes(runs.find(({ form }) => form.id === BASE_FORM)!.year)
  const staleness = new Map(runs.map(({ form, synced }) => [form.id, prices.synced(synced)]))
  const schemes = runs.filter(isScheme)
  const runsOf = (form: SchemeForm): readonly SchemeRun[] => [...runs, ...often].filter((run) => run.form === form)
  const equalBytes = new Map(
    schemes.map(({ form, everyDays, year: cost }) => {
      if (everyDays === 0) return [form.id, networkBytes(cost) <= base ? staleness.get(form.id) : undefined]
      return [form.id, better(prices.polled(prices.daysFor(runsOf(form), base)), staleness.get(form.id)!, cost, base)]
    }),
  )
  return {
    ...parts,
    days: prices.days,
    cells: cellsOf(runs),
    knowingCells: cellsOf(runs, KNOWING_FORM),
    staleness,
    equalBytes,
    equalFreshness: [settings.everyDays, ...EQUAL_DAYS].map((everyDays) => {
      const { stale, ageMs } = prices.polled(everyDays)
      const costs = new Map(schemes.map(({ form }) => [form.id, prices.costAt(runsOf(form), everyDays)]))
      return { everyDays, stale, ageMs, costs }
    }),
    byPeriod: PERIODS.filter((days) => days <= prices.days).map((days) => [days, prices.polled(days)]),
  }
}

/** What knows for nothing has no price. */
export const isScheme = ({ form }: SchemeRun): boolean => form.id !== KNOWING_FORM

/** A period that fits the end of the year worse is no reason to come less often. */
function better(one: Staleness, measured: Staleness, cost: SchemeCost, base: number): Staleness {
  return networkBytes(cost) <= base && measured.stale < one.stale ? measured : one
}
