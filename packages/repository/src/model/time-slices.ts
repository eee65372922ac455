/** Time slices: long work that lets others have a turn every few milliseconds. */
const SLICE_MS = 8

export class TimeSlices {
  readonly #clock: () => number
  #until: number

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
    this.#until = clock() + SLICE_MS
  }

  /** Whether it is time to `rest`. */
  get isOver(): boolean {
    return this.#clock() >= this.#until
  }

  async rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#until = this.#clock() + SLICE_MS
  }
}
