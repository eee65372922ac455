/**
 * Politeness: the earliest moment a site may be asked again. Pure.
 *
 * Two clocks run for a site. Between *connections* runs our own rest, `delayMs` (w of 004 §4.1), longer for a server
 * that answers slowly. Between *requests* runs what the site asks: Crawl-delay, Retry-After, and the back-off that
 * follows an overloaded answer. The site may lengthen the rest, never shorten it.
 */
import type { Instant } from '@comity/protocol'

export interface Politeness {
  /** Least rest between two connections to a site, and to an address that has none of its own (004 §4.1). 0: a server of our own, no rest at all. */
  readonly delayMs: number
  /**
   * Least rest between two connections to the address, where somebody names one: an address of a CDN serves many sites. As a site's
   * own rest when not given. One connection at a time to an address stays in any case.
   */
  readonly addressDelayMs?: number | undefined
  /** Pages fetched on one connection (k of 004 §4.2); undefined: as `connectionPages` says. */
  readonly pagesPerConnection: number | undefined
  /** Rest at least this many times as long as the site took to answer; Mercator and Heritrix do the same. */
  readonly slowdown: number
  /** First back-off after an overloaded or failed answer; doubles each time. */
  readonly backoffMs: number
  readonly maxBackoffMs: number
  /** No site may send us away for longer than this; a Retry-After of a thousand years is a mistake. */
  readonly maxRetryAfterMs: number
}

export const politeDefaults: Politeness = {
  delayMs: 15_000,
  pagesPerConnection: undefined,
  slowdown: 10,
  backoffMs: 15_000,
  maxBackoffMs: 3_600_000,
  maxRetryAfterMs: 7 * 86_400_000,
}

/** One page a connection, unless somebody said how many; without end where there is no rest between connections that it could save. */
export const connectionPages = ({ delayMs, pagesPerConnection }: Politeness): number =>
  pagesPerConnection ?? (delayMs === 0 ? Infinity : 1)

/** What one request taught us about the site's load. */
export interface Answer {
  readonly endedAt: Instant
  /** From the request to the first byte of its answer. */
  readonly tookMs: number
  /** 429, 503, a time-out or a broken connection: the site, not the page, is in trouble. */
  readonly overloaded: boolean
  /** `Retry-After`, already turned into an instant (RFC 9110 §10.2.3). */
  readonly retryAt?: Instant
}

/** The earliest polite moment for the next connection. */
export function nextConnectionAt(endedAt: Instant, slowestMs: number, politeness: Politeness): Instant {
  if (politeness.delayMs === 0) return endedAt
  // A slow answer is the one load signal every server gives, so we rest in proportion to it.
  return endedAt + Math.max(politeness.delayMs, slowestMs * politeness.slowdown)
}

/**
 * The same for the address. Where a rest of its own was named for it, a slow answer makes its site rest longer and not the address:
 * behind one address of a CDN there are many servers, and slowness is said of one of them.
 */
export function nextConnectionToAddressAt(endedAt: Instant, slowestMs: number, politeness: Politeness): Instant {
  const { addressDelayMs } = politeness
  return addressDelayMs === undefined ? nextConnectionAt(endedAt, slowestMs, politeness) : endedAt + addressDelayMs
}

/** The least rest of an address between two connections. */
export const addressRestMs = ({ delayMs, addressDelayMs }: Politeness): number => addressDelayMs ?? delayMs

/** The earliest moment the site itself allows for the next request. `strikes` counts overloaded answers in a row. */
export function nextRequestAt(
  answer: Answer,
  crawlDelayMs: number,
  strikes: number,
  politeness: Politeness,
  random: () => number,
): Instant {
  const asked = answer.endedAt + crawlDelayMs
  if (!answer.overloaded) return asked
  const retryAt = Math.min(answer.retryAt ?? 0, answer.endedAt + politeness.maxRetryAfterMs)
  return Math.max(asked, retryAt, answer.endedAt + backoffMs(strikes, politeness, random))
}

/** Doubling, with up to a quarter added at random so that sites that failed together do not return together. */
function backoffMs(strikes: number, politeness: Politeness, random: () => number): number {
  const doubled = politeness.backoffMs * 2 ** Math.min(strikes - 1, 30)
  return Math.min(doubled, politeness.maxBackoffMs) * (1 + random() / 4)
}
