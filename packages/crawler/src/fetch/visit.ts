/**
 * Visit: one connection to one site, from the lease to its release. Asks one thing after the other, each no sooner than
 * the site allows, and hands the answers to the handlers.
 */
import type { SecureContext } from 'node:tls'
import { headerOf, retryAfter, TOO_MUCH_WORK } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import { LEASED, reasonCode } from '@comity/frontier'
import type { Prerequisite, Frontier, Lease, Task } from '@comity/frontier'
import type { AddressCache } from './addresses.ts'
import type { ByteBudget } from './byte-budget.ts'
import { Connection } from './connection.ts'
import type { RequestOptions } from './connection.ts'
import type {
  AnsweredExchange,
  Exchange,
  Head,
  FaultAbout,
  FaultIsolation,
  GroupCommit,
  Outcome,
  PageHandler,
  PageTask,
  ReadingPool,
  Tally,
} from '@comity/ingest'
import { FAULT, isNobodyThere, isRedirect, locationOf, meaningOf, outcomeOfStatus, timingsOf } from '@comity/ingest'
import { hasContact, headersFor } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import type { OpenVisits } from '../run/open-visits.ts'
import type { FetchFilter } from './fetch-filter.ts'
import type { DifferenceUse } from './difference-use.ts'
import type { FreshParts } from '../run/run-parts.ts'
import type { InFlightLimits } from '../run/in-flight-limits.ts'
import { borrowAddress } from '../run/shard-port.ts'
import type { AddressLoan, ShardPort } from '../run/shard-port.ts'
import type { SitesGivenUp } from '../run/sites-given-up.ts'
import type { StartPages } from '../run/start-pages.ts'
import { isPrivateAddress } from './private-address.ts'
import { HeldVersion } from '@comity/follow'
import type { Questions, Rebuilt } from '@comity/follow'
import type { RobotsHandler } from './robots-handler.ts'
import { overrideFor, secretHeaders, withoutSecrets } from './site-override.ts'
import type { SitemapHandler } from './sitemap-handler.ts'

export interface VisitParts {
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly addresses: AddressCache
  readonly bytes: ByteBudget
  readonly pool: ReadingPool
  readonly robots: RobotsHandler
  readonly sitemaps: SitemapHandler
  /** Which pages are to be held. */
  readonly start: StartPages
  readonly questions: Questions
  readonly pages: PageHandler
  readonly filter: FetchFilter
  readonly tally: Tally
  readonly faults: FaultIsolation
  readonly trust: SecureContext | undefined
  readonly now: () => Instant
  readonly room: InFlightLimits
  /** What is waited for, so that a stop need not. */
  readonly open: OpenVisits
  readonly differences: DifferenceUse
  readonly commit: GroupCommit
  readonly givenUp: SitesGivenUp
  readonly fresh: FreshParts | undefined
  readonly shard: ShardPort | undefined
}

/** Sitemaps are data: larger than pages, and worth it. */
const MAX_SITEMAP_BYTES = 50 << 20
/** Twice what RFC 9309 §2.5 wants read at least. */
const MAX_ROBOTS_BYTES = 1 << 20

export async function visit(lease: Lease, parts: VisitParts): Promise<void> {
  const { frontier, now } = parts
  const resolution = await unlessCut(parts.addresses.resolve(lease.site.origin), parts)
  if (resolution === undefined) {
    putBack(lease.first, lease, parts)
    return frontier.release(lease, now())
  }
  if (resolution.kind !== 'address') return abandon(lease, resolution.kind, resolution.message, parts)
  const { address } = resolution
  const refusal = refuseContact(address, parts.options)
  if (refusal !== undefined) return abandon(lease, 'address-refused', refusal, parts)
  if (!frontier.place(lease, address, now())) return
  const { shard } = parts
  const loan = shard === undefined ? undefined : await borrowAddress(lease, address, { shard, frontier, now })
  if (shard !== undefined && loan === undefined) return
  const connection = open(lease, address, parts, loan)
  const over = parts.open.enter(connection)
  loan?.whenOver(() => connection.cut())
  try {
    await workThrough(lease, connection, address, parts, () => loan?.isWanted() === true)
  } finally {
    over()
    await connection.close()
    frontier.release(lease, now())
    loan?.giveBack(frontier.addressRestsUntil(address) - now())
    parts.commit.soon()
  }
}

/** A name server may be silent, too. */
async function unlessCut<Value>(waited: Promise<Value>, parts: VisitParts): Promise<Value | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const over = parts.open.enter({ heardAt: parts.now(), cut: () => resolve(undefined) })
  return await Promise.race([waited, promise]).finally(over)
}

/** The pages of the site, and what must come before them, one after the other on its connection. */
async function workThrough(
  lease: Lease,
  connection: Connection,
  address: string,
  parts: VisitParts,
  isWanted: () => boolean,
): Promise<void> {
  const { frontier, now } = parts
  await parts.robots.ready(lease.site.id, parts.pool)
  for (let step: { task: Task; at: Instant } | undefined = { task: lease.first, at: now() }; step !== undefined;) {
    if (step.at > now()) await parts.room.sleepUntil(step.at)
    await parts.room.forPage()
    const { task } = step
    if (parts.room.isStopping || !connection.isOpen) return putBack(task, lease, parts)
    let settling: Settling | undefined
    if (task.kind === 'prerequisite') await runPrerequisite(task, lease, connection, address, parts)
    else settling = await fetchPage(task, lease, connection, address, parts)
    // What the site just told us about its load must outlive us, whatever becomes of the answer.
    parts.commit.soon()
    if (parts.room.isStopping || parts.room.isEnough(lease.site.id) || !connection.isOpen) return
    if (settling !== undefined && isWorthReading(lease, parts)) {
      parts.pool.hurry()
      await settling.reading
      if (parts.room.isStopping || parts.room.isEnough(lease.site.id) || !connection.isOpen) return
    }
    if (isWanted()) return
    step = frontier.next(lease, now(), !parts.room.hasPlace)
  }
}

/**
 * Whether a page is read before the next is chosen. Where threads read, what is on its way may be in each other's order; but what a site has
 * next may stand on the page that is being read alone, and the connection is worth that moment. Without threads
 * nobody gains from going ahead, and a page is chosen by all that was fetched before it.
 */
const isWorthReading = (lease: Lease, { frontier, pool }: VisitParts): boolean => pool.isInline || frontier.isDry(lease)

/** A page came and is being read; the promise resolves when it has been settled, or could not be. */
interface Settling {
  readonly reading: Promise<void>
}

async function fetchPage(
  task: PageTask,
  lease: Lease,
  connection: Connection,
  address: string,
  parts: VisitParts,
): Promise<Settling | undefined> {
  const { options, frontier, robots, pages, filter } = parts
  const { site } = lease
  if (!options.ignoreRobots && !robots.allows(site.id, task.url)) {
    frontier.settle(task.page, 'excluded', 0, reasonCode('robots'))
    return undefined
  }
  const excluded = parts.start.reasonSince(task.url)
  if (excluded !== undefined) {
    frontier.settle(task.page, 'excluded', 0, reasonCode(excluded))
    return undefined
  }
  const admission = filter.admits(task, site.id)
  if (admission !== 'fetch') {
    if (admission === 'later') putBack(task, lease, parts)
    else frontier.settle(task.page, 'excluded', 0, reasonCode('type'))
    return undefined
  }
  const held = heldVersion(task, site.id, parts)
  const headers = { ...headersFor(options, site.origin), ...held?.headers }
  const wants = (head: Head): boolean => filter.wants(head, task.url, site.id)
  const exchange = await ask(task.url, headers, lease, connection, parts, { wants })
  if (exchange.kind === 'failed') {
    const { outcome, message, startedAt, firstByteMs } = exchange
    if (exchange.stale) putBack(task, lease, parts)
    else pages.failed(task, site.id, { outcome, problem: message }, startedAt, firstByteMs)
    if (!exchange.stale) giveUpIfDead(lease, outcome, message, parts)
    return undefined
  }
  // Without a condition of ours a 304 is no answer to what we asked.
  if (exchange.head.status === 304 && held?.isConditional) {
    const { head, startedAt: at } = exchange
    pages.unchanged({ task, site: site.id, head, at, timings: timingsOf(exchange), address })
    return undefined
  }
  const about = { kind: 'page', url: task.url, origin: site.origin } as const
  const rebuilt = held === undefined ? whole(exchange) : await rebuiltFrom(held, exchange, about, parts)
  if (rebuilt === FAULT) {
    failForUs(task, site.id, exchange.startedAt, parts)
    return undefined
  }
  if (rebuilt.kind === 'broken') {
    parts.differences.failed(site.id, rebuilt.problem)
    putBack(task, lease, parts)
    return undefined
  }
  const { answer, scheme } = rebuilt
  const { body, startedAt } = answer
  const requestHeaders = sentHeaders({ ...headers, ...exchange.signature }, site.origin, options)
  const sent = { wireBytes: exchange.body.length, scheme }
  const timings = timingsOf(exchange)
  const arrived = { task, site: site.id, answer, timings, address, origin: { requestHeaders }, sent }
  const bytes = body.length
  const settled = parts.faults
    .apart({ ...about, key: `page ${task.url}`, isNotedAtWork: true }, (note) => pages.ingest(arrived, note))
    .then((came) => (came === FAULT ? failForUs(task, site.id, startedAt, parts) : undefined))
  parts.room.track(settled, bytes)
  giveUpIfDead(lease, loadOf(exchange), 'the site stays busy', parts)
  // Whoever tracks it hears of what went wrong.
  return { reading: settled.catch(() => undefined) }
}

const whole = (answer: AnsweredExchange): Rebuilt<AnsweredExchange> => ({ kind: 'whole', answer })

/** Our copy changed by what came, or what came itself. */
async function rebuiltFrom(
  held: HeldVersion,
  exchange: AnsweredExchange,
  about: FaultAbout,
  { faults, pool }: VisitParts,
): Promise<Rebuilt<AnsweredExchange> | typeof FAULT> {
  return await faults.apart({ ...about, body: exchange.body }, async () => await held.rebuild(exchange, pool))
}

/** We failed on what came, and it is kept aside: the page is given up, so that no restart meets it again. */
function failForUs(task: PageTask, site: number, at: Instant, { pages, frontier }: VisitParts): void {
  // What came before the fault may have settled it.
  if (frontier.pages.stateOf(task.page) !== LEASED) return
  pages.failed(task, site, { outcome: 'fault', problem: 'kept aside as a dead letter' }, at)
}

async function runPrerequisite(
  task: Extract<Task, { kind: 'prerequisite' }>,
  lease: Lease,
  connection: Connection,
  address: string,
  parts: VisitParts,
): Promise<void> {
  const { options, robots } = parts
  const { prerequisite, url } = task
  if (prerequisite.kind === 'question') return askQuestion(task, lease, connection, address, parts)
  const headers = { ...headersFor(options, lease.site.origin), accept: '*/*' }
  const maxBodyBytes = prerequisite.kind === 'robots' ? MAX_ROBOTS_BYTES : MAX_SITEMAP_BYTES
  const exchange = await ask(url, headers, lease, connection, parts, { maxBodyBytes })
  if (exchange.kind === 'failed' && exchange.stale) return putBack(task, lease, parts)
  const body = exchange.kind === 'answered' ? exchange.body : undefined
  const about = { kind: 'question', url, origin: lease.site.origin, body } as const
  const came = await parts.faults.apart(about, async () => {
    if (prerequisite.kind === 'robots') await readRobots(prerequisite, url, exchange, parts)
    else if (exchange.kind === 'answered') await readSitemap(prerequisite, url, exchange, parts)
  })
  // Rules that we cannot read may forbid everything (RFC 9309 §2.3.1.4).
  const unread = { kind: 'unmade', outcome: 'fault', message: 'a fault of ours' } as const
  if (came === FAULT && prerequisite.kind === 'robots') robots.answered(prerequisite, url, unread, parts.now())
}

async function readRobots(
  prerequisite: Prerequisite,
  url: string,
  exchange: Exchange,
  { robots, pool, now }: VisitParts,
): Promise<void> {
  const work = robots.workOf(exchange)
  robots.answered(prerequisite, url, exchange, now(), work === undefined ? undefined : await pool.work('rules', work))
}

async function readSitemap(
  prerequisite: Prerequisite,
  url: string,
  exchange: AnsweredExchange,
  { sitemaps, pool, options }: VisitParts,
): Promise<void> {
  const { status, headers } = exchange.head
  if (status === 200) {
    const locs = await pool.work('sitemap', sitemaps.workOf(url, exchange))
    if (locs !== TOO_MUCH_WORK) sitemaps.take(prerequisite, locs)
  } else if (isRedirect(status)) {
    const to = locationOf(headers, url, options.urlRules)
    if (to !== undefined) sitemaps.follow(prerequisite, to)
  }
}

async function askQuestion(
  task: Extract<Task, { kind: 'prerequisite' }>,
  lease: Lease,
  connection: Connection,
  address: string,
  parts: VisitParts,
): Promise<void> {
  const { options, questions } = parts
  const question = questions.of(task.prerequisite)
  if (question === undefined) return
  const headers = { ...headersFor(options, lease.site.origin), accept: '*/*', ...question.headers }
  const exchange = await ask(task.url, headers, lease, connection, parts, question)
  if (exchange.kind === 'failed' && exchange.stale) putBack(task, lease, parts)
  else await questions.answered(task.prerequisite, exchange, address, parts.pool)
}

/** One request, and what its answer says about the site's load. */
async function ask(
  url: string,
  headers: Record<string, string>,
  lease: Lease,
  connection: Connection,
  parts: VisitParts,
  asked: RequestOptions,
): Promise<Exchange> {
  parts.fresh?.revisits.asked(lease.task, parts.now())
  parts.fresh?.figures.asked()
  const exchange = await connection.request(url.slice(lease.site.origin.length), headers, asked)
  parts.tally.totals.requests++
  const { endedAt, firstByteMs } = exchange
  const isStale = exchange.kind === 'failed' && exchange.stale
  if (exchange.kind === 'failed' && isFreeTry(lease.task, exchange.outcome)) return exchange
  const overloaded = meaningOf(loadOf(exchange)).siteTrouble && !isStale
  const retryAt =
    exchange.kind === 'answered' ? retryAfter(headerOf(exchange.head.headers, 'retry-after'), endedAt) : undefined
  const answer = { endedAt, tookMs: firstByteMs, overloaded }
  parts.frontier.answered(lease, retryAt === undefined ? answer : { ...answer, retryAt })
  return exchange
}

/** A look for robots.txt at a site where nobody is costs it nothing: the gate alone says when to look again. */
const isFreeTry = (task: Task, outcome: Outcome): boolean =>
  task.kind === 'prerequisite' && task.prerequisite.kind === 'robots' && isNobodyThere(outcome)

/** The outcome as far as the site's load goes; what the page itself comes to is known when it has been read. */
function loadOf(exchange: Exchange): Outcome {
  if (exchange.kind === 'failed') return exchange.outcome
  return exchange.truncated === 'time' ? 'timeout-body' : outcomeOfStatus(exchange.head.status)
}

function open(lease: Lease, address: string, parts: VisitParts, loan: AddressLoan | undefined): Connection {
  const { options, bytes, now, trust } = parts
  const { origin } = lease.site
  const override = overrideFor(options.sites, origin)
  return new Connection({
    origin,
    address,
    budget: bytes,
    now,
    trust,
    limits: options.limits,
    insecureTls: override?.insecureTls ?? options.insecureTls,
    proxy: override?.proxy ?? options.proxy,
    identity: options.identity,
    mayAsk: loan === undefined ? undefined : () => loan.isGood(),
  })
}

/** The site could not even be connected to: it rests, and its task comes back or is given up. */
async function abandon(lease: Lease, outcome: Outcome, message: string, parts: VisitParts): Promise<void> {
  const { frontier, now } = parts
  if (outcome === 'address-refused') {
    // Our own decision, and no fault of the site's: its pages wait as they were, for a run that may visit them.
    parts.givenUp.add(lease.site.id, outcome, message)
    putBack(lease.first, lease, parts)
  } else await fail(lease, outcome, message, parts)
  frontier.release(lease, now())
  parts.commit.soon()
}

async function fail(lease: Lease, outcome: Outcome, message: string, parts: VisitParts): Promise<void> {
  const { first, site } = lease
  const at = parts.now()
  if (!isFreeTry(first, outcome)) parts.frontier.answered(lease, { endedAt: at, tookMs: 0, overloaded: true })
  if (first.kind === 'page') parts.pages.failed(first, site.id, { outcome, problem: message }, at)
  else if (first.prerequisite.kind === 'robots') {
    parts.robots.answered(first.prerequisite, first.url, { kind: 'unmade', outcome, message }, at)
  } else if (first.prerequisite.kind === 'question') {
    const timed = { startedAt: at, endedAt: at, connectMs: undefined, firstByteMs: 0, transferMs: 0 }
    const failed = { kind: 'failed', outcome, message, stale: false, ...timed } as const
    await parts.questions.answered(first.prerequisite, failed, '')
  }
  giveUpIfDead(lease, outcome, message, parts)
}

function giveUpIfDead({ site }: Lease, outcome: Outcome, problem: string, { givenUp, options }: VisitParts): void {
  if (meaningOf(outcome).siteTrouble && site.strikes >= options.maxStrikes) givenUp.add(site.id, outcome, problem)
}

/** The task was never asked; it waits as if nothing had happened. */
function putBack(task: Task, lease: Lease, { frontier }: VisitParts): void {
  if (task.kind === 'page') frontier.settle(task.page, 'waiting')
  else frontier.runPrerequisite(lease.site.id, task.prerequisite)
}

function refuseContact(address: string, { userAgent }: CrawlOptions): string | undefined {
  if (hasContact(userAgent) || isPrivateAddress(address)) return undefined
  return `${address} is public, and the user agent "${userAgent}" names no contact`
}

/** Our copy of a page; undefined when there is none. */
function heldVersion(task: PageTask, site: number, parts: VisitParts): HeldVersion | undefined {
  const { collection, options, filter } = parts
  if (filter.mustBeWhole(task.page)) return undefined
  const differences = parts.differences.isWanted(site) ? 'any' : 'none'
  const limits = { differences, maxBytes: options.maxDecodedBytes } as const
  return HeldVersion.of(task.url, collection.page(task.page), collection, limits)
}

/** What we sent, as the WARC request record shows it; the secrets of an intranet stay out of archives. */
function sentHeaders(headers: Record<string, string>, origin: string, { sites }: CrawlOptions): HeaderList {
  return [['host', origin.slice(origin.indexOf('//') + 2)], ...withoutSecrets(headers, secretHeaders(sites, origin))]
}
