/** Nearest name: what somebody meant who typed something else. */

/** Up to three of `names` that are a slip of the finger away from `typed`, or begin with it; the likeliest first. */
export function nearestNames(typed: string, names: readonly string[]): string[] {
  const wanted = typed.toLowerCase()
  // Two slips in a short word make another word; a long one may have more.
  const most = Math.max(1, Math.min(3, Math.floor(wanted.length / 3)))
  const scored = names.map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
  const slips = scored.filter(({ distance }) => distance <= most).toSorted((a, b) => a.distance - b.distance)
  const longer = wanted.length < 2 ? [] : names.filter((name) => name.toLowerCase().startsWith(wanted))
  return [...new Set([...slips.map(({ name }) => name), ...longer])].slice(0, 3)
}

/** ` Did you mean --max-pages?`, or nothing when nothing is near. */
export function didYouMean(typed: string, names: readonly string[], show: (name: string) => string = String): string {
  const near = nearestNames(typed, names).map(show)
  return near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
}

/** Letters to add, drop, replace or swap with their neighbour (Damerau 1964, each place at most once). */
export function distanceOf(a: string, b: string): number {
  // Nothing we name is that long, and the table grows with the product.
  if (a.length > 60 || b.length > 60) return Infinity
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const edited = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(isSwap ? Math.min(edited, beforeLast[j - 2]! + 1) : edited)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
