/**
 * Event queue of the network: a heap of times with a number each, in typed arrays, since millions of events go through it.
 * Four children a node: half as deep as two, and the four lie side by side in memory.
 *
 * Equal times come out in an order that depends on what was pushed and popped before and on nothing else, so that a run is
 * the same on every machine.
 */
const FIRST_ROOM = 1 << 12

export class EventQueue {
  #times = new Float64Array(FIRST_ROOM)
  #codes = new Int32Array(FIRST_ROOM)
  #size = 0
  /** Time of the event that was popped last. */
  now = 0

  get size(): number {
    return this.#size
  }

  push(time: number, code: number): void {
    if (this.#size === this.#times.length) this.#grow()
    const [times, codes] = [this.#times, this.#codes]
    let at = this.#size++
    while (at > 0) {
      const up = (at - 1) >> 2
      if (times[up]! <= time) break
      times[at] = times[up]!
      codes[at] = codes[up]!
      at = up
    }
    times[at] = time
    codes[at] = code
  }

  /** The number of the earliest event. The queue must not be empty. */
  pop(): number {
    const [times, codes] = [this.#times, this.#codes]
    this.now = times[0]!
    const code = codes[0]!
    const size = --this.#size
    const [time, last] = [times[size]!, codes[size]!]
    let at = 0
    for (let child = 1; child < size; child = 4 * at + 1) {
      let best = child
      const end = Math.min(child + 4, size)
      for (let other = child + 1; other < end; other++) if (times[other]! < times[best]!) best = other
      if (times[best]! >= time) break
      times[at] = times[best]!
      codes[at] = codes[best]!
      at = best
    }
    times[at] = time
    codes[at] = last
    return code
  }

  #grow(): void {
    const [times, codes] = [new Float64Array(this.#size * 2), new Int32Array(this.#size * 2)]
    times.set(this.#times)
    codes.set(this.#codes)
    this.#times = times
    this.#codes = codes
  }
}
