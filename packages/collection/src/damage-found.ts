/**
 * DamageFound: what a reader of a collection met that cannot be read, and stepped over, each thing once: a record of the archive by
 * its place, a row by its table and how often. What nobody has read is not here: `comity repair` looks at everything.
 */
const MAX_NAMED = 1_000

export class DamageFound {
  readonly #times = new Map<string, number>()
  #unnamed = 0

  /** `what` names it, with its place where it has one. */
  note(what: string): void {
    const times = this.#times.get(what)
    if (times === undefined && this.#times.size >= MAX_NAMED) this.#unnamed++
    else this.#times.set(what, (times ?? 0) + 1)
  }

  /** Names, the first that was met first; things without a place are met again and again, and named once. */
  get names(): readonly string[] {
    return [...this.#times.keys()]
  }

  get count(): number {
    return this.#times.size + this.#unnamed
  }
}
