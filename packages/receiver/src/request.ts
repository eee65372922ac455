/** ReceiverRequest: a request to the receiver, as its routes see it, and the answer they give. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ownValue } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import type { BodiesUnderWay } from './body/bodies-under-way.ts'
import type { Holder } from './admit/byte-room.ts'

/** Who sends it, as far as that is proven. */
interface RequestSender {
  /** Whose room what it sends takes: its address's, until it is proven who speaks. */
  readonly holder: () => Holder
  /** It is proven that this site, or gateway, speaks. */
  readonly prove: (origin: string) => void
}

/** What follows behind its head, and may be said before all of it is here. */
interface RequestContent {
  /** Read it once. Tells a client that waits for leave (RFC 9110 §10.1.1) to go on. Throws when it comes too slowly. */
  readonly body: () => AsyncIterable<Uint8Array>
  /** Somebody began to read the body, and has not come to its end. */
  readonly isHalfRead: () => boolean
  /** An answer before the answer (1xx). */
  readonly interim: (status: number, headers: HeaderList) => void
}

export interface ReceiverRequest extends RequestSender, RequestContent {
  readonly method: string
  /** As it was sent, without the query; `/indexnow` in whatever case. */
  readonly path: string
  /** Without its question mark. */
  readonly query: string
  /** Absolute, under the receiver's own name: what a signature has to cover. Never what the Host field says. */
  readonly url: string
  readonly headers: HeaderList
  /** The first value, by a name in lower case. */
  readonly header: (name: string) => string | undefined
  /** Media type without parameters, in lower case; empty when there is none. */
  readonly type: string
  /** Undefined when the length is not said beforehand. */
  readonly contentLength: number | undefined
  /** Who is at the other end of the connection. */
  readonly client: string
}

export const INDEXNOW_PATH = '/indexnow'

export interface ReceiverAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Media type of the body; plain text unless given. */
  readonly type?: string | undefined
  readonly body?: string | Uint8Array | undefined
}

/** `base`: the receiver's own address, without a slash at its end. */
export function receiverRequest(
  request: IncomingMessage,
  response: ServerResponse,
  base: string,
  client: string,
  bodies: BodiesUnderWay,
): ReceiverRequest {
  const target = pathOf(request.url ?? '')
  const mark = target.indexOf('?')
  const { rawHeaders, headers } = request
  const list = Array.from(
    { length: rawHeaders.length / 2 },
    (_, i) => [rawHeaders[2 * i]!, rawHeaders[2 * i + 1]!] as const,
  )
  const header = (name: string): string | undefined => {
    const value = ownValue(headers, name)
    return Array.isArray(value) ? value[0] : value
  }
  let holder: Holder = { name: client, isProven: false }
  let isBegun = false
  return {
    method: request.method ?? '',
    path: spelt(mark === -1 ? target : target.slice(0, mark)),
    query: mark === -1 ? '' : target.slice(mark + 1),
    url: `${base}${target}`,
    headers: list,
    header,
    type: (header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase(),
    contentLength: headers['content-length'] === undefined ? lengthWithout(headers) : Number(headers['content-length']),
    client,
    holder: () => holder,
    prove: (origin) => {
      holder = { name: origin, isProven: true }
    },
    body: () => {
      if (/^100-continue$/i.test(headers.expect ?? '')) response.writeContinue()
      isBegun = true
      // Whoever stops reading still has an answer to give.
      return bodies.read(request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>)
    },
    isHalfRead: () => isBegun && !request.complete,
    interim: (status, fields) => response.writeInformation(status, Object.fromEntries(fields)),
  }
}

/** A whole URL is allowed as a target (RFC 9112 §3.2.2); what counts of it is the path. */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target
  const url = URL.parse(target)
  return url === null ? '/' : `${url.pathname}${url.search}`
}

/** The protocol's own example and some of those who follow it write `/IndexNow`. */
const spelt = (path: string): string => (/^\/indexnow$/i.test(path) ? INDEXNOW_PATH : path)

/** Neither a length nor chunks: no body (RFC 9112 §6.3). */
function lengthWithout(headers: IncomingMessage['headers']): number | undefined {
  return headers['transfer-encoding'] === undefined ? 0 : undefined
}
