/**
 * A stretch of a real site's history as a web to keep fresh. Its top folders stand for sites, so that politeness and trust
 * have something to work on, and of each at most so many pages are taken: a folder of ten thousand slides that never
 * change would say nothing. What the sites announce is simulated on top of the changes, which are real.
 *
 * A page is as important as 1 + log₂(1 + links to it), by the links there are where the history ends. Pages that are gone
 * by then, and all where no links are known, have 1.
 */
import { processOf } from '../../webs/change-process.ts'
import { announcedChanges } from './channels.ts'
import type { FreshnessSettings } from './settings.ts'
import { kindsOf } from './web.ts'
import type { FreshnessWeb } from './web.ts'
import type { History } from '../../webs/history-file.ts'
import { DAY_MS, hasPages, historyWindow, windowStarts } from '../../webs/history-window.ts'
import type { Instant } from '@comity/protocol'
import { createRandom, seedOf } from '@comity/testbed'

/** How many pages link to each path. */
export type LinkCounts = ReadonlyMap<string, number>

/** Files at the top are one site. */
const topFolder = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')

export interface Stretch {
  readonly seed: number
  readonly from: Instant
}

interface Stretches {
  readonly taken: readonly Stretch[]
  /** Those without a page that is there from the beginning to the end: nothing can be kept fresh in them. */
  readonly empty: readonly Stretch[]
}

/** One stretch for each seed. Throws a RangeError when the history is too short, or has no page in any of them. */
export function stretchesOf(history: History, { seeds, historyDays }: FreshnessSettings): Stretches {
  const all = windowStarts(history, seeds.length, historyDays).map((from, i) => ({ seed: seeds[i]!, from }))
  if (all.length === 0) throw new RangeError(tooShort(history, historyDays))
  const taken = all.filter(({ from }) => hasPages(history, from, historyDays))
  if (taken.length === 0)
    throw new RangeError(
      `no page of it is there from the beginning to the end of ${all.length === 1 ? 'its only stretch' : `any of its ${all.length} stretches`} ` +
        `of ${historyDays} days; give shorter ones (historyDays), or another history`,
    )
  return { taken, empty: all.filter((stretch) => !taken.includes(stretch)) }
}

const tooShort = ({ from, until }: History, days: number): string =>
  `its history is shorter than the ${days} days of a run: it has ${Math.floor((until - from) / DAY_MS)}; give fewer (historyDays)`

/** The same seed gives the same pages, whatever sites say of them. */
export function historyWeb(
  history: History,
  links: LinkCounts,
  from: number,
  name: string,
  seed: number,
  { historyDays, historySitePages }: FreshnessSettings,
): FreshnessWeb {
  const { process, paths } = historyWindow(history, from, historyDays)
  const random = createRandom(seedOf(seed, 'pages'))
  const bySite = [...Map.groupBy(paths.keys(), (page) => topFolder(paths[page]!)).values()]
  const sites = bySite.map((pages) => random.shuffle(pages).slice(0, historySitePages))
  const taken = sites.flat()
  const part = processOf(taken.length, historyDays, (page, add) => {
    const all = taken[page]!
    for (let i = process.starts[all]!; i < process.starts[all + 1]!; i++) add(process.instants[i]!)
  })
  const siteOf = Uint32Array.from(sites.flatMap((pages, site) => pages.map(() => site)))
  const kinds = kindsOf(name, sites.length)
  return {
    days: historyDays,
    siteOf,
    importance: Float64Array.from(taken, (page) => 1 + Math.log2(1 + (links.get(paths[page]!) ?? 0))),
    kinds,
    events: announcedChanges(part, siteOf, kinds, createRandom(seedOf(seed, 'signals'))),
  }
}
