/** Settings of the replay of a year. */

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

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function schemesSettings(given: Partial<SchemesSettings> = {}): SchemesSettings {
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(schemesDefaults, key))
  if (unknown !== undefined)
    throw new RangeError(`there is no setting ${unknown}; it has ${Object.keys(schemesDefaults).join(', ')}`)
  const settings = { ...schemesDefaults, ...given }
  const { everyDays, oftenDays, atOnce } = settings
  if (!(everyDays >= 1 && everyDays <= 183)) throw new RangeError(`everyDays is ${everyDays}; give 1 to 183`)
  if (oftenDays !== 0 && !(oftenDays >= 1 && oftenDays <= everyDays))
    throw new RangeError(`oftenDays is ${oftenDays}; give 0, or 1 to everyDays`)
  if (!Number.isSafeInteger(atOnce) || atOnce < 1 || atOnce > 64)
    throw new RangeError(`atOnce is ${atOnce}; give a whole number from 1 to 64`)
  return settings
}
