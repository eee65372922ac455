/**
 * PushCounters: what came of what sites sent unasked, for whoever watches: how much a second, how long it took, and how things
 * stand at the endpoints.
 */
import type { Instant } from '@comity/protocol'
import type { InboxItem, Subscription } from '@comity/collection'
import type { EndpointFigures, PushFigures, SubscriptionCounts, IntakeFigures, DelayFigures } from '@comity/follow'
import { RecentDelays } from './recent-delays.ts'
import { RecentRate } from './recent-rate.ts'

export class PushCounters {
  readonly #outcomes = new Map<string, number>()
  readonly #delays = new RecentDelays()
  readonly #rate: RecentRate
  #bytes = 0
  #last = 0
  #subscriptions: SubscriptionCounts = { active: 0, asked: 0 }
  #doors: EndpointFigures | undefined

  constructor(now: Instant) {
    this.#rate = new RecentRate(now)
  }

  /** One page or notice. */
  taken({ number, at, body }: InboxItem, outcome: string, now: Instant): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1)
    // An item may hold many.
    if (number !== this.#last) this.#bytes += body.length
    this.#last = number
    this.#delays.add(now - at)
    this.#rate.add(now)
  }

  subscribed(subscriptions: readonly Pick<Subscription, 'state'>[]): void {
    const count = (state: Subscription['state']): number => subscriptions.filter((one) => one.state === state).length
    this.#subscriptions = { active: count('active'), asked: count('asked') }
  }

  heard({ totals, inbox, pending, fill }: IntakeFigures): void {
    const { accepted, acceptedBytes, byDoor, refused, ignored } = totals
    const counts = { byDoor: countsOf(byDoor), refused: countsOf(refused) }
    const waiting = { waiting: inbox.items, waitingBytes: inbox.bytes, pending, fill }
    this.#doors = { accepted, acceptedBytes, ...counts, ignored, ...waiting }
  }

  sample(now: Instant, searchable: DelayFigures | undefined): PushFigures {
    const { p50Ms = 0, p99Ms = 0 } = this.#delays.figures ?? {}
    return {
      outcomes: Object.fromEntries(this.#outcomes),
      bytes: this.#bytes,
      perSecond: this.#rate.perSecond(now),
      delayP50Ms: p50Ms,
      delayP99Ms: p99Ms,
      searchable,
      subscriptions: this.#subscriptions,
      doors: this.#doors,
    }
  }
}

function countsOf(counts: Readonly<Record<string, number | undefined>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count = 0]) => [name, count]))
}
