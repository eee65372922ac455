/** Readers of graphs that are numbers only: successor lists and link lists. */
import type { WebDraft } from './draft.ts'
import { PageIds } from './graph-ids.ts'
import type { ReadLog } from './limits.ts'
import { LinkPairs } from './links.ts'
import { NumberScanner } from './graph-numbers.ts'
import type { NumberSink } from './graph-numbers.ts'
import { webUnreadable } from '../../lab-error.ts'

/** Takes a file chunk by chunk. */
export interface GraphReader {
  readonly links: number
  write(chunk: Uint8Array): void
  end(): WebDraft
}

/**
 * WebGraph's ASCIIGraph (law.di.unimi.it): the number of pages n in the first line, then for each page from 0 on a
 * line with the pages it links to.
 */
export function successorReader(log: ReadLog): GraphReader {
  const pairs = new LinkPairs()
  let pages = -1
  let page = -1
  const sink: NumberSink = {
    expected: 'the numbers of the pages that a page links to',
    columns: Infinity,
    number(value) {
      if (page < 0) {
        if (pages < 0) pages = value
      } else if (page >= pages) return
      else if (value < pages) pairs.add(page, value)
      else log.unknown += 1
    },
    endLine(columns, line, whole) {
      if (pages < 0) return whole ? log.malformedLine(line, 'the number of pages') : undefined
      // Nothing is allocated for the pages announced: a file may say any number, and then end.
      if (page < 0) log.requireRoom('pages', pages)
      else if (page >= pages && columns > 0) log.malformedLine(line, `the end of the file, after all ${pages} pages`)
      log.requireRoom('links', pairs.count)
      page += 1
    },
  }
  const scanner = new NumberScanner(sink, log)
  return {
    get links() {
      return pairs.count
    },
    write: (chunk) => scanner.write(chunk),
    end() {
      scanner.end()
      log.requireMostlyGood(Math.min(page, pages))
      // A last page without links may lack even its line end.
      if (page < pages - 1) throw webUnreadable(log.path, `It ends after ${page} of ${pages} pages. Fetch it again.`)
      return { pages, pairs, pageOf: (number) => (number < pages ? number : -1), numberOf: (number) => number }
    },
  }
}

/** SNAP and many others: `from to` a line, comments before them, numbers with gaps. A third column is not read. */
export function linkListReader(log: ReadLog): GraphReader {
  const ids = new PageIds()
  const pairs = new LinkPairs()
  const links = linkScanner(log, pairs, (number) => ids.add(number))
  return {
    get links() {
      return pairs.count
    },
    write: (chunk) => {
      links.write(chunk)
      log.requireRoom('pages', ids.count)
    },
    end() {
      links.end()
      log.requireMostlyGood(pairs.count)
      return { pages: ids.count, pairs, pageOf: (number) => ids.find(number), numberOf: (page) => ids.numberOf(page) }
    },
  }
}

/** Lines of two numbers; `pageOf` gives their pages, -1 for a link that is left out. */
export function linkScanner(log: ReadLog, pairs: LinkPairs, pageOf: (number: number) => number): NumberScanner {
  let [fromNumber, toNumber] = [-1, -1]
  let [lastNumber, from] = [-1, -1]
  const sink: NumberSink = {
    expected: 'two page numbers, from and to',
    columns: 2,
    number(value, column) {
      if (column === 0) fromNumber = value
      else toNumber = value
    },
    endLine(columns, line, whole) {
      if (columns === 1 && whole) log.malformedLine(line, this.expected)
      if (columns < 2) return
      // Most files are sorted by page, so most links begin where the one before began.
      if (fromNumber !== lastNumber) from = pageOf(fromNumber)
      lastNumber = fromNumber
      const to = pageOf(toNumber)
      if (from < 0 || to < 0) log.unknown += 1
      else pairs.add(from, to)
      if (pairs.count > log.limits.maxLinks) log.requireRoom('links', pairs.count)
    },
  }
  return new NumberScanner(sink, log)
}
