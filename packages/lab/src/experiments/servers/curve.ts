/** Freshness against bandwidth, and what 000 §6 reads off it: the gain, the bandwidth for a freshness, what is saved. */
export interface FreshnessCurve {
  /** Share of the repository that can be downloaded in a day, rising from 0. */
  readonly bandwidths: readonly number[]
  /** Mean over the runs, and the 95 % interval of that mean. */
  readonly mean: readonly number[]
  readonly low: readonly number[]
  readonly high: readonly number[]
}

/** `runs[r][i]` is the freshness of run r at the i-th bandwidth. */
export function curveOf(bandwidths: readonly number[], runs: readonly (readonly number[])[]): FreshnessCurve {
  const intervals = bandwidths.map((_, i) => intervalOf(runs.map((run) => run[i]!)))
  return {
    bandwidths,
    mean: intervals.map(({ mean }) => mean),
    // A share is within 0 and 1, whatever Student says.
    low: intervals.map(({ low }) => Math.max(0, low)),
    high: intervals.map(({ high }) => Math.min(1, high)),
  }
}

export interface Interval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** 97.5 % quantiles of Student's distribution, by degrees of freedom from 1 on; past the list it is normal enough. */
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
]
const NORMAL = 1.96

/** Mean and its 95 % t-interval; of one value, the value. */
export function intervalOf(values: readonly number[]): Interval {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  if (count < 2) return { mean, low: mean, high: mean }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1)
  const half = (STUDENT[count - 2] ?? NORMAL) * Math.sqrt(variance / count)
  return { mean, low: mean - half, high: mean + half }
}

/** The least bandwidth from which on a curve is at least as fresh, between its points by straight lines; NaN if never. */
export function bandwidthFor(bandwidths: readonly number[], freshness: readonly number[], wanted: number): number {
  let first = freshness.length
  while (first > 0 && freshness[first - 1]! >= wanted) first--
  if (first === freshness.length) return NaN
  if (first === 0) return bandwidths[0]!
  const [low, high] = [freshness[first - 1]!, freshness[first]!]
  const [from, to] = [bandwidths[first - 1]!, bandwidths[first]!]
  return from + ((wanted - low) / (high - low)) * (to - from)
}

/** Figure 6(b): how many more pages are fresh, as a share of those that are without metadata. */
export const gains = (conventional: readonly number[], metadata: readonly number[]): number[] =>
  conventional.map((fresh, i) => (metadata[i]! - fresh) / fresh)

/** Figure 6(c): the share of bandwidth saved at a freshness; NaN where the conventional crawler needs none. */
export function savedAt({ bandwidths, mean }: FreshnessCurve, metadata: FreshnessCurve, wanted: number): number {
  const needed = bandwidthFor(bandwidths, mean, wanted)
  return needed > 0 ? 1 - bandwidthFor(metadata.bandwidths, metadata.mean, wanted) / needed : NaN
}
