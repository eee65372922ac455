/** What a proxy is told by its operator, and how much strangers may take of it. */
import type { SecureContextOptions } from 'node:tls'
import { proxySet } from '@comity/protocol'
import type { Proxies } from '@comity/protocol'

export interface ProxyOptions {
  /** What it stands in front of: `http://127.0.0.1:8080` or `https://…`; a path is not allowed. */
  readonly origin: string
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /** Certificate and key in PEM: then clients speak TLS, and HTTP/2 where they can. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined
  /** For an origin with a certificate of its own: `ca`, and the like. */
  readonly originTls?: (SecureContextOptions & { readonly servername?: string }) | undefined
  /** The origin is asked for the host that the client asked for; otherwise for its own. */
  readonly keepsHost: boolean
  /** The one name it goes by, and the scheme that clients use: the origin is asked for that, whatever a client says. */
  readonly knownAs?: { readonly host: string; readonly scheme: 'http' | 'https' } | undefined
  /** Another proxy of ours stands in front: what it says of the client is believed, and passed on with our own line. */
  readonly isBehindProxy: boolean
  /** The same by its address: of these it is believed, and of nobody else. All of them, where several stand in a row. */
  readonly behind: Proxies
  /** Our name in Via (RFC 9110 §7.6.3). */
  readonly via: string
  readonly limits: ProxyLimits
}

export interface ProxyLimits {
  /** Of a head, to either side. */
  readonly maxHeadBytes: number
  readonly maxFields: number
  /** Of clients; who comes beyond is turned away. */
  readonly maxConnections: number
  /** Of the origin; who comes beyond waits, and beyond `maxWaiting` is told so. */
  readonly maxOriginConnections: number
  readonly maxWaiting: number
  readonly maxStreams: number
  /** Of one body that is copied, and of all that are under way. What is larger passes, and is not copied. */
  readonly maxCopyBytes: number
  readonly copyBytes: number
  /** How long a client may take for its head, and may be idle between requests or within one. */
  readonly headMs: number
  readonly idleMs: number
  /** In so many pieces a head may come: each costs another look. */
  readonly maxHeadPieces: number
  /** Who sends a body or takes an answer moves at least so much, looked at once in `paceMs` and in `idleMs`. */
  readonly leastBytesPerSecond: number
  readonly paceMs: number
  /** How long the origin may take to be reached, to say something, and how long a connection to it is kept idle. */
  readonly connectMs: number
  readonly originMs: number
  readonly originIdleMs: number
}

export const proxyLimits: ProxyLimits = {
  maxHeadBytes: 32 << 10,
  maxFields: 200,
  maxConnections: 4_096,
  maxOriginConnections: 256,
  maxWaiting: 1_024,
  maxStreams: 128,
  maxCopyBytes: 8 << 20,
  copyBytes: 128 << 20,
  headMs: 15_000,
  idleMs: 65_000,
  maxHeadPieces: 500,
  // Less than the slowest of telephones has; as much as Apache asks for (mod_reqtimeout).
  leastBytesPerSecond: 500,
  paceMs: 20_000,
  connectMs: 5_000,
  originMs: 60_000,
  // Less than servers have by themselves (nginx 75 s, Node 5 s is the one below): who closes first loses no request.
  originIdleMs: 4_000,
}

const proxyDefaults: Omit<ProxyOptions, 'origin'> = {
  host: '127.0.0.1',
  port: 0,
  keepsHost: true,
  isBehindProxy: false,
  behind: proxySet(),
  via: 'comity',
  limits: proxyLimits,
}

export type ProxyWishes = Pick<ProxyOptions, 'origin'> &
  Partial<Omit<ProxyOptions, 'origin' | 'limits' | 'behind'>> & {
    readonly limits?: Partial<ProxyLimits>
    readonly behind?: readonly string[] | undefined
  }

/** Throws a RangeError that says what to write instead. */
export function proxyOptions(wishes: ProxyWishes): ProxyOptions {
  const url = URL.parse(wishes.origin)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === ''
  if (!isOrigin || url.username !== '')
    throw new RangeError(`${wishes.origin} is no origin: write scheme, host and port only, as in http://127.0.0.1:8080`)
  const given = { origin: url.origin, limits: { ...proxyLimits, ...wishes.limits }, behind: proxySet(wishes.behind) }
  const options = { ...proxyDefaults, ...wishes, ...given }
  for (const [name, value] of Object.entries(options.limits))
    if (!(value > 0)) throw new RangeError(`${name} of a proxy must be above 0, not ${value}`)
  if (!/^[\w.-]{1,64}$/.test(options.via))
    throw new RangeError('via must be one word of letters, digits, points and dashes')
  return options
}
