/**
 * Page check: what one page of a site is like to come back to. It is asked for once as it is and then as a crawler does that
 * holds it: by tag, by date, with itself as dictionary (RFC 9110 §13, RFC 9842), against an earlier version (RFC 3229).
 */
import { hash } from 'node:crypto'
import {
  combinedField,
  decodeBody,
  decodeText,
  decodeWithDictionary,
  deltaRequest,
  headerOf,
  mediaKindOf,
  needsScripts,
  parseRobotsDirectives,
  parseUseAsDictionary,
  readHtml,
} from '@comity/protocol'
import type { DictionaryCoding, HeaderList } from '@comity/protocol'
import type { AnsweredExchange, Exchange } from '@comity/ingest'
import { statusOf } from './asker.ts'
import type { Asker } from './asker.ts'
import { differenceProblem } from './difference.ts'

/** How a validator did. `vague`: the page differs in every answer, so nothing can be said. */
export type ValidatorState = 'right' | 'missing' | 'ignored' | 'unstable' | 'careless' | 'vague' | 'unasked'

interface DifferenceFacts {
  /** `dcz`, `dcb`, `226`; undefined when the whole page came. */
  readonly coding: string | undefined
  readonly bytes: number
  /** What is wrong with it; undefined when it was right, as far as can be seen. */
  readonly problem?: string | undefined
}

export interface CheckedPageFacts {
  readonly url: string
  readonly status: number
  /** As it was sent, and without its coding. */
  readonly bytes: number
  readonly plainBytes: number
  readonly coding: string | undefined
  readonly byTag: ValidatorState
  readonly byDate: ValidatorState
  /** `Last-Modified`, as it stood there. */
  readonly lastModified?: string | undefined
  readonly setsCookie: boolean
  readonly isNoindex: boolean
  /** It shows next to nothing to whoever runs no scripts. */
  readonly needsScripts: boolean
  readonly digest: string | undefined
  /** Undefined when the page is not offered as a dictionary. */
  readonly dictionary?: DifferenceFacts | undefined
  /** Undefined when no earlier version is known by its tag. */
  readonly difference?: DifferenceFacts | undefined
}

interface PageQuestion {
  readonly url: string
  /** Try a tag that nobody ever gave, too. */
  readonly isThorough: boolean
  /** Digest of an earlier version, where a list names one. */
  readonly earlierDigest?: string | undefined
  /** What it answered already. */
  readonly answer?: AnsweredExchange | undefined
}

const MAX_PAGE_BYTES = 10 << 20
const NEVER_GIVEN = '"comity-check-never-given"'

/** Undefined when the page could not be asked for. */
export async function checkPage(asker: Asker, question: PageQuestion): Promise<CheckedPageFacts | undefined> {
  const { url } = question
  const first = question.answer ?? (await asker.ask(url))
  if (first?.kind !== 'answered') return undefined
  const { headers, status } = first.head
  const body = plainBody(first)
  const facts = {
    url,
    status,
    bytes: first.body.length,
    plainBytes: body?.length ?? first.body.length,
    coding: headerOf(headers, 'content-encoding'),
    lastModified: headerOf(headers, 'last-modified'),
    setsCookie: headerOf(headers, 'set-cookie') !== undefined,
    isNoindex: parseRobotsDirectives([combinedField(headers, 'x-robots-tag') ?? ''], '*').noindex,
    needsScripts: status === 200 && body !== undefined && isShell(url, headers, body),
    digest: body === undefined ? undefined : `sha-256:${hash('sha256', body)}`,
  }
  if (status !== 200 || body === undefined) return { ...facts, byTag: 'unasked', byDate: 'unasked' }
  const byTag = await tagState(asker, question, headers, body)
  const byDate = await dateState(asker, url, headers, body)
  const dictionary = await tryDictionary(asker, url, headers, body)
  const difference = await tryDifference(asker, question, { etag: headerOf(headers, 'etag'), body })
  return { ...facts, byTag, byDate, dictionary, difference }
}

function isShell(url: string, headers: HeaderList, body: Uint8Array): boolean {
  const type = headerOf(headers, 'content-type')
  if (mediaKindOf(type, url) !== 'page') return false
  const { text } = decodeText(body, type)
  return needsScripts(text, readHtml(text))
}

async function tagState(
  asker: Asker,
  { url, isThorough }: PageQuestion,
  headers: HeaderList,
  body: Uint8Array,
): Promise<ValidatorState> {
  const etag = headerOf(headers, 'etag')
  if (etag === undefined) return 'missing'
  const again = await asker.ask(url, { headers: { 'if-none-match': etag } })
  if (again === undefined) return 'unasked'
  if (statusOf(again) !== 304) return resent(again, body, headerOf(headers, 'etag'))
  if (!isThorough) return 'right'
  const other = await asker.ask(url, { headers: { 'if-none-match': NEVER_GIVEN } })
  // Whoever says "not modified" to everybody keeps crawlers from ever seeing a change.
  return statusOf(other) === 304 ? 'careless' : 'right'
}

async function dateState(asker: Asker, url: string, headers: HeaderList, body: Uint8Array): Promise<ValidatorState> {
  const lastModified = headerOf(headers, 'last-modified')
  if (lastModified === undefined) return 'missing'
  const again = await asker.ask(url, { headers: { 'if-modified-since': lastModified } })
  if (again === undefined) return 'unasked'
  return statusOf(again) === 304 ? 'right' : resent(again, body, undefined)
}

/** The page came again though we hold it. */
function resent(again: Exchange, body: Uint8Array, etag: string | undefined): ValidatorState {
  if (again.kind !== 'answered' || again.head.status !== 200) return 'unasked'
  const now = plainBody(again)
  if (now === undefined || Buffer.compare(now, body) !== 0) return 'vague'
  return etag === undefined || headerOf(again.head.headers, 'etag') === etag ? 'ignored' : 'unstable'
}

/** With the page as its own dictionary the answer is hardly longer than its head. */
async function tryDictionary(
  asker: Asker,
  url: string,
  headers: HeaderList,
  body: Uint8Array,
): Promise<DifferenceFacts | undefined> {
  const use = parseUseAsDictionary(headerOf(headers, 'use-as-dictionary') ?? '')
  if (use === undefined) return undefined
  const answer = await asker.ask(url, {
    headers: {
      'accept-encoding': 'gzip, br, zstd, dcb, dcz',
      'available-dictionary': `:${hash('sha256', body, 'base64')}:`,
      ...(use.id === '' ? {} : { 'dictionary-id': JSON.stringify(use.id) }),
    },
  })
  if (answer?.kind !== 'answered') return undefined
  const coding = headerOf(answer.head.headers, 'content-encoding')?.toLowerCase()
  const bytes = answer.body.length
  if (coding !== 'dcz' && coding !== 'dcb') return { coding: undefined, bytes }
  return { coding, bytes, problem: dictionaryProblem(coding, answer, body) }
}

function dictionaryProblem(
  coding: DictionaryCoding,
  { body: sent, head }: AnsweredExchange,
  body: Uint8Array,
): string | undefined {
  const decoded = decodeWithDictionary(coding, sent, body, { maxBytes: MAX_PAGE_BYTES })
  if (decoded.kind !== 'ok') return `it cannot be decoded: ${decoded.kind}`
  if (Buffer.compare(decoded.body, body) !== 0) return 'it decodes to another page'
  const vary = (combinedField(head.headers, 'vary') ?? '').toLowerCase()
  return vary.includes('available-dictionary')
    ? undefined
    : 'Vary does not name available-dictionary, so caches would mix it up'
}

/**
 * We have no earlier version, but a change list may name one, and sites that run Comity name versions by their digests. What
 * comes is held against the page, as far as that can be seen without it (`check/difference.ts`).
 */
async function tryDifference(
  asker: Asker,
  { url, earlierDigest }: PageQuestion,
  page: { readonly etag: string | undefined; readonly body: Uint8Array },
): Promise<DifferenceFacts | undefined> {
  if (earlierDigest === undefined) return undefined
  const base = `"${earlierDigest.slice('sha-256:'.length).slice(0, 32)}"`
  const answer = await asker.ask(url, { headers: Object.fromEntries(deltaRequest([base])) })
  if (answer?.kind !== 'answered') return undefined
  const bytes = answer.body.length
  if (answer.head.status !== 226) return { coding: undefined, bytes }
  const problem = differenceProblem(answer, base, page)
  return { coding: '226', bytes, ...(problem === undefined ? {} : { problem }) }
}

export function plainBody(exchange: AnsweredExchange): Uint8Array | undefined {
  const decoded = decodeBody(exchange.body, headerOf(exchange.head.headers, 'content-encoding'), {
    maxBytes: MAX_PAGE_BYTES,
  })
  return decoded.kind === 'ok' && exchange.truncated === undefined ? decoded.body : undefined
}
