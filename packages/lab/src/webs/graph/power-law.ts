/**
 * Power laws: P(x) ~ x^-exponent for all x from some smallest one on, fitted as Clauset, Shalizi and Newman do (SIAM
 * Review 51, 2009, doi:10.1137/070710111): the exponent by maximum likelihood, in their approximation for whole
 * numbers (equation 3.7), and the smallest x as the one whose tail lies nearest to the law (Kolmogorov and Smirnov).
 * A line through a log-log plot would be biased.
 */
export interface PowerLaw {
  readonly exponent: number
  /** The smallest value that follows the law, and how many do. */
  readonly from: number
  readonly count: number
  /** The largest distance between the values' distribution and the law's: 0 is a perfect fit. */
  readonly distance: number
}

/** With fewer values the exponent says nothing. */
const MIN_TAIL = 50
/** Smallest values tried. Their approximation is good from about 6 on. */
const MIN_FROM = 6
/** A tail that begins later is too short to matter on any web we read. */
const MAX_FROM = 1_000

/** Undefined when there are too few, or all are alike. */
export function fitPowerLaw(values: Uint32Array): PowerLaw | undefined {
  const sorted = values.filter((value) => value >= MIN_FROM).toSorted()
  let best: PowerLaw | undefined
  for (let at = 0; sorted.length - at >= MIN_TAIL && sorted[at]! <= MAX_FROM; at = nextValue(sorted, at)) {
    const law = fitTail(sorted.subarray(at))
    if (law !== undefined && law.distance < (best?.distance ?? Infinity)) best = law
  }
  return best
}

/** The law for values, sorted, that all follow it. */
export function fitTail(sorted: Uint32Array): PowerLaw | undefined {
  const [from = 0] = sorted
  const count = sorted.length
  if (count === 0 || from === 0 || sorted.at(-1) === from) return undefined
  let logs = 0
  for (const value of sorted) logs += Math.log(value / (from - 0.5))
  const exponent = 1 + count / logs
  let distance = 0
  for (let at = 0; at < count; at = nextValue(sorted, at)) {
    const expected = ((sorted[at]! - 0.5) / (from - 0.5)) ** (1 - exponent)
    distance = Math.max(distance, Math.abs((count - at) / count - expected))
  }
  return { exponent, from, count, distance }
}

/** Where the first value larger than that at `at` stands. */
function nextValue(sorted: Uint32Array, at: number): number {
  let [low, high] = [at + 1, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! > sorted[at]!) high = middle
    else low = middle + 1
  }
  return low
}
