/**
 * Visit: one connection to one site, from the lease to its release. Asks one thing after the other, each no sooner than
 * the site allows, and hands the answers to the desks.
 */
import { canonicalUrl, headerOf, mediaKindOf, payloadDigest, retryAfter } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import { reasonCode } from '@comity/frontier'
import type { Frontier, Lease, Task } from '@comity/frontier'
import { isPrivateAddress } from './addresses.ts'
import type { AddressBook } from './addresses.ts'
import type { ByteBudget } from './byte-budget.ts'
import { Connection } from './connection.ts'
import type { Exchange, Head } from './connection.ts'
import { siteGivenUp } from './events.ts'
import { hasContact, headersFor, overrideFor } from './options.ts'
import type { CrawlOptions } from './options.ts'
import { meaningOf, outcomeOfStatus } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import type { PageDesk, PageTask } from './page-desk.ts'
import type { ReadingPool } from './reading-pool.ts'
import type { RobotsDesk } from './robots-desk.ts'
import type { SitemapDesk } from './sitemap-desk.ts'
import type { Tally } from './tally.ts'

export interface VisitParts {
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly addresses: AddressBook
  readonly budget: ByteBudget
  readonly pool: ReadingPool
  readonly robots: RobotsDesk
  readonly sitemaps: SitemapDesk
  readonly pages: PageDesk
  readonly tally: Tally
  readonly now: () => Instant
  readonly sleepUntil: (at: Instant) => Promise<void>
  /** Resolves when there is room for one more page to be read and stored. */
  readonly room: () => Promise<void>
  /** No further request is to be made. */
  readonly isStopping: () => boolean
  /** As many pages are fetched or on their way as were asked for. */
  readonly isSpent: () => boolean
  /** A page is being read; the promise resolves when it has been settled. */
  readonly track: (settled: Promise<void>) => void
}

/** Sitemaps are data: larger than pages, and worth it. */
const MAX_SITEMAP_BYTES = 50 << 20

export async function visit(lease: Lease, parts: VisitParts): Promise<void> {
  const { frontier, now } = parts
  const resolution = await parts.addresses.resolve(lease.site.origin)
  const refusal = resolution.kind === 'address' ? refuseContact(resolution.address, parts.options) : resolution
  if (resolution.kind !== 'address' || refusal !== undefined) {
    const { kind, message } = refusal as { kind: Outcome; message: string }
    return abandon(lease, kind, message, parts)
  }
  const { address } = resolution
  if (!frontier.place(lease, address, now())) return
  const connection = open(lease, address, parts)
  try {
    await converse(lease, connection, address, parts)
  } finally {
    await connection.close()
    frontier.release(lease, now())
  }
}

async function converse(lease: Lease, connection: Connection, address: string, parts: VisitParts): Promise<void> {
  const { frontier, now } = parts
  for (let step: { task: Task; at: Instant } | undefined = { task: lease.first, at: now() }; step !== undefined; ) {
    if (step.at > now()) await parts.sleepUntil(step.at)
    await parts.room()
    const { task } = step
    if (parts.isStopping() || !connection.isOpen) return putBack(task, lease, parts)
    if (task.kind === 'errand') await runErrand(task, lease, connection, parts)
    else await fetchPage(task, lease, connection, address, parts)
    if (parts.isStopping() || parts.isSpent() || !connection.isOpen) return
    step = frontier.next(lease, now())
  }
}

async function fetchPage(
  task: PageTask,
  lease: Lease,
  connection: Connection,
  address: string,
  parts: VisitParts,
): Promise<void> {
  const { options, frontier, robots, pages } = parts
  const { site } = lease
  if (!options.ignoreRobots && !robots.allows(site.id, task.url)) {
    return frontier.settle(task.page, 'outside', 0, reasonCode('robots'))
  }
  const headers = { ...headersFor(options, site.origin), ...conditionsFor(task, parts) }
  const exchange = await ask(task.url, headers, lease, connection, parts, (head) => wantsBody(head, task.url, options))
  if (exchange.kind === 'failed') {
    // A server may close an idle connection just as we ask on it (RFC 9112 §9.3.1); that says nothing about the page.
    if (!exchange.fresh && exchange.outcome === 'connection-reset') return frontier.settle(task.page, 'waiting')
    const { outcome, message, startedAt, firstByteMs } = exchange
    pages.failed(task, site.id, { outcome, problem: message }, startedAt, firstByteMs)
    return giveUpIfDead(lease, message, parts)
  }
  const conditional = 'if-none-match' in headers || 'if-modified-since' in headers
  // Without a condition of ours a 304 is no answer to what we asked.
  if (exchange.head.status === 304 && conditional) return pages.unchanged(task, site.id, exchange, address)
  const answered = {
    url: task.url,
    at: exchange.startedAt,
    address,
    status: exchange.head.status,
    statusText: exchange.head.statusText,
    headers: exchange.head.headers,
    requestHeaders: sentHeaders(headers, site.origin),
    body: exchange.body,
    truncated: exchange.truncated,
  }
  announce(answered, exchange, options)
  const reading = parts.pool.read(answered)
  parts.track(reading.then((read) => pages.answered(task, site.id, exchange, read, address)))
  if (meaningOf(outcomeOfStatus(exchange.head.status)).siteTrouble) giveUpIfDead(lease, 'the site stays busy', parts)
}

async function runErrand(
  { errand, url }: Extract<Task, { kind: 'errand' }>,
  lease: Lease,
  connection: Connection,
  parts: VisitParts,
): Promise<void> {
  const { options, robots, sitemaps } = parts
  const headers = headersFor(options, lease.site.origin)
  const exchange = await ask(url, { ...headers, accept: '*/*' }, lease, connection, parts, () => true)
  if (errand.kind === 'robots') return robots.answered(errand, url, exchange, parts.now())
  if (exchange.kind !== 'answered') return
  const { status } = exchange.head
  if (status === 200) sitemaps.read(errand, url, exchange)
  else if (status >= 300 && status < 400) {
    const to = canonicalUrl(headerOf(exchange.head.headers, 'location') ?? '', url)
    if (to !== undefined) sitemaps.follow(errand, to)
  }
}

/** One request, and what its answer says about the site's load. */
async function ask(
  url: string,
  headers: Record<string, string>,
  lease: Lease,
  connection: Connection,
  parts: VisitParts,
  wants: (head: Head) => boolean,
): Promise<Exchange> {
  const exchange = await connection.request(url.slice(lease.site.origin.length), headers, wants)
  parts.tally.totals.requests++
  const { endedAt, firstByteMs } = exchange
  const outcome = exchange.kind === 'failed' ? exchange.outcome : outcomeOfStatus(exchange.head.status)
  const isStale = exchange.kind === 'failed' && !exchange.fresh && outcome === 'connection-reset'
  const overloaded = meaningOf(outcome).siteTrouble && !isStale
  const retryAt =
    exchange.kind === 'answered' ? retryAfter(headerOf(exchange.head.headers, 'retry-after'), endedAt) : undefined
  const answer = { endedAt, tookMs: firstByteMs, overloaded }
  parts.frontier.answered(lease, retryAt === undefined ? answer : { ...answer, retryAt })
  return exchange
}

function open(lease: Lease, address: string, parts: VisitParts): Connection {
  const { options, budget, now } = parts
  const { origin } = lease.site
  const override = overrideFor(options.sites, new URL(origin).hostname)
  const isErrand = lease.first.kind === 'errand'
  return new Connection({
    origin,
    address,
    budget,
    now,
    limits: isErrand ? { ...options.limits, maxBodyBytes: MAX_SITEMAP_BYTES } : options.limits,
    insecureTls: override?.insecureTls ?? options.insecureTls,
    proxy: override?.proxy ?? options.proxy,
  })
}

/** The site could not even be connected to: it rests, and its task comes back or is given up. */
function abandon(lease: Lease, outcome: Outcome, message: string, parts: VisitParts): void {
  const { frontier, pages, robots, now } = parts
  const { first, site } = lease
  const at = now()
  frontier.answered(lease, { endedAt: at, tookMs: 0, overloaded: true })
  if (first.kind === 'page') pages.failed(first, site.id, { outcome, problem: message }, at)
  else if (first.errand.kind === 'robots') robots.answered(first.errand, first.url, { kind: 'unmade', message }, at)
  if (meaningOf(outcome).fate === 'failed') {
    frontier.giveUp(site.id)
    siteGivenUp.publish({ origin: site.origin, problem: message })
  } else giveUpIfDead(lease, message, parts)
  frontier.release(lease, at)
}

function giveUpIfDead({ site }: Lease, problem: string, { frontier, options }: VisitParts): void {
  if (site.strikes < options.maxStrikes) return
  frontier.giveUp(site.id)
  siteGivenUp.publish({ origin: site.origin, problem })
}

/** The task was never asked; it waits as if nothing had happened. */
function putBack(task: Task, lease: Lease, { frontier }: VisitParts): void {
  if (task.kind === 'page') frontier.settle(task.page, 'waiting')
  else frontier.runErrand(lease.site.id, task.errand)
}

function refuseContact(address: string, { userAgent }: CrawlOptions): { kind: Outcome; message: string } | undefined {
  if (hasContact(userAgent) || isPrivateAddress(address)) return undefined
  return { kind: 'address-refused', message: `${address} is public, and the user agent "${userAgent}" names no contact` }
}

/** Conditional on every revisit (RFC 9110 §13): both validators, as servers differ in which they honour. */
function conditionsFor(task: PageTask, { collection }: VisitParts): Record<string, string> {
  const row = collection.page(task.page)
  if (row?.body === undefined) return {}
  return {
    ...(row.etag === undefined ? {} : { 'if-none-match': row.etag }),
    ...(row.lastModified === undefined ? {} : { 'if-modified-since': row.lastModified }),
  }
}

function wantsBody(head: Head, url: string, { kinds }: CrawlOptions): boolean {
  return head.status !== 200 || kinds.includes(mediaKindOf(headerOf(head.headers, 'content-type'), url))
}

/** What we sent, as the WARC request record shows it; the secrets of an intranet stay out of archives. */
function sentHeaders(headers: Record<string, string>, origin: string): HeaderList {
  const secret = new Set(['authorization', 'cookie', 'proxy-authorization'])
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    secret.has(name.toLowerCase()) ? '(left out)' : value,
  ])
  return [['host', new URL(origin).host], ...sent]
}

function announce(
  answered: { url: string; status: number; headers: HeaderList; at: Instant },
  exchange: Extract<Exchange, { kind: 'answered' }>,
  { hooks }: CrawlOptions,
): void {
  if (hooks.onCapture === undefined || exchange.truncated !== undefined || exchange.declined) return
  const { url, status, headers, at } = answered
  const body = exchange.body.slice()
  hooks.onCapture({ url, at, source: 'crawl', status, headers, body, digest: payloadDigest(body) })
}
