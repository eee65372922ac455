/**
 * RobotsHandler: asks sites for their robots.txt, keeps what they said, and opens or closes the frontier's gates.
 *
 * A robots.txt may redirect, also to another host (RFC 9309 §2.3.1.2). Then the prerequisite goes to that host, which is
 * visited with its own politeness, and its answer counts for the site that wanted to know.
 */
import {
  MAX_ROBOTS_REDIRECTS,
  canonicalUrl,
  headerOf,
  isAllowedInEverySpelling,
  openRobots,
  packRobots,
  parseRobots,
  robotsExpiresAt,
  robotsVerdict,
  siteOf,
  TOO_MUCH_WORK,
} from '@comity/protocol'
import type { Instant, Robots, RobotsOutcome, TooMuchWork, UrlRules } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Prerequisite, Frontier } from '@comity/frontier'
import type { Documents, ReadRules, WorkArgs, AnsweredExchange, Exchange, Outcome, SiteOutcome } from '@comity/ingest'
import { isNobodyThere, isRedirect, locationOf, robotsRead } from '@comity/ingest'

/** Files kept in memory, and octets of all of them; the others are read again from the collection when their site's turn comes. */
const MAX_READ = 2_000
const MAX_READ_BYTES = 16 << 20
/** A site may name this many sitemaps before we stop believing it. */
const MAX_SITEMAPS = 50
/** First wait before an unreachable robots.txt is asked for again; doubles. */
const RETRY_MS = 30_000
/** The same at a site that never answered and where nobody is: a name that was mistyped is told within seconds. */
const NOBODY_RETRY_MS = 2_000
/** What Node and OpenSSL call a certificate that is not trusted; it will be no better in a minute. */
const BAD_CERTIFICATE = /certificate|altname/i
/** A file that unpacks to more than this is no file of rules. */
const MAX_DECODED_BYTES = 16 << 20
/** Nobody was there to be asked: the site is named for that, not for its robots.txt. */
const UNREACHED: ReadonlySet<Outcome> = new Set([
  'address-refused',
  'connection-refused',
  'dns-error',
  'fault',
  'proxy-error',
  'timeout-connect',
  'tls-error',
  'unreachable',
])
const CLOSED = parseRobots('User-agent: *\nDisallow: /')

interface RobotsHandlerOptions {
  readonly productToken: string
  readonly sitemaps: boolean
  readonly urlRules: UrlRules
  /** Tries before a site with an unreachable robots.txt is left alone for this run. */
  readonly maxTries: number
  /** First wait before a second try. */
  readonly retryMs?: number
  /** Leave a site alone for the rest of this run. */
  readonly giveUp: (site: number, outcome: SiteOutcome, problem: string) => void
}

/** The request could not even be made. */
interface Unmade {
  readonly kind: 'unmade'
  readonly outcome: Outcome
  readonly message: string
}

export class RobotsHandler {
  readonly #frontier: Frontier
  readonly #collection: Collection
  readonly #options: RobotsHandlerOptions
  readonly #read = new Map<number, Robots>()
  #bytes = 0
  readonly #failures = new Map<number, number>()

  constructor(frontier: Frontier, collection: Collection, options: RobotsHandlerOptions) {
    this.#frontier = frontier
    this.#collection = collection
    this.#options = options
  }

  /** Whether the site's rules, as last read, allow the URL in every spelling. A site never read allows nothing. */
  allows(site: number, url: string): boolean {
    return isAllowedInEverySpelling(this.#robotsOf(site).rulesFor(this.#options.productToken), url).allowed
  }

  /** What a site's file says, as last read; undefined when there is none. */
  of(site: number): Robots | undefined {
    return this.#collection.robots(site)?.verdict === 'rules' ? this.#robotsOf(site) : undefined
  }

  /** How an answer is read before the handler hears of it; undefined when there is nothing to read. */
  workOf(exchange: Exchange): WorkArgs<'rules'> | undefined {
    return robotsWork(exchange, this.#options.productToken)
  }

  /** A prerequisite for robots.txt was answered, or could not be made. `read`: what came of `workOf`, where there was any. */
  answered(
    prerequisite: Prerequisite,
    asked: string,
    exchange: Exchange | Unmade,
    now: Instant,
    read?: ReadRules | TooMuchWork,
  ): void {
    if (exchange.kind === 'answered' && this.#followsRedirect(prerequisite, asked, exchange)) return
    const outcome = exchange.kind === 'answered' ? rulesIn(exchange, read) : noRules(exchange.message)
    const { state, robots, reason } = robotsVerdict(outcome)
    const site = prerequisite.onBehalfOf
    const status = exchange.kind === 'answered' ? exchange.head.status : 0
    const origin = this.#frontier.sites[site]?.origin ?? ''
    const trouble = state === 'unreachable' ? { outcome: causeOf(exchange), problem: reason } : undefined
    if (robotsRead.hasSubscribers) robotsRead.publish({ origin, verdict: state, status, ...trouble })
    if (trouble !== undefined) return this.#unreachable(site, trouble.problem, trouble.outcome, now)
    this.#failures.delete(site)
    this.#keep(site, robots)
    const maxAge = exchange.kind === 'answered' ? maxAgeOf(headerOf(exchange.head.headers, 'cache-control')) : undefined
    const expiresAt = robotsExpiresAt(now, maxAge)
    const body = state === 'parsed' && typeof read === 'object' ? read.body : new Uint8Array(0)
    const verdict = state === 'parsed' ? 'rules' : 'allow-all'
    this.#collection.putRobots(site, { fetchedAt: now, expiresAt, status, verdict, body })
    const { crawlDelaySeconds = 0 } = robots.rulesFor(this.#options.productToken)
    this.askForSitemaps(site, robots)
    this.#frontier.openGate(site, expiresAt, crawlDelaySeconds * 1000, now)
  }

  /** Before its rules are asked: where they are long and not at hand, a thread reads them. */
  async ready(site: number, documents: Documents): Promise<void> {
    if (this.#read.has(site)) return
    const row = this.#collection.robots(site)
    if (row?.verdict !== 'rules') return
    const { productToken } = this.#options
    const args = { body: row.body, coding: undefined, maxBytes: MAX_DECODED_BYTES, productToken }
    const read = await documents.work('rules', args)
    if (read !== TOO_MUCH_WORK && !this.#read.has(site)) this.#keep(site, openRobots(read.robots))
  }

  /** The same for the site of a page that somebody names: many such are named, one after the other. */
  async readyFor(url: string, documents: Documents): Promise<void> {
    const page = this.#frontier.findUrl(url)
    if (page !== -1) await this.ready(this.#frontier.pages.siteOf(page), documents)
  }

  #followsRedirect(prerequisite: Prerequisite, asked: string, { head }: AnsweredExchange): boolean {
    if (!isRedirect(head.status) || prerequisite.hops >= MAX_ROBOTS_REDIRECTS) return false
    const target = locationOf(head.headers, asked, this.#options.urlRules)
    if (target === undefined) return false
    const origin = siteOf(target)
    this.#frontier.runPrerequisite(this.#frontier.site(origin), {
      ...prerequisite,
      path: target.slice(origin.length),
      hops: prerequisite.hops + 1,
    })
    return true
  }

  /** RFC 9309 §2.3.1.4: an unreachable file means that nothing may be visited. */
  #unreachable(site: number, reason: string, outcome: SiteOutcome, now: Instant): void {
    const failures = (this.#failures.get(site) ?? 0) + 1
    const isNew = this.#isNew(site)
    this.#failures.set(site, failures)
    this.#keep(site, CLOSED)
    this.#collection.putRobots(site, {
      fetchedAt: now,
      expiresAt: now,
      status: 0,
      verdict: 'disallow-all',
      body: new Uint8Array(0),
    })
    const usualMs = this.#options.retryMs ?? RETRY_MS
    const retryMs = isNew && isNobodyThere(outcome) ? Math.min(usualMs, NOBODY_RETRY_MS) : usualMs
    this.#frontier.closeGate(site, now + retryMs * 2 ** (failures - 1))
    const isHopeless = isNew && outcome === 'tls-error' && BAD_CERTIFICATE.test(reason)
    if (failures < this.#options.maxTries && !isHopeless) return
    const problem = `robots.txt is unreachable (${reason}), so the whole site counts as disallowed (RFC 9309 §2.3.1.4)`
    this.#options.giveUp(site, outcome, problem)
  }

  /** Nothing of it was ever read. */
  #isNew(site: number): boolean {
    return (this.#frontier.sites[site]?.visited ?? 0) === 0 && (this.#collection.robots(site)?.status ?? 0) === 0
  }

  /** Those that a site's file names, as last read. */
  askForSitemaps(site: number, robots: Robots | undefined = this.of(site)): void {
    if (!this.#options.sitemaps || robots === undefined) return
    for (const line of robots.sitemaps.slice(0, MAX_SITEMAPS)) {
      const url = canonicalUrl(line, this.#frontier.sites[site]?.origin, this.#options.urlRules)
      if (url === undefined) continue
      const origin = siteOf(url)
      const prerequisite: Prerequisite = { kind: 'sitemap', onBehalfOf: site, path: url.slice(origin.length), hops: 0 }
      const asked = this.#frontier.siteIfRoom(origin)
      if (asked !== -1) this.#frontier.runPrerequisite(asked, prerequisite)
    }
  }

  #robotsOf(site: number): Robots {
    const known = this.#read.get(site)
    if (known !== undefined) return known
    const row = this.#collection.robots(site)
    // What it says to us alone, as when it came: a fourth of the time that all of it takes, and less to keep.
    const robots =
      row === undefined || row.verdict === 'disallow-all'
        ? CLOSED
        : openRobots(packRobots(row.verdict === 'rules' ? row.body : '', this.#options.productToken))
    this.#keep(site, robots)
    return robots
  }

  #keep(site: number, robots: Robots): void {
    this.#drop(site)
    this.#read.set(site, robots)
    this.#bytes += robots.bytes
    for (const oldest of this.#read.keys()) {
      if (oldest === site || (this.#read.size <= MAX_READ && this.#bytes <= MAX_READ_BYTES)) break
      this.#drop(oldest)
    }
  }

  #drop(site: number): void {
    this.#bytes -= this.#read.get(site)?.bytes ?? 0
    this.#read.delete(site)
  }
}

/** What is to be read of an answer; undefined when there is nothing. */
export function robotsWork(exchange: Exchange, productToken: string): WorkArgs<'rules'> | undefined {
  if (exchange.kind !== 'answered' || !isSuccess(exchange)) return undefined
  const coding = headerOf(exchange.head.headers, 'content-encoding')
  return { body: exchange.body, coding, maxBytes: MAX_DECODED_BYTES, productToken }
}

const isSuccess = ({ head: { status } }: AnsweredExchange): boolean => status >= 200 && status < 300

const noRules = (reason: string): RobotsOutcome => ({ kind: 'failed', reason })

/**
 * A file that is merely long is read as far as §2.5 wants it; one that broke off, or whose coding cannot be undone, is not
 * believed: its last line may say the opposite of what was written.
 */
export function rulesIn(exchange: AnsweredExchange, read: ReadRules | TooMuchWork | undefined): RobotsOutcome {
  const { head, truncated } = exchange
  if (!isSuccess(exchange)) return { kind: 'answered', status: head.status, body: '' }
  if (read === undefined) return noRules('nobody has read it')
  if (truncated === 'time' || truncated === 'disconnect') return noRules(`it broke off (${truncated})`)
  if (read === TOO_MUCH_WORK) return noRules(`its coding is ${TOO_MUCH_WORK}`)
  const { kind } = read.end
  const isReadable = kind === 'ok' || (kind === 'truncated' && truncated === 'length')
  if (!isReadable) return noRules(`its coding is ${kind}`)
  return { kind: 'answered', status: head.status, body: openRobots(read.robots) }
}

function causeOf(exchange: Exchange | Unmade): SiteOutcome {
  return exchange.kind !== 'answered' && UNREACHED.has(exchange.outcome) ? exchange.outcome : 'robots-unreachable'
}

function maxAgeOf(cacheControl: string | undefined): number | undefined {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
