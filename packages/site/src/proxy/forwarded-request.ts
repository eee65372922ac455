/** What goes to the origin of a request: its head as we send it, and its body as far as it is followed. */
import { ChunkReader } from '@comity/protocol'
import { NO_TRAILERS } from './asker.ts'
import type { Asker, Trailers } from './asker.ts'
import type { PassedExchange } from './exchange-watch.ts'
import type { ProxyOptions } from './proxy-options.ts'
import type { ProxyRequest } from './proxy-request.ts'

/** The head for the origin. */
export function forwardedHead({ request, place, version }: Asker, options: ProxyOptions): string {
  const { method, target, fields, length, saysLength, upgrade, wantsTrailers } = request
  const host = options.knownAs?.host ?? request.host
  const isNamed = (options.keepsHost || options.knownAs !== undefined) && host !== ''
  const named = isNamed ? host : options.origin.slice(options.origin.indexOf('//') + 2)
  const framing = length === -1 ? 'Transfer-Encoding: chunked\r\n' : saysLength ? `Content-Length: ${length}\r\n` : ''
  const scheme = request.said?.scheme ?? options.knownAs?.scheme ?? place.scheme
  return (
    `${method} ${target} HTTP/1.1\r\nHost: ${named}\r\n${fields}${framing}${hopOf(upgrade, wantsTrailers)}` +
    `Via: ${version} ${options.via}\r\n` +
    // Who asks, as RFC 7239 and everybody else writes it.
    `Forwarded: for=${place.forwardedFor};host="${host}";proto=${options.knownAs?.scheme ?? place.scheme}\r\n` +
    `X-Forwarded-For: ${place.address}\r\nX-Forwarded-Host: ${request.said?.host ?? host}\r\n` +
    `X-Forwarded-Proto: ${scheme}\r\n\r\n`
  )
}

function hopOf(upgrade: string | undefined, wantsTrailers: boolean): string {
  if (upgrade !== undefined) return `Connection: upgrade\r\nUpgrade: ${upgrade}\r\n`
  return wantsTrailers ? 'TE: trailers\r\nConnection: te\r\n' : ''
}

/** Methods that may be repeated when a connection broke before anything was heard (RFC 9110 §9.2.2). */
const REPEATABLE = /^(?:GET|HEAD|OPTIONS|PUT|DELETE)$/

export const isRepeatable = ({ method, length, upgrade }: ProxyRequest): boolean =>
  length === 0 && upgrade === undefined && REPEATABLE.test(method)

/** Where a request's body ends, and what is in it. */
export class RequestBody {
  readonly #chunks: ChunkReader | undefined
  #left: number
  #data: Buffer[] = []

  constructor(length: number) {
    this.#left = length
    this.#chunks = length === -1 ? new ChunkReader((span) => void this.#data.push(span)) : undefined
  }

  get isEnded(): boolean {
    return this.#chunks?.isEnded ?? this.#left === 0
  }

  get problem(): string | undefined {
    return this.#chunks?.problem
  }

  get trailers(): Trailers {
    return this.#chunks?.trailers ?? NO_TRAILERS
  }

  /** How many bytes from `from` on belong to it; what was in them is in `data` then. */
  take(bytes: Buffer, from: number): { readonly taken: number; readonly data: readonly Buffer[] } {
    this.#data = []
    if (this.#chunks !== undefined) return { taken: this.#chunks.take(bytes, from), data: this.#data }
    const taken = Math.min(this.#left, bytes.length - from)
    this.#left -= taken
    return { taken, data: taken === 0 ? [] : [bytes.subarray(from, from + taken)] }
  }
}

/** What of a request those are told who watch what passes. */
export function passedExchange(
  { request, place, version, head }: Omit<Asker, `on${string}`>,
  at: number,
): PassedExchange {
  const { method, target, host, said } = request
  return {
    at,
    client: said?.address ?? place.address,
    connection: place,
    scheme: said?.scheme ?? place.scheme,
    host,
    method,
    target,
    version,
    request: () => head.headers,
  }
}
