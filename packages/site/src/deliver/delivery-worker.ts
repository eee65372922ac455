/**
 * Delivery worker: brings every subscriber what it has not been told yet. The outbox of a subscriber is its position in the journal
 * (`push/delivery-plan.ts`), so nothing is copied and nothing can be lost: what waits are the changes behind the position.
 *
 *   subscribers ──▶ who is due? ──▶ delivery (`deliver/delivery.ts`), one at a time for each, so many at a time in all
 *        ▲                               │ delivered: position    failed: next try    410: subscription ends
 *        └───────────────────────────────┘ kept durably by `deliver/delivery-worker-memory.ts`
 *
 * Time and chance are arguments: `tick` does what is due at an instant. `run` is the loop around it.
 */
import { textOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { hostOfCallback } from '../push/callback-policy.ts'
import type { DeliveryWorkerMemory } from './delivery-worker-memory.ts'
import { newDeliveryWorkerRow } from './delivery-worker-row.ts'
import type { DeliveryWorkerRow } from './delivery-worker-row.ts'
import type { RefusedDelivery } from './dead-letters.ts'
import { deliver, deliveryLimits } from './delivery.ts'
import type { DeliveryLimits, DeliveryParts, DeliveryReport } from './delivery.ts'
import { isBehind, positionAfter, walkOf } from '../push/delivery-plan.ts'
import { pushSchedule } from './push-schedule.ts'
import type { PushSchedule } from './push-schedule.ts'
import type { Subscriber, Subscribers } from '../hub/subscriber.ts'

export interface DeliveryWorkerOptions extends Omit<DeliveryParts, 'limits'> {
  readonly subscribers: Subscribers
  readonly memory: DeliveryWorkerMemory
  /** Of batches; hourly unless given. */
  readonly schedule?: PushSchedule | undefined
  readonly limits?: Partial<DeliveryLimits> | undefined
  /** Deliveries at one time, and to one host: whoever answers slowly keeps only its own waiting. */
  readonly atOnce?: number | undefined
  readonly atOncePerHost?: number | undefined
  /** How often the journal is looked at while nobody says that something changed. */
  readonly lookEveryMs?: number | undefined
  /** Told of every attempt. */
  readonly onReport?: ((report: DeliveryReport) => void) | undefined
  /** What the owner should know. */
  readonly tell?: ((sentence: string) => void) | undefined
}

/** How things stand with a subscriber. */
export interface DeliveryWorkerState {
  readonly id: string
  readonly scheme: Subscriber['scheme']
  readonly by: Subscriber['by']
  /** Scheme and host only: the rest of a callback is known to its subscriber alone (WebSub §8.2). */
  readonly origin: string
  readonly expiresAt?: Instant | undefined
  /** Changes behind its position, told in fewer deliveries than that; of an agent's results, 1 while any waits. */
  readonly waiting: number
  /** It is told of all pages anew. */
  readonly isWalking: boolean
  readonly delivered: number
  readonly deliveredAt?: Instant | undefined
  readonly failures: number
  readonly failingSince?: Instant | undefined
  readonly trouble?: string | undefined
  readonly nextTryAt?: Instant | undefined
  readonly deadLetters: number
}

const AT_ONCE = 16
const AT_ONCE_PER_HOST = 2
const LOOK_EVERY_MS = 250
/** After what should be remembered could not be: the disk is full, say. */
const PAUSE_MS = 60_000

export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions
  readonly #parts: DeliveryParts
  readonly #schedule: PushSchedule
  readonly #underWay = new Map<string, { readonly host: string; readonly done: Promise<void> }>()
  readonly #pausedUntil = new Map<string, Instant>()
  readonly #stop = new AbortController()
  #bell: PromiseWithResolvers<void> = Promise.withResolvers()

  constructor(options: DeliveryWorkerOptions) {
    this.#options = options
    this.#parts = { ...options, limits: { ...deliveryLimits, ...options.limits } }
    this.#schedule = options.schedule ?? pushSchedule('hourly')
  }

  /** Begins what is due, waits for that, and returns how many deliveries it was. */
  async tick(now: Instant): Promise<number> {
    const begun = this.#begin(now)
    await Promise.all(begun)
    return begun.length
  }

  /** All that is due now, and what is due because of it: until everybody is told, or has to be waited for. */
  async drain(signal?: AbortSignal): Promise<void> {
    signal?.addEventListener('abort', () => this.#stop.abort(), { once: true })
    while (!this.#stop.signal.aborted && (await this.tick(this.#options.now())) > 0);
  }

  /** Until told to stop: then what is under way is broken off, and goes on where it was. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => {
      this.#stop.abort()
      this.wake()
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    while (!this.#stop.signal.aborted) {
      void Promise.all(this.#begin(this.#options.now()))
      await this.#rest()
    }
    await this.settled()
  }

  /** Something was recorded, or somebody subscribed. */
  wake(): void {
    this.#bell.resolve()
  }

  /** Nothing is under way any more. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all([...this.#underWay.values()].map(({ done }) => done))
  }

  /** When something is due next; Infinity while everybody is told of everything. */
  nextAt(): Instant {
    return [...this.#options.subscribers.all()].reduce(
      (soonest, one) => Math.min(soonest, this.#dueAt(one, this.#options.now())),
      Infinity,
    )
  }

  /** Send everything anew: the whole site to whoever wants that, all pages as changes to others. */
  async again(id: string): Promise<void> {
    const { memory, view, now } = this.#options
    await this.#underWay.get(id)?.done
    const row = memory.row(id)
    if (row === undefined) return
    const position = walkOf(view, row.position.cursor, now())
    // Whatever it took before: that is what is in doubt.
    await memory.commit({ ...row, position, nextTryAt: now() }, { isForgetful: true })
    this.wake()
  }

  states(): readonly DeliveryWorkerState[] {
    return [...this.#options.subscribers.all()].map((subscriber) => this.#stateOf(subscriber))
  }

  /** Undefined when there is no such subscriber. */
  state(id: string): DeliveryWorkerState | undefined {
    const subscriber = this.#options.subscribers.get(id)
    return subscriber === undefined ? undefined : this.#stateOf(subscriber)
  }

  deadLetters(): readonly RefusedDelivery[] {
    return this.#options.memory.deadLetters()
  }

  #begin(now: Instant): readonly Promise<void>[] {
    const { subscribers, view, atOnce = AT_ONCE, atOncePerHost = AT_ONCE_PER_HOST } = this.#options
    view.refresh()
    this.#forgetGone()
    const due = [...subscribers.all()]
      .map((subscriber) => ({ subscriber, at: this.#dueAt(subscriber, now) }))
      .filter(({ at }) => at <= now)
      .toSorted((a, b) => a.at - b.at)
    return due.flatMap(({ subscriber }) => {
      const host = hostOfCallback(subscriber.address)
      if (this.#underWay.size >= atOnce || this.#underWayTo(host) >= atOncePerHost) return []
      return [this.#start(subscriber.id, host, () => this.#deliver(subscriber))]
    })
  }

  #underWayTo(host: string): number {
    return [...this.#underWay.values()].filter((one) => one.host === host).length
  }

  #forgetGone(): void {
    const { subscribers, memory } = this.#options
    for (const id of memory.ids()) {
      if (subscribers.get(id) !== undefined || this.#underWay.has(id)) continue
      void this.#start(id, '', () => memory.forget(id))
    }
  }

  /** Never rejects. */
  #start(id: string, host: string, work: () => Promise<void>): Promise<void> {
    const { now, tell } = this.#options
    const done = work()
      .catch((error: unknown) => {
        this.#pausedUntil.set(id, now() + PAUSE_MS)
        tell?.(`What was sent to ${id} could not be noted, so it may be sent again: ${textOf(error)}`)
      })
      .finally(() => {
        this.#underWay.delete(id)
        this.wake()
      })
    this.#underWay.set(id, { host, done })
    return done
  }

  #dueAt(subscriber: Subscriber, now: Instant): Instant {
    const { id, scheme, expiresAt = Infinity } = subscriber
    const { memory, view } = this.#options
    const maker = this.#parts.makerOf(subscriber)
    if (this.#underWay.has(id) || expiresAt <= now || maker === undefined) return Infinity
    const row = memory.row(id)
    const pausedUntil = this.#pausedUntil.get(id) ?? 0
    if (row === undefined) return pausedUntil
    const at = Math.max(this.#nextTryAt(row, scheme, now), pausedUntil)
    // A slot without news has to be passed over, or the next change would be sent in it.
    if (scheme === 'batches') return at
    if (maker.isWaiting !== undefined) return maker.isWaiting(subscriber) ? at : Infinity
    const isPending = scheme === 'site' ? row.position.walk !== undefined : isBehind(row.position, view)
    return isPending ? at : Infinity
  }

  /** When a clock was put back, what was to wait for a moment is not to wait for as long as that. */
  #nextTryAt(
    { nextTryAt, failures, failingSince = 0, deliveredAt = 0 }: DeliveryWorkerRow,
    scheme: Subscriber['scheme'],
    now: Instant,
  ): Instant {
    if (scheme === 'batches' && failures === 0) return Math.min(nextTryAt, this.#schedule.next(now))
    return now < Math.max(failingSince, deliveredAt) ? Math.min(now, nextTryAt) : nextTryAt
  }

  async #deliver(subscriber: Subscriber): Promise<void> {
    const row = this.#options.memory.row(subscriber.id) ?? (await this.#newRow(subscriber))
    if (subscriber.scheme === 'batches') await this.#deliverBatch(subscriber, row)
    else await this.#attempt(subscriber, row)
  }

  async #newRow(subscriber: Subscriber): Promise<DeliveryWorkerRow> {
    const { view, memory, now } = this.#options
    const { id, scheme, begins } = subscriber
    const position = scheme === 'site' ? walkOf(view, view.journal.last, now()) : positionAfter(view, begins)
    const row = newDeliveryWorkerRow(id, position, scheme === 'batches' ? this.#schedule.next(now()) : now())
    await memory.commit(row)
    return row
  }

  async #deliverBatch(subscriber: Subscriber, row: DeliveryWorkerRow): Promise<void> {
    const { view, memory, now } = this.#options
    if (row.nextTryAt > now()) return
    const slotUpTo = row.slotUpTo ?? view.journal.last
    const after = isBehind(row.position, view) ? await this.#attempt(subscriber, { ...row, slotUpTo }) : row
    if (after === 'ended' || after.failures > 0) return
    const { walk, cursor } = after.position
    if (walk === undefined && cursor >= slotUpTo)
      await memory.commit({ ...after, slotUpTo: undefined, nextTryAt: this.#schedule.next(now()) })
  }

  async #attempt(subscriber: Subscriber, before: DeliveryWorkerRow): Promise<DeliveryWorkerRow | 'ended'> {
    const { subscribers, memory, onReport, tell } = this.#options
    const letters = memory.deadLetters().at(-1)
    const { report, row } = await deliver(this.#parts, subscriber, before, this.#stop.signal)
    onReport?.(report)
    if (row === 'ended') {
      await subscribers.delete(subscriber.id)
      await memory.forget(subscriber.id)
      tell?.(`${this.#name(subscriber)} ended its subscription.`)
      return row
    }
    if (row.failures === 1 && before.failures === 0)
      tell?.(`${this.#name(subscriber)} did not take ${subscriber.scheme}. ${row.trouble ?? ''} It is tried again.`)
    if (row.failures === 0 && before.failures > 0)
      tell?.(`${this.#name(subscriber)} takes ${subscriber.scheme} again, after ${before.failures} failures.`)
    const letter = memory.deadLetters().at(-1)
    if (letter !== undefined && letter !== letters && letter.subscriber === subscriber.id)
      tell?.(`${this.#name(subscriber)} refuses ${letter.path} for good (${letter.status}): ${letter.message}`)
    return row
  }

  #name({ address }: Subscriber): string {
    return originOf(address)
  }

  #stateOf(subscriber: Subscriber): DeliveryWorkerState {
    const { id, scheme, by, address, expiresAt } = subscriber
    const { memory } = this.#options
    const row = memory.row(id)
    return {
      id,
      scheme,
      by,
      origin: originOf(address),
      expiresAt,
      waiting: this.#waitingFor(subscriber, row),
      isWalking: row?.position.walk !== undefined,
      delivered: row?.delivered ?? 0,
      deliveredAt: row?.deliveredAt,
      failures: row?.failures ?? 0,
      failingSince: row?.failingSince,
      trouble: row?.trouble,
      nextTryAt: row?.nextTryAt,
      deadLetters: memory.deadLetters().filter((letter) => letter.subscriber === id).length,
    }
  }

  #waitingFor(subscriber: Subscriber, row: DeliveryWorkerRow | undefined): number {
    if (subscriber.scheme === 'site') return 0
    const maker = this.#parts.makerOf(subscriber)
    if (maker?.isWaiting !== undefined) return Number(maker.isWaiting(subscriber))
    return Math.max(0, this.#options.view.journal.last - (row?.position.cursor ?? subscriber.begins))
  }

  /** Until something ends, is due, or somebody says that there is news. */
  async #rest(): Promise<void> {
    const { now, lookEveryMs = LOOK_EVERY_MS } = this.#options
    const dueInMs = Math.max(0, this.nextAt() - now())
    // What is due and not begun waits for its turn: the end of a delivery rings the bell.
    const timer = setTimeout(() => this.wake(), this.#underWay.size > 0 ? lookEveryMs : Math.min(lookEveryMs, dueInMs))
    await this.#bell.promise
    clearTimeout(timer)
    this.#bell = Promise.withResolvers()
  }
}

const originOf = (address: string): string => URL.parse(address)?.origin ?? 'an address that is none'
