/**
 * NewestValue: between one who tells and one who is slow to listen. What was told and not taken gives way to what is
 * told next, so that a slow listener is late by one value and not by all of them.
 */
import { Bell } from '../run/bell.ts'

export class NewestValue<Value> {
  readonly #bell = new Bell()
  #value: Value | undefined
  #isOver = false
  #failure: Error | undefined

  put(value: Value): void {
    this.#value = value
    this.#bell.ring()
  }

  /** Nothing more comes. The last value can still be taken. */
  end(failure?: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#failure = failure
    this.#bell.ring()
  }

  /** The newest value; undefined when it is over. Throws what it ended with, or `late()` when nothing comes within `ms`. */
  async take(ms: number, late: () => Error): Promise<Value | undefined> {
    const until = performance.now() + ms
    for (let left = ms; this.#value === undefined && !this.#isOver; left = until - performance.now()) {
      if (left <= 0) throw late()
      await this.#bell.wait(left)
    }
    if (this.#value === undefined && this.#failure !== undefined) throw this.#failure
    const value = this.#value
    this.#value = undefined
    return value
  }
}
