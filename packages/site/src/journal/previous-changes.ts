/**
 * Previous changes: from a change to the one of the same page before it, while both are remembered. So it is known which
 * version somebody holds who was told of everything up to some number, and which version a tag means.
 */
import type { Change } from './journal.ts'
import { JournalFollower, rememberedChanges } from './follower.ts'
import { etagOf } from '../page-etag.ts'
import type { PublicView } from '../privacy/public-view.ts'

/** Versions of one page that are looked at for a tag: nobody holds one that is older by more. */
const MAX_VERSIONS = 100

export class PreviousChanges {
  readonly #view: PublicView
  readonly #follower: JournalFollower
  readonly #last = new Map<string, number>()
  readonly #previous = new Map<number, number>()

  constructor(view: PublicView) {
    this.#view = view
    this.#follower = new JournalFollower(view, this)
  }

  /** Undefined when there was none, or it is forgotten. */
  before({ number }: Change): Change | undefined {
    this.#catchUp()
    return this.#change(this.#previous.get(number))
  }

  /** The digest of the version of a page that had this tag. */
  digestOf(path: string, etag: string): string | undefined {
    this.#catchUp()
    let change = this.#change(this.#last.get(path))
    for (let versions = 0; change !== undefined && versions < MAX_VERSIONS; versions++) {
      if (change.masked !== true && etagOf(change.digest) === etag) return change.digest
      change = this.#change(this.#previous.get(change.number))
    }
    return undefined
  }

  #catchUp(): void {
    this.#follower.catchUp()
    const { last, since } = this.#view.journal
    if (this.#previous.size > 2 * (last - since) + 1_000) this.reset()
  }

  #change(number: number | undefined): Change | undefined {
    return number === undefined ? undefined : this.#view.changesAfter(number - 1, 1)?.[0]
  }

  reset(): void {
    this.#last.clear()
    this.#previous.clear()
    for (const change of rememberedChanges(this.#view)) this.apply(change)
  }

  apply({ path, number }: Change): void {
    const before = this.#last.get(path)
    if (before !== undefined) this.#previous.set(number, before)
    this.#last.set(path, number)
  }
}
