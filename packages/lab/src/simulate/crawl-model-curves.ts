/**
 * Curves over a share of the crawl: what is left of a curve when crawls of different lengths are drawn over each other,
 * and the few numbers that tell which of two is better.
 */
import type { Curve } from './crawl-models.ts'
import type { Point } from '../report/model.ts'

/** Value i is at the share i / STEPS of the crawl. */
export type ShareCurve = Float64Array

/** Half a percent a step, finer than a plot can show. */
export const STEPS = 200

export function overShare(curve: Curve): ShareCurve {
  const last = curve.length - 1
  return Float64Array.from({ length: STEPS + 1 }, (_, i) => curve[Math.round((i * last) / STEPS)]!)
}

/** Value at a share from 0 to 1, between two steps on a straight line. */
export function valueAt(curve: ShareCurve, share: number): number {
  const at = Math.min(1, Math.max(0, share)) * STEPS
  const low = Math.floor(at)
  return curve[low]! + (at - low) * ((curve[low + 1] ?? curve[low]!) - curve[low]!)
}

/** Mean height between two shares: 0.5 for the diagonal over all, 1 for a crawler that had all from the start. */
export function areaUnder(curve: ShareCurve, from = 0, to = 1): number {
  const [first, last] = [Math.round(from * STEPS), Math.round(to * STEPS)]
  let sum = 0
  for (let i = first; i < last; i++) sum += (curve[i]! + curve[i + 1]!) / 2
  return sum / (last - first)
}

/** Found a share, as one of the crawl: 1 is the speed of random. */
export const slopeBetween = (curve: ShareCurve, from: number, to: number): number =>
  (valueAt(curve, to) - valueAt(curve, from)) / (to - from)

/** The furthest it gets above and below the diagonal. */
export function gapsToDiagonal(curve: ShareCurve): { readonly above: number; readonly below: number } {
  const gaps = curve.map((value, i) => value - i / STEPS)
  return { above: gaps.reduce((a, b) => Math.max(a, b), 0), below: -gaps.reduce((a, b) => Math.min(a, b), 0) }
}

export interface Spread {
  readonly mean: ShareCurve
  readonly low: ShareCurve
  readonly high: ShareCurve
}

/** Mean, least and most at each share, over one or more runs. */
export function spreadOf(curves: readonly ShareCurve[]): Spread {
  const at = (i: number): number[] => curves.map((curve) => curve[i]!)
  const each = (valueOf: (values: readonly number[]) => number): ShareCurve =>
    Float64Array.from({ length: STEPS + 1 }, (_, i) => valueOf(at(i)))
  return {
    mean: each((values) => values.reduce((a, b) => a + b, 0) / values.length),
    low: each((values) => Math.min(...values)),
    high: each((values) => Math.max(...values)),
  }
}

/** For a plot; from `first` on, as some models say nothing about a crawl that has not begun. */
export function pointsOf({ mean, low, high }: Spread, first = 0): Point[] {
  return Array.from(mean, (y, i) => ({ x: i / STEPS, y, low: low[i]!, high: high[i]! })).slice(first)
}
