/**
 * Document answer: a request for one of the site's documents, answered as RFC 9110 has it: strong ETag and Last-Modified,
 * 304 for whoever has it already, a content coding for whoever takes one, parts for whoever wants parts.
 */
import { contentRange, evaluateConditions, headerOf, mayServeRange, parseRange, writeHttpDate } from '@comity/protocol'
import type { ByteRange, HeaderList, Instant } from '@comity/protocol'
import { chooseCoding } from '../documents/document-coding.ts'
import type { DocumentFacts, DocumentStore, Made } from '../documents/document-store.ts'
import type { Coding } from '../documents/document-coding.ts'
import { readContent } from '../documents/site-document.ts'
import type { SiteDocument } from '../documents/site-document.ts'
import { NO_BODY, sentenceAnswer } from '../site-request.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'

/** Below this a coding saves less than its own header fields take. */
const MIN_CODED_BYTES = 200
const YEAR_SECONDS = 31_536_000

export async function answerDocument(
  request: SiteRequest,
  document: SiteDocument,
  store: DocumentStore,
  now: Instant,
): Promise<SiteAnswer> {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD')
    return sentenceAnswer(405, `${document.path} is a document: use GET or HEAD.`, [['Allow', 'GET, HEAD']])
  const known = await store.facts(document)
  const told = headOf(document, known, headers, now)
  const verdict = evaluateConditions({ method, headers }, told.validators, now)
  if (verdict === 'not-modified') return { status: 304, headers: told.fields, body: NO_BODY }
  if (verdict === 'precondition-failed')
    return sentenceAnswer(412, `${document.path} is not the version you ask for.`, told.fields)
  const made = await store.made(document)
  const { coding, validators, fields } = headOf(document, made, headers, now)
  const described: HeaderList = [...fields, ['Content-Type', document.type]]
  if (coding !== undefined) {
    const body = await store.coded(document, coding)
    return whole(method, [...described, ['Content-Encoding', coding]], body.length, body)
  }
  const range = mayServeRange(headers, validators, now) ? parseRange(headerOf(headers, 'range'), made.bytes) : undefined
  if (range?.kind === 'unsatisfiable')
    return sentenceAnswer(416, `${document.path} has ${made.bytes} bytes.`, [
      ...fields,
      ['Content-Range', contentRange(undefined, made.bytes)],
    ])
  const ranged: HeaderList = [...described, ['Accept-Ranges', 'bytes']]
  // Several parts are never needed of what we have; RFC 9110 §14.2 lets a server send the whole then.
  if (range?.kind === 'parts' && range.ranges.length === 1) return partial(method, ranged, range.ranges[0], made)
  const { content, bytes } = made
  return whole(method, ranged, bytes, content instanceof Uint8Array ? content : readContent(content, 0, bytes))
}

interface Head {
  readonly coding: Coding | undefined
  readonly validators: { readonly etag: string; readonly lastModified: Instant }
  readonly fields: HeaderList
}

function headOf(document: SiteDocument, facts: DocumentFacts, request: HeaderList, now: Instant): Head {
  const coding = codingFor(document, facts, request)
  const etag = `"${facts.name}${coding === undefined ? '' : `-${coding}`}"`
  const validators = { etag, lastModified: secondAfter(document) }
  return { coding, validators, fields: commonFields(document, validators, now) }
}

/** A part is one of the bytes as they are: whoever asks for it gets no coding. */
function codingFor({ isPacked }: SiteDocument, { bytes }: DocumentFacts, headers: HeaderList): Coding | undefined {
  if (isPacked === true || bytes < MIN_CODED_BYTES || headerOf(headers, 'range') !== undefined) return undefined
  return chooseCoding(headers)
}

/**
 * The end of the second it was modified in. Modified twice in one second, both versions would have one date, and whoever
 * got the first would never be sent the second (RFC 9110 §8.8.2.2).
 */
const secondAfter = ({ modifiedAt }: SiteDocument): Instant => (Math.floor(modifiedAt / 1_000) + 1) * 1_000

function commonFields(
  { isFinal, isPacked }: SiteDocument,
  { etag, lastModified }: Head['validators'],
  now: Instant,
): HeaderList {
  const fields: [string, string][] = [['ETag', etag]]
  if (lastModified <= now) fields.push(['Last-Modified', writeHttpDate(lastModified)])
  fields.push(['Cache-Control', isFinal === true ? `max-age=${YEAR_SECONDS}, immutable` : 'no-cache'])
  if (isPacked !== true) fields.push(['Vary', 'Accept-Encoding'])
  return fields
}

function whole(method: string, headers: HeaderList, bytes: number, body: SiteAnswer['body']): SiteAnswer {
  const sized: HeaderList = [...headers, ['Content-Length', String(bytes)]]
  return { status: 200, headers: sized, body: method === 'HEAD' ? NO_BODY : body }
}

function partial(method: string, headers: HeaderList, range: ByteRange, { content, bytes }: Made): SiteAnswer {
  const fields: HeaderList = [
    ...headers,
    ['Content-Range', contentRange(range, bytes)],
    ['Content-Length', String(range.end - range.start)],
  ]
  return {
    status: 206,
    headers: fields,
    body: method === 'HEAD' ? NO_BODY : readContent(content, range.start, range.end),
  }
}
