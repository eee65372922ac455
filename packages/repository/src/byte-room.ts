/** ByteRoom: so many bytes at one moment, whoever holds them. What does not fit is refused at once. */
export class ByteRoom {
  readonly #limit: number
  #used = 0
  #peak = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }
  get peak(): number {
    return this.#peak
  }

  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false
    this.#used += bytes
    this.#peak = Math.max(this.#peak, this.#used)
    return true
  }

  give(bytes: number): void {
    this.#used -= bytes
  }
}
