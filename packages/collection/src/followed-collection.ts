/**
 * FollowedCollection: a collection that others write while we read it, always in its newest state.
 *
 * What a crawl commits is seen by itself, since every turn of the event loop reads a new snapshot. But `comity forget`
 * puts a successor of the whole state in place, under the next number: a reader that stayed with the old one would go
 * on showing what was to be gone. So the numbers are looked at, at most every second, and the newest is opened.
 *
 * `current` holds until the next await: whoever waits asks again, and sees by `generation` that it is another one.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Collection } from './collection.ts'
import type { Instant } from '@comity/protocol'

const LOOK_EVERY_MS = 1_000

export class FollowedCollection implements AsyncDisposable {
  readonly dir: string
  readonly #now: () => Instant
  #collection: Collection
  #states: string
  #lookAt: Instant
  #closing: Promise<unknown> = Promise.resolve()
  generation = 0

  constructor(dir: string, now: () => Instant) {
    this.dir = dir
    this.#now = now
    // Named before it is opened: a successor that comes in between is then noticed, not missed.
    this.#states = statesIn(dir)
    this.#collection = Collection.openReadOnly(dir)
    this.#lookAt = now() + LOOK_EVERY_MS
  }

  get current(): Collection {
    if (this.#now() >= this.#lookAt) this.look()
    return this.#collection
  }

  /** Look for a successor now, as after a record that is not where the state says. */
  look(): void {
    this.#lookAt = this.#now() + LOOK_EVERY_MS
    const states = statesIn(this.dir)
    if (states === this.#states) return
    const old = this.#collection
    this.#collection = Collection.openReadOnly(this.dir)
    this.#states = states
    this.generation++
    this.#closing = Promise.all([this.#closing, old.close()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing
    await this.#collection.close()
  }
}

/** The files of the state, oldest first; none where there is no collection, which opening it then says better. */
function statesIn(dir: string): string {
  const folder = join(dir, 'state')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => /^data-\d+\.mdb$/.test(name))
    .toSorted()
    .join(' ')
}
