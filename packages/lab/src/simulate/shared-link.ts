/**
 * SharedLink: the crawler's way to the Internet, B bytes a second for all transfers together (004 §3 and §5: "saturation
 * of bandwidth in accordance with the number of active connections").
 *
 * Each transfer has a most of its own, what its site can send. The link is shared max-min fairly: there is a level, and
 * each transfer goes at its own most or at the level, whichever is less; the level is as high as B allows. A transfer is
 * `held` by its site, and then its end is known from the start; or it is `level`, and as all of these go equally fast
 * they end in the order of what they had left when they began. So there is one clock for all of them, `#poured`: the
 * bytes that a transfer at the level has got since the clock was started. No transfer is touched when others come and
 * go, except those that change sides: an event costs O(log n), and the result is exact.
 *
 * Invariant between calls: held transfers want no more than the level, the others more than it.
 */
import type { Instant } from '@comity/protocol'
import { SlotHeap } from './heap.ts'

export class SharedLink {
  /** Bytes a millisecond, here and below. */
  readonly #capacity: number
  readonly #most: Float64Array
  /** When a held transfer ends; at which state of the clock `#poured` another one does. */
  readonly #endsAt: Float64Array
  readonly #endsWhen: Float64Array
  readonly #heldByMost: SlotHeap
  readonly #heldByEnd: SlotHeap
  readonly #levelByMost: SlotHeap
  readonly #levelByEnd: SlotHeap
  #heldRate = 0
  #level = Infinity
  #poured = 0
  #now: Instant = 0
  #carried = 0

  /** At most `slots` transfers at a time, each with a number below that. */
  constructor(bytesPerSecond: number, slots: number) {
    this.#capacity = bytesPerSecond / 1_000
    this.#most = new Float64Array(slots)
    this.#endsAt = new Float64Array(slots)
    this.#endsWhen = new Float64Array(slots)
    this.#heldByMost = new SlotHeap(this.#most, 'largest')
    this.#heldByEnd = new SlotHeap(this.#endsAt)
    this.#levelByMost = new SlotHeap(this.#most)
    this.#levelByEnd = new SlotHeap(this.#endsWhen)
  }

  get transfers(): number {
    return this.#heldByMost.size + this.#levelByMost.size
  }
  /** Bytes a millisecond of all transfers together. */
  get rate(): number {
    return this.#levelByMost.size === 0 ? this.#heldRate : this.#heldRate + this.#levelByMost.size * this.#level
  }
  /** Bytes that have come through so far. */
  get carried(): number {
    return this.#carried
  }

  /** `bytesPerSecond` is the most that the other side can send. Time does not go back from one call to the next. */
  start(slot: number, bytes: number, bytesPerSecond: number, now: Instant): void {
    this.#advance(now)
    const most = bytesPerSecond / 1_000
    this.#most[slot] = most
    if (most <= this.#level) this.#hold(slot, bytes)
    else this.#release(slot, bytes)
    this.#share()
  }

  /** When the next transfer ends if none begins before; Infinity when there is none. */
  nextEnd(): Instant {
    return Math.min(this.#heldEnd(), this.#levelEnd())
  }

  /** The transfer that ends at `nextEnd`; there must be one. */
  takeEnded(): number {
    const isHeld = this.#heldEnd() <= this.#levelEnd()
    this.#advance(Math.max(this.#now, this.nextEnd()))
    const slot = (isHeld ? this.#heldByEnd : this.#levelByEnd).peek()
    if (isHeld) this.#leaveHeld(slot)
    else this.#leaveLevel(slot)
    this.#share()
    return slot
  }

  #heldEnd(): Instant {
    const slot = this.#heldByEnd.peek()
    return slot === -1 ? Infinity : this.#endsAt[slot]!
  }

  #levelEnd(): Instant {
    const slot = this.#levelByEnd.peek()
    return slot === -1 ? Infinity : this.#now + (this.#endsWhen[slot]! - this.#poured) / this.#level
  }

  #advance(now: Instant): void {
    const passed = now - this.#now
    this.#carried += this.rate * passed
    if (this.#levelByMost.size > 0) this.#poured += this.#level * passed
    this.#now = now
  }

  /** Set the level. Both loops raise it, so what the first has put right the second leaves right. */
  #share(): void {
    if (this.#heldByMost.size === 0) this.#heldRate = 0
    this.#level = this.#fairLevel()
    for (
      let top = this.#heldByMost.peek();
      top !== -1 && this.#most[top]! > this.#level;
      top = this.#heldByMost.peek()
    ) {
      const left = (this.#endsAt[top]! - this.#now) * this.#most[top]!
      this.#leaveHeld(top)
      this.#release(top, left)
      this.#level = this.#fairLevel()
    }
    for (
      let low = this.#levelByMost.peek();
      low !== -1 && this.#most[low]! <= this.#level;
      low = this.#levelByMost.peek()
    ) {
      const left = this.#endsWhen[low]! - this.#poured
      this.#leaveLevel(low)
      this.#hold(low, left)
      this.#level = this.#fairLevel()
    }
    // An idle clock is started again, or its digits would run out.
    if (this.#levelByMost.size === 0) this.#poured = 0
  }

  /** What is left for each that is not held, as they stand. */
  #fairLevel(): number {
    const count = this.#levelByMost.size
    if (count > 0) return (this.#capacity - this.#heldRate) / count
    return this.#heldRate > this.#capacity ? -Infinity : Infinity
  }

  #hold(slot: number, bytes: number): void {
    this.#endsAt[slot] = this.#now + bytes / this.#most[slot]!
    this.#heldByMost.push(slot)
    this.#heldByEnd.push(slot)
    this.#heldRate += this.#most[slot]!
  }

  #release(slot: number, bytes: number): void {
    this.#endsWhen[slot] = this.#poured + bytes
    this.#levelByMost.push(slot)
    this.#levelByEnd.push(slot)
  }

  #leaveHeld(slot: number): void {
    this.#heldByMost.remove(slot)
    this.#heldByEnd.remove(slot)
    this.#heldRate -= this.#most[slot]!
  }

  #leaveLevel(slot: number): void {
    this.#levelByMost.remove(slot)
    this.#levelByEnd.remove(slot)
  }
}
