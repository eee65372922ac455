/** Workloads for polling: sets of sites and when the file of each changes, made or from the history of a real site. */
import { drawIntervals } from '../../webs/change-classes.ts'
import { poissonChanges } from '../../webs/change-process.ts'
import type { ChangeProcess } from '../../webs/change-process.ts'
import type { CooperationSettings } from './settings.ts'
import type { FileChanges } from './polling.ts'
import type { History } from '../../webs/history-file.ts'
import { historyWindow, windowStarts } from '../../webs/history-window.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

export interface Workload {
  readonly name: string
  readonly about: string
  /** One set of sites for each run. */
  readonly runs: readonly (readonly FileChanges[])[]
}

export const FEW_SELDOM = 'few sites, seldom'
const FEW_OFTEN = 'few sites, often'
export const MANY_MIXED = 'many sites, mixed'

export function madeWorkloads(settings: CooperationSettings): Workload[] {
  const { seeds, pollDays, fewSites, manySites, seldomDays, oftenDays, classShares, longestDays } = settings
  const make = (name: string, about: string, intervals: (random: Random) => ArrayLike<number>): Workload => ({
    name,
    about,
    runs: seeds.map((seed) => {
      const random = createRandom(seedOf(seed, name))
      return sitesOf(poissonChanges(intervals(random), pollDays, random))
    }),
  })
  const between =
    ([low, high]: readonly [number, number]) =>
    (random: Random): Float64Array =>
      Float64Array.from({ length: fewSites }, () => low * (high / low) ** random.next())
  return [
    make(FEW_SELDOM, `${fewSites} sites that change every ${seldomDays.join(' to ')} days.`, between(seldomDays)),
    make(FEW_OFTEN, `${fewSites} sites that change every ${oftenDays.join(' to ')} days.`, between(oftenDays)),
    make(MANY_MIXED, `${manySites} sites that change as often as the pages of 000 Figure 2.`, (random) =>
      drawIntervals(manySites, { shares: classShares, longestDays }, random),
    ),
  ]
}

/** A real site in its years: each a site of its own, whose file changes when one of the pages it had all the year does. */
export function historyWorkload(history: History, { pollDays }: CooperationSettings): Workload {
  const count = Math.floor((history.until - history.from) / (pollDays * 86_400_000))
  const years = windowStarts(history, Math.max(1, count), pollDays).map((from) =>
    mergedChanges(historyWindow(history, from, pollDays).process),
  )
  const changing = years.filter((changes) => changes.length > 0)
  return {
    name: history.name,
    about: `Stretches of ${pollDays} days of one real site, each taken as a site of its own.`,
    runs: changing.length === 0 ? [] : [changing],
  }
}

/** Every page of a process as a file of its own. */
const sitesOf = ({ pages, starts, instants }: ChangeProcess): FileChanges[] =>
  Array.from({ length: pages }, (_, page) => instants.subarray(starts[page], starts[page + 1]))

/** All pages of a process in one file. */
const mergedChanges = ({ instants }: ChangeProcess): FileChanges => instants.toSorted()
