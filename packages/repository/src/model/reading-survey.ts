/**
 * ReadingSurvey: which pages are read now, and which of those that are read no link of the collection leads to: no crawler
 * that follows links finds them (001 §II). Goes through every row of the reading table, so it is made behind the server's
 * back and kept for a while.
 */
import { decodeReading, fadedTo, HOUR_MS } from '@comity/collection'
import type { Collection, ReadingRow } from '@comity/collection'
import { readingFact } from '@comity/search'
import type { Instant } from '@comity/protocol'
import type { ReadingSurveyed, ReadPageRow } from '../ports.ts'
import { TimeSlices } from './time-slices.ts'

/** Listed, of each. */
const MOST_PAGES = 50
/** Those that are let go when twice as many are held. */
const ROOM = 2 * MOST_PAGES

interface ReadingSurveyParts {
  readonly collection: () => Collection
  /** A link leads to the page, or somebody named it as a start page. */
  readonly isLinked: (page: number) => boolean
  readonly now: Instant
}

export async function surveyReading({ collection, isLinked, now }: ReadingSurveyParts): Promise<ReadingSurveyed> {
  const slices = new TimeSlices()
  const { halfLifeMs = Infinity } = readingFact(collection()) ?? {}
  const [recent, unfound] = [new Best(), new Best()]
  let [pages, unfoundTotal] = [0, 0]
  for (const { key, value } of collection().readings()) {
    const row = decodeReading(value)
    if (row === undefined) continue
    pages++
    const hits = recently(row, now)
    if (hits.people + hits.robots > 0) recent.add({ page: key, ...hits, lastAt: row.lastAt })
    if (row.people > 0 && !isLinked(key)) {
      unfoundTotal++
      unfound.add({ page: key, ...fadedTo(row, now, halfLifeMs), lastAt: row.lastAt })
    }
    if (slices.isOver) await slices.rest()
  }
  return { pages, recent: recent.rows, unfound: unfound.rows, unfoundTotal }
}

/** In this hour and the one before. */
function recently({ hours }: ReadingRow, now: Instant): { people: number; robots: number } {
  const hour = Math.floor(now / HOUR_MS)
  let [people, robots] = [0, 0]
  for (const one of hours) {
    if (one.hour < hour - 1 || one.hour > hour) continue
    people += one.people
    robots += one.robots
  }
  return { people, robots }
}

/** The most read of any number of pages, in little room. */
class Best {
  #rows: ReadPageRow[] = []

  add(row: ReadPageRow): void {
    this.#rows.push(row)
    if (this.#rows.length >= ROOM) this.#rows = this.rows
  }

  get rows(): ReadPageRow[] {
    return this.#rows.toSorted(byReaders).slice(0, MOST_PAGES)
  }
}

const byReaders = (a: ReadPageRow, b: ReadPageRow): number =>
  b.people - a.people || b.robots - a.robots || a.page - b.page
