/** ObservedExchange: a request and its answer as they went by, or what could be rebuilt of them. */
import { plainHost } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { RequestHead, ResponseHead } from './head.ts'

/** `whole`: the very bytes that the reader got, sure in every respect. All else has a name, is counted, and is never indexed. */
export const PASSING_VERDICTS = [
  'whole',
  /** Bytes of it were not captured. */
  'hole',
  /** It ended before its end. */
  'cut-short',
  /** Bytes came twice and differ. */
  'conflict',
  /** Readers could cut or read it in two ways. */
  'doubtful',
  'too-large',
  'not-wanted',
  /** There was no memory for it. */
  'no-room',
  'no-request',
  'no-response',
  /** Which request it answers cannot be said: something is missing. */
  'unpaired',
  /** From here on another protocol is spoken: a tunnel, a WebSocket. */
  'switched',
  /** Host and address of the request say nothing sure. */
  'unsure-url',
] as const
export type ExchangeVerdict = (typeof PASSING_VERDICTS)[number]

/**
 * Whether the server may know the reader by the connection alone (`privacy/connection-watch.ts`). `unseen`: not all that was said on it
 * before was seen, so that nobody can tell.
 */
export type Authentication = 'none' | 'known' | 'unseen'

export interface ObservedExchange {
  readonly at: number
  readonly endedAt: number
  /** In memory only, to tell readers apart and to know the servers of the network. */
  readonly client: string
  readonly server: string
  readonly serverPort: number
  readonly authentication: Authentication
  readonly request: RequestHead | undefined
  readonly url: string | undefined
  readonly response: ResponseHead | undefined
  /** Its transfer coding is off, its content coding is on. */
  readonly body: Uint8Array
  readonly verdict: ExchangeVerdict
}

export interface ObservedExchangeSink {
  observed(observed: ObservedExchange): void
}

/**
 * The URL that was asked for, where that is beyond doubt (RFC 9112 §3.2). A host that is not written plainly may be another one to
 * its server, which would answer for that: nobody can say then what page was asked for.
 */
export function urlOf({ target, headers, doubts, method }: RequestHead): string | undefined {
  if (doubts.length > 0 || method === 'CONNECT') return undefined
  const hosts = hostsOf(headers)
  if (target.startsWith('/')) {
    return hosts.length === 1 && isPlain(hosts[0]!) ? `http://${hosts[0]!}${target}` : undefined
  }
  // In the absolute form the target counts, whatever Host says; user information is never a part of what is kept. What was said
  // in plain is no page of https, though somebody asks for it so.
  const absolute = /^http:\/\/([^/?#@]+)(\/[^#]*)?$/i.exec(target)
  if (absolute === null || !isPlain(absolute[1]!) || hosts.some((host) => host !== absolute[1])) return undefined
  return `http://${absolute[1]!}${absolute[2] ?? '/'}`
}

const CONTENT_ENCODING = 'content-encoding'

/** What a body is coded with: a list may be spread over several fields (RFC 9110 §5.3). */
export function codingOf({ headers }: ResponseHead): string | undefined {
  let values: string | undefined
  for (const [name, value] of headers) {
    // Most names are told apart by their length.
    if (name.length !== CONTENT_ENCODING.length || name.toLowerCase() !== CONTENT_ENCODING) continue
    values = values === undefined ? value : `${values}, ${value}`
  }
  return values
}

const HOST = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

const isPlain = (host: string): boolean => HOST.test(host) && plainHost(host, 'http') === host

const hostsOf = (headers: HeaderList): string[] =>
  headers.filter(([name]) => name.toLowerCase() === 'host').map(([, value]) => value)
