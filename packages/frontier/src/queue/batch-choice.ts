/**
 * Which pages make the next batch. By rank alone, as 004 §5 has it; or spread over as many sites as possible, since a
 * batch whose pages lie on few sites leaves most robots idle at its end (004 §4.3, §6).
 */
interface Candidates {
  readonly pages: Uint32Array
  /** Lower comes first; the nth belongs to the nth page. */
  readonly ranks: Float64Array
  readonly sites: Uint32Array
}

/** Places in `pages` of those chosen, at most `size` of them, in no particular order. */
export function chooseBatch({ pages, ranks, sites }: Candidates, size: number, spread: boolean): Uint32Array {
  const all = Uint32Array.from(pages, (_, i) => i)
  if (pages.length <= size) return all
  if (!spread) return best({ pages, ranks, sites }, size)
  const byRank = (a: number, b: number): number => ranks[a]! - ranks[b]! || pages[a]! - pages[b]!
  return acrossSites(all.toSorted(byRank), sites, size)
}

/** Only the rank of the last one taken is needed, and bare numbers sort ten times as fast as places do by their ranks. */
function best({ pages, ranks }: Candidates, size: number): Uint32Array {
  const last = ranks.toSorted()[size - 1]!
  let better = 0
  for (const rank of ranks) if (rank < last) better++
  // Of those with just this rank the ones known longest; pages come in the order they were found.
  let equals = size - better
  const chosen = new Uint32Array(size)
  for (let at = 0, n = 0; at < pages.length && n < size; at++) {
    if (ranks[at]! < last || (ranks[at] === last && equals-- > 0)) chosen[n++] = at
  }
  return chosen
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
