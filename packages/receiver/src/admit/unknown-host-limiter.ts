/**
 * UnknownHostLimiter: hosts that nobody here knew before somebody named them. Looking for a proof there makes us call them, and makes each
 * a site of the crawl; so an address may name a few at once and some more as time goes by, and so may all addresses together. One
 * that proves itself costs nothing: whoever delivers for thousands of sites names as many. Deterministic.
 */
import type { Instant } from '@comity/protocol'
import { TokenBuckets } from './token-buckets.ts'
import type { BucketTerms } from './token-buckets.ts'

export interface UnknownHostTerms {
  /** By one address. */
  readonly one: BucketTerms
  readonly all: BucketTerms
}

/** Hosts that were called are no news; so many are remembered, and as many addresses. */
const REMEMBERED = 20_000
const ALL = 'all'

export class UnknownHostLimiter {
  readonly #isKnown: (origin: string) => boolean
  readonly #one: TokenBuckets
  readonly #all: TokenBuckets
  /** Who named it, until it is proven; the one that was named longest ago first. */
  readonly #called = new Map<string, string>()

  constructor({ one, all }: UnknownHostTerms, isKnown: (origin: string) => boolean) {
    this.#isKnown = isKnown
    this.#one = new TokenBuckets(one, REMEMBERED, true)
    this.#all = new TokenBuckets(all, 1)
  }

  /** 0: it may be called; or the milliseconds until this asker may name one more. `undefined`: nobody remembers who named it. */
  call(origin: string, asker: string | undefined, now: Instant): number {
    if (this.#called.has(origin) || this.#isKnown(origin)) return 0
    const ownMs = asker === undefined ? 0 : this.#one.waitMs(asker, 1, now)
    const waitMs = Math.max(ownMs, this.#all.waitMs(ALL, 1, now))
    if (waitMs > 0) return waitMs
    if (asker !== undefined) this.#one.draw(asker, 1, now)
    this.#all.draw(ALL, 1, now)
    if (this.#called.size >= REMEMBERED) this.#called.delete(this.#called.keys().next().value as string)
    this.#called.set(origin, asker ?? '')
    return 0
  }

  /** It was no stranger's whim. */
  proven(origin: string, now: Instant): void {
    const asker = this.#called.get(origin)
    if (asker === undefined || asker === ALL) return
    this.#one.refund(asker, 1, now)
    this.#all.refund(ALL, 1, now)
    this.#called.set(origin, ALL)
  }
}
