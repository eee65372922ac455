/**
 * Served web: a web in memory put on real sockets, so that a live crawl and a simulated one can see the same pages and
 * the same links. Every site has a loopback address of its own, and its speed from the web, made so many times as fast
 * that nobody has to wait for days.
 */
import type { Instant } from '@comity/protocol'
import { addressAfter, createLogRecorder } from '@comity/testbed'
import type { LogRecorder } from '@comity/testbed'
import { servedPage } from './page.ts'
import type { WrittenWeb } from './page.ts'
import { servedPaths } from './paths.ts'
import { createServedServer } from './server.ts'
import type { ServedServer, ServedSpeed } from './server.ts'
import type { WebGraph, WebWords } from '../graph/web-graph.ts'

interface ServedWebOptions {
  /** The latency of each site is that of the web times this; 0, the default, is none. */
  readonly latencyFactor?: number
  /** And its bandwidth times this; Infinity, the default, is all there is. */
  readonly bandwidthFactor?: number
  readonly firstAddress?: string
  readonly clock?: () => Instant
}

/** A web as it is served: with the addresses, sizes and speeds it has there. */
export interface ServedGraph extends WrittenWeb {
  readonly bytes: Uint32Array
  readonly latencyMs: Float32Array
  readonly bandwidth: Float32Array
}

export interface ServedWeb extends AsyncDisposable {
  /** What a simulation of a crawl of it is to run on. */
  readonly web: ServedGraph
  readonly log: LogRecorder
  /** URLs of the start pages. */
  readonly homes: readonly string[]
  siteAt(address: string): number | undefined
  /** The page that was asked for; undefined for what is none, such as robots.txt. */
  pageAt(address: string, path: string): number | undefined
}

/** A server each. */
const MAX_SITES = 2_000
/** Their texts are made when asked for, but every address is in memory. */
const MAX_PAGES = 1_000_000

/** Throws a RangeError for a web without words, and for one too large to be served by one process. */
export async function serveWeb(given: WebGraph, options: ServedWebOptions = {}): Promise<ServedWeb> {
  const { firstAddress = '127.0.1.1', clock = Date.now } = options
  const whole = requireServable(given, options)
  const paths = servedPaths(whole)
  const log = createLogRecorder()
  const addresses = Array.from({ length: whole.sites }, (_, site) => addressAfter(firstAddress, site))
  const speeds = addresses.map((_, site) => speedOf(whole, site, options))
  // Links are written with the ports of their sites, and these are known when all listen.
  let web = whole
  const bodyAt = (site: number, path: string): Uint8Array | undefined => {
    const page = paths.pageAt(site, path)
    return page === undefined ? undefined : servedPage(web, page)
  }
  const servers = await openAll(
    addresses.map(
      (address, site) => () =>
        createServedServer({ address, clock, log, ...speeds[site]!, bodyAt: (path) => bodyAt(site, path) }),
    ),
  )
  const origins = servers.map(({ port }, site) => `http://${addresses[site]}:${port}`)
  const urlOf = (page: number): string => origins[whole.siteOf[page]!]! + paths.pathOf(page)
  web = { ...whole, words: at(whole.words, urlOf) }
  const sites = new Map(addresses.map((address, site) => [address, site]))
  return {
    web: {
      ...web,
      bytes: Uint32Array.from({ length: web.pages }, (_, page) => servedPage(web, page).length),
      latencyMs: Float32Array.from(speeds, ({ latencyMs }) => latencyMs),
      bandwidth: Float32Array.from(speeds, ({ bytesPerSecond }) => Math.min(bytesPerSecond, MAX_BANDWIDTH)),
    },
    log,
    homes: web.homes.map(urlOf),
    siteAt: (address) => sites.get(address),
    pageAt: (address, path) => paths.pageAt(sites.get(address) ?? -1, path),
    [Symbol.asyncDispose]: () => closeAll(servers),
  }
}

/** The same words at other addresses. */
const at = (words: WebWords, urlOf: WebWords['urlOf']): WebWords => ({
  urlOf,
  titleOf: (page) => words.titleOf(page),
  bodyOf: (page) => words.bodyOf(page),
  anchorOf: (link) => words.anchorOf(link),
})

/** What a simulation takes for "at once". */
const MAX_BANDWIDTH = 1e9

function speedOf(
  { latencyMs, bandwidth }: WebGraph,
  site: number,
  { latencyFactor = 0, bandwidthFactor = Infinity }: ServedWebOptions,
): ServedSpeed {
  return {
    latencyMs: (latencyMs?.[site] ?? 0) * latencyFactor,
    bytesPerSecond: (bandwidth?.[site] || Infinity) * bandwidthFactor,
  }
}

function requireServable(
  web: WebGraph,
  { latencyFactor = 0, bandwidthFactor = Infinity }: ServedWebOptions,
): WrittenWeb {
  const { words, pages, sites, name } = web
  if (words === undefined)
    throw new RangeError(`${name} has no words, so there is nothing to serve; a generated web has`)
  if (sites > MAX_SITES || pages > MAX_PAGES)
    throw new RangeError(
      `${name} has ${pages} pages on ${sites} sites; at most ${MAX_PAGES} on ${MAX_SITES} can be served`,
    )
  if (!(latencyFactor >= 0 && latencyFactor < Infinity))
    throw new RangeError(`latencies cannot be ${latencyFactor} times as long; give 0 or more`)
  if (!(bandwidthFactor > 0)) throw new RangeError(`no site sends ${bandwidthFactor} times as fast; give more than 0`)
  return { ...web, words }
}

async function openAll(opens: readonly (() => Promise<ServedServer>)[]): Promise<ServedServer[]> {
  const servers: ServedServer[] = []
  try {
    for (const open of opens) servers.push(await open())
    return servers
  } catch (error) {
    await closeAll(servers)
    throw error
  }
}

async function closeAll(servers: readonly ServedServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
}
