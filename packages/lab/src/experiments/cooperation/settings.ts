/** Settings of the experiment of 002 §6.5, with what the paper says as the default and our own choice where it is silent. */
import { serversDefaults } from '../servers/settings.ts'
import { settingsWithin } from '../../setting-bounds.ts'
import type { Bounds } from '../../setting-bounds.ts'
import { CLASS_DAYS } from '../../webs/change-classes.ts'

export interface CooperationSettings {
  /** Pages of the made sites: the paper's, and one so large that its file is a waste. */
  readonly pages: readonly number[]
  /** One run of each workload; sites are made from the first. */
  readonly seeds: readonly number[]
  /** Characters of a URL. 247 bytes a page in the form of Figure 6.5 take 64: 119 bytes around two URLs. */
  readonly urlChars: number
  readonly meanBytes: number
  readonly userAgent: string
  /** Up to so many pages all documents are read and have to tell of what changed; of larger sites they are only weighed. */
  readonly readPages: number
  /** How long workloads are polled, and what is not counted of it. */
  readonly pollDays: number
  readonly warmUpDays: number
  readonly fewSites: number
  readonly manySites: number
  /** Between which intervals the files of few sites change. */
  readonly seldomDays: readonly [low: number, high: number]
  readonly oftenDays: readonly [low: number, high: number]
  /** Of many sites: the bars of 000 Figure 2, and the longest interval. */
  readonly classShares: readonly number[]
  readonly longestDays: number
  /** Probabilities of being outdated that are put up with; the first is told of in words. */
  readonly maxOutdated: readonly number[]
  /** The longest that a site is left alone under a limit. The crawler's is a day; longer, it is the limit that decides. */
  readonly longestPollDays: number
  /** 002 §6.5.1: "on a daily basis seems acceptable". */
  readonly periodDays: number
}

export const cooperationDefaults: CooperationSettings = {
  pages: [249, 100_000],
  seeds: [1, 2, 3],
  urlChars: 64,
  meanBytes: 13_000,
  userAgent: 'comity/0.1',
  readPages: 5_000,
  pollDays: 365,
  warmUpDays: 65,
  fewSites: 5,
  manySites: 50,
  seldomDays: [30, 120],
  oftenDays: [0.25, 1],
  classShares: serversDefaults.classShares,
  longestDays: 365,
  maxOutdated: [0.2, 0.1, 0.3, 0.5, 0.7, 0.9],
  longestPollDays: 30,
  periodDays: 1,
}

const BOUNDS: Bounds<CooperationSettings> = {
  whole: [
    ['urlChars', 40, 2_000],
    ['readPages', 0, 10_000_000],
    ['pollDays', 10, 3_650],
    ['warmUpDays', 0, 3_650],
    ['fewSites', 1, 10_000],
    ['manySites', 1, 10_000],
  ],
  amounts: [
    ['meanBytes', 1, 1e9],
    ['longestDays', CLASS_DAYS.at(-1)! + 1, 100_000],
    ['periodDays', 0.05, 365],
    ['longestPollDays', 0.05, 365],
  ],
}
const [MAX_PAGES, MAX_SITES, MAX_SEEDS] = [1_000_000, 10, 100]

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function cooperationSettings(given: Partial<CooperationSettings> = {}): CooperationSettings {
  const settings = settingsWithin(given, cooperationDefaults, BOUNDS)
  checkLists(settings)
  return settings
}

function checkLists(settings: CooperationSettings): void {
  const { pages, seeds, maxOutdated, classShares, seldomDays, oftenDays, pollDays, warmUpDays, userAgent } = settings
  if (
    pages.length > MAX_SITES ||
    !areCounts(pages, MAX_PAGES) ||
    pages.length === 0 ||
    pages.some((count) => count < 2)
  )
    throw new RangeError(`pages are ${pages.join(', ')}; give 1 to ${MAX_SITES} numbers from 2 to ${MAX_PAGES}`)
  if (new Set(pages).size < pages.length) throw new RangeError(`pages are ${pages.join(', ')}; give each number once`)
  if (seeds.length === 0 || seeds.length > MAX_SEEDS || !areCounts(seeds, Number.MAX_SAFE_INTEGER))
    throw new RangeError(`seeds are ${seeds.join(', ')}; give 1 to ${MAX_SEEDS} whole numbers`)
  if (maxOutdated.length === 0 || maxOutdated.some((share) => !(share >= 0.01 && share <= 0.99)))
    throw new RangeError(`maxOutdated is ${maxOutdated.join(', ')}; give at least one, from 0.01 to 0.99`)
  for (const [low, high] of [seldomDays, oftenDays])
    if (!(low >= 0.05 && high >= low && high < Infinity))
      throw new RangeError(`sites change every ${low} to ${high} days; give a span from 0.05 days on`)
  const sum = classShares.reduce((total, share) => total + share, 0)
  if (
    classShares.length !== CLASS_DAYS.length + 1 ||
    Math.abs(sum - 1) > 1e-6 ||
    classShares.some((one) => !(one >= 0))
  )
    throw new RangeError(`classShares are ${classShares.join(', ')}; give ${CLASS_DAYS.length + 1} that add up to 1`)
  if (warmUpDays >= pollDays) throw new RangeError(`${pollDays} days are too few with ${warmUpDays} that do not count`)
  if (!/^[\x21-\x7e][\x20-\x7e]{0,199}$/.test(userAgent))
    throw new RangeError('userAgent is what a crawler calls itself: 1 to 200 characters of a header field')
}

const areCounts = (list: readonly number[], most: number): boolean =>
  list.every((count) => Number.isSafeInteger(count) && count >= 0 && count <= most)
