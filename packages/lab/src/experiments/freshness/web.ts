/**
 * Freshness web: pages on sites, with their importance, changes and what their sites say of them, for some days. Made by
 * chance here, after what was measured of the Web: a third of the pages never changes, the others do at rates spread
 * lognormally around once in twenty days; importance is lognormal too, and a little higher where there is more change.
 */
import { CHANNEL_KINDS, announcedChanges } from './channels.ts'
import type { ChannelKind, WebEvent } from './channels.ts'
import { poissonChanges } from '../../webs/change-process.ts'
import { MIXED, MIXED_KINDS } from './settings.ts'
import type { FreshnessSettings } from './settings.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

export interface FreshnessWeb {
  readonly days: number
  readonly siteOf: Uint32Array
  readonly importance: Float64Array
  /** Of each site. */
  readonly kinds: readonly ChannelKind[]
  readonly events: readonly WebEvent[]
  /** Of each page, by day, where it is known. */
  readonly changeRates?: Float64Array
}

/** Once in five years, and seven times a day. */
const [LEAST_RATE, MOST_RATE] = [0.0005, 7]

/** The kinds of so many sites on a web of this name. */
export function kindsOf(web: string, sites: number): ChannelKind[] {
  const kinds = web === MIXED ? MIXED_KINDS : [channelKind(web)]
  return Array.from({ length: sites }, (_, site) => kinds[site % kinds.length]!)
}

function channelKind(name: string): ChannelKind {
  if (!Object.hasOwn(CHANNEL_KINDS, name)) throw new RangeError(`there are no sites of the kind "${name}"`)
  return name as ChannelKind
}

/** The same seed gives the same pages and changes, whatever sites say of them. */
export function madeWeb(name: string, seed: number, settings: FreshnessSettings): FreshnessWeb {
  const { sites, pagesPerSite, days } = settings
  const count = sites * pagesPerSite
  const random = createRandom(seedOf(seed, 'pages'))
  const changeRates = new Float64Array(count)
  const importance = new Float64Array(count)
  for (let page = 0; page < count; page++) {
    const [speed, own] = [normal(random), normal(random)]
    const { importanceCorrelation: r, importanceSpread, medianDays, rateSpread, stillShare } = settings
    importance[page] = Math.exp(importanceSpread * (r * speed + Math.sqrt(1 - r * r) * own))
    const rate = Math.exp(rateSpread * speed) / medianDays
    changeRates[page] = random.next() < stillShare ? 0 : Math.min(MOST_RATE, Math.max(LEAST_RATE, rate))
  }
  const process = poissonChanges(
    changeRates.map((rate) => 1 / rate),
    days,
    createRandom(seedOf(seed, 'changes')),
  )
  const siteOf = Uint32Array.from({ length: count }, (_, page) => page % sites)
  const kinds = kindsOf(name, sites)
  const events = announcedChanges(process, siteOf, kinds, createRandom(seedOf(seed, 'signals')))
  return { days, siteOf, importance, kinds, events, changeRates }
}

/** Box and Muller. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
}
