/** The flags of `comity crawl`. Units, defaults and explanations stand here and nowhere else. */
import { messageOf } from '@comity/protocol'
import { SCOPE_KINDS, parseLocationRules, politeDefaults, scopePattern } from '@comity/frontier'
import type { LocationRules, SiteBudget } from '@comity/frontier'
import { crawlDefaults } from '@comity/crawler'
import type { AddressDelay, CrawlOptions, SiteOverride } from '@comity/crawler'
import type { MediaKind } from '@comity/protocol'
import { clusterPlaceFlags } from '../cluster/place-flags.ts'
import type { ClusterPlaceSettings } from '../cluster/place-flags.ts'
import { parseAddressDelays } from './address-delay.ts'
import { allowPrivateFlag } from './allow-private.ts'
import { off, on } from '../command.ts'
import type { Flag, FlagTable } from '../command.ts'
import { identityFlag, signatureAgentFlag } from './identity.ts'
import { readLimits, readSites, readUrlRules } from './config.ts'
import { listFile, listInConfig, noList } from '../terminal/list-source.ts'
import type { ListSource } from '../terminal/list-source.ts'
import { MEDIA_KINDS, parseTypes } from './media-kinds.ts'
import type { MediaType } from './media-kinds.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { parseOrderChoice, usualOrder } from './order-choice.ts'
import type { OrderChoice } from './order-choice.ts'
import { parseProxy } from '../terminal/proxy-url.ts'
import {
  countFrom,
  formatBytes,
  formatCount,
  formatDuration,
  parseBytes,
  parseDuration,
  parseRate,
} from '../terminal/quantity.ts'
import { BadValue } from '../usage-error.ts'

/** Settings that are options of a crawl as they stand: of the same name, in the same unit. `crawlOptionsOf` hands them on. */
// oxfmt-ignore
export const AS_IN_OPTIONS = [
  'nearHot', 'promote', 'location', 'batch', 'keep', 'index', 'maxPages', 'maxDepth', 'maxBytes', 'scope', 'include', 'exclude',
  'sitemaps', 'dumps', 'parallel', 'userAgent', 'ignoreRobots', 'allowPrivate', 'threads',
] as const

export interface CrawlSettings extends ClusterPlaceSettings, Pick<CrawlOptions, (typeof AS_IN_OPTIONS)[number]> {
  readonly into: string | undefined
  readonly cluster: string | undefined
  readonly seeds: ListSource
  readonly order: OrderChoice
  readonly topic: readonly string[]
  readonly similarity: 'cosine' | 'inner'
  readonly idf: string
  readonly sitePages: number
  readonly siteBytes: number
  readonly doNotCrawl: ListSource
  readonly types: readonly (MediaKind | MediaType)[]
  readonly estimate: boolean
  readonly programs: boolean
  readonly revisit: number
  /** Undefined: the usual delay, shorter for hosts of one's own. */
  readonly delay: number | undefined
  readonly addressDelay: readonly AddressDelay[]
  /** Undefined: one, or without end where there is no delay. */
  readonly pagesPerConnection: number | undefined
  readonly rate: number
  readonly identity: string | undefined
  readonly signatureAgent: string | undefined
  readonly patience: number
  readonly ca: string | undefined
  readonly proxy: string | undefined
  readonly hook: string | undefined
  readonly json: boolean
  readonly config: string | undefined
  readonly sites: readonly SiteOverride[]
  readonly limits: LimitSettings
  readonly urls: ReturnType<typeof readUrlRules>
}

export type LimitSettings = CrawlOptions['limits'] & Pick<CrawlOptions, 'maxDecodedBytes'>

const { siteBudget, privateDelayMs, patienceMs, parallel, userAgent } = crawlDefaults
const budget: SiteBudget = siteBudget
const positive = countFrom(1)

// oxfmt-ignore
export const crawlFlags: FlagTable<CrawlSettings> = {
  into: { argument: 'DIR', default: undefined, parse: String,
    help: 'the collection: a directory that is made, or gone on with when it is there' },
  cluster: { argument: 'URL', default: undefined, parse: String,
    help: 'instead of --into: crawl with all machines of a cluster, which is where this NATS is: nats://HOST:4222' },
  ...clusterPlaceFlags,
  seeds: { argument: 'FILE', default: noList, parse: listFile, read: listInConfig,
    help: 'start pages, one a line; - reads standard input' },
  order: { argument: 'ORDER', default: usualOrder, shown: 'depth', parse: parseOrderChoice,
    help: 'which page next: one of the orders below, an expression over the metrics below, or a file (.ts, .js) that exports one' },
  topic: { argument: 'WORDS', default: [], parse: parseWords, many: true, help: 'what the crawl is about, for the orders topic and anchor: "computer science"' },
  nearHot: { argument: 'N', default: crawlDefaults.nearHot, shown: `${crawlDefaults.nearHot}`, parse: countFrom(0),
    help: 'pages fewer links than this from a page on the topic count as on it too; 0 looks at links and URLs alone' },
  promote: off('a page that waits moves up when a later link says that it is on the topic'),
  similarity: choice('KIND', 'cosine', ['cosine', 'inner'], 'how likeness to the topic is measured: cosine, or the inner product'),
  idf: { argument: 'SOURCE', default: 'none', shown: 'none', parse: String,
    help: 'weight of words: none, all alike; crawled, rare ones more, as seen so far; or a FILE of lines "word count"' },
  location: { argument: 'RULES', default: crawlDefaults.location, shown: 'ending .com 1, word home 1, slash -1', parse: parseLocation,
    help: 'what the order location likes in a URL' },
  batch: { argument: 'K', default: Infinity, parse: positive, help: 'fetch in batches of K pages from as many sites as possible; the next begins when one is done' },
  keep: { argument: 'B', default: Infinity, parse: positive, help: 'hold the content of the B most important pages by the order; what is dropped stays known' },
  index: on('do not make pages searchable as they come in; it can be done later'),
  maxPages: { argument: 'N', default: Infinity, parse: positive, help: 'stop when the collection has this many pages' },
  maxDepth: { argument: 'N', default: Infinity, parse: countFrom(0), help: 'clicks from a start page; 0 fetches the start pages alone' },
  maxBytes: { argument: 'SIZE', default: Infinity, parse: parseBytes, help: 'stop when this much was fetched: 500MB' },
  sitePages: { argument: 'N', default: budget.maxPages, shown: formatCount(budget.maxPages), parse: positive, help: 'pages from one site, so that a trap costs little' },
  siteBytes: { argument: 'SIZE', default: budget.maxBytes, shown: formatBytes(budget.maxBytes), parse: parseBytes, help: 'bytes from one site' },
  scope: choice('KIND', 'host', SCOPE_KINDS,
    'how far links are followed: host, the sites of the start pages; domain, all hosts of their domains; prefix, below their folders; any'),
  include: { argument: 'GLOB', default: [], parse: listOfOne, many: true, help: 'fetch only URLs like this: "*/manual/*", or a "/regular expression/"' },
  exclude: { argument: 'GLOB', default: [], parse: listOfOne, many: true, help: 'fetch no URL like this: "*.pdf", or all below a folder: "*/drafts/"' },
  doNotCrawl: { argument: 'FILE', default: noList, parse: listFile, read: listInConfig,
    help: 'hosts never to be visited, one a line, with all their subdomains' },
  types: { argument: 'KINDS', default: ['page'], shown: 'page', parse: parseTypes, many: true,
    help: `what to fetch: ${Object.keys(MEDIA_KINDS).join(', ')}, or all; or media types: image/*, application/pdf` },
  estimate: off('fetch no page: print how many there are, and how large, by what the sites say of themselves; with --into, also how many changed'),
  programs: off('fetch what looks like a program or a side effect too (cgi-bin, logout, vote, endless calendars)'),
  sitemaps: on('do not read sitemaps'),
  dumps: on('do not take the first copy of a site from its own dump, where it offers one'),
  revisit: { argument: 'AGE', default: Infinity, parse: parseDuration, help: 'fetch again what was fetched longer ago than this: 1d. Unchanged pages cost one small request' },
  delay: { argument: 'TIME', default: undefined, parse: parseDuration,
    shown: `${formatDuration(politeDefaults.delayMs)}; ${formatDuration(privateDelayMs)} for private addresses`,
    help: 'rest between two connections to a site or an address; what the site asks for can only make it longer' },
  addressDelay: { argument: 'TIME|NET=TIME', default: [], shown: 'as --delay', parse: parseAddressDelays, many: true,
    help: 'rest between two connections to an address, where it serves many sites: 1s for all, or for networks: 104.16.0.0/13=500ms,2606:4700::/32=500ms. The narrowest counts; a site rests as before' },
  pagesPerConnection: { argument: 'K', default: undefined, shown: '1; without end with --delay 0', parse: positive,
    help: 'pages fetched on one connection before the rest' },
  parallel: { argument: 'R', default: parallel, shown: `${parallel}`, parse: positive, help: 'visits at once, each to another site and address' },
  rate: { argument: 'RATE', default: Infinity, parse: parseRate, help: 'bytes a second, all visits together: 2MB/s' },
  userAgent: { argument: 'TEXT', default: userAgent, shown: userAgent, parse: parseUserAgent,
    help: 'who we say we are; public hosts are visited only with a page or an e-mail address in it' },
  identity: identityFlag,
  signatureAgent: signatureAgentFlag,
  ignoreRobots: off('do not ask for robots.txt: for sites of your own'),
  allowPrivate: allowPrivateFlag('visit private and loopback addresses too: for networks of your own'),
  ca: { argument: 'FILE', default: undefined, parse: String, help: 'trust the authorities in this PEM file too' },
  patience: { argument: 'TIME', default: patienceMs, shown: formatDuration(patienceMs), parse: parseDuration,
    help: 'stop when all that is left asks for a longer rest than this; the next run goes on' },
  proxy: { argument: 'URL', default: undefined, parse: parseProxy, secret: true, help: 'go out through this HTTP proxy' },
  threads: { argument: 'N', default: crawlDefaults.threads, shown: 'the cores less one, at most 4', parse: countFrom(0), help: 'threads that read pages; 0 reads in the main one' },
  hook: { argument: 'FILE', default: undefined, parse: String, help: 'a module (.ts, .js) that exports onCapture, scope or order' },
  json: off('print the summary as one JSON object, the last line on stdout'),
  config: { argument: 'FILE', default: undefined, parse: String, help: 'JSON with the same settings, and those below' },
  sites: { default: [], read: readSites,
    help: 'a list of { "host" or "origin", "delay", "pagesPerConnection", "maxPages", "maxBytes", "maxDepth", "dropParameters", "keepParameters", "dropSessionIds", "proxy", "insecureTls", "headers", "cookie", "basicAuth" }: what differs for a host; "*.example.org" is a domain. The last three are secrets, which need an "origin" (https://example.org:8443) and are sent to no other' },
  limits: { default: { ...crawlDefaults.limits, maxDecodedBytes: crawlDefaults.maxDecodedBytes }, read: readLimits,
    help: '{ "connectTimeout", "headersTimeout", "bodyTimeout", "totalTimeout", "maxBody", "maxHeaders", "maxDecoded" }' },
  urls: { default: {}, read: readUrlRules,
    help: '{ "dropParameters": ["utm_*", …], "dropSessionIds": true }: which parts of a URL say nothing about the page, at any site; names that mean something at others belong to "sites". A collection keeps them' },
}

function choice<Name extends string>(argument: string, usual: Name, names: readonly Name[], help: string): Flag<Name> {
  const parse = (text: string): Name => {
    const name = names.find((one) => one === text)
    if (name === undefined) throw new BadValue(`is none of ${names.join(', ')}.${didYouMean(text, names)}`)
    return name
  }
  return { argument, default: usual, shown: usual, parse, help }
}

/** At most so many words drive a crawl. */
const MAX_TOPIC_WORDS = 100

function parseWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) throw new BadValue('has no words')
  if (words.length > MAX_TOPIC_WORDS) throw new BadValue(`has more than ${MAX_TOPIC_WORDS} words`)
  return words
}

function parseLocation(text: string): LocationRules {
  const rules = parseLocationRules(text)
  if (typeof rules === 'string') throw new BadValue(`cannot be used: ${rules}`)
  return rules
}

/** Compiled once for its complaints. */
function listOfOne(pattern: string): readonly string[] {
  if (pattern === '') throw new BadValue('matches nothing: write a glob such as */manual/*')
  try {
    scopePattern(pattern)
  } catch (cause) {
    throw new BadValue(`is no pattern: ${messageOf(cause)}`, { cause })
  }
  return [pattern]
}

function parseUserAgent(text: string): string {
  // RFC 9110 §5.5: nothing but visible characters and blanks can stand in a header.
  if (!/^[\x21-\x7e][\x20-\x7e]*$/.test(text)) throw new BadValue('cannot be sent: use plain letters on one line')
  return text
}
