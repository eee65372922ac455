/**
 * Privacy: may this page be made known? Pure functions from what was asked and answered to a verdict with a name. Every
 * page that is listed, diffed, bundled or filtered went through here first, and a page that no longer passes is withdrawn.
 *
 * When in doubt the answer is no: a page that is left out costs a crawler one visit, a page that is let out cannot be
 * called back.
 */
import {
  canonicalPath,
  credentialField,
  decodeText,
  headerOf,
  looksSecret,
  mediaKindOf,
  parseRobotsDirectives,
  readHtml,
} from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import { privateFor, PUBLIC } from './private-reason.ts'
import type { PublicVerdict } from './private-reason.ts'
import { pathVerdict } from './public-rules.ts'
import type { PublicRules } from './public-rules.ts'
import { unpublishedName } from './unpublished-names.ts'

export interface RequestFacts {
  /** Path and query. */
  readonly path: string
  /** GET unless given. */
  readonly method?: string | undefined
  readonly headers?: HeaderList | undefined
  /** The owner named this very address, so its query is meant. */
  readonly isListed?: boolean | undefined
}

export interface AnswerFacts {
  readonly status: number
  readonly headers: HeaderList
  /** Without content codings; what `meta` elements say to robots is read from it. */
  readonly body?: Uint8Array | undefined
}

export function publicVerdict(
  request: RequestFacts,
  answer: AnswerFacts,
  rules: PublicRules,
  now: Instant,
): PublicVerdict {
  const path = canonicalPath(request.path) ?? request.path
  return (
    refusal(pathVerdict(request.path, rules, request.isListed)) ??
    addressRefusal(request, rules) ??
    keptNameRefusal(request) ??
    requestRefusal(request) ??
    statusRefusal(answer) ??
    headerRefusal(answer.headers, now) ??
    bodyRefusal(answer.body, headerOf(answer.headers, 'content-type'), path, now) ??
    PUBLIC
  )
}

/**
 * The same for a file that a server hands out as it is, by its addresses alone. A folder's index file has two, and what is
 * said of either holds for both: whoever hides `/a/index.html` means `/a/`, too.
 */
export function fileVerdict(addresses: readonly string[], rules: PublicRules): PublicVerdict {
  const refusals = addresses.flatMap((path) => refusal(pathVerdict(path, rules)) ?? nameRefusal(path) ?? [])
  const isIncluded = refusals.length < addresses.length
  return refusals.find((found) => !isIncluded || (!found.public && found.reason !== 'not-included')) ?? PUBLIC
}

/** And by what it holds. */
export function contentVerdict(body: Uint8Array, type: string, now: Instant): PublicVerdict {
  return bodyRefusal(body, type, '', now) ?? PUBLIC
}

const refusal = (verdict: PublicVerdict): PublicVerdict | undefined => (verdict.public ? undefined : verdict)

function nameRefusal(path: string): PublicVerdict | undefined {
  const reason = unpublishedName(path)
  return reason === undefined ? undefined : privateFor(reason, path)
}

/** Of a server that runs programs their answers are pages; whatever else nobody means to publish, it may hand out by mistake. */
function keptNameRefusal({ path, isListed = false }: RequestFacts): PublicVerdict | undefined {
  const reason = isListed ? undefined : unpublishedName(path)
  return reason === undefined || reason === 'program' ? undefined : privateFor(reason, path)
}

/** A link that was shared is public for whoever has it alone, and its visit would list it for everybody. */
function addressRefusal({ path, isListed = false }: RequestFacts, { include }: PublicRules): PublicVerdict | undefined {
  return !isListed && include.length === 0 && looksSecret(path) ? privateFor('secret-address', path) : undefined
}

/** Somebody who is known may see what others do not, and nothing in the answer need say so. */
function requestRefusal({ method = 'GET', headers = [] }: RequestFacts): PublicVerdict | undefined {
  if (method !== 'GET') return privateFor('method', method)
  const credential = credentialField(headers)
  if (credential !== undefined) return privateFor('authorization', credential)
  return hasField(headers, 'cookie') ? privateFor('cookie-sent', 'Cookie') : undefined
}

function statusRefusal({ status, headers }: AnswerFacts): PublicVerdict | undefined {
  if (status === 401 || status === 403 || status === 407) return privateFor('protected', `status ${status}`)
  if (hasField(headers, 'www-authenticate')) return privateFor('protected', 'WWW-Authenticate')
  if (status === 404 || status === 410) return privateFor('missing', `status ${status}`)
  // 304 and 206 are answers about a page that is there, only not whole; 300 is a choice, as the others lead elsewhere.
  if (status >= 300 && status < 400 && status !== 304) return privateFor('redirect', `status ${status}`)
  return status === 200 ? undefined : privateFor('status', `status ${status}`)
}

function headerRefusal(headers: HeaderList, now: Instant): PublicVerdict | undefined {
  if (hasField(headers, 'set-cookie')) return privateFor('cookie-set', 'Set-Cookie')
  const cacheControl = valuesOf(headers, 'cache-control').find((value) => PRIVATE_CACHE.test(value))
  if (cacheControl !== undefined) return privateFor('private', `Cache-Control: ${cacheControl}`)
  // Without a cookie or authorization in the request the answer is what everybody gets, whatever else it varies by.
  const vary = valuesOf(headers, 'vary').find((value) => /(?:^|,)\s*\*\s*(?:,|$)/.test(value))
  if (vary !== undefined) return privateFor('varies', `Vary: ${vary}`)
  const tag = valuesOf(headers, 'x-robots-tag').find((value) => isNoindex(value, now))
  return tag === undefined ? undefined : privateFor('noindex', `X-Robots-Tag: ${tag}`)
}

/** `private="field"` takes only that field from shared caches; whoever writes it still has something private there. */
const PRIVATE_CACHE = /(?:^|[,\s])(?:private|no-store)(?:[,\s=]|$)/i

function bodyRefusal(
  body: Uint8Array | undefined,
  type: string | undefined,
  path: string,
  now: Instant,
): PublicVerdict | undefined {
  if (body === undefined || mediaKindOf(type, path) !== 'page') return undefined
  const { robots } = readHtml(decodeText(body, type).text, ROBOTS_ONLY)
  const said = robots.find(({ content }) => isNoindex(content, now))
  return said === undefined ? undefined : privateFor('noindex', `<meta name="${said.agent}" content="${said.content}">`)
}

/** Only the `meta` elements are wanted; attributes may be of the usual length. */
const ROBOTS_ONLY = { maxLinks: 0, maxText: 0, maxHeadings: 0, maxTitle: 0, maxAnchor: 0 }

/** Whichever robot it is said to: a page that is hidden from one of them is not ours to show to the others. */
function isNoindex(value: string, now: Instant): boolean {
  const names = new Set(value.slice(0, MAX_VALUE).match(AGENT_NAME)?.slice(0, MAX_AGENTS) ?? [])
  return ['*', ...names].some((name) => {
    const { noindex, unavailableAfter } = parseRobotsDirectives([value], name)
    return noindex || (unavailableAfter !== undefined && unavailableAfter <= now)
  })
}

const AGENT_NAME = /[a-z*][\w*-]*(?=\s*:)/gi
const MAX_AGENTS = 32
const MAX_VALUE = 4_096

const hasField = (headers: HeaderList, name: string): boolean => headerOf(headers, name) !== undefined

function valuesOf(headers: HeaderList, name: string): string[] {
  return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)
}
