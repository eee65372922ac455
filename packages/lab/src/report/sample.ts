/**
 * Report sample: fewer points with the same picture. A crawl of 300,000 steps has 300,000 points and a plot has some 600
 * pixels. Each stretch of a line keeps its lowest and its highest point, so no peak, dip or jump is lost.
 */
import type { Point } from './model.ts'

// Two for each pixel of a plot's width would be the most anyone can see in a line; fewer look the same.
const maxLinePoints = 400
// Dots show how dense a cloud is, so more of them count; columns are few by nature.
const maxDots = 1_500

/** What is plotted, and what the CSV of the figure holds. */
export const plottedPoints = (points: readonly Point[], style: 'line' | 'dots' | 'bars'): readonly Point[] =>
  style === 'line' ? sample(points, maxLinePoints) : thin(points, maxDots)

/** Evenly spaced ones: of a cloud, the extremes alone would show only its edges. */
function thin(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points
  return Array.from({ length: most }, (_, i) => points[Math.round((i * (points.length - 1)) / (most - 1))]!)
}

/** At most `most` points (4 or more), in their order; the first and the last always stay. */
export function sample(points: readonly Point[], most: number): readonly Point[] {
  if (points.length <= most) return points
  const inner = points.length - 2
  const stretches = Math.floor((most - 2) / 2)
  const kept: Point[] = [points[0]!]
  for (let i = 0; i < stretches; i += 1) {
    const from = 1 + Math.floor((i * inner) / stretches)
    const to = 1 + Math.floor(((i + 1) * inner) / stretches)
    kept.push(...extremes(points, from, to))
  }
  kept.push(points.at(-1)!)
  return kept
}

/** The lowest and the highest of points[from … to - 1], in their order. Gaps (not finite) stay only if all are gaps. */
function extremes(points: readonly Point[], from: number, to: number): Point[] {
  let [low, high] = [from, from]
  for (let i = from; i < to; i += 1) {
    const y = points[i]!.y
    if (Number.isNaN(y)) continue
    if (!(points[low]!.y <= y)) low = i
    if (!(points[high]!.y >= y)) high = i
  }
  const indexes = low === high ? [low] : [Math.min(low, high), Math.max(low, high)]
  return indexes.map((i) => points[i]!)
}
