/**
 * Redact sent: what is left of something that was sent when pages that it holds are forgotten. Read as it is taken in, so it holds
 * what we would have found in it.
 *
 *   notices, an agent's claims ─▶ the other lines, as they are
 *   a gateway's batch ─▶ the same batch without those rows: its number counts, so it is still taken once
 *   pages, differences, a package ─▶ a notice of the other pages: they are visited
 *   a list or another answer, told by how it begins ─▶ nothing, when an address in it leaves; it is no item, so there is no rest
 *
 * What cannot be read to its end is `unreadable`, unless a part that can be read holds such a page.
 */
import { isUtf8 } from 'node:buffer'
import {
  decodeBody,
  readWarc,
  WARC_TYPE,
  warcTarget,
  warcType,
  WorkBudget,
  writeBatchPage,
  writeGatewayBatch,
} from '@comity/protocol'
import type { Signal } from '@comity/protocol'
import type { InboxItem, RedactedRemainder, SentContent, SentRedactor } from '@comity/collection'
import { writeShipment } from '@comity/index'
import { ownDocuments, unpackGatewayBatch, urlsOfNews } from '@comity/ingest'
import { NOTICES } from './intake-letter.ts'
import { crawlDefaults } from '../options.ts'
import { readPushedParts } from './pushed-pages.ts'

type Leaves = (url: string) => boolean

export const redactSent: SentRedactor = async (content, leaves) => {
  const { body } = content
  switch (formOf(content)) {
    case 'batch':
      return siftNews(content, leaves)
    case 'lines':
      return siftLines(content, leaves)
    case 'archive':
    case 'package':
      return await siftPages(content, leaves)
    case 'packed': {
      const unpacked = decodeBody(body, 'gzip', { maxBytes: MAX_TEXT_BYTES })
      return unpacked.kind === 'ok' ? await redactSent({ ...content, body: unpacked.body }, leaves) : 'unreadable'
    }
    default:
      return siftText(body, leaves)
  }
}

const MAX_TEXT_BYTES = 256 << 20
const SNIFFED = 8

/** Of a letter that does not tell, by how its bytes begin. */
function formOf({ door, type, body }: SentContent): 'batch' | 'lines' | 'archive' | 'package' | 'packed' | 'text' {
  const start = Buffer.from(body.subarray(0, SNIFFED)).toString('latin1')
  if (door === 'gateway' || start.startsWith('cgb\u0001')) return 'batch'
  if (type === NOTICES) return 'lines'
  if (type === WARC_TYPE || start.startsWith('WARC/')) return 'archive'
  if (type !== undefined || start.startsWith('PK')) return 'package'
  return start.startsWith('\u001f\u008b') ? 'packed' : 'text'
}

// ── lines ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function siftLines({ scheme = 'changes', type = NOTICES, body }: SentContent, leaves: Leaves): RedactedRemainder {
  const lines = textOf(body).split('\n')
  const kept: string[] = []
  let [hasLeft, told] = [false, 0]
  for (const line of lines) {
    const url = line.trim() === '' ? '' : urlOfLine(line)
    if (url === undefined) return 'unreadable'
    if (url !== '' && leaves(url)) hasLeft = true
    else kept.push(line)
    if (url !== '' && !leaves(url)) told++
  }
  if (!hasLeft) return 'all'
  if (told === 0) return 'nothing'
  // Its last line says how many there are.
  const text = kept.map((line) => (isEnd(line) ? JSON.stringify({ end: 'done', records: told }) : line)).join('\n')
  return { scheme, type, body: Buffer.from(text) }
}

/** The page that a line is about; an empty one for a line about none, undefined for what is no line of ours. */
function urlOfLine(line: string): string | undefined {
  const row = parsed(line)
  const about = row?.['record'] ?? row
  if (typeof about !== 'object' || about === null) return undefined
  const { url } = about as { readonly url?: unknown }
  return typeof url === 'string' ? url : ''
}

const isEnd = (line: string): boolean => parsed(line)?.['end'] === 'done'

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const row: unknown = JSON.parse(line)
    return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

// ── what gateways saw ──────────────────────────────────────────────────────────────────────────────────────────────

function siftNews({ scheme = 'batches', type = '', body }: SentContent, leaves: Leaves): RedactedRemainder {
  const read = unpackGatewayBatch(body)
  if (read.kind === 'refused') return 'unreadable'
  const { news } = read
  if (!urlsOfNews(news).some(leaves)) return 'all'
  const { batch } = news
  const stays = <R extends { readonly url: string }>(rows: readonly R[]): R[] => rows.filter(({ url }) => !leaves(url))
  const [documents, pages] = [stays(news.documents), stays(news.pages)]
  const rest = {
    ...batch,
    hits: stays(batch.hits),
    seen: stays(batch.seen),
    gone: stays(batch.gone),
    postings: documents.length === 0 ? NOTHING : writeShipment(documents),
    pages: Buffer.concat(pages.map((page) => writeBatchPage(page, page.at ?? batch.to))),
  }
  return { scheme, type, body: writeGatewayBatch(rest) }
}

const NOTHING = new Uint8Array(0)

// ── pages ──────────────────────────────────────────────────────────────────────────────────────────────────────────

async function siftPages(content: SentContent, leaves: Leaves): Promise<RedactedRemainder> {
  const { type = '', scheme = 'pages', body, origin = NOWHERE } = content
  const item: InboxItem = { ...UNKNOWN, origin, scheme, type: formOf(content) === 'archive' ? WARC_TYPE : type, body }
  const others = new Map<string, Signal>()
  let [hasLeft, isWhole] = [false, true]
  for await (const pushed of readPushedParts(item, crawlDefaults.maxDecodedBytes, ownDocuments)) {
    if (pushed.kind !== 'page' && pushed.kind !== 'notice') isWhole = false
    else {
      const { url, change } = pushed.kind === 'page' ? changeOf(pushed.page) : pushed.signal
      if (leaves(url)) hasLeft = true
      else others.set(url, { url, change, channel: 'websub' })
    }
  }
  if (!hasLeft && item.type === WARC_TYPE) hasLeft = isNamedInRecords(body, leaves)
  // Where we find no page at all, somebody else may find one.
  if (!hasLeft) return isWhole && others.size > 0 ? 'all' : 'unreadable'
  if (others.size === 0) return 'nothing'
  const lines = Array.from(others.values(), (signal) => `${JSON.stringify(signal)}\n`)
  return { scheme: 'changes', type: NOTICES, body: Buffer.from(lines.join('')) }
}

/** What relative addresses are relative to, where nobody knows. */
const NOWHERE = 'http://nowhere.invalid'
/** What of an item says nothing of its pages. */
const UNKNOWN = { number: 0, at: 0, door: 'push', proof: 'signature' } as const

const changeOf = ({
  url,
  status,
}: {
  readonly url: string
  readonly status: number
}): Pick<Signal, 'url' | 'change'> => ({
  url,
  change: status === 404 || status === 410 ? 'deleted' : 'updated',
})

/** Records that nobody takes in may be of a page all the same. */
function isNamedInRecords(body: Uint8Array, leaves: Leaves): boolean {
  for (const item of readWarc(body, 0, { work: WorkBudget.ofArchive(body.length) })) {
    if (item.kind !== 'record' || warcType(item.record) === 'metadata') continue
    const url = warcTarget(item.record)
    if (url !== undefined && leaves(url)) return true
  }
  return false
}

// ── anything else ──────────────────────────────────────────────────────────────────────────────────────────────────

/** As XML writes it in an address. */
const AMPERSAND = /&(?:amp|#38|#x26);/gi
const URLS = /https?:\/\/[^\s"'<>\\]+/gi

function siftText(body: Uint8Array, leaves: Leaves): RedactedRemainder {
  if (!isUtf8(body) || body.includes(0)) return 'unreadable'
  const text = textOf(body)
  // An answer as it stood in an archive: whose it was, nobody wrote down.
  if (text.startsWith('HTTP/')) return 'unreadable'
  for (const [said] of text.matchAll(URLS))
    if (leaves(said) || leaves(said.replaceAll(AMPERSAND, '&'))) return 'nothing'
  return 'all'
}

const textOf = (body: Uint8Array): string => Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8')
