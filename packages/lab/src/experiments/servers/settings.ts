/** Settings of the experiment of 000, with what the paper says as the default and our own choice where it is silent. */
import { settingsWithin } from '../../setting-bounds.ts'
import { CLASS_DAYS } from '../../webs/change-classes.ts'

export interface ServersSettings {
  /** 000 §6: 10,000 pages of four sites, for 100 days, at 100 levels of bandwidth. */
  readonly pages: number
  readonly sites: number
  readonly days: number
  readonly levels: number
  /** One run each. A history is run on as many stretches of it. */
  readonly seeds: readonly number[]
  /** Bars of Figure 2. The text has the first, and that the last is above 30 %; those between are our assumption. */
  readonly classShares: readonly number[]
  /** The longest interval of the last bar where changes are Poisson; our own choice. In the paper's form such pages do
   * not change at all, as they were not seen to. */
  readonly longestDays: number
  /** What Figures 3 and 6 imply of the pages they were drawn from: 77 % needless, and a gain that shrinks past 0.22. */
  readonly changedADay: number
  /** Poisson changes a day of pages in the first bar, which a daily visit finds changed each time. */
  readonly dailyRate: number
  /** Pages that a day's metadata costs: the paper's own, then two files of 42 KB at 13 KB a page from one site and from
   * four. The first is drawn. */
  readonly metadataPages: readonly number[]
  readonly meanBytes: number
  /** An entry, compressed, and how many a segment has (000 §3.3, §3.4). */
  readonly entryBytes: number
  readonly segmentEntries: number
  /** A changed page sent as a difference, as a share of its size. */
  readonly deltaShare: number
}

export const serversDefaults: ServersSettings = {
  pages: 10_000,
  sites: 4,
  days: 100,
  levels: 100,
  seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  classShares: [0.23, 0.15, 0.16, 0.15, 0.31],
  longestDays: 1_200,
  changedADay: 0.22,
  dailyRate: 8,
  metadataPages: [8, 6.5, 26],
  meanBytes: 13_000,
  entryBytes: 22,
  segmentEntries: 2_000,
  deltaShare: 0.05,
}

type Key = keyof ServersSettings

const WHOLE: readonly (readonly [key: Key, least: number, most: number])[] = [
  ['pages', 1, 1_000_000],
  ['sites', 1, 1_000_000],
  ['days', 2, 3_650],
  ['levels', 2, 1_000],
  ['segmentEntries', 1, 1_000_000],
]
const AMOUNTS: readonly (readonly [key: Key, least: number, most: number])[] = [
  ['longestDays', CLASS_DAYS.at(-1)! + 1, 100_000],
  ['changedADay', 0.001, 1],
  ['dailyRate', 1, 100],
  ['meanBytes', 1, 1e9],
  ['entryBytes', 1, 10_000],
  ['deltaShare', 0, 1],
]
const MAX_SEEDS = 100

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function serversSettings(given: Partial<ServersSettings> = {}): ServersSettings {
  const settings = settingsWithin(given, serversDefaults, { whole: WHOLE, amounts: AMOUNTS })
  const { classShares, metadataPages, seeds, sites, pages } = settings
  if (sites > pages) throw new RangeError(`${pages} pages are too few for ${sites} sites`)
  const sum = classShares.reduce((total, share) => total + share, 0)
  if (
    classShares.length !== CLASS_DAYS.length + 1 ||
    Math.abs(sum - 1) > 1e-6 ||
    classShares.some((share) => !(share >= 0))
  )
    throw new RangeError(`classShares are ${classShares.join(', ')}; give ${CLASS_DAYS.length + 1} that add up to 1`)
  if (metadataPages.length === 0 || metadataPages.some((cost) => !(cost >= 0 && cost < Infinity)))
    throw new RangeError(`metadataPages are ${metadataPages.join(', ')}; give at least one, none below 0`)
  if (seeds.length === 0 || seeds.length > MAX_SEEDS || !seeds.every(Number.isSafeInteger))
    throw new RangeError(`seeds are ${seeds.join(', ')}; give 1 to ${MAX_SEEDS} whole numbers`)
  return settings
}
