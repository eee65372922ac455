/**
 * Reply: what came of asking a site for a document of its own, as far as a reader of documents cares.
 *
 *   document   200, with its content coding off          same      304, or 200 with the bytes that we know
 *   absent     not there, or moved: we do not follow     trouble   all that may be over soon: 5xx, 429, no answer
 */
import { hash } from 'node:crypto'
import { decodeBody, headerOf } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import type { Exchange } from '../exchange.ts'
import { servedAtOf } from '../push-verdict.ts'
import { readDocument } from './read-document.ts'
import type { DocumentReader, ReadDocument } from './read-document.ts'
import { isStrongDate } from './strong-validator.ts'

export interface Ask {
  /** Absolute, on the site's own origin. */
  readonly url: string
  readonly method?: 'GET' | 'QUERY' | 'POST' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  /** What we know of the document: it is asked for only if modified. */
  readonly mark?: DocumentMark | undefined
  /** How it is to be read; without it, its bytes are given. */
  readonly reads?: DocumentReader | undefined
  /** All that is wanted of it; `MAX_DOCUMENT_BYTES` when not given. */
  readonly maxBytes?: number | undefined
}

export type Reply = DocumentReply | OtherReply

export interface DocumentReply {
  readonly kind: 'document'
  readonly status: number
  readonly headers: HeaderList
  /** Empty where the question said how it is to be read. */
  readonly body: Uint8Array
  readonly read: ReadDocument
  /** As sent. */
  readonly wireBytes: number
  /** Of whoever answered, as it was connected to. */
  readonly address: string
  /** Nothing was cut off on the way. */
  readonly isWhole: boolean
  /** To be remembered once the document was read. */
  readonly mark: DocumentMark
}

export interface OtherReply {
  readonly kind: 'same' | 'absent' | 'trouble'
  /** 0 when there was no answer. */
  readonly status: number
  readonly problem: string
}

/** What is remembered of a document, so that it is asked for only if modified and not read twice. */
export interface DocumentMark {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** Of its content: proxies take validators away. */
  readonly hash: string
  /** When it had changed, as the document that leads to it said: another instant, another content. */
  readonly listed?: Instant | undefined
  /** Documents it leads to that have to be asked for even while it stays the same. */
  readonly parts?: readonly string[] | undefined
  /** Whether it can stand for all pages of its site, as far as it goes. Unknown of what was read before that was noted. */
  readonly isWhole?: boolean | undefined
}

/** As sitemaps.org allows; nothing else that sites publish of themselves is larger. */
export const MAX_DOCUMENT_BYTES: number = 50 << 20

export function replyOf(ask: Ask, exchange: Exchange, address = ''): Reply {
  if (exchange.kind === 'failed') return { kind: 'trouble', status: 0, problem: exchange.message }
  const { status, headers } = exchange.head
  const isConditional = ask.mark?.etag !== undefined || ask.mark?.lastModified !== undefined
  if (status === 304 && isConditional) return { kind: 'same', status, problem: 'not modified' }
  if (status !== 200) return { kind: isPassing(status) ? 'trouble' : 'absent', status, problem: `status ${status}` }
  const decoded = decodeBody(exchange.body, headerOf(headers, 'content-encoding'), { maxBytes: MAX_DOCUMENT_BYTES })
  if (!('body' in decoded)) return { kind: 'trouble', status, problem: `its coding is ${decoded.kind}` }
  const isWhole = decoded.kind === 'ok' && exchange.truncated === undefined
  const mark = markOf(headers, decoded.body, exchange.endedAt)
  if (isWhole && mark.hash === ask.mark?.hash) return { kind: 'same', status, problem: 'the same bytes' }
  const wireBytes = exchange.body.length
  const came = { kind: 'document', status, headers, wireBytes, address, isWhole, mark } as const
  if (ask.reads === undefined) return { ...came, body: decoded.body, read: {} }
  return { ...came, body: NOTHING, read: readDocument(ask.reads, decoded.body, ask.url) }
}

const NOTHING = new Uint8Array(0)

/** All that is not the document's own fault, and a 304 that nobody asked for. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 304 || status === 408 || status === 425 || status === 429
}

function markOf(headers: HeaderList, body: Uint8Array, receivedAt: Instant): DocumentMark {
  const [etag, lastModified = ''] = [headerOf(headers, 'etag'), headerOf(headers, 'last-modified')]
  const isDated =
    lastModified.length <= MAX_VALIDATOR_CHARS &&
    isStrongDate(lastModified, servedAtOf(headerOf(headers, 'date')), receivedAt)
  return {
    ...(etag === undefined || etag.length > MAX_VALIDATOR_CHARS ? {} : { etag }),
    ...(isDated ? { lastModified } : {}),
    hash: hash('sha256', body, 'hex').slice(0, HASH_CHARS),
  }
}

const MAX_VALIDATOR_CHARS = 200
/** 64 bits tell two versions of one document apart. */
const HASH_CHARS = 16
