/** Simulated time: what is to happen, in its order, and the processes it happens to. One seed, one course of events. */

interface Event {
  readonly at: number
  readonly turn: number
  readonly act: () => void
}

export class SimulatedTime {
  now = 0
  #turn = 0
  readonly #heap: Event[] = []

  after(ms: number, act: () => void): void {
    const event = { at: this.now + Math.max(0, ms), turn: ++this.#turn, act }
    const heap = this.#heap
    let at = heap.push(event) - 1
    while (at > 0) {
      const up = (at - 1) >> 1
      if (!isBefore(event, heap[up]!)) break
      heap[at] = heap[up]!
      at = up
    }
    heap[at] = event
  }

  /** The next event, and all that follows of it at that moment. False when there is none. */
  async step(): Promise<boolean> {
    const event = this.#pop()
    if (event === undefined) return false
    this.now = event.at
    event.act()
    // Whoever waited for what happened goes on now.
    await new Promise<void>((resolve) => void setImmediate(resolve))
    return true
  }

  #pop(): Event | undefined {
    const heap = this.#heap
    const [first, last] = [heap[0], heap.pop()]
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && isBefore(heap[down + 1]!, heap[down]!)) down++
      if (!isBefore(heap[down]!, last)) break
      heap[at] = heap[down]!
      at = down
    }
    heap[at] = last
    return first
  }
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.turn < b.turn)

/** A process: nothing happens in it once it is killed, and while it is stopped everything waits. */
export class SimulatedProcess {
  readonly #time: SimulatedTime
  isAlive = true
  #stoppedUntil = 0
  readonly #onKill: (() => void)[] = []

  constructor(time: SimulatedTime) {
    this.#time = time
  }

  after(ms: number, act: () => void): void {
    this.#time.after(ms, () => this.#act(act))
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve))
  }

  stop(ms: number): void {
    this.#stoppedUntil = Math.max(this.#stoppedUntil, this.#time.now + ms)
  }

  onKill(act: () => void): void {
    this.#onKill.push(act)
  }

  /** Its sockets are closed by the kernel. */
  kill(): void {
    if (!this.isAlive) return
    this.isAlive = false
    for (const act of this.#onKill) act()
  }

  #act(act: () => void): void {
    if (!this.isAlive) return
    const left = this.#stoppedUntil - this.#time.now
    if (left > 0) this.#time.after(left, () => this.#act(act))
    else act()
  }
}
