/** Turnstile: so many at once, so many more in line, and the rest is turned away at once rather than kept waiting. */
import { Problem } from './problem.ts'

export class Turnstile {
  readonly #room: number
  readonly #line: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(room: number, line: number) {
    this.#room = room
    this.#line = line
  }

  get inside(): number {
    return this.#inside
  }

  async pass<Value>(work: () => Promise<Value> | Value): Promise<Value> {
    if (this.#inside >= this.#room) await this.#wait()
    else this.#inside++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      // Whoever is next takes the place over.
      if (next === undefined) this.#inside--
      else next()
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= this.#line) {
      throw new Problem('too-many-requests', 'Too many searches at once. Try again in a second.', {
        'Retry-After': '1',
      })
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
