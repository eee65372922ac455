/**
 * ByteRoom: so many bytes at one moment, shared by all who send. Nobody can fill it: each holds up to a half of what is free
 * (`client/fair-share.ts`), and all strangers together a quarter, so that there is room for who is proven however many strangers there
 * are and however slowly they send. What does not fit is refused at once.
 *
 * A quarter: of the rest one who is alone gets a third, which is a whole batch of a gateway's under the usual limits.
 */
import { FairShare } from '@comity/protocol'

/** Who holds room: a site or gateway that is proven, by its origin, or else the address that it came from. */
export interface Holder {
  readonly name: string
  readonly isProven: boolean
}

const OF_STRANGERS = 0.25

export class ByteRoom {
  readonly #all: FairShare
  readonly #strangers: FairShare
  #peak = 0

  constructor(limit: number) {
    this.#all = new FairShare(limit)
    this.#strangers = new FairShare(limit * OF_STRANGERS)
  }

  get used(): number {
    return this.#all.used
  }
  get peak(): number {
    return this.#peak
  }

  /** `full`: there is no room for anybody; `over`: this one has its share. */
  take(holder: Holder, bytes: number): 'taken' | 'over' | 'full' {
    const taken = holder.isProven ? this.#all.take(holder.name, bytes) : this.#takeAsStranger(holder, bytes)
    this.#peak = Math.max(this.#peak, this.#all.used)
    return taken
  }

  give({ name, isProven }: Holder, bytes: number): void {
    this.#all.give(name, bytes)
    if (!isProven) this.#strangers.give(name, bytes)
  }

  #takeAsStranger({ name }: Holder, bytes: number): 'taken' | 'over' | 'full' {
    if (bytes > this.#all.free) return 'full'
    const taken = this.#strangers.take(name, bytes)
    if (taken === 'taken') this.#all.add(name, bytes)
    return taken
  }
}
