/** Settings of the coverage experiment. What readers do is our choice, as 001 does not say. */
import { settingsWithin } from '../../setting-bounds.ts'

export interface CoverageSettings {
  /** Start pages of crawls, besides the best one. */
  readonly seedCounts: readonly number[]
  readonly zipf: number
  readonly viewsPerPage: number
  readonly activeShare: number
  /** Of the curve, and of what is told. */
  readonly days: readonly number[]
  readonly toldDays: number
  readonly seed: number
}

export const coverageDefaults: CoverageSettings = {
  seedCounts: [10, 100, 1_000],
  zipf: 0.8,
  viewsPerPage: 0.1,
  activeShare: 0.25,
  days: [0.1, 0.3, 1, 2, 4, 7, 14, 30, 60, 120, 240, 365],
  toldDays: 30,
  seed: 1,
}

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function coverageSettings(given: Partial<CoverageSettings> = {}): CoverageSettings {
  const settings = settingsWithin(given, coverageDefaults, {
    whole: [['seed', 0, Number.MAX_SAFE_INTEGER]],
    amounts: [
      ['zipf', 0, 3],
      ['viewsPerPage', 1e-6, 1e6],
      ['activeShare', 0, 1],
      ['toldDays', 1e-6, 1e5],
    ],
  })
  rising('seedCounts', settings.seedCounts, 1, 1e6)
  rising('days', settings.days, 1e-6, 1e5)
  if (!settings.seedCounts.every(Number.isSafeInteger)) throw new RangeError('seedCounts must be whole numbers')
  return settings
}

function rising(name: string, values: readonly number[], least: number, most: number): void {
  const isRising = values.every((value, at) => at === 0 || value > values[at - 1]!)
  if (values.length === 0 || !isRising || values.some((value) => !(value >= least && value <= most)))
    throw new RangeError(`${name} are ${values.join(', ')}; give some from ${least} to ${most}, rising`)
}
