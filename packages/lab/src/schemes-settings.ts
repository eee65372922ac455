/** Settings of the replay of a year. */
import { settingsWithin } from './setting-bounds.ts'
import type { Bounds } from './setting-bounds.ts'

export interface SchemesSettings {
  /** Days from poll to poll. */
  readonly everyDays: number
  /** The same for a second run of schemes that say what changed: what is saved may be spent on coming more often. 0: none. */
  readonly oftenDays: number
  /** Which, by their ids (schemes-table.ts); all when none is named. What all are compared with is always among them. */
  readonly schemes: readonly string[]
  /** Runs at one time. A run keeps about one processor busy, the site and the crawler taking turns. */
  readonly atOnce: number
}

export const schemesDefaults: SchemesSettings = {
  everyDays: 14,
  oftenDays: 1,
  schemes: [],
  atOnce: 2,
}

const BOUNDS: Bounds<SchemesSettings> = { whole: [['atOnce', 1, 64]], amounts: [['everyDays', 1, 183]] }

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function schemesSettings(given: Partial<SchemesSettings> = {}): SchemesSettings {
  const settings = settingsWithin(given, schemesDefaults, BOUNDS)
  const { everyDays, oftenDays } = settings
  if (oftenDays !== 0 && !(oftenDays >= 1 && oftenDays <= everyDays))
    throw new RangeError(`oftenDays is ${oftenDays}; give 0, or 1 to everyDays`)
  return settings
}
