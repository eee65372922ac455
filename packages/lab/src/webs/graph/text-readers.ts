/** Readers of graphs with names in them: lines of pages and links, pairs of hosts, tables of pages. */
import type { WebDraft } from './draft.ts'
import { PageIds } from './graph-ids.ts'
import type { ReadLog } from './limits.ts'
import { LineScanner } from './graph-lines.ts'
import { LinkPairs } from './links.ts'
import type { GraphReader } from './number-readers.ts'
import { TextColumn } from './graph-text.ts'

const MAX_BYTES = 0xffffffff

/** Kleinberg's query graphs: `n number URL` for all pages, then `e from to` for all links. */
export function pageAndLinkReader(log: ReadLog): GraphReader {
  const ids = new PageIds()
  const urls = new TextColumn()
  const pairs = new LinkPairs()
  const page = (number: number, url: string): boolean => {
    if (url === '' || ids.find(number) >= 0) return false
    ids.add(number)
    urls.push(url)
    log.requireRoom('pages', ids.count)
    return true
  }
  const link = (from: number, to: number): boolean => {
    if (Number.isNaN(to)) return false
    const [source, target] = [ids.find(from), ids.find(to)]
    if (source < 0 || target < 0) log.unknown += 1
    else pairs.add(source, target)
    log.requireRoom('links', pairs.count)
    return true
  }
  return lineReader(
    log,
    pairs,
    () => draftOf(ids, pairs, urls),
    (text, line) => {
      if (text.trim() === '' || text.startsWith('#')) return
      const space = text.indexOf(' ', 2)
      const number = wholeNumber(text.slice(2, space))
      const rest = text.slice(space + 1).trim()
      const isWhole = text[1] === ' ' && space > 0 && !Number.isNaN(number)
      const isRead =
        isWhole && (text[0] === 'n' ? page(number, rest) : text[0] === 'e' && link(number, wholeNumber(rest)))
      if (!isRead) log.malformedLine(line, '`n number URL` for a page that is new, or `e from to`')
    },
  )
}

/**
 * The UK host graphs (British Library, CC0): `year|from host|to host<TAB>links`. Here a page is a host, whatever its
 * case (RFC 4343).
 */
export function hostPairReader(log: ReadLog): GraphReader {
  const ids = new PageIds()
  const urls = new TextColumn()
  const pairs = new LinkPairs()
  const known = new Map<string, number>()
  const pageOf = (host: string): number => {
    let page = known.get(host)
    if (page !== undefined) return page
    known.set(host, (page = ids.add(ids.count)))
    urls.push(`http://${host}/`)
    log.requireRoom('pages', ids.count)
    return page
  }
  return lineReader(
    log,
    pairs,
    () => draftOf(ids, pairs, urls),
    (text, line) => {
      if (text === '') return
      const pair = HOST_PAIR.exec(text)
      if (pair === null) return log.malformedLine(line, '`year|from host|to host`, a tab, and a number')
      pairs.add(pageOf(pair[1]!.toLowerCase()), pageOf(pair[2]!.toLowerCase()))
      log.requireRoom('links', pairs.count)
    },
  )
}

/** Some hosts are typing errors with a blank inside; they are hosts of that web all the same. */
export const HOST_PAIR: RegExp = /^\d{4}\|([^|\t/]{1,255})\|([^|\t/]{1,255})\t\d+\s*$/

/**
 * A table of pages, columns between tabs. With a header its names tell the columns: `id`, `url`, `bytes`. Without one
 * they are, in this order: the page's number, its URL and, where there is a third and it is a number, its bytes.
 */
export function pageTableReader(log: ReadLog): { write(chunk: Uint8Array): void; end(): PageTable } {
  const ids = new PageIds()
  const urls = new TextColumn()
  const bytes: number[] = []
  let columns: PageColumns | undefined
  const scanner = new LineScanner((text, line) => {
    if (text === '' || text.startsWith('#')) return
    const fields = text.split('\t')
    if (columns === undefined) {
      columns = columnsOf(fields)
      if (columns.hasHeader) return
    }
    const number = columns.id < 0 ? ids.count : wholeNumber(fields[columns.id] ?? '')
    const url = fields[columns.url]?.trim() ?? ''
    if (Number.isNaN(number) || (columns.url >= 0 && url === '') || ids.find(number) >= 0)
      return log.malformedLine(line, 'a page with a number of its own and a URL, between tabs')
    ids.add(number)
    if (columns.url >= 0) urls.push(url)
    if (columns.bytes >= 0) bytes.push(Math.min(MAX_BYTES, wholeNumber(fields[columns.bytes] ?? '') || 0))
    log.requireRoom('pages', ids.count)
  }, log)
  return {
    write: (chunk) => scanner.write(chunk),
    end() {
      scanner.end()
      log.requireMostlyGood(ids.count)
      return {
        ids,
        urls: urls.count > 0 ? urls : undefined,
        bytes: columns !== undefined && columns.bytes >= 0 ? Uint32Array.from(bytes) : undefined,
      }
    },
  }
}

export interface PageTable {
  readonly ids: PageIds
  readonly urls?: TextColumn | undefined
  readonly bytes?: Uint32Array | undefined
}

interface PageColumns {
  readonly hasHeader: boolean
  /** Each -1 when there is none. */
  readonly id: number
  readonly url: number
  readonly bytes: number
}

function columnsOf(fields: readonly string[]): PageColumns {
  const hasHeader = Number.isNaN(wholeNumber(fields[0] ?? ''))
  if (!hasHeader) {
    const hasBytes = fields.length > 2 && !Number.isNaN(wholeNumber(fields[2]!))
    return { hasHeader, id: 0, url: fields.length > 1 ? 1 : -1, bytes: hasBytes ? 2 : -1 }
  }
  const names = fields.map((name) => name.trim().toLowerCase())
  const place = (...wanted: readonly string[]): number => names.findIndex((name) => wanted.includes(name))
  return { hasHeader, id: place('id', 'node', 'page'), url: place('url', 'uri'), bytes: place('bytes', 'size') }
}

function lineReader(
  log: ReadLog,
  pairs: LinkPairs,
  draft: () => WebDraft,
  onLine: (text: string, line: number) => void,
): GraphReader {
  const scanner = new LineScanner(onLine, log)
  return {
    get links() {
      return pairs.count
    },
    write: (chunk) => scanner.write(chunk),
    end() {
      scanner.end()
      log.requireMostlyGood(pairs.count)
      return draft()
    },
  }
}

export function draftOf(ids: PageIds, pairs: LinkPairs, urls?: TextColumn, bytes?: Uint32Array): WebDraft {
  const pageOf = (number: number): number => ids.find(number)
  return { pages: ids.count, pairs, pageOf, numberOf: (page) => ids.numberOf(page), urls, bytes }
}

/** NaN for anything but digits. */
function wholeNumber(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : NaN
}
