/**
 * Token buckets: how often each of many may do something. A bucket fills with time up to its burst and is drawn on by each
 * act. One that is full is as good as none, so only those who were busy lately are remembered, and no more than `maxKeys`:
 * when all of these are busy, a newcomer is told to wait rather than one of them forgotten; unless `mayForget`, for keys that
 * one party can have any number of (addresses): then who was least busy is forgotten, or such a party could shut out everybody.
 * Deterministic.
 */
import type { Instant } from '@comity/protocol'

export interface BucketTerms {
  readonly perSecond: number
  readonly burst: number
}

interface Bucket {
  tokens: number
  at: Instant
}

export class TokenBuckets {
  readonly #terms: BucketTerms
  readonly #maxKeys: number
  readonly #mayForget: boolean
  readonly #buckets = new Map<string, Bucket>()

  constructor(terms: BucketTerms, maxKeys: number, mayForget = false) {
    this.#terms = terms
    this.#maxKeys = maxKeys
    this.#mayForget = mayForget
  }

  get size(): number {
    return this.#buckets.size
  }

  /**
   * Draw, if it is there; 0, or the milliseconds until it is. `factor`: this one's bucket fills so many times as fast. Nobody
   * is asked for more than a full bucket: a single large act passes when it is full.
   */
  draw(key: string, cost: number, now: Instant, factor = 1): number {
    const waitMs = this.waitMs(key, cost, now, factor)
    if (waitMs > 0) return waitMs
    const bucket = this.#buckets.get(key) ?? { tokens: this.#terms.burst, at: now }
    bucket.tokens -= Math.min(cost, this.#terms.burst)
    this.#buckets.set(key, bucket)
    return 0
  }

  /** For what has been done already: more may be drawn than there is, up to a burst of debt, which is paid before any more. */
  charge(key: string, cost: number, now: Instant): void {
    const { burst } = this.#terms
    if (this.waitMs(key, 0, now) > 0) return
    const bucket = this.#buckets.get(key) ?? { tokens: burst, at: now }
    bucket.tokens = Math.max(-burst, bucket.tokens - cost)
    this.#buckets.set(key, bucket)
  }

  /** What was drawn is given back. */
  refund(key: string, cost: number, now: Instant): void {
    if (!this.#buckets.has(key)) return
    this.waitMs(key, 0, now)
    const bucket = this.#buckets.get(key)!
    bucket.tokens = Math.min(this.#terms.burst, bucket.tokens + cost)
  }

  /** How long until so much can be drawn. */
  waitMs(key: string, cost: number, now: Instant, factor = 1): number {
    const { burst, perSecond } = this.#terms
    const bucket = this.#buckets.get(key)
    if (bucket === undefined) return this.#hasRoom(now) ? 0 : 1_000
    const perMs = (perSecond * factor) / 1_000
    bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
    bucket.at = Math.max(bucket.at, now)
    const missing = Math.min(cost, burst) - bucket.tokens
    // Fractions of a token that only rounding lacks are there.
    return missing <= 1e-9 ? 0 : Math.ceil(missing / perMs - 1e-6)
  }

  #hasRoom(now: Instant): boolean {
    if (this.#buckets.size < this.#maxKeys) return true
    const { burst, perSecond } = this.#terms
    // Whoever came first is looked at first, and a few are enough: most are full by the time they are.
    let [looked, fullest, most] = [0, '', -Infinity]
    for (const [key, { tokens, at }] of this.#buckets) {
      if (looked++ >= LOOK_AT) break
      this.#buckets.delete(key)
      const filled = tokens + ((now - at) * perSecond) / 1_000
      if (filled < burst) this.#buckets.set(key, { tokens, at })
      if (filled > most) [fullest, most] = [key, filled]
    }
    if (this.#mayForget && this.#buckets.size >= this.#maxKeys) this.#buckets.delete(fullest)
    return this.#buckets.size < this.#maxKeys
  }
}

const LOOK_AT = 64
