/**
 * Site proxy: a site front before any server, whatever it is written in. Requests go on to the origin, pages are learnt as they
 * pass, and the schemes are answered here.
 *
 *   visitors ⇄ ProxyServer ⇄ SiteHandler ⇄ origin
 *                               └── site front: documents, pages, journal
 *
 * The origin is always asked for the site's own host, whatever a visitor claims: what comes back is told to others. Its
 * robots.txt decides what may be told; while nobody knows it, nothing is. It listens itself: a server in front of it that reads
 * messages in its own way would be a second reader of each, and what two readers take for two things is how requests are smuggled.
 */
import { optionInvalid } from '../errors.ts'
import { OriginRobots } from '../privacy/origin-robots.ts'
import type { Answerer } from '../proxy/asker.ts'
import type { ProxyCounters } from '../proxy/proxy-context.ts'
import { proxyLimits as defaults } from '../proxy/proxy-options.ts'
import type { ProxyLimits } from '../proxy/proxy-options.ts'
import { ProxyServer } from '../proxy/proxy-server.ts'
import { createSiteFront } from '../site-front.ts'
import type { SiteFront, SiteFrontOptions } from '../site-front.ts'
import { SiteHandler } from './handler.ts'
import { readOrigin } from './origin.ts'
import { HeldRoom } from './page.ts'

export interface SiteProxyOptions extends Omit<SiteFrontOptions, 'robots' | 'read' | 'isHostFixed'> {
  /** Where the pages come from: scheme, host and port. */
  readonly origin: string
  /** Where it listens: this machine alone, and any port that is free, unless given. */
  readonly host?: string | undefined
  /** Addresses of proxies in front of it, whose X-Forwarded-For is believed. */
  readonly behind?: readonly string[] | undefined
  readonly port?: number | undefined
  /** Without a byte for so long, the origin is given up. */
  readonly timeoutMs?: number | undefined
  /** How much strangers may take of it. */
  readonly proxyLimits?: Partial<ProxyLimits> | undefined
}

export interface SiteProxy extends AsyncDisposable {
  readonly front: SiteFront
  /** What came, and what was refused, by reason. */
  readonly counters: ProxyCounters
  /** Reads the origin's robots.txt; done by itself when it is due, and worth waiting for at the start. */
  ready(): Promise<void>
  /** Resolves with where it listens. */
  listen(): Promise<{ readonly host: string; readonly port: number; readonly url: string }>
  /** Nobody new; those that are being answered have until `graceMs` have passed. */
  stop(graceMs?: number): Promise<void>
}

export function createSiteProxy(options: SiteProxyOptions): SiteProxy {
  const { origin, host = '127.0.0.1', port = 0, behind, timeoutMs = defaults.originMs, proxyLimits, ...rest } = options
  const limits = { ...proxyLimits, originMs: timeoutMs }
  let asked: Answerer | undefined
  const read = async (path: string): Promise<{ status: number; body: Buffer }> =>
    await readOrigin(asked!, path, timeoutMs)
  const robots = new OriginRobots(async () => {
    const { status, body } = await read('/robots.txt')
    return { status, text: body.toString('utf8') }
  }, options.now)
  const front = createSiteFront({
    ...rest,
    robots: () => robots.text,
    read: async (path) => await bodyOf(read(path)),
    isHostFixed: true,
  })
  const tell = options.tell ?? ((sentence: string) => process.emitWarning(sentence, 'ComityWarning'))
  const before = (pool: Answerer): Answerer => {
    asked = pool
    const room = new HeldRoom(proxyLimits?.copyBytes ?? defaults.copyBytes)
    return new SiteHandler(pool, robots, { front, now: options.now, tell, room })
  }
  const server = openServer({ origin, host, port, behind, knownAs: knownAs(options.base), limits }, before)
  return {
    front,
    counters: server.counters,
    ready: async () => await robots.refresh(),
    listen: async () => await server.listen(),
    stop: async (graceMs) => await server.stop(graceMs),
    [Symbol.asyncDispose]: async () => await server.stop(0),
  }
}

async function bodyOf(read: Promise<{ status: number; body: Buffer }>): Promise<Uint8Array | undefined> {
  const { status, body } = await read
  return status === 200 ? body : undefined
}

function knownAs(base: string): { readonly host: string; readonly scheme: 'http' | 'https' } {
  const { host, protocol } = new URL(base)
  return { host, scheme: protocol === 'https:' ? 'https' : 'http' }
}

function openServer(
  wishes: ConstructorParameters<typeof ProxyServer>[0],
  before: (origin: Answerer) => Answerer,
): ProxyServer {
  try {
    return new ProxyServer(wishes, { before })
  } catch (error) {
    throw error instanceof RangeError ? optionInvalid(error.message) : error
  }
}
