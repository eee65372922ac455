/** What goes to the origin of a request: its head as we send it, and its body as far as it is followed. */
import { ChunkReader } from './proxy-chunks.ts'
import type { ClientPlace } from './proxy-context.ts'
import type { CopiedExchange } from './proxy-copy.ts'
import type { WireHead } from './proxy-head.ts'
import type { ProxyOptions } from './proxy-options.ts'
import type { ProxyRequest } from './proxy-request.ts'

/** The head for the origin. `version` is of the HTTP that the client speaks, for Via. */
export function forwardedHead(
  request: ProxyRequest,
  place: ClientPlace,
  options: ProxyOptions,
  version: string,
): string {
  const { method, target, host, fields, length, saysLength, upgrade, wantsTrailers } = request
  const named = options.keepsHost && host !== '' ? host : options.origin.slice(options.origin.indexOf('//') + 2)
  const framing = length === -1 ? 'Transfer-Encoding: chunked\r\n' : saysLength ? `Content-Length: ${length}\r\n` : ''
  const hop = hopOf(upgrade, wantsTrailers)
  return (
    `${method} ${target} HTTP/1.1\r\nHost: ${named}\r\n${fields}${framing}${hop}` +
    `Via: ${version} ${options.via}\r\n${placeLines(place, request)}\r\n`
  )
}

function hopOf(upgrade: string | undefined, wantsTrailers: boolean): string {
  if (upgrade !== undefined) return `Connection: upgrade\r\nUpgrade: ${upgrade}\r\n`
  return wantsTrailers ? 'TE: trailers\r\nConnection: te\r\n' : ''
}

/** Who asks, as RFC 7239 and everybody else writes it. */
function placeLines({ address, scheme, forwardedFor }: ClientPlace, { host, said }: ProxyRequest): string {
  return (
    `Forwarded: for=${forwardedFor};host="${host}";proto=${scheme}\r\n` +
    `X-Forwarded-For: ${address}\r\nX-Forwarded-Host: ${said?.host ?? host}\r\n` +
    `X-Forwarded-Proto: ${said?.scheme ?? scheme}\r\n`
  )
}

/** Methods that may be repeated when a connection broke before anything was heard (RFC 9110 §9.2.2). */
const REPEATABLE = /^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/

export const isRepeatable = ({ method, length, upgrade }: ProxyRequest): boolean =>
  length === 0 && upgrade === undefined && REPEATABLE.test(method)

/** Where a request's body ends; it goes on as it came. */
export class RequestBody {
  readonly #chunks: ChunkReader | undefined
  #left: number

  constructor(length: number) {
    this.#left = length
    this.#chunks = length === -1 ? new ChunkReader() : undefined
  }

  get isEnded(): boolean {
    return this.#chunks?.isEnded ?? this.#left === 0
  }

  get problem(): string | undefined {
    return this.#chunks?.problem
  }

  /** How many bytes from `from` on belong to it. */
  take(bytes: Buffer, from: number): number {
    if (this.#chunks !== undefined) return this.#chunks.take(bytes, from)
    const taken = Math.min(this.#left, bytes.length - from)
    this.#left -= taken
    return taken
  }
}

/** What of a request goes with the copy of its answer. */
export function copiedExchange(
  request: ProxyRequest,
  place: ClientPlace,
  version: string,
  head: WireHead,
  at: number,
): CopiedExchange {
  const { method, target, host, said } = request
  const { address, scheme } = place
  return {
    at,
    client: said?.address ?? address,
    connection: place,
    scheme: said?.scheme ?? scheme,
    host,
    method,
    target,
    version,
    request: () => head.headers,
  }
}
