/** Settings of the replay of a year, and of the made sites. */
import { settingsWithin } from '../../setting-bounds.ts'

export interface SchemesSettings {
  /** How many days of the year are lived through, from its beginning; 0 for all of them. */
  readonly days: number
  /** Days from poll to poll, and between two sendings of an entire site. */
  readonly everyDays: number
  /** The same for a second run of schemes that say what changed: what is saved may be spent on coming more often. 0: none. */
  readonly oftenDays: number
  /** Days between two runs of a remote agent: each starts a sandbox. */
  readonly agentDays: number
  /** Which, by their ids (schemes-table.ts); the usual ones when none is named, every one for `all`. */
  readonly schemes: readonly string[]
  /** Runs at one time. A run keeps about one processor busy, the site and the crawler taking turns. */
  readonly atOnce: number
  /** Of made sites: how many pages, their mean size, the share of them that changes from poll to poll, and how much of each. */
  readonly madePages: readonly number[]
  /** Larger ones are not packed whole: what that takes is reckoned from the largest that is. */
  readonly entirePages: number
  readonly meanBytes: number
  readonly changedShare: number
  readonly editShare: number
  readonly seed: number
}

export const schemesDefaults: SchemesSettings = {
  days: 56,
  everyDays: 14,
  oftenDays: 1,
  agentDays: 14,
  schemes: [],
  atOnce: 2,
  madePages: [10, 100, 1_000, 10_000, 100_000],
  entirePages: 10_000,
  meanBytes: 2_000,
  changedShare: 0.02,
  editShare: 0.05,
  seed: 1,
}

const MOST_PAGES = 100_000

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function schemesSettings(given: Partial<SchemesSettings> = {}): SchemesSettings {
  const settings = settingsWithin(given, schemesDefaults, {
    whole: [
      ['days', 0, 3_660],
      ['atOnce', 1, 64],
      ['entirePages', 1, MOST_PAGES],
      ['meanBytes', 400, 1_000_000],
      ['seed', 0, 2 ** 32],
    ],
    amounts: [
      ['everyDays', 1, 183],
      ['agentDays', 1, 183],
      ['changedShare', 0.0001, 1],
      ['editShare', 0, 1],
    ],
  })
  const { days, everyDays, oftenDays, madePages } = settings
  if (days !== 0 && days < everyDays)
    throw new RangeError(`days is ${days}; give 0, or everyDays (${everyDays}) or more`)
  if (oftenDays !== 0 && !(oftenDays >= 1 && oftenDays <= everyDays))
    throw new RangeError(`oftenDays is ${oftenDays}; give 0, or 1 to everyDays`)
  const isCount = (pages: number): boolean => Number.isSafeInteger(pages) && pages >= 1 && pages <= MOST_PAGES
  if (!Array.isArray(madePages) || madePages.length === 0 || !madePages.every(isCount))
    throw new RangeError(`madePages is a list of whole numbers from 1 to ${MOST_PAGES}`)
  return settings
}
