/**
 * Robots verdict: what a site's answer for /robots.txt means for the whole site (RFC 9309 §2.3.1), and for how long.
 *
 *   2xx                          parsed        its rules
 *   3xx after five redirects     unavailable   all allowed
 *   4xx                          unavailable   all allowed
 *   429, 5xx, no answer          unreachable   nothing allowed
 */
import type { Instant } from '../instant.ts'
import { parseRobots } from './robots.ts'
import type { Robots } from './robots.ts'

/** The last answer, after up to five redirects were followed (§2.3.1.2), read or not; `failed` when there was none. */
export type RobotsOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Uint8Array | string | Robots }
  | { readonly kind: 'failed'; readonly reason: string }

export interface RobotsVerdict {
  readonly state: 'parsed' | 'unavailable' | 'unreachable'
  /** Always there, so that callers ask it and nothing else. */
  readonly robots: Robots
  readonly reason: string
}

/** Follow this many redirects for robots.txt, also to other hosts. */
export const MAX_ROBOTS_REDIRECTS = 5

const everythingAllowed = parseRobots('')
const nothingAllowed = parseRobots('User-agent: *\nDisallow: /\n')

export function robotsVerdict(outcome: RobotsOutcome): RobotsVerdict {
  if (outcome.kind === 'failed') return unreachable(`no answer: ${outcome.reason}`)
  const { status } = outcome
  if (status >= 200 && status < 300) return { state: 'parsed', robots: read(outcome.body), reason: `status ${status}` }
  if (status >= 300 && status < 400)
    return unavailable('more than five redirects, or one that leads nowhere (§2.3.1.2)')
  // §2.3.1.3 lets us take any 4xx as "no rules". But 429 comes from a site under too much load, and to start a crawl
  // because it said so would be the opposite of what it asked for.
  if (status === 429) return unreachable('status 429: the site asks to be left alone for now')
  if (status >= 400 && status < 500) return unavailable(`status ${status} (§2.3.1.3)`)
  return unreachable(`status ${status} (§2.3.1.4)`)
}

const read = (body: Uint8Array | string | Robots): Robots =>
  typeof body === 'string' || body instanceof Uint8Array ? parseRobots(body) : body

function unavailable(reason: string): RobotsVerdict {
  return { state: 'unavailable', robots: everythingAllowed, reason }
}

function unreachable(reason: string): RobotsVerdict {
  return { state: 'unreachable', robots: nothingAllowed, reason }
}

const LONGEST_MS = 24 * 60 * 60 * 1000
/** Many servers send `max-age=0` with everything; asking before every page would double the load of a crawl. */
const SHORTEST_MS = 10 * 60 * 1000

/** Until when a copy may be used: as `Cache-Control: max-age` says, but for 24 hours at most (§2.4). */
export function robotsExpiresAt(fetchedAt: Instant, cacheControlMaxAgeSeconds?: number): Instant {
  const wishMs = cacheControlMaxAgeSeconds === undefined ? LONGEST_MS : cacheControlMaxAgeSeconds * 1000
  // A field that is not a number has no wish.
  const restMs = Number.isNaN(wishMs) ? LONGEST_MS : Math.min(Math.max(wishMs, SHORTEST_MS), LONGEST_MS)
  return fetchedAt + restMs
}
