/**
 * History files: every change to every page of a site, as its version control saw them.
 *
 *   epoch   status   path         content        bytes        one line for each change, tabs between, a heading first
 *   821204925  A     alpha.html   275de46a0f57…  295          A created, M updated, D deleted (0 bytes),
 *   1024364645 S     22.html      600d7e9be3e7…  9032         S there already when the file begins, last changed then
 *
 * Lines may come in any order. Read as a stream and capped; packed files as graphs may be (see graph-source.ts).
 */
import { basename } from 'node:path'
import { graphLimits, ReadLog } from './graph/limits.ts'
import { LineScanner } from './graph/graph-lines.ts'
import { unpackedChunks } from './graph/source.ts'
import { webUnreadable } from '../lab-error.ts'
import { tableOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'

type HistoryChange = 'created' | 'updated' | 'deleted' | 'present'

export interface HistoryEvent {
  readonly at: Instant
  readonly change: HistoryChange
  /** Two versions of one content have the same. Empty for a deletion. */
  readonly content: string
  readonly bytes: number
}

/** Events of a page are in the order they happened, and pages in the order the file first names them. */
export interface History {
  readonly name: string
  readonly pages: readonly { readonly path: string; readonly events: readonly HistoryEvent[] }[]
  /** Of the first and the last event. */
  readonly from: Instant
  readonly until: Instant
  readonly events: number
  /** Lines that were left out as they could not be read. */
  readonly malformed: number
}

interface HistoryLimits {
  readonly maxPages: number
  readonly maxEvents: number
  /** After unpacking: a small file can unpack to any size. */
  readonly maxBytes: number
}

const historyLimits: HistoryLimits = { maxPages: 1_000_000, maxEvents: 10_000_000, maxBytes: 2 * 2 ** 30 }

const MAX_LINE_BYTES = 64 * 2 ** 10
/** The year 9999. */
const MAX_SECONDS = 253_402_300_799
const HEADING = /^epoch\t/
const LINE = /^(\d{1,12})\t([SAMD])\t([^\t]+)\t([0-9A-Za-z:-]{0,80})\t(\d{1,15})$/
const CHANGES: ReadonlyMap<string, HistoryChange> = tableOf({ A: 'created', M: 'updated', D: 'deleted', S: 'present' })

/** Throws a LabError for a file that is missing, damaged, too large, or no history. */
export async function readHistory(path: string, limits: Partial<HistoryLimits> = {}): Promise<History> {
  const { maxPages, maxEvents, maxBytes } = { ...historyLimits, ...limits }
  const log = new ReadLog(path, { ...graphLimits, maxLineBytes: MAX_LINE_BYTES })
  const pages = new Map<string, HistoryEvent[]>()
  let events = 0
  const scanner = new LineScanner((text, line) => {
    if (line === 1 && HEADING.test(text)) return
    const read = parseHistoryLine(text)
    if (read === undefined)
      return log.malformedLine(line, 'a line of a history: epoch, A, M, D or S, path, content, bytes')
    if (++events > maxEvents) throw webUnreadable(path, `It has more than ${maxEvents} changes, the most we read.`)
    const known = pages.get(read.path)
    if (known !== undefined) return void known.push(read.event)
    if (pages.size >= maxPages) throw webUnreadable(path, `It has more than ${maxPages} pages, the most we read.`)
    pages.set(read.path, [read.event])
  }, log)
  for await (const chunk of unpackedChunks(path, maxBytes)) scanner.write(chunk)
  scanner.end()
  if (events === 0 || log.malformed > events)
    throw webUnreadable(path, 'Nothing here can be read as a history of pages.')
  return historyOf(basename(path).replace(/\..*$/, ''), pages, log.malformed)
}

export function historyOf(name: string, changes: ReadonlyMap<string, readonly HistoryEvent[]>, malformed = 0): History {
  // A stable sort: changes of one second stay in the order of the file.
  const pages = [...changes].map(([path, events]) => ({ path, events: events.toSorted((a, b) => a.at - b.at) }))
  let [from, until, events] = [Infinity, -Infinity, 0]
  for (const page of pages) {
    from = Math.min(from, page.events[0]!.at)
    until = Math.max(until, page.events.at(-1)!.at)
    events += page.events.length
  }
  return { name, pages, from, until, events, malformed }
}

/** One line, or undefined when it is none of a history. */
export function parseHistoryLine(text: string): { readonly path: string; readonly event: HistoryEvent } | undefined {
  const [, seconds, status, path, content, bytes] = LINE.exec(text) ?? []
  if (path === undefined || Number(seconds) > MAX_SECONDS) return undefined
  const change = CHANGES.get(status!)!
  return {
    path,
    event: { at: Number(seconds) * 1_000, change, content: change === 'deleted' ? '' : content!, bytes: Number(bytes) },
  }
}
