/** What all connections of a proxy share. */
import { isIPv6 } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Answerer } from './asker.ts'
import type { ExchangeWatch } from './exchange-watch.ts'
import type { OriginPool } from './origin-pool.ts'
import type { ProxyOptions } from './proxy-options.ts'
import type { RefusalReason } from './refusal.ts'

export interface ProxyCounters {
  connections: number
  /** Of which by HTTP/2. */
  requests: number
  requestsHttp2: number
  upgrades: number
  bodyBytes: number
  readonly refused: Record<RefusalReason, number>
}

export interface ProxyContext {
  readonly options: ProxyOptions
  readonly pool: OriginPool
  /** Who is asked: the pool, or who stands before it. */
  readonly answerer: Answerer
  readonly watch: ExchangeWatch
  readonly counters: ProxyCounters
  readonly now: () => number
  /** What ends when the proxy does, and is looked at now and then. */
  readonly guests: Set<ProxyGuest>
  isStopping: boolean
  /** Its client speaks HTTP/2, as its first bytes say, which it begins with again. */
  takeHttp2(socket: Duplex, client: ClientPlace): void
}

/** A connection of a client. */
export interface ProxyGuest {
  sweep(now: number): void
  /** End when what is under way has ended. */
  close(): void
  destroy(): void
}

/** Where a client is, as it is told to the origin. */
export interface ClientPlace {
  readonly address: string
  readonly scheme: 'http' | 'https'
  /** `for=` of Forwarded (RFC 7239 §6): addresses of IPv6 in brackets and quoted. */
  readonly forwardedFor: string
}

export function clientPlace(remoteAddress: string | undefined, scheme: ClientPlace['scheme']): ClientPlace {
  const address = (remoteAddress ?? 'unknown').replace(/^::ffff:(?=\d+\.)/, '')
  return { address, scheme, forwardedFor: isIPv6(address) ? `"[${address}]"` : address }
}
