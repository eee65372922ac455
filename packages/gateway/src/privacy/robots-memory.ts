/**
 * RobotsMemory: robots.txt of the servers behind the gateway, learnt when somebody asks for it: a gateway sends no
 * request of its own. Until one goes by nothing is known, which allows; what went by counts for a day (RFC 9309 §2.4).
 *
 * Readers choose how they ask, and must not choose what the rules are by it: where an answer depends on that (a part, a failed
 * condition, a redirect, a refusal, another type than text), the rules that are known stay.
 */
import { decodeBody, headerOf, isAllowedInEverySpelling, robotsVerdict, siteOf } from '@comity/protocol'
import type { Instant, Robots } from '@comity/protocol'
import { codingOf } from '../http/observed-exchange.ts'
import type { ObservedExchange } from '../http/observed-exchange.ts'

const MAX_SITES = 10_000
const MAX_BYTES = 1 << 20
const KEPT_MS = 86_400_000

export class RobotsMemory {
  readonly #productToken: string
  readonly #sites = new Map<string, { readonly robots: Robots; readonly at: Instant }>()
  #now: Instant = 0

  constructor(productToken: string) {
    this.#productToken = productToken
  }

  get size(): number {
    return this.#sites.size
  }

  /** Whether it was one: an answer to /robots.txt. */
  learn(observed: ObservedExchange): boolean {
    const { url, response, body, endedAt } = observed
    this.#now = Math.max(this.#now, endedAt)
    if (url === undefined || !isRobotsUrl(url)) return false
    if (response === undefined || !saysRules(observed)) return true
    const decoded = decodeBody(body, codingOf(response), { maxBytes: MAX_BYTES })
    const site = siteOf(url)
    if (decoded.kind !== 'ok' || (this.#known(site) !== undefined && !isText(response))) return true
    const { robots } = robotsVerdict({ kind: 'answered', status: response.status, body: decoded.body })
    this.#keep(site, robots, endedAt)
    return true
  }

  /** Undefined while nobody knows. */
  allows(url: string): boolean | undefined {
    const site = siteOf(url)
    const robots = this.#known(site)
    if (robots !== undefined) return isAllowedInEverySpelling(robots.rulesFor(this.#productToken), url).allowed
    // Among names without end there may be one whose rules we had no room for.
    return this.#sites.size >= MAX_SITES && !this.#sites.has(site) ? false : undefined
  }

  #known(site: string): Robots | undefined {
    const known = this.#sites.get(site)
    return known === undefined || this.#now - known.at > KEPT_MS ? undefined : known.robots
  }

  /** Those that are known are not given up for names that somebody thinks up; only for time. */
  #keep(site: string, robots: Robots, at: Instant): void {
    this.#sites.delete(site)
    if (this.#sites.size >= MAX_SITES) this.#forgetOld()
    if (this.#sites.size < MAX_SITES) this.#sites.set(site, { robots, at })
  }

  #forgetOld(): void {
    for (const [site, { at }] of this.#sites) {
      if (this.#now - at <= KEPT_MS) return
      this.#sites.delete(site)
    }
  }
}

/** 200 has the rules, 404 and 410 say that there are none; all else is of the question or of the moment. */
const STATUSES: ReadonlySet<number> = new Set([200, 404, 410])

const saysRules = ({ request, response, verdict }: ObservedExchange): boolean =>
  request?.method === 'GET' && verdict === 'whole' && STATUSES.has(response?.status ?? 0)

/** As it should be served (RFC 9309 §2.3); what has no type is taken for it. Nobody expects one where there is nothing. */
function isText({ status, headers }: NonNullable<ObservedExchange['response']>): boolean {
  const type = headerOf(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  return status !== 200 || type === undefined || type === 'text/plain'
}

export const isRobotsUrl = (url: string): boolean => url.slice(siteOf(url).length) === '/robots.txt'
