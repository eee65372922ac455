/**
 * Which pages make the next batch. By rank alone, as 004 §5 has it; or spread over as many sites as possible, since a
 * batch whose pages lie on few sites leaves most robots idle at its end (004 §4.3, §6).
 */
export interface Candidates {
  readonly pages: Uint32Array
  /** Lower comes first; the nth belongs to the nth page. */
  readonly ranks: Float64Array
  readonly sites: Uint32Array
}

/** Places in `pages` of those chosen, at most `size` of them, in no particular order. */
export function chooseBatch({ pages, ranks, sites }: Candidates, size: number, spread: boolean): Uint32Array {
  const all = Uint32Array.from(pages, (_, i) => i)
  if (pages.length <= size) return all
  const byRank = (a: number, b: number): number => ranks[a]! - ranks[b]! || pages[a]! - pages[b]!
  all.sort(byRank)
  return spread ? acrossSites(all, sites, size) : all.subarray(0, size)
}

/** The best page of every site, then the second of every site, and so on. `order` is by rank. */
function acrossSites(order: Uint32Array, sites: Uint32Array, size: number): Uint32Array {
  const taken = new Map<number, number>()
  const turns = new Uint32Array(order.length)
  for (const [n, at] of order.entries()) {
    const turn = taken.get(sites[at]!) ?? 0
    taken.set(sites[at]!, turn + 1)
    turns[n] = turn
  }
  // Among pages of the same turn the better rank: `order` is by rank and the sort is stable.
  const byTurn = Uint32Array.from(order, (_, n) => n).toSorted((a, b) => turns[a]! - turns[b]! || a - b)
  return Uint32Array.from(byTurn.subarray(0, size), (n) => order[n]!)
}
