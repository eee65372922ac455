/**
 * The scenarios of 000 §6: the paper's own, and the same without its assumptions one after the other. Which pages change
 * how often the text does not say, so the paper's form is run with the bars of Figure 2 and with fewer changes, as
 * Figures 3 and 6 imply.
 */
import { CLASS_DAYS, drawIntervals, shrunkTo } from '../../webs/change-classes.ts'
import type { ClassMix } from '../../webs/change-classes.ts'
import { changedByDay, poissonChanges, regularChanges } from '../../webs/change-process.ts'
import type { ChangeProcess } from '../../webs/change-process.ts'
import { pageSizes } from '../../webs/generated/page-sizes.ts'
import type { History } from '../../webs/history-file.ts'
import { hasPages, historyWindow, windowStarts } from '../../webs/history-window.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Scenario, ScenarioRun } from './scenario.ts'
import type { ServersSettings } from './settings.ts'

export const FIGURE_2 = 'pages of Figure 2'
export const FIGURE_6 = 'pages of Figures 3 and 6'

/** What the paper did: regular changes, pages of one size, metadata at a fixed price. */
export function paperScenarios(settings: ServersSettings): Scenario[] {
  const { classShares: shares, changedADay } = settings
  // The last bar are pages that were not seen to change at all, so here they do not.
  const mix = { shares, longestDays: Infinity }
  return [
    literal(FIGURE_2, 'Regular changes, pages of equal size; change classes as assumed for Figure 2.', mix, settings),
    literal(
      FIGURE_6,
      `The same with fewer pages that change, so that ${Math.round(changedADay * 100)} % do on a day.`,
      shrunkTo(changedADay, mix),
      settings,
    ),
  ]
}

function literal(name: string, about: string, mix: ClassMix, settings: ServersSettings): Scenario {
  const { pages, days, metadataPages } = settings
  return seeded(name, about, settings, (seed) => ({
    ...changesOf(regularChanges, drawIntervals(pages, mix, randomFor(seed, 'intervals')), days, seed),
    sizes: new Float64Array(pages).fill(1),
    ...fixedOverhead(metadataPages, days),
  }))
}

/** 000 §4.1: over four months. */
const WATCHED_DAYS = CLASS_DAYS.at(-1)!

type Changes = Pick<ScenarioRun, 'process' | 'watched'>

const changesOf = (make: typeof regularChanges, intervals: Float64Array, days: number, seed: number): Changes => ({
  process: make(intervals, days, randomFor(seed, 'changes')),
  watched: make(intervals, WATCHED_DAYS, randomFor(seed, 'watched')),
})

/** Sizes of pages to draw from, in bytes, and what they are called. */
interface SizeSource {
  readonly name: string
  readonly bytes: ArrayLike<number>
}

/** Without the assumptions: first changes at any time, then pages of all sizes and archives by their weight too. */
export function freeScenarios(settings: ServersSettings, source?: SizeSource): Scenario[] {
  const { pages, days, metadataPages, meanBytes, dailyRate, longestDays } = settings
  const mix = shrunkTo(settings.changedADay, { shares: settings.classShares, longestDays })
  const changes = (seed: number): Changes => {
    const intervals = drawIntervals(pages, mix, randomFor(seed, 'intervals'))
    const often = intervals.map((interval) => (interval === CLASS_DAYS[0] ? interval / dailyRate : interval))
    return changesOf(poissonChanges, often, days, seed)
  }
  const poisson = seeded('Poisson changes', 'Changes at any time, independent of each other.', settings, (seed) => ({
    ...changes(seed),
    sizes: new Float64Array(pages).fill(1),
    ...fixedOverhead(metadataPages, days),
  }))
  const sized = seeded(
    source === undefined ? 'Poisson, many sizes' : `Poisson, sizes of ${source.name}`,
    'Also pages of many sizes, and the archives that hold the changes of the day, by their size.',
    settings,
    (seed) => sizedRun(changes(seed), sizesFor(seed, pages, meanBytes, source), settings.sites, settings),
  )
  return source === undefined ? [poisson, sized] : [sized]
}

function sizesFor(seed: number, pages: number, meanBytes: number, source: SizeSource | undefined): Float64Array {
  if (source === undefined) return Float64Array.from(pageSizes(seed, pages, meanBytes))
  const random = randomFor(seed, 'sizes')
  return Float64Array.from({ length: pages }, () => source.bytes[random.int(source.bytes.length)]!)
}

/** A real site, in stretches of its history. It is one site, and its archives are weighed. */
export function historyScenario(history: History, settings: ServersSettings): Scenario {
  const { days, seeds } = settings
  const all = windowStarts(history, seeds.length, Math.max(days, WATCHED_DAYS))
  const starts = all.filter((from) => hasPages(history, from, days) && hasPages(history, from, WATCHED_DAYS))
  const empty = all.length - starts.length
  return {
    name: history.name,
    about:
      `${starts.length} stretches of ${days} days of the history of ${history.name}, with its sizes.` +
      (empty === 0 ? '' : ` Stepped over, as no page is there from the beginning to the end: ${empty}.`),
    *runs() {
      for (const from of starts) {
        const { process, bytes } = historyWindow(history, from, days)
        const { process: watched } = historyWindow(history, from, WATCHED_DAYS)
        yield sizedRun({ process, watched }, bytes, 1, settings)
      }
    },
  }
}

function sizedRun(changes: Changes, sizes: Float64Array, sites: number, settings: ServersSettings): ScenarioRun {
  const overhead = archiveBytes(changes.process, sites, settings)
  return { ...changes, sizes, overhead, counted: 'archives by size', countedElse: [] }
}

/**
 * Bytes of the archives a crawler reads each day: of each site those newest segments that hold what changed since the
 * day before (000 §3.3). A day without changes has no archive of its date, which its name tells.
 */
export function archiveBytes(
  process: ChangeProcess,
  sites: number,
  { entryBytes, segmentEntries }: Pick<ServersSettings, 'entryBytes' | 'segmentEntries'>,
): Float64Array {
  const siteSizes = countBySite(
    Array.from({ length: process.pages }, (_, page) => page),
    sites,
  )
  return Float64Array.from(changedByDay(process), (pages) => {
    const entries = countBySite(pages, sites).map((changed, site) =>
      Math.min(siteSizes[site]!, Math.ceil(changed / segmentEntries) * segmentEntries),
    )
    return entries.reduce((sum, count) => sum + count * entryBytes, 0)
  })
}

function countBySite(pages: ArrayLike<number>, sites: number): number[] {
  const counts = Array.from({ length: sites }, () => 0)
  for (let i = 0; i < pages.length; i++) counts[pages[i]! % sites]!++
  return counts
}

const fixedOverhead = (
  [first = 0, ...others]: readonly number[],
  days: number,
): Pick<ScenarioRun, 'overhead' | 'counted' | 'countedElse'> => ({
  overhead: new Float64Array(days).fill(first),
  counted: `${first} pages`,
  countedElse: others.map((pages) => ({ name: `${pages} pages`, added: pages - first })),
})

function seeded(name: string, about: string, { seeds }: ServersSettings, run: (seed: number) => ScenarioRun): Scenario {
  return {
    name,
    about,
    *runs() {
      for (const seed of seeds) yield run(seed)
    },
  }
}

const randomFor = (seed: number, what: string): ReturnType<typeof createRandom> =>
  createRandom(seedOf(seed, 'servers', what))
