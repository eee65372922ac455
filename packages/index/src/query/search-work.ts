/**
 * SearchWork: what one search may cost. Whoever asks chooses the words, and a phrase of words that stand on every page, or
 * a row of prefixes, has the whole index read while all others wait. So what is read is counted, and a search that has
 * had its share ends with what it has found.
 *
 * A step is about what it takes to read one posting: a page, a place of a word in it, a look at whether an alternative
 * stands there. Counted and not timed, the same search ends at the same place whatever else the machine does.
 */
export class SearchWork {
  readonly #most: number
  #spent = 0

  constructor(most: number = Infinity) {
    this.#most = most
  }

  get spent(): number {
    return this.#spent
  }
  get isSpent(): boolean {
    return this.#spent > this.#most
  }

  /** Throws a WorkSpent when it is more than there is. */
  spend(steps: number): void {
    this.#spent += steps
    if (this.#spent > this.#most) throw new WorkSpent('the search has had its share of work')
  }
}

/** Ends a search from within; never seen outside of the index. */
export class WorkSpent extends Error {
  override readonly name: string = 'WorkSpent'
}

/** Whether it was done to its end. */
export function withinWork(search: () => void): boolean {
  try {
    search()
    return true
  } catch (error) {
    if (error instanceof WorkSpent) return false
    throw error
  }
}
