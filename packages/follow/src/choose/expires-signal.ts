/**
 * Expires signal: `Expires` and `Cache-Control: max-age` as a site's own prediction of when a page changes next (RFC 9111
 * §4.2.1; 002 §6.1 names it as the oldest form of cooperation).
 *
 * Most of these headers predict nothing: they say how long somebody's cache may keep a page. What is believed is a lifetime
 * of some length that is not what every page of the site has. So lifetimes are counted by site, and one that most pages have
 * is a habit of the server's or of a proxy in front of it. Pure, apart from the counting.
 */
import { headerOf, parseHttpDate } from '@comity/protocol'
import type { HeaderList, Instant, Signal } from '@comity/protocol'

interface Prediction {
  readonly at: Instant
  /** From the answer's own date on, in whole seconds. */
  readonly lifetimeSeconds: number
}

/** Shorter ones only keep a crowd away; a longer one is how "never" is written. */
const LEAST_SECONDS = 60
const MOST_SECONDS = 180 * 86_400

/** What an answer predicts that was asked for at `now`; undefined when it predicts nothing. */
export function predictedChange(status: number, headers: HeaderList, now: Instant): Prediction | undefined {
  if (status !== 200 && status !== 304) return undefined
  const cacheControl = headerOf(headers, 'cache-control') ?? ''
  if (/(?:^|[\s,])(?:no-store|no-cache|immutable)(?:$|[\s,=])/i.test(cacheControl)) return undefined
  const date = parseHttpDate(headerOf(headers, 'date') ?? '', now) ?? now
  const lifetimeSeconds = maxAgeOf(cacheControl) ?? expiresOf(headers, date, now)
  if (lifetimeSeconds === undefined || lifetimeSeconds < LEAST_SECONDS || lifetimeSeconds > MOST_SECONDS)
    return undefined
  // A cache may have held the answer for a while already (§4.2.3); our own clock is the one that counts.
  const age = Number(/^\s*(\d{1,9})\s*$/.exec(headerOf(headers, 'age') ?? '')?.[1] ?? 0)
  const at = now + (lifetimeSeconds - age) * 1000
  return at <= now ? undefined : { at, lifetimeSeconds }
}

export function expiresSignal(url: string, { at }: Pick<Prediction, 'at'>): Signal {
  return { url, change: 'updated', channel: 'expires', changedAt: at }
}

/** `max-age` comes before `Expires` where both are there (§5.3). */
function maxAgeOf(cacheControl: string): number | undefined {
  const seconds = /(?:^|[\s,])max-age="?(\d{1,12})/i.exec(cacheControl)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

function expiresOf(headers: HeaderList, date: Instant, now: Instant): number | undefined {
  const expires = parseHttpDate(headerOf(headers, 'expires') ?? '', now)
  return expires === undefined ? undefined : Math.round((expires - date) / 1000)
}

/** Answers looked back on, and how many of them make a habit. */
const REMEMBERED = 32
const HABIT_COUNT = 3
const HABIT_SHARE = 0.5
/** `Expires` is made from a clock, to the second. */
const JITTER_SECONDS = 1

/** The lifetimes that one site gave its pages lately. */
export class Lifetimes {
  readonly #last: number[] = []

  add(seconds: number): void {
    this.#last.push(seconds)
    if (this.#last.length > REMEMBERED) this.#last.shift()
  }

  /** Most pages have it, whatever they are: it says nothing of any one of them. */
  isHabit(seconds: number): boolean {
    const alike = this.#last.filter((one) => Math.abs(one - seconds) <= JITTER_SECONDS).length
    return alike >= HABIT_COUNT && alike >= HABIT_SHARE * this.#last.length
  }
}
