/**
 * Turnstile: so many at once, so many more in line, and the rest is turned away at once rather than kept waiting. The line is heard
 * client by client, and nobody has all of it (`client/fair-line.ts` of the protocol).
 */
import { FairLine } from '@comity/protocol'
import { Problem } from '@comity/receiver'

export class Turnstile {
  readonly #room: number
  readonly #line: FairLine<() => void>
  readonly #onRefused: () => void
  #inside = 0

  readonly #what: string

  constructor(room: number, line: number, onRefused: () => void = () => undefined, what = 'searches') {
    this.#what = what
    this.#room = room
    this.#onRefused = onRefused
    this.#line = new FairLine(line)
  }

  get inside(): number {
    return this.#inside
  }

  async pass<Value>(client: string, work: () => Promise<Value> | Value): Promise<Value> {
    if (this.#inside >= this.#room) await this.#wait(client)
    else this.#inside++
    try {
      return await work()
    } finally {
      const next = this.#line.next()
      // Whoever is next takes the place over.
      if (next === undefined) this.#inside--
      else next.item()
    }
  }

  #wait(client: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#line.join(client, resolve)) return promise
    this.#onRefused()
    throw new Problem('too-many-requests', `Too many ${this.#what} at once. Try again in a second.`, {
      'Retry-After': '1',
    })
  }
}
