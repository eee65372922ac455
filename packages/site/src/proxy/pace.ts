/**
 * Pace: does who holds us up move at all? A byte now and then keeps a connection from being idle, and with it whatever is kept
 * for it here and at the origin; so there is a least that has to be moved while we wait, and time in which nobody waits is free.
 */
export class Pace {
  #at: number
  #moved = 0

  constructor(now: number) {
    this.#at = now
  }

  /** Nobody waits at the moment. `moved`: all that was, ever. */
  rest(now: number, moved: number): void {
    this.#at = now
    this.#moved = moved
  }

  /** Somebody waits: whether less came than should have, once in `windowMs`. */
  isTooSlow(now: number, moved: number, windowMs: number, leastPerSecond: number): boolean {
    if (now - this.#at < windowMs) return false
    const isTooSlow = moved - this.#moved < (leastPerSecond * windowMs) / 1_000
    this.rest(now, moved)
    return isTooSlow
  }
}
