/**
 * Options of a crawl, with their defaults in one table. Polite is the default; unknown or bad values throw.
 */
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { defaultUrlRules, hostOf, textOf } from '@comity/protocol'
import type { MediaKind, UrlRules } from '@comity/protocol'
import { locationRules, orderNamed, politeDefaults, similarityDefaults } from '@comity/frontier'
import type { LocationRules, Politeness, Order, Scope, ScopeKind, SiteBudget } from '@comity/frontier'
import { defaultThreads } from '@comity/ingest'
import type { Hooks, Topic } from '@comity/ingest'
import type { ConnectionLimits } from './fetch/connection.ts'
import type { CrawlerIdentity } from './fetch/crawler-identity.ts'
import { contactMissing, optionInvalid } from './errors.ts'
import { isPrivateAddress, mayVisit } from './fetch/private-address.ts'
import type { AllowPrivate } from './fetch/private-address.ts'
import { addressDelayOf, requireAddressDelay } from './fetch/address-delays.ts'
import type { AddressDelay } from './fetch/address-delays.ts'
import { overrideFor, requireSiteOverride, secretHeaders } from './fetch/site-override.ts'
import type { SiteOverride } from './fetch/site-override.ts'
import type { WatchOptions } from './watch-options.ts'

export interface CrawlOptions {
  readonly seeds: readonly string[]
  readonly order: Order
  /** What the crawl is about, for orders that ask; no words: nothing in particular. */
  readonly topic: Topic
  /** Links from a hot page within which a page is hot too (003 Figure 5: 3); 0 is the crawler of Figure 4. */
  readonly nearHot: number
  /** A page that waits becomes hot when a later link says so. */
  readonly promote: boolean
  readonly location: LocationRules
  /** Pages a batch, spread over as many sites as possible (004 §6); Infinity: no batches. */
  readonly batch: number
  /** Pages whose content is held, the least important are dropped (003 §3, Limited Buffer Crawl); Infinity: all. */
  readonly keep: number
  readonly scope: ScopeKind
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly doNotCrawl: readonly string[]
  /** What is fetched: kinds, and media types such as `application/pdf` and `image/*` besides them. */
  readonly kinds: readonly MediaKind[]
  readonly types: readonly string[]
  /** Take the first copy of a start site from its dump, where it offers one that is cheaper. */
  readonly dumps: boolean
  readonly maxPages: number
  readonly maxDepth: number
  readonly maxBytes: number
  readonly bytesPerSecond: number
  /** Visits at once (r of 004 §4.3). */
  readonly parallel: number
  readonly politeness: Politeness
  /** Rest between connections to private addresses, where the server is one's own. */
  readonly privateDelayMs: number
  /** Rests of addresses where they are others than those of their sites; see `fetch/address-delays.ts`. */
  readonly addressDelays: readonly AddressDelay[]
  readonly siteBudget: SiteBudget
  readonly maxTries: number
  readonly maxRedirects: number
  /** Overloaded answers or failures in a row after which a site is left alone for this run. */
  readonly maxStrikes: number
  /** A crawl ends when all that is left asks for a longer rest than this; what waits goes on in the next run. */
  readonly patienceMs: number
  /** When nothing waits, wait for somebody to add a start page or to say stop, instead of ending. */
  readonly stayOpen: boolean
  readonly userAgent: string
  /** Proves to sites who asks, by a signature with every request; undefined: nobody in particular. */
  readonly identity?: CrawlerIdentity | undefined
  readonly sitemaps: boolean
  /** Private and loopback addresses: none (false), all (true), or those of a list such as `['10.1.0.0/16', '::1']`. */
  readonly allowPrivate: AllowPrivate
  readonly ignoreRobots: boolean
  readonly avoidSideEffects: boolean
  /** Fetch pages again that were visited longer ago than this; Infinity: never. */
  readonly revisitAfterMs: number
  readonly limits: ConnectionLimits
  readonly maxDecodedBytes: number
  /** What makes two URLs one page, at all sites; `sites` may say something else of some. Where nothing is said, as the collection was made. */
  readonly urlRules: UrlRules
  readonly sites: readonly SiteOverride[]
  /** It is given names and looks them up by itself, so `allowPrivate` holds as far as it finds what we find. */
  readonly proxy?: string | undefined
  readonly insecureTls: boolean
  /** Authorities to trust besides the system's, in PEM. */
  readonly ca?: string | undefined
  /** Threads that read pages; 0 reads in the main one. */
  readonly threads: number
  readonly gzipLevel: number
  /** Least time between two commits: longer gathers more, shorter loses less when killed. */
  readonly commitEveryMs: number
  /** Make what is fetched searchable as it comes in. */
  readonly index: boolean
  /** Keep what is held fresh, within a budget, until told to stop; undefined: a crawl that ends. */
  readonly watch: WatchOptions | undefined
  readonly hooks: Hooks
}

export const crawlDefaults: CrawlOptions = {
  seeds: [],
  order: orderNamed('depth'),
  topic: { words: [], idf: 'none', measure: similarityDefaults.measure, titleWeight: similarityDefaults.titleWeight },
  nearHot: 3,
  promote: false,
  location: locationRules,
  batch: Infinity,
  keep: Infinity,
  scope: 'host',
  include: [],
  exclude: [],
  doNotCrawl: [],
  kinds: ['page'],
  types: [],
  dumps: false,
  maxPages: Infinity,
  maxDepth: Infinity,
  maxBytes: Infinity,
  bytesPerSecond: Infinity,
  parallel: 64,
  politeness: politeDefaults,
  privateDelayMs: 1_000,
  addressDelays: [],
  siteBudget: { maxPages: 25_000, maxBytes: 10 * 2 ** 30, maxKnown: 1_000_000 },
  maxTries: 3,
  maxRedirects: 10,
  maxStrikes: 5,
  patienceMs: 3_600_000,
  stayOpen: false,
  userAgent: 'comity/0.1',
  sitemaps: true,
  allowPrivate: false,
  ignoreRobots: false,
  avoidSideEffects: true,
  revisitAfterMs: Infinity,
  limits: {
    connectTimeoutMs: 10_000,
    headersTimeoutMs: 30_000,
    bodyTimeoutMs: 30_000,
    totalTimeoutMs: 120_000,
    maxBodyBytes: 10 << 20,
    maxHeaderBytes: 64 << 10,
  },
  maxDecodedBytes: 20 << 20,
  urlRules: defaultUrlRules,
  sites: [],
  insecureTls: false,
  threads: defaultThreads(availableParallelism()),
  gzipLevel: 3,
  commitEveryMs: 100,
  index: false,
  watch: undefined,
  hooks: {},
}

/** The largest body that is read whole. */
export const largestPageOf = ({ limits = crawlDefaults.limits }: Partial<CrawlOptions>): number => limits.maxBodyBytes

/** Options without a default. */
const OPTIONAL: ReadonlySet<string> = new Set(['proxy', 'ca', 'identity'])
// oxfmt-ignore
const POSITIVE = ['maxPages', 'maxBytes', 'bytesPerSecond', 'parallel', 'batch', 'keep', 'maxTries', 'maxStrikes', 'maxDecodedBytes'] as const
const NOT_NEGATIVE = [
  'maxDepth',
  'nearHot',
  'privateDelayMs',
  'maxRedirects',
  'patienceMs',
  'revisitAfterMs',
  'threads',
  'commitEveryMs',
] as const

/** Defaults filled in, bad values refused. */
export function crawlOptions(given: Partial<CrawlOptions>): CrawlOptions {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(crawlDefaults, key) && !OPTIONAL.has(key))
      throw optionInvalid(`There is no crawl option "${key}".`)
  }
  const options = { ...crawlDefaults, ...given }
  for (const key of POSITIVE) requireNumber(key, options[key], (value) => value > 0, 'more than 0')
  for (const key of NOT_NEGATIVE) requireNumber(key, options[key], (value) => value >= 0, '0 or more')
  for (const [key, value] of Object.entries(options.limits)) {
    requireNumber(`limits.${key}`, value, (one) => one > 0, 'more than 0')
  }
  requireNumber('politeness.delayMs', options.politeness.delayMs, (value) => value >= 0, '0 or more')
  requireNumber(
    'politeness.pagesPerConnection',
    options.politeness.pagesPerConnection ?? 1,
    (value) => value >= 1,
    '1 or more',
  )
  for (const type of options.types) requireMediaType(type)
  for (const proxy of [options.proxy, ...options.sites.map((site) => site.proxy)]) requireProxy(proxy)
  options.sites.forEach(requireSiteOverride)
  options.addressDelays.forEach(requireAddressDelay)
  // Made for its complaints.
  mayVisit(options.allowPrivate)
  return options
}

function requireNumber(name: string, value: unknown, isGood: (value: number) => boolean, wanted: string): void {
  if (typeof value !== 'number' || !isGood(value))
    throw optionInvalid(`${name} must be ${wanted}, not ${textOf(value)}.`)
}

function requireMediaType(type: string): void {
  if (/^[a-z0-9*][a-z0-9!#$&^_.+-]*\/[a-z0-9*][a-z0-9!#$&^_.+-]*$/.test(type)) return
  throw optionInvalid(`"${type}" is no media type: write application/pdf or image/*, in lower case.`)
}

function requireProxy(proxy: string | undefined): void {
  if (proxy === undefined || /^https?:$/.test(URL.parse(proxy)?.protocol ?? '')) return
  // It may hold a password, so it is not quoted.
  throw optionInvalid('A proxy is a URL such as http://proxy.example.org:3128; the one given is not.')
}

/** A page or an e-mail address where the crawl's owner can be found. */
export const hasContact = (userAgent: string): boolean => /https?:\/\/\S+\.\S+|\S+@\S+\.\S+/.test(userAgent)

/** The name that robots.txt groups are chosen by (RFC 9309 §2.2.1). */
export const productTokenOf = (userAgent: string): string => /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? '*'

const isOwnHost = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && isPrivateAddress(host))

/** Refuse to set out for public hosts without saying who we are. */
export function requireContact({ userAgent, seeds }: CrawlOptions): void {
  if (hasContact(userAgent)) return
  if (seeds.some((seed) => !isOwnHost(hostOf(seed).replace(/^\[|\]$/g, '')))) throw contactMissing(userAgent)
}

export function politenessFor(options: CrawlOptions, origin: string, address: string | undefined): Politeness {
  const override = overrideFor(options.sites, origin)
  const isOwn = address !== undefined && isPrivateAddress(address)
  const delayMs =
    override?.delayMs ??
    (isOwn ? Math.min(options.privateDelayMs, options.politeness.delayMs) : options.politeness.delayMs)
  const pagesPerConnection = override?.pagesPerConnection ?? options.politeness.pagesPerConnection
  const addressDelayMs = address === undefined ? undefined : addressDelayOf(options.addressDelays, address)
  const shared = { ...options.politeness, delayMs, pagesPerConnection }
  return addressDelayMs === undefined ? shared : { ...shared, addressDelayMs }
}

export function maxDepthFor({ sites, maxDepth }: CrawlOptions, url: string): number {
  return overrideFor(sites, url)?.maxDepth ?? maxDepth
}

export function budgetFor(options: Pick<CrawlOptions, 'sites' | 'siteBudget'>, origin: string): SiteBudget {
  const override = overrideFor(options.sites, origin)
  if (override === undefined) return options.siteBudget
  const { maxPages = options.siteBudget.maxPages, maxBytes = options.siteBudget.maxBytes } = override
  return { ...options.siteBudget, maxPages, maxBytes }
}

/** Headers of a request to a site, in the order they are sent. */
export function headersFor(options: CrawlOptions, origin: string): Record<string, string> {
  return {
    'user-agent': options.userAgent,
    accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip, br, zstd, deflate',
    ...secretHeaders(options.sites, origin),
  }
}

/** The scope rules with the plug-in behind them. */
export function withPlugin(scope: Scope, plugin: Hooks['scope']): Scope {
  if (plugin === undefined) return scope
  return (url, found) => scope(url, found) ?? (plugin(url, found.depth) ? undefined : 'plug-in')
}
