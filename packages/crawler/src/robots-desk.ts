/**
 * RobotsDesk: asks sites for their robots.txt, keeps what they said, and opens or closes the frontier's gates.
 *
 * A robots.txt may redirect, also to another host (RFC 9309 §2.3.1.2). Then the errand goes to that host, which is
 * visited with its own manners, and its answer counts for the site that wanted to know.
 */
import {
  MAX_ROBOTS_REDIRECTS,
  canonicalUrl,
  headerOf,
  isAllowedIn,
  parseRobots,
  robotsExpiresAt,
  robotsVerdict,
  siteOf,
} from '@comity/protocol'
import type { Instant, Robots, RobotsOutcome } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Errand, Frontier } from '@comity/frontier'
import type { Exchange } from './connection.ts'
import { robotsRead, siteGivenUp } from './events.ts'

/** Parsed files kept in memory; the others are parsed again from the collection when their site's turn comes. */
const MAX_PARSED = 2_000
/** A site may name this many sitemaps before we stop believing it. */
const MAX_SITEMAPS = 50
/** First wait before an unreachable robots.txt is asked for again; doubles. */
const RETRY_MS = 30_000
const CLOSED = parseRobots('User-agent: *\nDisallow: /')

export interface RobotsDeskOptions {
  readonly productToken: string
  readonly sitemaps: boolean
  /** Tries before a site with an unreachable robots.txt is left alone for this run. */
  readonly maxTries: number
  /** First wait before a second try. */
  readonly retryMs?: number
}

export class RobotsDesk {
  readonly #frontier: Frontier
  readonly #collection: Collection
  readonly #options: RobotsDeskOptions
  readonly #parsed = new Map<number, Robots>()
  readonly #failures = new Map<number, number>()

  constructor(frontier: Frontier, collection: Collection, options: RobotsDeskOptions) {
    this.#frontier = frontier
    this.#collection = collection
    this.#options = options
  }

  /** Whether the site's rules, as last read, allow the URL. A site never read allows nothing. */
  allows(site: number, url: string): boolean {
    return isAllowedIn(this.#robotsOf(site).rulesFor(this.#options.productToken), url).allowed
  }

  /** An errand for robots.txt was answered, or could not be made. */
  answered(errand: Errand, asked: string, exchange: Exchange | { kind: 'unmade'; message: string }, now: Instant): void {
    if (exchange.kind === 'answered' && this.#followsRedirect(errand, asked, exchange)) return
    const outcome: RobotsOutcome =
      exchange.kind === 'answered'
        ? { kind: 'answered', status: exchange.head.status, body: exchange.body }
        : { kind: 'failed', reason: exchange.message }
    const { state, robots, reason } = robotsVerdict(outcome)
    const site = errand.onBehalfOf
    const status = exchange.kind === 'answered' ? exchange.head.status : 0
    const origin = this.#frontier.sites[site]?.origin ?? ''
    if (robotsRead.hasSubscribers) robotsRead.publish({ origin, verdict: state, status })
    if (state === 'unreachable') return this.#unreachable(site, origin, reason, now)
    this.#failures.delete(site)
    this.#keep(site, robots)
    const maxAge = exchange.kind === 'answered' ? maxAgeOf(headerOf(exchange.head.headers, 'cache-control')) : undefined
    const expiresAt = robotsExpiresAt(now, maxAge)
    const body = state === 'parsed' && exchange.kind === 'answered' ? exchange.body : new Uint8Array(0)
    const verdict = state === 'parsed' ? 'rules' : 'allow-all'
    this.#collection.putRobots(site, { fetchedAt: now, expiresAt, status, verdict, body })
    const { crawlDelaySeconds = 0 } = robots.rulesFor(this.#options.productToken)
    if (this.#options.sitemaps) this.#askForSitemaps(site, robots)
    this.#frontier.openGate(site, expiresAt, crawlDelaySeconds * 1000, now)
  }

  #followsRedirect(errand: Errand, asked: string, { head }: Extract<Exchange, { kind: 'answered' }>): boolean {
    if (head.status < 300 || head.status >= 400 || errand.hops >= MAX_ROBOTS_REDIRECTS) return false
    const target = canonicalUrl(headerOf(head.headers, 'location') ?? '', asked)
    if (target === undefined) return false
    const origin = siteOf(target)
    this.#frontier.runErrand(this.#frontier.site(origin), {
      ...errand,
      path: target.slice(origin.length),
      hops: errand.hops + 1,
    })
    return true
  }

  /** RFC 9309 §2.3.1.4: an unreachable file means that nothing may be visited. */
  #unreachable(site: number, origin: string, reason: string, now: Instant): void {
    const failures = (this.#failures.get(site) ?? 0) + 1
    this.#failures.set(site, failures)
    this.#keep(site, CLOSED)
    this.#collection.putRobots(site, {
      fetchedAt: now,
      expiresAt: now,
      status: 0,
      verdict: 'disallow-all',
      body: new Uint8Array(0),
    })
    this.#frontier.closeGate(site, now + (this.#options.retryMs ?? RETRY_MS) * 2 ** (failures - 1))
    if (failures < this.#options.maxTries) return
    this.#frontier.giveUp(site)
    const problem = `robots.txt is unreachable (${reason}), so the whole site counts as disallowed (RFC 9309 §2.3.1.4)`
    siteGivenUp.publish({ origin, problem })
  }

  #askForSitemaps(site: number, robots: Robots): void {
    for (const line of robots.sitemaps.slice(0, MAX_SITEMAPS)) {
      const url = canonicalUrl(line, this.#frontier.sites[site]?.origin)
      if (url === undefined) continue
      const origin = siteOf(url)
      const errand: Errand = { kind: 'sitemap', onBehalfOf: site, path: url.slice(origin.length), hops: 0 }
      this.#frontier.runErrand(this.#frontier.site(origin), errand)
    }
  }

  #robotsOf(site: number): Robots {
    const known = this.#parsed.get(site)
    if (known !== undefined) return known
    const row = this.#collection.robots(site)
    const robots =
      row === undefined || row.verdict === 'disallow-all' ? CLOSED : parseRobots(row.verdict === 'rules' ? row.body : '')
    this.#keep(site, robots)
    return robots
  }

  #keep(site: number, robots: Robots): void {
    if (this.#parsed.size >= MAX_PARSED) this.#parsed.delete(this.#parsed.keys().next().value as number)
    this.#parsed.set(site, robots)
  }
}

function maxAgeOf(cacheControl: string | undefined): number | undefined {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
