/** Settings of the contest of freshness policies: webs, channels, budgets. Made webs follow what was measured of the Web. */
import { settingsWithin } from '../../setting-bounds.ts'
import { REVISIT_POLICIES } from '@comity/frontier'
import { CHANNEL_KINDS } from './channels.ts'
import type { ChannelKind } from './channels.ts'

export interface FreshnessSettings {
  /** The policy that is compared with each of the others. */
  readonly champion: string
  readonly policies: readonly string[]
  /** One web each; of a history, one stretch each. */
  readonly seeds: readonly number[]
  /** Of these many the lines of freshness against budget are drawn, as each point is a run of all policies. */
  readonly curveSeeds: number
  readonly sites: number
  readonly pagesPerSite: number
  readonly days: number
  /** Days at the beginning that do not count: everybody is learning then. */
  readonly warmUpDays: number
  /** Visits a page and day at which policies are compared, and those of the lines. */
  readonly budget: number
  readonly budgets: readonly number[]
  /** Least time between two visits to one site. */
  readonly restMinutes: number
  /** For `outdated`. */
  readonly maxOutdated: number
  /** Pages that never change; median interval of the others, and the spread of its logarithm. */
  readonly stillShare: number
  readonly medianDays: number
  readonly rateSpread: number
  /** Spread of the logarithm of importance, and its correlation with that of the change rate. */
  readonly importanceSpread: number
  readonly importanceCorrelation: number
  /** Of a history: length of a stretch, most pages taken of a site, visits a page and day. */
  readonly historyDays: number
  readonly historySitePages: number
  readonly historyBudget: number
  readonly historyBudgets: readonly number[]
  /** What sites announce in the webs of one kind; `mixed` is all that announce anything, in turn, and silent ones. */
  readonly webs: readonly string[]
  readonly historyWebs: readonly string[]
}

export const MIXED = 'mixed'
export const MIXED_KINDS: readonly ChannelKind[] = ['honest', 'stale', 'lying', 'silent']

export const freshnessDefaults: FreshnessSettings = {
  champion: 'value',
  policies: REVISIT_POLICIES.map(({ name }) => name),
  seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  curveSeeds: 4,
  sites: 8,
  pagesPerSite: 30,
  days: 110,
  warmUpDays: 40,
  budget: 0.1,
  budgets: [0.025, 0.05, 0.1, 0.2],
  restMinutes: 20,
  maxOutdated: 0.2,
  stillShare: 0.35,
  medianDays: 20,
  rateSpread: 1.75,
  importanceSpread: 1,
  importanceCorrelation: 0.3,
  historyDays: 270,
  historySitePages: 40,
  historyBudget: 0.03,
  historyBudgets: [0.01, 0.03, 0.1],
  webs: ['honest', 'stale', 'lying', 'silent', MIXED],
  historyWebs: ['honest', 'stale', 'lying', 'silent', 'dated', MIXED],
}

type Key = keyof FreshnessSettings
type Bound = readonly [key: Key, least: number, most: number]

const WHOLE: readonly Bound[] = [
  ['curveSeeds', 0, 100],
  ['sites', 1, 10_000],
  ['pagesPerSite', 1, 100_000],
  ['days', 2, 3_650],
  ['historyDays', 2, 3_650],
  ['historySitePages', 1, 100_000],
]
const AMOUNTS: readonly Bound[] = [
  ['warmUpDays', 0, 3_650],
  ['budget', 1e-4, 100],
  ['historyBudget', 1e-4, 100],
  ['restMinutes', 0, 14_400],
  ['maxOutdated', 0.001, 0.999],
  ['stillShare', 0, 1],
  ['medianDays', 0.01, 10_000],
  ['rateSpread', 0, 5],
  ['importanceSpread', 0, 5],
  ['importanceCorrelation', -1, 1],
]
const MAX_SEEDS = 100

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function freshnessSettings(given: Partial<FreshnessSettings> = {}): FreshnessSettings {
  const settings = settingsWithin(given, freshnessDefaults, { whole: WHOLE, amounts: AMOUNTS })
  checkLists(settings)
  const shortest = Math.min(settings.days, settings.historyDays)
  if (settings.warmUpDays >= shortest)
    throw new RangeError(`warmUpDays is ${settings.warmUpDays}; give less than ${shortest}, or nothing is measured`)
  return settings
}

function checkLists(settings: FreshnessSettings): void {
  const { policies, champion, seeds, budgets, historyBudgets } = settings
  const known = REVISIT_POLICIES.map(({ name }) => name)
  for (const name of [champion, ...policies])
    if (!known.includes(name)) throw new RangeError(`there is no policy "${name}"; it is one of ${known.join(', ')}`)
  if (new Set(policies).size !== policies.length) throw new RangeError('policies names one twice')
  if (!policies.includes(champion) || policies.length < 2)
    throw new RangeError(`policies are ${policies.join(', ')}; give the champion, ${champion}, and another`)
  if (seeds.length === 0 || seeds.length > MAX_SEEDS || !seeds.every(Number.isSafeInteger))
    throw new RangeError(`seeds are ${seeds.join(', ')}; give 1 to ${MAX_SEEDS} whole numbers`)
  for (const budget of [...budgets, ...historyBudgets])
    if (!(budget >= 1e-4 && budget <= 100)) throw new RangeError(`a budget is ${budget}; give 0.0001 to 100`)
  const names = [MIXED, ...Object.keys(CHANNEL_KINDS)]
  for (const list of [settings.webs, settings.historyWebs])
    if (list.length === 0 || new Set(list).size !== list.length || list.some((name) => !names.includes(name)))
      throw new RangeError(`webs are ${list.join(', ')}; give some of ${names.join(', ')}, each once`)
}
