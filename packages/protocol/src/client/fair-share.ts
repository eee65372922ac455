/**
 * FairShare: room that many share, so that no one of them can fill it. Each may hold up to a half (`share`) of what is free
 * at that moment: the more is taken, the less anybody may take in addition, and something is always left for whoever holds
 * nothing. One that is alone gets a third of the room, two get a quarter each, and none of it need be set aside (dynamic
 * thresholds: Choudhury and Hahne 1998, doi:10.1109/90.664262). Deterministic, O(1).
 */
export class FairShare {
  readonly #limit: number
  readonly #share: number
  readonly #held = new Map<string, number>()
  #used = 0

  constructor(limit: number, share = 0.5) {
    this.#limit = limit
    this.#share = share
  }

  get used(): number {
    return this.#used
  }
  get free(): number {
    return this.#limit - this.#used
  }
  /** From 0 to 1. */
  get fill(): number {
    return this.#used / this.#limit
  }
  /** How many hold something. */
  get holders(): number {
    return this.#held.size
  }

  heldBy(key: string): number {
    return this.#held.get(key) ?? 0
  }

  /** `full`: there is no room for anybody; `over`: this one has its share. */
  take(key: string, weight: number): 'taken' | 'over' | 'full' {
    const verdict = this.wouldTake(key, weight)
    if (verdict === 'taken') this.add(key, weight)
    return verdict
  }

  /** As `take`, and nothing is taken. */
  wouldTake(key: string, weight: number): 'taken' | 'over' | 'full' {
    if (weight > this.free) return 'full'
    return this.heldBy(key) + weight > this.#share * this.free ? 'over' : 'taken'
  }

  /** Whether there is room or not: it is held already. */
  add(key: string, weight: number): void {
    this.#used += weight
    this.#held.set(key, this.heldBy(key) + weight)
  }

  give(key: string, weight: number): void {
    const left = this.heldBy(key) - weight
    this.#used -= weight
    if (left > 0) this.#held.set(key, left)
    else this.#held.delete(key)
  }
}
