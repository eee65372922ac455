/** Settings of the break-even experiments: sizes that are swept, how pages change, and prices (002 §6.4.1). */
import { textOf } from '@comity/protocol'
import { adviseSiteDefaults } from '../../advise/site/settings.ts'
import { settingsWithin } from '../../setting-bounds.ts'

export interface BreakEvenSettings {
  readonly seed: number
  /** Pages of the sites that are brought up to date, and the mean size of their pages. */
  readonly sitePages: readonly number[]
  readonly meanBytes: number
  /** Mean sizes of pages, on sites of `sizePages`. */
  readonly pageSizes: readonly number[]
  readonly sizePages: number
  /** Shares of the pages that change between two visits. */
  readonly changedShares: readonly number[]
  /** Share of a page that an edit changes; and those that are swept for differences, each over `deltaPages` pages. */
  readonly editShare: number
  readonly editShares: readonly number[]
  readonly deltaPages: number
  /** Pages of the sites whose lists are weighed. */
  readonly listPages: readonly number[]
  /** Changes in a period, for push against polling, on a site of `pushPages`. */
  readonly pushChanges: readonly number[]
  readonly pushPages: number
  /** Polling periods in hours, for a site of `periodPages` over `periodDays`, with so many changes a day in all. */
  readonly periodHours: readonly number[]
  readonly periodPages: number
  readonly periodDays: number
  readonly changesADay: number
  /** What a pushed change takes to arrive, in seconds. */
  readonly pushSeconds: number
  /** For money: crawlers that keep a copy of the site for a year, and prices. */
  readonly crawlers: number
  readonly viewUsd: number
  readonly networkUsd: number
  readonly processingUsd: number
  readonly pageBytes: number
  readonly crawlerUsd: number
  readonly downloadShare: number
  readonly requestMs: number
}

export const breakEvenDefaults: BreakEvenSettings = {
  seed: 1,
  sitePages: [10, 100, 1_000],
  meanBytes: 4_000,
  pageSizes: [1_000, 4_000, 16_000, 64_000],
  sizePages: 100,
  changedShares: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1],
  editShare: adviseSiteDefaults.editShare,
  editShares: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1],
  deltaPages: 8,
  listPages: [10, 100, 1_000, 10_000],
  pushChanges: [1, 2, 5, 10, 20, 50, 100, 200],
  pushPages: 1_000,
  periodHours: [720, 168, 72, 24, 6, 1, 1 / 4, 1 / 60],
  periodPages: 100,
  periodDays: 40,
  changesADay: 5,
  pushSeconds: 1,
  crawlers: 10,
  viewUsd: adviseSiteDefaults.viewUsd,
  networkUsd: adviseSiteDefaults.networkUsd,
  processingUsd: adviseSiteDefaults.processingUsd,
  pageBytes: adviseSiteDefaults.pageBytes,
  crawlerUsd: adviseSiteDefaults.crawlerUsd,
  downloadShare: adviseSiteDefaults.downloadShare,
  requestMs: adviseSiteDefaults.requestMs,
}

type ListKey = 'sitePages' | 'pageSizes' | 'changedShares' | 'editShares' | 'listPages' | 'pushChanges' | 'periodHours'

const LISTS: readonly (readonly [key: ListKey, least: number, most: number, isWhole: boolean])[] = [
  ['sitePages', 1, 100_000, true],
  ['pageSizes', 1, 10_000_000, true],
  ['changedShares', 0, 1, false],
  ['editShares', 0, 1, false],
  ['listPages', 1, 1_000_000, true],
  ['pushChanges', 1, 1_000_000, true],
  ['periodHours', 1 / 3_600, 24 * 3_650, false],
]
const MAX_LENGTH = 20

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function breakEvenSettings(given: Partial<BreakEvenSettings> = {}): BreakEvenSettings {
  const settings = settingsWithin(given, breakEvenDefaults, {
    whole: [
      ['seed', 0, 2 ** 32],
      ['meanBytes', 1, 10_000_000],
      ['sizePages', 1, 100_000],
      ['deltaPages', 1, 1_000],
      ['pushPages', 1, 100_000],
      ['periodPages', 1, 100_000],
      ['periodDays', 1, 3_650],
      ['crawlers', 1, 1_000_000],
    ],
    amounts: [
      ['editShare', 0, 1],
      ['changesADay', 0.001, 100_000],
      ['pushSeconds', 0, 86_400],
      ['viewUsd', 0, 1e6],
      ['networkUsd', 0, 1e6],
      ['processingUsd', 0, 1e6],
      ['pageBytes', 1, 1e12],
      ['crawlerUsd', 0, 1e6],
      ['downloadShare', 0, 1],
      ['requestMs', 0, 60_000],
    ],
  })
  for (const [key, least, most, isWhole] of LISTS) checkList(key, settings[key], least, most, isWhole)
  const { pushChanges, pushPages, viewUsd, networkUsd, processingUsd, periodDays, changesADay } = settings
  if (pushChanges.at(-1)! > pushPages)
    throw new RangeError(`pushChanges has ${pushChanges.at(-1)}, more than the ${pushPages} of pushPages`)
  if (viewUsd <= networkUsd + processingUsd)
    throw new RangeError(`a view brings ${viewUsd} and costs ${networkUsd + processingUsd}: raise viewUsd`)
  if (periodDays * changesADay > MAX_CHANGES)
    throw new RangeError(`${periodDays} days of ${changesADay} changes are more than ${MAX_CHANGES}: lower one of them`)
  return settings
}

const MAX_CHANGES = 100_000

function checkList(key: ListKey, list: unknown, least: number, most: number, isWhole: boolean): void {
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_LENGTH)
    throw new RangeError(`${key} is a list of one to ${MAX_LENGTH} numbers`)
  for (const value of list as unknown[])
    if (typeof value !== 'number' || !(value >= least && value <= most) || (isWhole && !Number.isSafeInteger(value)))
      throw new RangeError(
        `${key} has ${textOf(value)}; give ${isWhole ? 'whole numbers' : 'numbers'} from ${least} to ${most}`,
      )
  // Curves go from left to right, but for periods, which tend to zero.
  const sorted = (list as number[]).toSorted((a, b) => (key === 'periodHours' ? b - a : a - b))
  if (sorted.some((value, at) => value !== (list as number[])[at]))
    throw new RangeError(`${key} has to be in ${key === 'periodHours' ? 'falling' : 'rising'} order`)
}
