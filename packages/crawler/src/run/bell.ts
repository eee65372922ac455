/** A bell: wait until it rings or until a moment has come. Ringing while nobody waits is remembered once. */
export class Bell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Resolves at the next ring, or after `ms` at the latest. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung && ms > 0) {
      await new Promise<void>((resolve) => {
        // A timer holds 31 bits; a longer wait is waited in parts.
        const timer = setTimeout(resolve, Math.min(ms, 2 ** 30))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#wake = undefined
    this.#rung = false
  }
}
