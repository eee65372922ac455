/**
 * LongRests: rests of addresses that outlast a lease, as a site asks for with Retry-After. A keeper has them in memory alone, and a
 * message may be lost; so who learnt of one tells it until the keeper says that it has heard, and again to each that follows.
 */
interface Rest {
  until: number
  /** The epoch of the keeper that has heard of it. */
  heardBy: number
}

/** More are not remembered: their addresses rest as long as the keeper lives that was told. */
const MAX_RESTS = 10_000

export class LongRests {
  /** By keeper, by address. */
  readonly #rests = new Map<number, Map<string, Rest>>()
  #count = 0

  get keepers(): Iterable<number> {
    return this.#rests.keys()
  }

  note(keeper: number, address: string, until: number): void {
    const rests = this.#rests.get(keeper) ?? new Map<string, Rest>()
    const known = rests.get(address)
    if (known !== undefined && known.until >= until) return
    if (known === undefined && this.#count >= MAX_RESTS) return
    if (known === undefined) this.#count++
    this.#rests.set(keeper, rests.set(address, { until, heardBy: 0 }))
  }

  heard(keeper: number, address: string, epoch: number): void {
    const rest = this.#rests.get(keeper)?.get(address)
    if (rest !== undefined) rest.heardBy = epoch
  }

  /** What a keeper of this epoch has not heard of. What is over is forgotten. */
  unheard(keeper: number, epoch: number, now: number): { readonly address: string; readonly restMs: number }[] {
    const rests = this.#rests.get(keeper)
    if (rests === undefined) return []
    for (const [address, { until }] of rests) if (until <= now && rests.delete(address)) this.#count--
    if (rests.size === 0) this.#rests.delete(keeper)
    return [...rests].flatMap(([address, { until, heardBy }]) =>
      heardBy === epoch ? [] : [{ address, restMs: until - now }],
    )
  }
}
