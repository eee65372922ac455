/** The next thing a client of HTTP/1 says, when it has said all of its head. */
import { endsBare, readWireHead, wireHeadEnd } from '@comity/protocol'
import type { WireHead } from '@comity/protocol'
import type { ClientPlace } from './proxy-context.ts'
import type { ProxyOptions } from './proxy-options.ts'
import { refusal } from './refusal.ts'
import type { Refusal } from './refusal.ts'
import { readProxyRequest } from './proxy-request.ts'
import type { ProxyRequest } from './proxy-request.ts'

type NextHead =
  /** Passed over before a request (RFC 9112 §2.2). */
  | { readonly kind: 'empty-line' }
  | { readonly kind: 'more' }
  /** The preface of HTTP/2 (RFC 9113 §3.4). */
  | { readonly kind: 'http2' }
  | { readonly kind: 'refused'; readonly refused: Refusal; readonly isHead: boolean }
  | { readonly kind: 'request'; readonly head: WireHead; readonly request: ProxyRequest; readonly end: number }

const HTTP2_LINE = 'PRI * HTTP/2.0'
const MORE: NextHead = { kind: 'more' }
const EMPTY_LINE: NextHead = { kind: 'empty-line' }
const HTTP2: NextHead = { kind: 'http2' }

export function nextHead(bytes: Buffer, from: number, options: ProxyOptions, place: ClientPlace): NextHead {
  const { maxHeadBytes, maxFields } = options.limits
  if (bytes[from] === 13 && bytes[from + 1] === 10) return EMPTY_LINE
  const end = wireHeadEnd(bytes, from)
  if (end === -1 || end - from > maxHeadBytes) {
    if (bytes.length - from > maxHeadBytes)
      return refused(refusal('head-too-large', `The head of a request may have ${maxHeadBytes} bytes.`))
    return endsBare(bytes) ? refused(refusal('bad-request', 'Lines end with CRLF (RFC 9112 §2.2).')) : MORE
  }
  const head = readWireHead(bytes, from, end, maxFields)
  if (typeof head === 'string') return refused(refusal('bad-request', `The head has ${head}.`))
  if (head.line === HTTP2_LINE) return HTTP2
  const request = readProxyRequest(head, options, place)
  return 'reason' in request ? refused(request, head.line.startsWith('HEAD ')) : { kind: 'request', head, request, end }
}

const refused = (why: Refusal, isHead = false): NextHead => ({ kind: 'refused', refused: why, isHead })
