/**
 * Generated distributions: the few laws a generated web draws from. Pure but for the random numbers passed in.
 */
import type { Random } from '@comity/testbed'

/** Standard normal (Box and Muller). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

export const lognormal = (random: Random, median: number, sigma: number): number =>
  median * Math.exp(sigma * normal(random))

/** A whole number of this mean: the fraction decides by chance. */
export const rounded = (random: Random, mean: number): number => Math.floor(mean + random.next())

/**
 * Sizes from the density x^-a between 1 and `most`, with `a` chosen so that `count` of them add up to `total`.
 * They are the quantiles of the law, largest first, and not draws: the sum of draws from so heavy a tail hangs on its
 * few largest, and two seeds would give two webs of very different make.
 */
export function powerLawSizes(count: number, total: number, most: number): { sizes: Uint32Array; exponent: number } {
  const sizes = new Uint32Array(count)
  const fill = (b: number): number => {
    let sum = 0
    for (let rank = 0; rank < count; rank += 1) {
      sum += sizes[rank] = Math.min(most, Math.floor(quantile(b, most + 1, 1 - (rank + 0.5) / count)))
    }
    return sum
  }
  let [low, high] = [-8, 8]
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2
    if (fill(middle) <= total) low = middle
    else high = middle
  }
  settle(sizes, total - fill(low), most)
  return { sizes, exponent: 1 - low }
}

/** Where a share u of x^(b - 1) on [1, most] lies below. */
const quantile = (b: number, most: number, u: number): number =>
  Math.abs(b) < 1e-9 ? most ** u : (1 + u * (most ** b - 1)) ** (1 / b)

/** Whole numbers cannot meet every sum; what is missing or too much goes one by one, to the largest first. */
function settle(sizes: Uint32Array, difference: number, most: number): void {
  let left = difference
  while (left !== 0) {
    const before = left
    for (let rank = 0; rank < sizes.length && left !== 0; rank += 1) {
      const step = Math.sign(left)
      const size = sizes[rank]! + step
      if (size < 1 || size > most) continue
      sizes[rank] = size
      left -= step
    }
    if (left === before) throw new RangeError(`${sizes.length} sizes of at most ${most} cannot miss ${left}`)
  }
}
