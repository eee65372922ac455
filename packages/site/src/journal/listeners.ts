/**
 * Listeners: those who wait for a number to become larger. One timer for all of them, and none when nobody waits.
 *
 *   news        the number is another one        heartbeat   nothing was said for a while        over   time to come again
 *
 * Whoever does not come back for its next turn, because nobody reads what it was given, loses its place.
 */
import { ClientPlaces } from '@comity/protocol'
import type { Instant } from '@comity/protocol'

interface ListenerOptions {
  readonly most: number
  /** Of what is free, so many times as much may be one client's. */
  readonly share?: number | undefined
  readonly onRefused?: (() => void) | undefined
  /** So long for each. */
  readonly maxMs: number
  readonly now: () => Instant
  /** The number. */
  readonly mark: () => number
}

export type Turn = 'news' | 'heartbeat' | 'over'

export interface Listener extends Disposable {
  /** No more turns: it has been long enough, or it was given up. */
  readonly isOver: boolean
  /** Resolves when there is a reason to go on. `seen` is the number as it was last looked at. */
  turn(seen: number): Promise<Turn>
}

const TICK_MS = 250
const HEARTBEAT_MS = 15_000
/** Without a turn for so long, somebody does not read. */
const STALLED_MS = 60_000

export class Listeners implements Disposable {
  readonly #options: ListenerOptions
  readonly #open = new Set<Waiter>()
  readonly #places: ClientPlaces
  #timer: NodeJS.Timeout | undefined

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#places = new ClientPlaces(options)
  }

  /** Whether one more of this client may listen. */
  admits(client: string | undefined): boolean {
    return this.#places.admits(client)
  }

  get size(): number {
    return this.#open.size
  }

  /** Undefined when there is no place for one more of this client. */
  enter(client?: string): Listener | undefined {
    const leave = this.#places.take(client)
    if (leave === undefined) return undefined
    const { now, maxMs } = this.#options
    const waiter = new Waiter(now, now() + maxMs, () => this.#leave(waiter, leave))
    this.#open.add(waiter)
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref()
    return waiter
  }

  /** Looks whether there is something to go on with. */
  tick(): void {
    const [now, mark] = [this.#options.now(), this.#options.mark()]
    for (const waiter of this.#open) waiter.look(now, mark)
  }

  [Symbol.dispose](): void {
    for (const waiter of this.#open) waiter[Symbol.dispose]()
  }

  #leave(waiter: Waiter, leave: () => void): void {
    if (this.#open.delete(waiter)) leave()
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

class Waiter implements Listener {
  readonly #now: () => Instant
  readonly #endsAt: Instant
  readonly #leave: () => void
  #lastTurnAt: Instant
  #seen = 0
  #go: ((turn: Turn) => void) | undefined
  #isOver = false

  constructor(now: () => Instant, endsAt: Instant, leave: () => void) {
    this.#now = now
    this.#endsAt = endsAt
    this.#leave = leave
    this.#lastTurnAt = now()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async turn(seen: number): Promise<Turn> {
    this.#lastTurnAt = this.#now()
    this.#seen = seen
    if (this.#isOver) return 'over'
    return await new Promise<Turn>((resolve) => (this.#go = resolve))
  }

  look(now: Instant, mark: number): void {
    const idleMs = now - this.#lastTurnAt
    const isStalled = this.#go === undefined && idleMs >= STALLED_MS
    if (isStalled || now >= this.#endsAt) this[Symbol.dispose]()
    else if (mark !== this.#seen) this.#resume('news')
    else if (idleMs >= HEARTBEAT_MS) this.#resume('heartbeat')
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.#leave()
    this.#resume('over')
  }

  #resume(turn: Turn): void {
    const go = this.#go
    this.#go = undefined
    if (go === undefined) return
    this.#lastTurnAt = this.#now()
    go(turn)
  }
}
