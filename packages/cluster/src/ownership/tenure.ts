/**
 * Tenure: one machine's hold on one thing that has one owner at a time, a shard or a keeper. A record in the register says whose it is;
 * it is taken, renewed and given up by compare-and-set alone, and every owner has a higher epoch than the one before.
 *
 *   watching ──nobody's, or no change for a lease──▶ held ──refused, or nothing acknowledged for two thirds of one──▶ watching
 *                                                     └──released──▶ watching
 *
 * Whoever holds counts from the moment it sent what was last acknowledged, by the faster of two clocks; whoever waits counts from the
 * last change it saw, by its monotonic one. So the old owner has stopped before a new one may begin, however the clocks stand.
 * A hold that has ended never uses its revision again: where the register was wiped, revisions count anew, and an old one may fit.
 */
import { isCount, isText, isRecordOf } from '@comity/collection'
import { markOf, sinceAtMost } from '../clock.ts'
import type { Clock, LeaseTimes, Mark } from '../clock.ts'
import type { Entry, Message, Register } from '../road/road.ts'

interface TenureRecord {
  /** A machine by its id; empty: nobody's. */
  readonly owner: string
  readonly epoch: number
  /** Counts renewals, so that others see that something changes. */
  readonly beat: number
}

/** What is known of epochs besides the register. */
export interface Epochs {
  /** The highest. */
  known(): number
  /** It is about to be taken with this one. When that cannot be written it is not taken. */
  mark(epoch: number): void
}

interface TenureParts {
  readonly key: string
  readonly machine: string
  readonly register: Register
  readonly clock: Clock
  readonly times: LeaseTimes
  /** How long without any change before it is taken from an owner that is not heard of; a lease at least. */
  readonly takeOverAfterMs: (owner: string) => number
  readonly epochs: Epochs
  /** Whether this machine wants it now. `from` is its last owner; undefined when the register knows of none. */
  readonly wants: (from: string | undefined) => boolean
  readonly onTaken: (epoch: number) => void
  readonly onLost: (why: 'refused' | 'lapsed') => void
}

interface Hold {
  readonly epoch: number
  beat: number
  revision: number
  /** When the last renewal began, by the monotonic clock. */
  renewedAt: number
  mark: Mark
  /** A write of ours timed out: nobody knows which revision stands there. */
  isUnsure: boolean
}

const isRecord = isRecordOf({ owner: isText, epoch: isCount, beat: isCount })

export class Tenure {
  readonly #parts: TenureParts
  #hold: Hold | undefined
  #isBusy = false
  #seen = ''
  #seenSince: number
  #highest = 0
  /** As last read; for people alone. */
  record: TenureRecord | undefined

  constructor(parts: TenureParts) {
    this.#parts = parts
    this.#seenSince = parts.clock.monotonic()
  }

  /** Of the hold; undefined when it is not ours, or not for sure. */
  get epoch(): number | undefined {
    return this.isHeld() ? this.#hold?.epoch : undefined
  }

  isHeld(): boolean {
    const { clock, times } = this.#parts
    return this.#hold !== undefined && sinceAtMost(clock, this.#hold.mark) < times.holdMs
  }

  /** It was held, and whoever used it has not heard yet that it is not any more. */
  get mayHaveLapsed(): boolean {
    return this.#hold !== undefined
  }

  /** To be called often, as what has lapsed ends here, whether or not anybody answers; the register hears of it only now and then. */
  async turn(): Promise<void> {
    if (this.#hold !== undefined && !this.isHeld()) this.#lose('lapsed')
    if (this.#hold !== undefined && !this.#isDue(this.#hold)) return
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      await (this.#hold === undefined ? this.#watch() : this.#renew(this.#hold))
    } catch {
      // Nobody answered: a hold runs out by itself, and who watches looks again.
    } finally {
      this.#isBusy = false
    }
  }

  #isDue({ isUnsure, renewedAt }: Hold): boolean {
    const { clock, times } = this.#parts
    return isUnsure || clock.monotonic() - renewedAt >= times.renewMs
  }

  /** Give it up, when all that was done with it has ended. */
  async release(): Promise<void> {
    const hold = this.#hold
    this.#hold = undefined
    if (hold === undefined || hold.isUnsure) return
    const record = { owner: '', epoch: hold.epoch, beat: hold.beat + 1 }
    await this.#parts.register.replace(this.#parts.key, record, hold.revision).catch(() => undefined)
  }

  async #renew(hold: Hold): Promise<void> {
    const { key, machine, register, clock } = this.#parts
    const wasUnsure = hold.isUnsure
    if (wasUnsure && !(await this.#findRevision(hold))) return
    const mark = markOf(clock)
    hold.renewedAt = mark.monotonic
    hold.isUnsure = true
    const revision = await register.replace(
      key,
      { owner: machine, epoch: hold.epoch, beat: ++hold.beat },
      hold.revision,
    )
    if (this.#hold !== hold) return
    // After a doubtful write a refusal may only say that what was read was old.
    if (revision === undefined) return wasUnsure ? undefined : this.#lose('refused')
    Object.assign(hold, { revision, mark, isUnsure: false })
  }

  /** Which revision our own record has by now; another's record there ends the hold. */
  async #findRevision(hold: Hold): Promise<boolean> {
    const entry = await this.#read()
    if (this.#hold !== hold) return false
    const record = this.record
    if (entry === undefined || record?.owner !== this.#parts.machine || record.epoch !== hold.epoch) {
      this.#lose('refused')
      return false
    }
    hold.revision = entry.revision
    return true
  }

  async #watch(): Promise<void> {
    const { key, machine, register, clock, epochs, wants, onTaken } = this.#parts
    const entry = await this.#read()
    const before = this.record
    if (clock.monotonic() - this.#seenSince < this.#waitMs() || !wants(before?.owner)) return
    const epoch = Math.max(this.#highest, before?.epoch ?? 0, epochs.known()) + 1
    epochs.mark(epoch)
    const mark = markOf(clock)
    const record = { owner: machine, epoch, beat: 0 }
    const done = entry === undefined ? register.create(key, record) : register.replace(key, record, entry.revision)
    const revision = await done
    this.#seen = ''
    if (revision === undefined) return
    this.#hold = { epoch, beat: 0, revision, renewedAt: mark.monotonic, mark, isUnsure: false }
    this.#highest = epoch
    if (this.isHeld()) onTaken(epoch)
    else this.#hold = undefined
  }

  /** How long nothing may have changed before it is taken. */
  #waitMs(): number {
    const { machine, times, takeOverAfterMs } = this.#parts
    const { record } = this
    if (record === undefined) return times.leaseMs
    // Nobody's; or that of an earlier life of ours, which has ended: two may not use one folder.
    if (record.owner === '' || record.owner === machine) return 0
    return Math.max(times.leaseMs, takeOverAfterMs(record.owner))
  }

  async #read(): Promise<Entry | undefined> {
    const { key, register, clock } = this.#parts
    const entry = await register.read(key)
    this.record = entry === undefined ? undefined : recordIn(entry.value)
    const seen = entry === undefined ? 'none' : `${entry.revision} ${this.record?.epoch} ${this.record?.beat}`
    if (seen !== this.#seen) {
      this.#seen = seen
      this.#seenSince = clock.monotonic()
    }
    this.#highest = Math.max(this.#highest, this.record?.epoch ?? 0)
    return entry
  }

  #lose(why: 'refused' | 'lapsed'): void {
    this.#hold = undefined
    this.#seen = ''
    this.#seenSince = this.#parts.clock.monotonic()
    this.#parts.onLost(why)
  }
}

/** What is none of ours is nobody's for as long as nothing changes. */
const recordIn = (value: Message): TenureRecord | undefined =>
  isRecord(value) ? (value as unknown as TenureRecord) : undefined
