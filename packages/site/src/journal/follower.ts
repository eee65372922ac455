/** Journal follower: keeps something in step with what is public, change by change where it can and from the start where not. */
import type { Change } from './journal.ts'
import type { PublicView } from '../privacy/public-view.ts'

interface Follower {
  /** Take all pages as they are now. */
  reset(): void
  /** Take one change more. Numbers rise. */
  apply(change: Change): void
}

/** So many changes are held at a time. */
const CHUNK = 10_000

export class JournalFollower {
  readonly #view: PublicView
  readonly #follower: Follower
  #epoch = 0
  #number = 0

  constructor(view: PublicView, follower: Follower) {
    this.#view = view
    this.#follower = follower
  }

  /** Number up to which changes were taken. */
  get number(): number {
    return this.#number
  }

  /** Up to the newest change. Cheap when there is none. */
  catchUp(): void {
    const { journal, epoch } = this.#view
    if (epoch !== this.#epoch || journal.changesAfter(this.#number, 0) === undefined) {
      this.#epoch = epoch
      this.#number = journal.last
      this.#follower.reset()
    }
    while (this.#number < journal.last) {
      for (const change of this.#view.changesAfter(this.#number, CHUNK) ?? []) this.#follower.apply(change)
      this.#number = Math.min(journal.last, this.#number + CHUNK)
    }
  }

  /** Begin at a number known from elsewhere; the follower has taken all up to it. */
  startAt(number: number): void {
    this.#epoch = this.#view.epoch
    this.#number = number
  }
}

/** All changes that are remembered, oldest first. */
export function* rememberedChanges(view: PublicView): Generator<Change> {
  const { journal } = view
  for (let number = journal.since; number < journal.last; number += CHUNK) yield* view.changesAfter(number, CHUNK) ?? []
}
