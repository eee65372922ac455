/**
 * RobotsMemory: robots.txt of the servers behind the gateway, learnt when somebody asks for it: a gateway sends no
 * request of its own. Until one goes by nothing is known, which allows; what went by counts for a day (RFC 9309 §2.4).
 */
import { decodeBody, isAllowed, robotsVerdict, siteOf } from '@comity/protocol'
import type { Instant, Robots } from '@comity/protocol'
import { codingOf } from './passing.ts'
import type { Passing } from './passing.ts'

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

  /** Whether it was one: a whole answer to a GET of /robots.txt. */
  learn({ url, request, response, body, verdict, endedAt }: Passing): boolean {
    this.#now = Math.max(this.#now, endedAt)
    if (url === undefined || !isRobotsUrl(url)) return false
    if (request?.method !== 'GET' || response === undefined || verdict !== 'whole') return true
    const decoded = decodeBody(body, codingOf(response), { maxBytes: MAX_BYTES })
    const { status } = response
    // 304 says that somebody's copy is good, a server in trouble nothing of its rules.
    if (decoded.kind !== 'ok' || status === 304 || status === 429 || status >= 500) return true
    const { robots } = robotsVerdict({ kind: 'answered', status, body: decoded.body })
    const site = siteOf(url)
    this.#sites.delete(site)
    this.#sites.set(site, { robots, at: endedAt })
    if (this.#sites.size > MAX_SITES) this.#sites.delete(this.#sites.keys().next().value!)
    return true
  }

  /** Undefined while nobody knows. */
  allows(url: string): boolean | undefined {
    const known = this.#sites.get(siteOf(url))
    if (known === undefined || this.#now - known.at > KEPT_MS) return undefined
    return isAllowed(known.robots, this.#productToken, url).allowed
  }
}

export const isRobotsUrl = (url: string): boolean => url.slice(siteOf(url).length) === '/robots.txt'
