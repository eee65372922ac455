/**
 * OpenedParts: what is opened one after the other is closed again, the last one first, when something behind it cannot be opened. It is
 * what `AsyncDisposableStack` is, which Node 22 does not have.
 */
export class OpenedParts implements AsyncDisposable {
  #parts: (Disposable | AsyncDisposable)[] = []

  add<Part extends Disposable | AsyncDisposable>(part: Part): Part {
    this.#parts.push(part)
    return part
  }

  /** All are open: they are somebody else's from now on. */
  keep(): void {
    this.#parts = []
  }

  /** Each is closed, whatever closing another came to; then the first fault is thrown. */
  async [Symbol.asyncDispose](): Promise<void> {
    const faults: unknown[] = []
    for (const part of this.#parts.splice(0).toReversed()) {
      try {
        if (Symbol.asyncDispose in part) await part[Symbol.asyncDispose]()
        else part[Symbol.dispose]()
      } catch (error) {
        faults.push(error)
      }
    }
    if (faults.length > 0) throw faults[0]
  }
}
