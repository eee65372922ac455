/** Visit places: how many visits several crawls of one process may have under way together. */
export class VisitPlaces {
  readonly #most: number
  #taken = 0
  readonly #waiting = new Set<() => void>()

  constructor(most: number) {
    this.#most = most
  }

  get isFree(): boolean {
    return this.#taken < this.#most
  }

  enter(): void {
    this.#taken++
  }

  leave(): void {
    this.#taken--
    for (const look of this.#waiting) look()
  }

  /** Called whenever one has become free, until the returned function is called. */
  whenFree(look: () => void): () => void {
    this.#waiting.add(look)
    return () => this.#waiting.delete(look)
  }
}
