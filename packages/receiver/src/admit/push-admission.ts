/**
 * PushAdmission: whether what a site sends is taken now. A search engine that everybody may interrupt is no longer in
 * control (002 §6.4.3), so each request passes four questions before its body is read, and whoever fails one is told when
 * to come again:
 *
 *   is it worth hearing?   sites that nobody wants to hear are not heard; when what waits grows past a half of its room,
 *                          the bar rises with it, and the most valuable sites are heard longest
 *   not too often?         a bucket for each site and endpoint
 *   is there a place?      requests being answered, shared fairly
 *   is there room?         what waits for the crawl, shared fairly: a loud site fills its own share and nobody else's
 *
 * One site alone gets at most a third of the room (`client/fair-share.ts`), so it cannot raise the bar for the others by itself.
 * What is charged is the site that is proven to send, never the one that somebody names.
 */
import type { InboxEndpoint, WaitingItem } from '@comity/collection'
import type { Instant } from '@comity/protocol'
import { FairShare } from '@comity/protocol'
import type { ReceiverLimits } from '../limits.ts'
import { TokenBuckets } from './token-buckets.ts'

/** From 0, nobody wants to hear it, to 1, the best there is. */
export type PriorityOf = (origin: string) => number

export type AdmissionRefusal = 'not-wanted' | 'too-often' | 'over-share' | 'busy'

/** A request that was let in. Give it back to `kept` or `left`, once. */
export interface Admitted {
  readonly kind: 'admitted'
  readonly origin: string
  readonly weight: number
}

export type Admission =
  | Admitted
  | { readonly kind: 'refused'; readonly reason: AdmissionRefusal; readonly retryAfterMs: number }

type AdmissionLimits = Pick<ReceiverLimits, 'site' | 'sites' | 'requests' | 'queueItems' | 'queueBytes'>

const UNIT_BYTES = 64 << 10
const DAY_MS = 86_400_000
/** Until what waits has been read a little further. */
const QUEUE_WAIT_MS = 5_000
const PLACE_WAIT_MS = 1_000
/** Of the room: below it everybody who is worth anything is heard. */
const CALM_FILL = 0.5

export class PushAdmission {
  readonly #worthOf: PriorityOf
  readonly #buckets: TokenBuckets
  readonly #places: FairShare
  readonly #queue: FairShare
  /** What one item weighs besides its bytes, so that items and bytes are bounded together. */
  readonly #itemWeight: number
  /** What waits, by number. */
  readonly #waiting = new Map<number, { readonly origin: string; readonly weight: number }>()
  #done = 0

  constructor(worthOf: PriorityOf, limits: AdmissionLimits) {
    this.#worthOf = worthOf
    this.#buckets = new TokenBuckets(limits.site, limits.sites)
    this.#places = new FairShare(limits.requests)
    this.#queue = new FairShare(limits.queueBytes)
    this.#itemWeight = Math.ceil(limits.queueBytes / limits.queueItems)
  }

  /** How full the room for what waits is, from 0 to 1. */
  get fill(): number {
    return this.#queue.fill
  }
  get answering(): number {
    return this.#places.used
  }

  /** What an inbox held when it was opened. */
  restore(waiting: Iterable<WaitingItem>, done: number): void {
    this.#done = done
    for (const { number, origin, bytes } of waiting) this.#keep(number, origin, bytes + this.#itemWeight)
  }

  /** `bytes`: of the body, as far as it is known. */
  enter(origin: string, door: InboxEndpoint, bytes: number, now: Instant): Admission {
    const worth = this.#worthOf(origin)
    if (worth <= 0) return refused('not-wanted', DAY_MS)
    if (worth < barAt(this.#queue.fill)) return refused('busy', QUEUE_WAIT_MS)
    const waitMs = this.#buckets.waitMs(bucketOf(origin, door), unitsOf(bytes), now)
    if (waitMs > 0) return refused('too-often', waitMs)
    const place = this.#places.take(origin, 1)
    if (place !== 'taken') return refused('busy', PLACE_WAIT_MS)
    const weight = bytes + this.#itemWeight
    const room = this.#queue.take(origin, weight)
    if (room !== 'taken') {
      this.#places.give(origin, 1)
      return refused(room === 'over' ? 'over-share' : 'busy', QUEUE_WAIT_MS)
    }
    this.#buckets.draw(bucketOf(origin, door), unitsOf(bytes), now)
    return { kind: 'admitted', origin, weight }
  }

  /** It was kept under this number; `bytes` is what it came to. */
  kept({ origin, weight }: Admitted, number: number, bytes: number): void {
    this.#places.give(origin, 1)
    this.#queue.give(origin, weight)
    if (number > this.#done) this.#keep(number, origin, bytes + this.#itemWeight)
  }

  /** Nothing came of it. */
  left({ origin, weight }: Admitted): void {
    this.#places.give(origin, 1)
    this.#queue.give(origin, weight)
  }

  acknowledged(upTo: number): void {
    for (const [number, { origin, weight }] of this.#waiting) {
      // They were kept in the order of their numbers, but for those that were written together.
      if (number > upTo + TOGETHER) break
      if (number > upTo) continue
      this.#waiting.delete(number)
      this.#queue.give(origin, weight)
    }
    this.#done = Math.max(this.#done, upTo)
  }

  #keep(number: number, origin: string, weight: number): void {
    this.#waiting.set(number, { origin, weight })
    this.#queue.add(origin, weight)
  }
}

const TOGETHER = 10_000

/** What a site must be worth when so much of the room is taken. */
export function barAt(fill: number): number {
  return Math.max(0, (fill - CALM_FILL) / (1 - CALM_FILL))
}

const bucketOf = (origin: string, door: InboxEndpoint): string => `${door} ${origin}`
const unitsOf = (bytes: number): number => 1 + Math.floor(bytes / UNIT_BYTES)
const refused = (reason: AdmissionRefusal, retryAfterMs: number): Admission => ({
  kind: 'refused',
  reason,
  retryAfterMs,
})
