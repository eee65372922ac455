/**
 * Loans: the addresses that a shard has borrowed. Asked for after the frontier has placed a visit and before its socket is opened;
 * renewed together, by keeper; given back with the rest that the address has from then on.
 *
 * A loan counts from the moment its question was sent, so it ends here before it ends at the keeper. When it ends without having been
 * given back, whoever uses it is told at once, and no request may follow.
 */
import { isCount, isText, isListOf, isRecordOf } from '@comity/collection'
import { markOf, sinceAtMost } from '../clock.ts'
import type { Clock, LeaseTimes, Mark } from '../clock.ts'
import { keeperOf, placeOf } from '../placement.ts'
import type { Message, Road } from '../road/road.ts'
import { LongRests } from './long-rests.ts'

export interface Loan {
  /** Whether one more request may be sent. */
  isGood(): boolean
  /** Another shard waits for the address: a connection that has had its turn gives way. */
  isWanted(): boolean
  /** It has ended: the connection is to be destroyed. Called once, at once when it has. */
  whenOver(end: () => void): void
  giveBack(restMs: number): void
}

type Borrowed = { readonly kind: 'lent'; readonly loan: Loan } | { readonly kind: 'wait'; readonly waitMs: number }

interface LoansParts {
  readonly shard: number
  readonly shards: number
  /** Of this opening of the shard. */
  readonly epoch: number
  readonly road: Road
  readonly clock: Clock
  readonly times: LeaseTimes
}

interface Held {
  readonly token: string
  readonly address: string
  readonly restMs: number
  mark: Mark
  isOver: boolean
  isWanted: boolean
  end: (() => void) | undefined
}

export const keeperPlace = (keeper: number): string => `keeper.${keeper}`

const isLent = isRecordOf({ kind: (value) => value === 'lent', epoch: isCount })
const isWait = isRecordOf({ kind: (value) => value === 'wait', waitMs: isCount })
const areTexts = isListOf(isText)
const isRenewed = isRecordOf({ good: isListOf(isText), epoch: isCount })
/** A keeper that does not answer has none for the moment. */
const AWAY_MS = 2_000
/** Long rests that are told in one go. */
const MAX_TOLD = 200
/** No keeper sends anybody away for longer: it may be another one by then. */
const MAX_WAIT_MS = 600_000

export class Loans {
  readonly #parts: LoansParts
  /** By keeper. */
  readonly #held = new Map<number, Set<Held>>()
  /** The newest epoch heard of each keeper: what an earlier one says is not believed. */
  readonly #epochs = new Map<number, number>()
  readonly #rests = new LongRests()
  readonly #renewing = new Set<number>()
  /** When each keeper was asked last to renew. */
  readonly #renewedAt = new Map<number, number>()
  #asked = 0
  lapsed = 0

  constructor(parts: LoansParts) {
    this.#parts = parts
  }

  get open(): number {
    return [...this.#held.values()].reduce((sum, { size }) => sum + size, 0)
  }

  async borrow(at: string, restMs: number): Promise<Borrowed> {
    const { shard, shards, epoch, road, clock, times } = this.#parts
    const address = placeOf(at)
    const keeper = keeperOf(at, shards)
    const token = `${shard}.${epoch}.${++this.#asked}`
    const mark = markOf(clock)
    const answer = await road
      .ask(keeperPlace(keeper), { kind: 'borrow', shard, epoch, token, address, restMs }, times.answerMs)
      .catch((): Message => ({}))
    if (isLent(answer) && this.#isCurrent(keeper, answer)) {
      const held: Held = { token, address, restMs, mark, isOver: false, isWanted: false, end: undefined }
      if (this.#isGood(held)) return { kind: 'lent', loan: this.#enter(keeper, held) }
    }
    // Perhaps it was lent, and we did not hear of it: then it is given back unused.
    if (!isWait(answer)) this.#tell(keeper, { kind: 'give-back', address, token, restMs: 0 })
    const waitMs = isWait(answer) ? (answer['waitMs'] as number) : Math.min(AWAY_MS, times.leaseMs / 3)
    return { kind: 'wait', waitMs: Math.min(waitMs, MAX_WAIT_MS) }
  }

  /** To be called often: what was not heard of for too long is over, whether or not anybody answers; the rest is renewed now and then. */
  turn(): void {
    for (const [keeper, held] of this.#held) {
      for (const one of held) if (!this.#isGood(one)) this.#lapse(keeper, one)
      if (held.size > 0) void this.#renew(keeper, [...held])
    }
    for (const keeper of this.#rests.keepers) void this.#renew(keeper, [...(this.#held.get(keeper) ?? [])])
  }

  /** An address rests for so long, as is known from before this opening. */
  rests(at: string, restMs: number): void {
    const { shards, clock, times } = this.#parts
    if (restMs > times.leaseMs) this.#rests.note(keeperOf(at, shards), placeOf(at), clock.monotonic() + restMs)
  }

  /** All of them, at once: the shard is not ours any more. */
  end(): void {
    for (const [keeper, held] of this.#held) for (const one of held) this.#lapse(keeper, one)
  }

  async #renew(keeper: number, held: readonly Held[]): Promise<void> {
    const { shard, epoch, road, clock, times } = this.#parts
    const mark = markOf(clock)
    const sinceMs = mark.monotonic - (this.#renewedAt.get(keeper) ?? -Infinity)
    // A keeper that follows lends nothing for a lease: before that it has heard of what rests.
    const everyMs = held.length > 0 ? times.renewMs : times.leaseMs / 3
    if (this.#renewing.has(keeper) || sinceMs < everyMs) return
    this.#renewing.add(keeper)
    this.#renewedAt.set(keeper, mark.monotonic)
    const loans = held.map(({ address, token, restMs }) => ({ address, token, restMs }))
    const answer = await road
      .ask(keeperPlace(keeper), { kind: 'renew', shard, epoch, loans }, times.answerMs)
      .catch((): Message => ({}))
    this.#renewing.delete(keeper)
    if (!isRenewed(answer) || !this.#isCurrent(keeper, answer)) return
    void this.#tellRests(keeper, answer['epoch'] as number)
    const good = new Set(answer['good'] as readonly string[])
    // Members of an earlier version do not say.
    const said: unknown = answer['wanted']
    const wanted = new Set(areTexts(said) ? (said as readonly string[]) : [])
    for (const one of held) {
      if (one.isOver) continue
      one.isWanted = wanted.has(one.token)
      if (good.has(one.token) && this.#isGood(one)) one.mark = mark
      else this.#lapse(keeper, one)
    }
  }

  #isCurrent(keeper: number, answer: Message): boolean {
    const epoch = answer['epoch'] as number
    const newest = this.#epochs.get(keeper) ?? 0
    if (epoch > newest) this.#epochs.set(keeper, epoch)
    return epoch >= newest
  }

  #isGood({ mark, isOver }: Held): boolean {
    const { clock, times } = this.#parts
    return !isOver && sinceAtMost(clock, mark) < times.holdMs
  }

  #enter(keeper: number, held: Held): Loan {
    const others = this.#held.get(keeper)
    if (others === undefined) this.#held.set(keeper, new Set([held]))
    else others.add(held)
    return {
      isGood: () => this.#isGood(held),
      isWanted: () => held.isWanted,
      whenOver: (end) => {
        if (held.isOver) end()
        else held.end = end
      },
      giveBack: (restMs) => {
        // Also of one that has ended by itself: what its site asked for on the way is known here alone.
        if (!held.isOver) this.#close(keeper, held)
        this.rests(held.address, restMs)
        this.#tell(keeper, { kind: 'give-back', address: held.address, token: held.token, restMs })
      },
    }
  }

  #lapse(keeper: number, held: Held): void {
    if (held.isOver) return
    this.lapsed++
    this.#close(keeper, held)
    held.end?.()
  }

  #close(keeper: number, held: Held): void {
    held.isOver = true
    this.#held.get(keeper)?.delete(held)
  }

  async #tellRests(keeper: number, epoch: number): Promise<void> {
    const { shard, epoch: own, road, clock, times } = this.#parts
    const token = `${shard}.${own}.rest`
    for (const { address, restMs } of this.#rests.unheard(keeper, epoch, clock.monotonic()).slice(0, MAX_TOLD)) {
      const answer = await road
        .ask(keeperPlace(keeper), { kind: 'give-back', address, token, restMs }, times.answerMs)
        .catch((): Message => ({}))
      if (answer['epoch'] !== epoch) return
      this.#rests.heard(keeper, address, epoch)
    }
  }

  /** Nobody waits for the answer: what is not heard of ends by itself. */
  #tell(keeper: number, message: Message): void {
    void this.#parts.road.ask(keeperPlace(keeper), message, this.#parts.times.answerMs).catch(() => undefined)
  }
}
