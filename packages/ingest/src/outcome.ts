/**
 * Outcomes: every way a visit to a page can end, by name. One table says what each means for the page and for its site.
 *
 * A site's fault is a value, never an exception; only our own bug or broken storage throws.
 */
import type { Disposition } from '@comity/frontier'
import { tableOf } from '@comity/protocol'

interface Meaning {
  /** `retry` comes back up to the tries allowed, behind everything else the site has. */
  readonly disposition: Disposition
  /** The site, not the page, is in trouble: back off from all of it. */
  readonly siteTrouble: boolean
  /** Somebody's trouble: counted as an error where a collection is summed up. */
  readonly isError: boolean
  readonly sentence: string
}

const asError = { siteTrouble: false, isError: true }
const good = (sentence: string): Meaning => ({ disposition: 'done', siteTrouble: false, isError: false, sentence })
const done = (sentence: string): Meaning => ({ disposition: 'done', ...asError, sentence })
const failed = (sentence: string): Meaning => ({ disposition: 'failed', ...asError, sentence })
const retry = (sentence: string): Meaning => ({ disposition: 'retry', ...asError, sentence })
const trouble = (sentence: string): Meaning => ({ disposition: 'retry', ...asError, siteTrouble: true, sentence })

export type Outcome =
  | 'ok'
  | 'not-modified'
  | 'redirect'
  | 'client-error'
  | 'skipped-type'
  | 'redirect-loop'
  | 'redirect-too-long'
  | 'redirect-out-of-scope'
  | 'redirect-nowhere'
  | 'bad-coding'
  | 'not-text'
  | 'decoded-too-large'
  | 'too-much-work'
  | 'headers-too-large'
  | 'address-refused'
  | 'fault'
  | 'too-large'
  | 'truncated'
  | 'server-error'
  | 'bad-response'
  | 'busy'
  | 'timeout-connect'
  | 'timeout-headers'
  | 'timeout-body'
  | 'connection-refused'
  | 'connection-reset'
  | 'unreachable'
  | 'tls-error'
  | 'dns-error'
  | 'proxy-error'

// oxfmt-ignore
export const OUTCOMES: Readonly<Record<Outcome, Meaning>> = {
  'ok':                    good('the page came whole'),
  'not-modified':          good('304: our copy is still good'),
  'redirect':              good('the page is elsewhere; the target is a page of its own'),
  'client-error':          done('4xx: the page is not there or not for us'),
  'skipped-type':          good('its media type is not wanted; the body was not read'),
  'redirect-loop':         failed('redirects lead back to where they came from'),
  'redirect-too-long':     failed('more redirects in a row than we follow'),
  'redirect-out-of-scope': good('it redirects to a place we must not go'),
  'redirect-nowhere':      failed('a redirect without a usable Location'),
  'bad-coding':            failed('the content coding is unknown or the coded bytes are corrupt'),
  'not-text':              failed('it is called a page, and its bytes are no text: kept as it came, not read and not indexed'),
  'decoded-too-large':     failed('decoded, the body would pass the limit'),
  'too-much-work':         failed('it takes more work to read than it can be worth: kept as it came'),
  'headers-too-large':     failed('the header section passes the limit'),
  'address-refused':       failed('the host has only private or reserved addresses'),
  'fault':                 failed('a fault of ours while it was read: it is kept aside as a dead letter'),
  'too-large':             failed('the body passes the limit: its start is kept, but not trusted'),
  'truncated':             retry('the body is not whole: kept, but its text and links are not trusted'),
  'server-error':          retry('5xx: the server failed on this page'),
  'bad-response':          retry('what came back is not HTTP'),
  'busy':                  trouble('429 or 503: the site asks us to come back later'),
  'timeout-connect':       trouble('no connection in time'),
  'timeout-headers':       trouble('connected, but no answer in time'),
  'timeout-body':          trouble('the answer began and did not end in time: kept, but not trusted'),
  'connection-refused':    trouble('nobody listens there'),
  'connection-reset':      trouble('the connection broke before the head of the answer was whole'),
  'unreachable':           trouble('no route to the host'),
  'tls-error':             trouble('no trusted TLS connection'),
  'dns-error':             trouble('the host name has no address'),
  'proxy-error':           trouble('the outgoing proxy did not connect us'),
}

const byName = tableOf<Meaning>(OUTCOMES)

/** Of an outcome as it stands in a collection: one that a later version wrote is told as an error rather than hidden. */
export const isErrorOutcome = (name: string): boolean => byName.get(name)?.isError ?? true

/** No connection came about, so nobody carried any load of ours: whoever asks again soon is no burden. */
export const isNobodyThere = (outcome: string): boolean => NOBODY_THERE.has(outcome)
const NOBODY_THERE: ReadonlySet<string> = new Set<Outcome>(['dns-error', 'connection-refused', 'unreachable'])

export const meaningOf = (outcome: Outcome): Meaning => OUTCOMES[outcome]

/** Why a whole site is left alone for the rest of a run; its pages go on waiting for the next one. */
export type SiteOutcome = Outcome | 'robots-unreachable' | 'rests-too-long'

/** Those with a Location. 304 is no redirect, 305 and 306 are out of use (RFC 9110 §15.4). */
export const isRedirect = (status: number): boolean => [300, 301, 302, 303, 307, 308].includes(status)

/** The outcome of an HTTP answer that came whole. A 304 to a condition of ours is told apart by the caller. */
export function outcomeOfStatus(status: number): Outcome {
  if (status === 429 || status === 503) return 'busy'
  // Nobody asked for a range, so a part of the page is a page that is not whole.
  if (status === 206) return 'truncated'
  // Nor for a difference: one that was asked for has been made a whole page before anybody asks this.
  if (status === 226) return 'bad-response'
  if (status >= 200 && status < 300) return 'ok'
  if (isRedirect(status)) return 'redirect'
  if (status >= 400 && status < 500) return 'client-error'
  // A status outside 100 to 599 is to be taken for a 5xx (RFC 9110 §15).
  if (status >= 500) return 'server-error'
  return 'bad-response'
}

/** Names for what undici, TLS and the system call their errors. */
const BY_CODE: ReadonlyMap<string, Outcome> = tableOf({
  UND_ERR_CONNECT_TIMEOUT: 'timeout-connect',
  ETIMEDOUT: 'timeout-connect',
  UND_ERR_HEADERS_TIMEOUT: 'timeout-headers',
  UND_ERR_BODY_TIMEOUT: 'timeout-body',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  UND_ERR_SOCKET: 'connection-reset',
  ECONNRESET: 'connection-reset',
  EPIPE: 'connection-reset',
  ECONNABORTED: 'connection-reset',
  ECONNREFUSED: 'connection-refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  PROXY_REFUSED: 'proxy-error',
  // undici asserts what it takes for granted about a response, such as a status above 99.
  ERR_ASSERTION: 'bad-response',
  EPROTO: 'tls-error',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls-error',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls-error',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls-error',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls-error',
  UNABLE_TO_GET_ISSUER_CERT: 'tls-error',
})

/** The outcome that an error of the HTTP client stands for. */
export function outcomeOfError(error: Error): Outcome {
  const code = codeOf(error)
  // undici's parser does not always name what it choked on.
  if (error.name === 'HTTPParserError' && !BY_CODE.has(code)) return 'bad-response'
  // One code for two things: a connection that broke, and an answer to nothing we asked (100 Continue, an upgrade).
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad ')) return 'bad-response'
  const named = BY_CODE.get(code)
  if (named !== undefined) return named
  if (/^(ERR_SSL|ERR_TLS|CERT_|ERR_OSSL)/.test(code)) return 'tls-error'
  if (/^(HPE_|UND_ERR_|ERR_HTTP2|ERR_STREAM)/.test(code)) return 'bad-response'
  return 'connection-reset'
}

function codeOf(error: Error): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause instanceof Error ? codeOf(cause) : ''
}
