/**
 * Live agreement: how far apart a live crawl and a simulated one are, and how much of that needs no explanation.
 *
 * Both have r pages on their way at any moment, and which of them arrives first is decided by a millisecond more or less.
 * So the same decisions can bring a page up to r pages earlier or later. And who arrives first decides who is found first,
 * which among pages of equal rank can be a whole queue: what that does, several simulated crawls with other milliseconds
 * show. The band is between the lowest of them, moved r pages to the right, and the highest, moved r pages to the left.
 *
 * Any number of draws leaves something out, so one more simulated crawl would not always stay inside either. Those that
 * there are say how often: each is held against the band of all others. A live crawl that gets no further outside than
 * some of them differs from a simulated one no more than that from another; only what lies further outside is a difference
 * that w, k and r do not explain.
 */

/** Value n is the part of all PageRank that is among the first n pages. */
export type RankCurve = Float64Array

export function rankCurve(visits: Uint32Array, ranks: Float64Array): RankCurve {
  const curve = new Float64Array(visits.length + 1)
  for (const [n, page] of visits.entries()) curve[n + 1] = curve[n]! + ranks[page]!
  return curve
}

export interface SimulatedBand {
  readonly mean: RankCurve
  readonly low: RankCurve
  readonly high: RankCurve
}

/** `simulated`: one or more draws of the same crawl, all of the same length. */
export function bandOf(simulated: readonly RankCurve[], robots: number): SimulatedBand {
  const last = simulated[0]!.length - 1
  const all = (n: number): number[] => simulated.map((curve) => curve[Math.min(Math.max(n, 0), last)]!)
  const each = (valueOf: (n: number) => number): RankCurve =>
    Float64Array.from({ length: last + 1 }, (_, n) => valueOf(n))
  return {
    mean: each((n) => all(n).reduce((a, b) => a + b, 0) / simulated.length),
    low: each((n) => Math.min(...all(n - robots))),
    high: each((n) => Math.max(...all(n + robots))),
  }
}

export interface Agreement {
  /** The largest vertical distance from the mean of the simulated curves, and after how many pages. */
  readonly distance: number
  readonly at: number
  /** Over the whole crawl. */
  readonly meanDistance: number
  /** How far the band reaches from the mean where it is widest. */
  readonly explained: number
  /** How far the live curve gets outside of the band; 0 when it stays inside. */
  readonly outside: number
}

/** The same pages in another sequence add up to another last bit. */
const ROUNDING = 1e-12

/** A live crawl that is shorter or longer than the simulated ones is compared as far as both go. */
export function agreementOf(live: RankCurve, { mean, low, high }: SimulatedBand): Agreement {
  let [distance, at, sum, explained, outside] = [0, 0, 0, 0, 0]
  const length = Math.min(live.length, mean.length)
  for (let n = 0; n < length; n++) {
    const here = Math.abs(live[n]! - mean[n]!)
    if (here > distance) [distance, at] = [here, n]
    sum += here
    explained = Math.max(explained, high[n]! - mean[n]!, mean[n]! - low[n]!)
    outside = Math.max(outside, live[n]! - high[n]!, low[n]! - live[n]!)
  }
  if (outside < ROUNDING) outside = 0
  return { distance, at, meanDistance: length === 0 ? 0 : sum / length, explained, outside }
}

/** The share of the simulated crawls that get as far outside of the band of all others. One alone says nothing: 1. */
export function asFarOutside(outside: number, simulated: readonly RankCurve[], robots: number): number {
  if (outside === 0 || simulated.length === 1) return 1
  const isAsFar = (curve: RankCurve, draw: number): boolean =>
    agreementOf(curve, bandOf(simulated.toSpliced(draw, 1), robots)).outside >= outside
  return simulated.filter(isAsFar).length / simulated.length
}
