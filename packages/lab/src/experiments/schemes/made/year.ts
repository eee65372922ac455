/**
 * A made site and what changes on it, for schemes on sites of any size: pages of words, and changes of some of them at random
 * times. Small sites are followed for a year, large ones for one period: there is enough to see by then.
 */
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'
import { editedBody, madePages } from '../../../webs/made-pages.ts'
import type { MadePage } from '../../../webs/made-pages.ts'
import type { SchemesSettings } from '../settings.ts'
import { DAY_MS } from '../../../cooperating/year.ts'
import type { Year, YearEvent } from '../../../cooperating/year.ts'

export type MadePlan = Pick<SchemesSettings, 'everyDays' | 'meanBytes' | 'changedShare' | 'editShare' | 'seed'>

export interface MadeYear {
  readonly pages: readonly MadePage[]
  readonly periods: number
  /** As it would be read from a file; contents are the numbers of versions. */
  readonly year: Year
  /** The next version of a page, by its last one. */
  readonly edit: (body: Uint8Array) => Buffer
}

/** Changes that are enough to see what one costs. */
const ENOUGH_CHANGES = 50
const MOST_PERIODS = 26

export const BEGINS: number = Date.UTC(2026, 0, 2)

export function madeYear(count: number, plan: MadePlan): MadeYear {
  const { everyDays, meanBytes, changedShare, editShare, seed } = plan
  const pages = madePages({ pages: count, meanBytes, seed, isEven: true })
  const periods = Math.min(MOST_PERIODS, Math.ceil(ENOUGH_CHANGES / (count * changedShare)))
  const length = periods * everyDays * DAY_MS
  const random = createRandom(seedOf(seed, 'schemes', count))
  const changes = Math.max(1, Math.round(count * changedShare * periods))
  const events = eventsOf(pages, changes, length, random)
  return {
    pages,
    periods,
    year: {
      name: `made, ${count} pages`,
      folder: '',
      from: BEGINS,
      until: BEGINS + length,
      present: pages.map(({ path }) => ({ at: BEGINS, path, content: '0' })),
      events,
    },
    edit: (body) => editedBody(body, editShare, 'place', random),
  }
}

/** Not at the same millisecond, so that each is a change of its own. */
function eventsOf(pages: readonly MadePage[], count: number, length: number, random: Random): readonly YearEvent[] {
  const times = new Set<number>()
  while (times.size < count) times.add(BEGINS + 1 + random.int(length - 1))
  return [...times]
    .toSorted((a, b) => a - b)
    .map((at, number) => ({ at, path: pages[random.int(pages.length)]!.path, content: String(number + 1) }))
}
