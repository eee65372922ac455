/**
 * A year of a real site: every change to every page, and the bytes of every version, to be lived through again.
 *
 *   FOLDER/events.tsv.gz     a history (history-file.ts): pages that were there when the year began, then what changed
 *   FOLDER/blobs.tar.zst     the versions, each a file named by the content that the history gives it
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Instant } from '@comity/protocol'
import { readHistory } from '../webs/history-file.ts'
import { tarFiles } from '../webs/graph/tar.ts'
import { unpackedChunks } from '../webs/graph/source.ts'
import { webUnreadable } from '../lab-error.ts'

/** A page as it is from then on. */
export interface YearEvent {
  readonly at: Instant
  /** As in a request line. */
  readonly path: string
  /** Undefined when the page is gone. */
  readonly content: string | undefined
}

export interface Year {
  readonly name: string
  readonly folder: string
  /** Whole days: from the first change that is not of before, to the end of the day of the last. */
  readonly from: Instant
  readonly until: Instant
  /** Pages that are there when it begins, with the day of their last change. */
  readonly present: readonly YearEvent[]
  /** What changes, in order. */
  readonly events: readonly YearEvent[]
}

/** As much of it as so many days from its beginning; all of it for 0, or when it has no more. */
export function firstDays(year: Year, days: number): Year {
  const until = days === 0 ? year.until : Math.min(year.until, year.from + days * DAY_MS)
  return { ...year, until, events: year.events.filter(({ at }) => at <= until) }
}

/** Every version's bytes, by content. */
export type Bodies = ReadonlyMap<string, Buffer>

export const DAY_MS = 86_400_000
const EVENTS = /^events\.tsv(\.(gz|xz|zst))?$/
const BLOBS = /^blobs\.tar(\.(gz|xz|zst))?$/
/** After unpacking; the year of the tests has 229 MB. */
const MAX_BYTES = 2 * 2 ** 30

/** Throws a LabError for a folder that holds no such year. */
export async function readYear(folder: string): Promise<Year> {
  const history = await readHistory(fileIn(folder, EVENTS))
  const [present, events]: [YearEvent[], YearEvent[]] = [[], []]
  for (const { path, events: all } of history.pages) {
    const address = new URL(`https://a.example/${path}`).pathname
    for (const { at, change, content } of all)
      (change === 'present' ? present : events).push({
        at,
        path: address,
        content: change === 'deleted' ? undefined : content,
      })
  }
  if (events.length === 0) throw webUnreadable(folder, 'Nothing changes in this history.')
  // A stable sort: changes of one second stay in the order of the file.
  events.sort((a, b) => a.at - b.at)
  const [first, last] = [events[0]!.at, events.at(-1)!.at]
  const from = Math.floor(first / DAY_MS) * DAY_MS
  return { name: basename(folder), folder, from, until: (Math.floor(last / DAY_MS) + 1) * DAY_MS, present, events }
}

export async function readBodies(folder: string): Promise<Bodies> {
  const path = fileIn(folder, BLOBS)
  const bodies = new Map<string, Buffer>()
  for await (const { name, bytes } of tarFiles(unpackedChunks(path, MAX_BYTES), path)) bodies.set(basename(name), bytes)
  return bodies
}

/**
 * Versions in one file, so that every process of a site has them at once; whose place is where says the index. Unpacking
 * them anew would take each process longer than a scheme takes for a month.
 */
export interface StoredBodies {
  readonly path: string
  readonly places: ReadonlyMap<string, readonly [offset: number, length: number]>
}

export function storeBodies(bodies: Bodies, path: string): StoredBodies {
  const places = new Map<string, readonly [number, number]>()
  const file = openSync(path, 'w')
  let offset = 0
  for (const [content, body] of bodies) {
    places.set(content, [offset, body.length])
    offset += writeSync(file, body)
  }
  closeSync(file)
  return { path, places }
}

export function storedBodies({ path, places }: StoredBodies): Bodies {
  const file = readFileSync(path)
  return new Map(Array.from(places, ([content, [offset, length]]) => [content, file.subarray(offset, offset + length)]))
}

/** Those that a year speaks of: of a part of it, fewer than there are. */
export function bodiesOf({ present, events }: Year, bodies: Bodies): Bodies {
  const contents = new Set([...present, ...events].map(({ content }) => content))
  return new Map([...bodies].filter(([content]) => contents.has(content)))
}

/** Every content that the year speaks of has to be there: a site cannot serve what it has not. */
export function requireBodies({ folder, present, events }: Year, bodies: Bodies): void {
  for (const { path, content } of [...present, ...events])
    if (content !== undefined && !bodies.has(content))
      throw webUnreadable(folder, `It has no bytes for ${content}, a version of ${path}.`)
}

export const isYear = (folder: string): boolean =>
  existsSync(folder) &&
  statSync(folder).isDirectory() &&
  [EVENTS, BLOBS].every((name) => nameIn(folder, name) !== undefined)

function fileIn(folder: string, name: RegExp): string {
  const file = nameIn(folder, name)
  if (file === undefined)
    throw webUnreadable(folder, 'It is no year of a site: that is a folder with events.tsv.gz and blobs.tar.zst.')
  return join(folder, file)
}

const nameIn = (folder: string, name: RegExp): string | undefined => readdirSync(folder).find((file) => name.test(file))

/** The site as it is, moved on from event to event. */
export class YearState {
  readonly pages: Map<string, string> = new Map()
  readonly #events: readonly YearEvent[]
  #next = 0

  constructor({ present, events }: Year) {
    for (const { path, content } of present) if (content !== undefined) this.pages.set(path, content)
    this.#events = events
  }

  /** When something happens next; Infinity when nothing does. */
  get nextAt(): Instant {
    return this.#events[this.#next]?.at ?? Infinity
  }

  /** All up to this moment happens; what happened is returned. */
  advance(to: Instant): readonly YearEvent[] {
    const begin = this.#next
    while (this.#next < this.#events.length && this.#events[this.#next]!.at <= to) {
      const { path, content } = this.#events[this.#next++]!
      if (content === undefined) this.pages.delete(path)
      else this.pages.set(path, content)
    }
    return this.#events.slice(begin, this.#next)
  }
}
