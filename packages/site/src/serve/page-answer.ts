/**
 * Page answer: a page that the site has made, as it is sent: with validators, so that it need not be sent again (RFC 9110
 * §13); with digests, so that a crawler can check what it put together (RFC 9530); in the fewest bytes that the asker can
 * read. Only for pages that everybody may have: what is private never comes here.
 *
 * One strong tag names the page whatever its coding, so that lists and batches know it beforehand. Tags have to differ
 * where parts of two codings could be put together (RFC 9110 §8.8.3.3), and we never send parts of a page.
 */
import {
  combinedField,
  DICTIONARY_VARY,
  evaluateConditions,
  headerOf,
  writeHttpDate,
  writeUseAsDictionary,
} from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import type { CodedBody, PageCodings } from './page-answer-coding.ts'
import { pageEtag } from '../page-etag.ts'
import { NO_BODY } from '../site-request.ts'
import type { SiteAnswer, SiteRequest } from '../site-request.ts'

/** All of a page but its body. Whoever hands the same object in again saves the work of describing it. */
export interface PageHead {
  readonly path: string
  /** `sha-256:` and hexadecimal digits. */
  readonly digest: string
  /** As the site answered them; what speaks of bytes and versions is replaced. */
  readonly headers: HeaderList
  /** The digest is over masked bytes: it names what the page says, not its bytes. */
  readonly masked?: boolean | undefined
  readonly modifiedAt: Instant
}

export interface CurrentPage {
  readonly head: PageHead
  /** Without content coding. */
  readonly body: Uint8Array
}

/** How a page was answered, for whoever keeps count. */
export type PageScheme = 'page' | 'not-modified' | 'difference' | 'dictionary' | 'head'

export interface AnsweredPage extends SiteAnswer {
  readonly body: Uint8Array
  readonly scheme: PageScheme
  /** What a server without all this would have sent. */
  readonly wholeBytes: number
}

interface PageAnswerOptions {
  /** For pages whose own answers have no Cache-Control. */
  readonly cacheControl?: string | undefined
  /** Values of `Link` fields that every page carries. */
  readonly links?: (() => readonly string[]) | undefined
}

/**
 * Ask each time, but the copy may be used when the site is down. That permission is what makes it a dictionary in the eyes
 * of RFC 9842 §2.2.2, and no visitor ever sees an old page by it. Browsers want `stale-while-revalidate` in its place,
 * which shows the old page once more; that is for the owner to choose.
 */
export const PAGE_CACHE_CONTROL = 'max-age=0, stale-if-error=2592000'

/** GET and HEAD only. */
export function answerPage(
  request: Pick<SiteRequest, 'method' | 'headers'>,
  page: CurrentPage,
  codings: PageCodings,
  now: Instant,
  options: PageAnswerOptions = {},
): AnsweredPage {
  const { head, body } = page
  const { headers } = request
  const { path, digest } = head
  const described = describe(head, options)
  const verdict = evaluateConditions(request, { etag: described.etag, lastModified: head.modifiedAt }, now)
  if (verdict === 'not-modified') {
    const wholeBytes = request.method === 'HEAD' ? 0 : codings.wholeBytes(headers, { path, digest, body })
    return { status: 304, headers: described.common, body: NO_BODY, scheme: 'not-modified', wholeBytes }
  }
  if (verdict === 'precondition-failed') {
    const fields: HeaderList = [...described.common, ['Content-Length', '0']]
    return { status: 412, headers: fields, body: NO_BODY, scheme: 'page', wholeBytes: 0 }
  }
  const { isExact, isFixed } = described
  // A difference is an answer to GET alone (RFC 3229 §10.4.1).
  const wishes = request.method === 'GET' ? headers : headers.filter(([name]) => name.toLowerCase() !== 'a-im')
  const coded: CodedBody = isFixed ? asItIs(page) : codings.smallest(wishes, { path, digest, body }, isExact)
  const fields: HeaderList = [
    ...(coded.status === 226 ? replaced(described.common, coded.headers) : described.common),
    ...described.own,
    ...lastModified(head, now),
    ...(coded.status === 200 ? digestField(described, coded) : []),
    ...(coded.status === 200 ? described.use : []),
    ...(options.links?.() ?? []).map((link) => ['Link', link] as const),
    ...coded.headers,
    ['Content-Length', String(coded.body.length)],
  ]
  if (request.method === 'HEAD')
    return { status: coded.status, headers: fields, body: NO_BODY, scheme: 'head', wholeBytes: 0 }
  const scheme = coded.kind === 'difference' || coded.kind === 'dictionary' ? coded.kind : 'page'
  const wholeBytes = scheme === 'page' ? coded.body.length : codings.wholeBytes(headers, { path, digest, body })
  return { status: coded.status, headers: fields, body: coded.body, scheme, wholeBytes }
}

interface Described {
  readonly etag: string
  readonly isExact: boolean
  readonly isFixed: boolean
  readonly common: HeaderList
  readonly own: HeaderList
  readonly digest: string | undefined
  readonly use: HeaderList
  readonly cacheControl: string | undefined
}

const known = new WeakMap<PageHead, Described>()

function describe(head: PageHead, { cacheControl }: PageAnswerOptions): Described {
  const before = known.get(head)
  if (before !== undefined && before.cacheControl === cacheControl) return before
  const etag = pageEtag(head)
  const isExact = head.masked !== true
  const described = {
    etag,
    isExact,
    isFixed: /(?:^|[\s,])no-transform(?:[\s,]|$)/i.test(combinedField(head.headers, 'cache-control') ?? ''),
    common: commonFields(head, etag, cacheControl),
    own: describing(head),
    digest: isExact ? digestValue(head.digest) : undefined,
    use: isExact ? dictionaryUse(head, etag) : [],
    cacheControl,
  }
  known.set(head, described)
  return described
}

const asItIs = ({ body }: CurrentPage): CodedBody => ({ kind: 'plain', status: 200, headers: [], body })

/** Of the bytes as the site made them, or of their version: said anew, or not true any more. */
const OURS: ReadonlySet<string> = new Set([
  'accept-ranges',
  'cache-control',
  'content-digest',
  'content-encoding',
  'content-length',
  'content-md5',
  'digest',
  'etag',
  'last-modified',
  'repr-digest',
  'transfer-encoding',
  'unencoded-digest',
  'use-as-dictionary',
  'vary',
])

/** What a 304 says too (RFC 9110 §15.4.5), and all that the site says of the answer rather than of the page in it. */
function commonFields({ headers }: PageHead, etag: string, cacheControl: string = PAGE_CACHE_CONTROL): HeaderList {
  const kept = headers.filter(([name]) => !OURS.has(name.toLowerCase()) && !isDescribing(name))
  return [...kept, ['ETag', etag], ...caching(headers, cacheControl), ['Vary', varying(combinedField(headers, 'vary'))]]
}

/** A page with an Expires of its own has said enough. */
function caching(headers: HeaderList, otherwise: string): HeaderList {
  const said = combinedField(headers, 'cache-control')
  if (said !== undefined) return [['Cache-Control', said]]
  return headerOf(headers, 'expires') === undefined ? [['Cache-Control', otherwise]] : []
}

const isDescribing = (name: string): boolean => /^(?:content-(?!security-policy|location)|link$)/i.test(name)

const describing = ({ headers }: PageHead): HeaderList =>
  headers.filter(([name]) => isDescribing(name) && !OURS.has(name.toLowerCase()))

/** The difference has its own word on ETag and Cache-Control. */
function replaced(fields: HeaderList, by: HeaderList): HeaderList {
  const names = new Set(by.map(([name]) => name.toLowerCase()))
  return fields.filter(([name]) => !names.has(name.toLowerCase()))
}

function varying(said: string | undefined): string {
  const names = (said ?? '').split(',').map((name) => name.trim())
  const others = names.filter((name) => name !== '' && !VARY.has(name.toLowerCase()))
  return [...others, DICTIONARY_VARY].join(', ')
}

const VARY: ReadonlySet<string> = new Set(DICTIONARY_VARY.split(', '))

/**
 * Not before its second is over: modified twice within it, both versions would have one date, and whoever got the first
 * would never be sent the second (RFC 9110 §8.8.2.2).
 */
function lastModified({ modifiedAt }: PageHead, now: Instant): HeaderList {
  const isOver = now >= (Math.floor(modifiedAt / 1_000) + 1) * 1_000
  return isOver ? [['Last-Modified', writeHttpDate(modifiedAt)]] : []
}

/** Unencoded-Digest is of the page whatever its coding; Repr-Digest of the bytes in their coding (RFC 9530 §3). */
function digestField({ digest }: Described, { headers }: CodedBody): HeaderList {
  if (digest === undefined) return []
  const isCoded = headerOf(headers, 'content-encoding') !== undefined
  return [[isCoded ? 'Unencoded-Digest' : 'Repr-Digest', digest]]
}

/** The digest is known already: hashing again would cost more than all else here. */
const digestValue = (digest: string): string =>
  `sha-256=:${Buffer.from(digest.slice('sha-256:'.length), 'hex').toString('base64')}:`

/** This version as the dictionary of the next. */
function dictionaryUse({ path }: PageHead, etag: string): HeaderList {
  const use = writeUseAsDictionary({ match: exactPattern(path), id: etag.slice(1, -1) })
  return use === undefined ? [] : [['Use-As-Dictionary', use]]
}

/** A URL pattern that this path and no other matches. The first question mark divides path and query in both. */
export function exactPattern(path: string): string {
  const mark = path.indexOf('?')
  const [before, query] = mark < 0 ? [path] : [path.slice(0, mark), path.slice(mark + 1)]
  // Escaped, or it would make the group before it, where there is one, optional.
  return escaped(before) + (query === undefined ? '' : String.raw`\?${escaped(query)}`)
}

/** In a group, a colon or question mark is not taken for the end of a scheme or a path, escaped or not. */
const escaped = (text: string): string =>
  text.replaceAll(/[*+{}()\\]/g, String.raw`\$&`).replaceAll(/[:?]/g, String.raw`{\$&}`)
