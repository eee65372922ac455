/**
 * Acknowledgements: when has what was just put into a group commit become durable?
 *
 * Commits run one after the other. When the next one begins it takes all that is in now, and when the one after it
 * begins, that has ended: so two beginnings from now is an acknowledgement, also while visits put in more and more.
 *
 * `GroupCommit.flush` is for a crawl that stands still; none may run while an acknowledgement is open.
 */
export class Acknowledgements {
  readonly #soon: () => void
  #waiting: PromiseWithResolvers<void>[] = []
  #open = 0
  #failure: Error | undefined

  /** `soon` asks for a commit. */
  constructor(soon: () => void) {
    this.#soon = soon
  }

  get open(): number {
    return this.#open
  }

  /** A commit begins. */
  begins(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve()
  }

  /** There will be no more commits. */
  fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  /** Resolves when all that is in now is durable; rejects when it will never be. */
  async durable(): Promise<void> {
    this.#open++
    try {
      await this.#beginning()
      await this.#beginning()
    } finally {
      this.#open--
    }
  }

  async #beginning(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    const next = Promise.withResolvers<void>()
    this.#waiting.push(next)
    this.#soon()
    await next.promise
  }
}
