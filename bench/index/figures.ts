/** Figures of lists, as `bench/index.ts` needs them. */

/** The value that `part` of the numbers do not exceed (nearest rank); NaN for none. */
export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

/** NaN for none. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length
}

/** To a tenth: finer is noise, and the answers to a thousand queries travel as text. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}

/** Of how many of 100 pairs something is true. */
export function percentOf(
  a: readonly number[],
  b: readonly number[],
  isSo: (one: number, other: number) => boolean,
): number {
  return 100 * mean(a.map((value, place) => Number(isSo(value, b[place]!))))
}

/** Of each list of `a` that is not empty, how much is in the list of `b` too; in the mean, as percent. */
export function percentShared(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number {
  const parts = a.flatMap((list, place) => {
    const other = new Set(b[place])
    return list.length === 0 ? [] : [list.filter((key) => other.has(key)).length / list.length]
  })
  return 100 * mean(parts)
}
