/**
 * Living web: several generated sites on loopback addresses, with real sockets, a log of what came in, and the ground
 * truth to compare a crawl with. Linux answers on all of 127.0.0.0/8, so every site can have an address of its own.
 *
 *   specs ──▶ servers listen (ports are known) ──▶ plan (links need the ports) ──▶ servers serve the plan
 */
import type { Instant } from '@comity/protocol'
import type { DeliveryWorkerState } from '@comity/site'
import { reachable } from '../ground-truth.ts'
import type { GroundTruth, ReachableOptions } from '../ground-truth.ts'
import { createLivingCaller } from './caller.ts'
import type { AgentsOf } from './caller.ts'
import { createLivingFront } from './front.ts'
import type { LivingFront } from './front.ts'
import { planWeb } from './plan.ts'
import { versionOf } from './site.ts'
import type { LivingSite, SiteSpec } from './site.ts'
import { LivingTruth } from './truth.ts'
import { createLoopbackServer } from '../loopback-server.ts'
import type { LoopbackServer } from '../loopback-server.ts'
import { createLogRecorder } from '../request-log.ts'
import type { LogRecorder } from '../request-log.ts'
import { specDefaults, specOf } from './site-specs.ts'
import { topicOf } from './site-topics.ts'

/**
 * Who shares what: `own-address` gives each site an address and all of them one port; `shared-address` puts all sites
 * on one address under different ports; `shared-server` on one address and port under different host names.
 */
type Addressing = 'own-address' | 'shared-address' | 'shared-server'

export interface LivingWebOptions {
  readonly seed: number
  /** How many, or what is special about each; the rest comes from the table of habits. */
  readonly sites: number | readonly Partial<SiteSpec>[]
  readonly addressing?: Addressing
  /** 0, the default: any free port. */
  readonly port?: number
  /** The first of the addresses; the others count up from it. */
  readonly firstAddress?: string
  readonly largestSite?: number
  readonly crawlDelaySeconds?: number
  readonly troubleMs?: number
  readonly clock?: () => Instant
  /** When the pages began to change; the instant of creation unless told. */
  readonly epoch?: Instant
  /** The agents of a site that lets some in: its spec says that it calls with what they say. */
  readonly agentsOf?: AgentsOf
  /** Append the request log to this file, too. */
  readonly logFile?: string
  /** Events of the request log that are remembered; those of `log.traffic` are counted for ever. */
  readonly logEvents?: number
}

export interface LivingWeb extends AsyncDisposable {
  readonly sites: readonly LivingSite[]
  /** The home page of the largest site: a good place to start a crawl. */
  readonly home: string
  readonly log: LogRecorder
  /** What a crawler should hold in the end. */
  reachable(options?: ReachableOptions): GroundTruth
  /** What the pages are at any instant, to compare copies with. */
  readonly truth: LivingTruth
  /** How often the page has changed by then; undefined for what is no page of this web. */
  version(url: string, at: Instant): number | undefined
  /** Those whom a site calls, by its name, and how things stand with each. */
  callsOf(name: string): readonly DeliveryWorkerState[]
  /** The address of a site's host, for crawlers whose name lookup can be replaced. */
  addressOf(hostname: string): string | undefined
}

const defaultFirstAddress = '127.0.1.1'

export async function createLivingWeb(options: LivingWebOptions): Promise<LivingWeb> {
  const clock = options.clock ?? Date.now
  const log = createLogRecorder({
    ...(options.logFile === undefined ? {} : { file: options.logFile }),
    ...(options.logEvents === undefined ? {} : { maxEvents: options.logEvents }),
  })
  const specs = specsFor(options)
  const servers = await openServers(placesFor(specs, options), clock, log)
  const placed = specs.map((spec, index) => {
    const server = servers[index]!
    // Through URL, so that port 80 goes without saying in `Host` and in links alike.
    return { spec, server, url: new URL(`http://${spec.host ?? server.address}:${server.port}`) }
  })
  const sites = planWeb(
    options.seed,
    placed.map(({ spec, url }) => ({ spec, origin: url.origin })),
    options.epoch ?? clock(),
  )
  const callers = sites.map((site) =>
    site.spec.calls === undefined ? undefined : createLivingCaller(site, clock, options.agentsOf),
  )
  const fronts = sites.map((site, index) => {
    const asked = (): LivingFront | undefined => (site.spec.cooperates ? createLivingFront(site, clock) : undefined)
    return callers[index]?.front ?? asked()
  })
  for (const server of new Set(servers)) {
    const own = placed.flatMap(({ server: mine, url }, index) =>
      mine === server ? [[url.host, { site: sites[index]!, front: fronts[index] }] as const] : [],
    )
    server.serve(new Map(own))
  }
  const byOrigin = new Map(sites.map((site) => [site.origin, site]))
  return {
    sites,
    home: `${sites[0]?.origin}/`,
    log,
    truth: new LivingTruth(sites),
    reachable: (wanted) => reachable(sites, wanted),
    version: (url, at) => {
      const { origin, pathname } = new URL(url)
      const site = byOrigin.get(origin)
      const page = site?.resources.get(pathname)
      return site === undefined || page?.kind !== 'page' ? undefined : versionOf(page, site.epoch, at)
    },
    addressOf: (hostname) =>
      placed.find(({ spec, server }) => (spec.host ?? server.address) === hostname)?.server.address,
    callsOf: (name) => callers[sites.findIndex(({ spec }) => spec.name === name)]?.states() ?? [],
    [Symbol.asyncDispose]: async () => {
      await Promise.all(callers.flatMap((caller) => (caller === undefined ? [] : [caller[Symbol.asyncDispose]()])))
      await Promise.all([...new Set(servers)].map((server) => server[Symbol.asyncDispose]()))
    },
  }
}

function specsFor(options: LivingWebOptions): SiteSpec[] {
  const given: readonly Partial<SiteSpec>[] =
    typeof options.sites === 'number' ? Array.from({ length: options.sites }, () => ({})) : options.sites
  const names = new Set<string>()
  const defaults = {
    largestSite: options.largestSite ?? specDefaults.largestSite,
    crawlDelaySeconds: options.crawlDelaySeconds ?? specDefaults.crawlDelaySeconds,
    troubleMs: options.troubleMs ?? specDefaults.troubleMs,
  }
  return given.map((part, rank) => {
    // .test can never be a real name (RFC 6761 §6.2).
    const name = part.name ?? topicOf(rank).name
    const host = options.addressing === 'shared-server' ? { host: `${name}.test` } : {}
    const spec = specOf(rank, Object.assign(host, { name }, part), defaults)
    if (names.has(spec.name))
      throw new RangeError(`two sites of the living web are called "${spec.name}": names must differ`)
    names.add(spec.name)
    return spec
  })
}

interface Place {
  readonly address: string
  /** Places with the same key share one server. */
  readonly key: string
  /** Undefined: any free port of its own. */
  readonly port: number | undefined
}

function placesFor(
  specs: readonly SiteSpec[],
  { addressing = 'own-address', port = 0, firstAddress }: LivingWebOptions,
): Place[] {
  const first = firstAddress ?? defaultFirstAddress
  const taken = new Set<string>()
  return specs.map((spec, index) => {
    const address = spec.address ?? (addressing === 'own-address' ? addressAfter(first, index) : first)
    if (spec.host !== undefined) return { address, key: address, port }
    // The second nameless site on an address can only be told apart by its port.
    const isFirstHere = !taken.has(address)
    taken.add(address)
    return isFirstHere ? { address, key: address, port } : { address, key: `${address} ${index}`, port: undefined }
  })
}

/** One server a key, in the order of the places; all those that may share a port number do. */
async function openServers(
  places: readonly Place[],
  clock: () => Instant,
  log: LogRecorder,
): Promise<LoopbackServer[]> {
  const attempts = 20
  for (let attempt = 1; ; attempt += 1) {
    const open = new Map<string, LoopbackServer>()
    try {
      let common: number | undefined
      for (const { key, address, port } of places) {
        if (open.has(key)) continue
        const server = await createLoopbackServer({
          address,
          port: port === undefined ? 0 : port || (common ?? 0),
          clock,
          log,
        })
        open.set(key, server)
        if (port !== undefined) common ??= server.port
      }
      return places.map(({ key }) => open.get(key)!)
    } catch (error) {
      await Promise.all([...open.values()].map((server) => server[Symbol.asyncDispose]()))
      // A port free on the first address may be taken on the next: draw again, but only where the choice was ours.
      const mayRetry = isPortTaken(error) && places.every(({ port }) => !port)
      if (!mayRetry || attempt === attempts) throw error
    }
  }
}

const isPortTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/** `127.0.1.1` and 2 is `127.0.1.3`; past 254 it goes on in the next block. */
export function addressAfter(first: string, steps: number): string {
  const number = first.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const host = (number % 256) - 1 + steps
  const moved = number - (number % 256) + Math.floor(host / 254) * 256 + 1 + (host % 254)
  return [24, 16, 8, 0].map((shift) => (moved >>> shift) & 255).join('.')
}
