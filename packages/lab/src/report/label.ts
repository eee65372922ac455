/**
 * Report labels: names beside the lines they name, so that nobody has to match colours with a legend.
 *
 * Two layouts, both pure functions of pixels. `spreadLabels` stands names in a column right of the lines' ends, each as
 * near to its end as the others let it be. Curves of one crawl often end in one point (all pages found); then
 * `placeInside` looks for a free place next to each curve, within the plot.
 */
export interface Spot {
  readonly x: number
  readonly y: number
}

export interface Box extends Spot {
  readonly width: number
  readonly height: number
}

/**
 * Middles of labels `height` tall, in the order given, none over another and all between top and bottom, with the least
 * sum of squared moves. undefined when there are too many to fit.
 *
 * Labels sorted by wish and shifted up by their rank may not overlap exactly if the shifted wishes do not fall: that is
 * isotonic regression, solved by pooling neighbours that violate it (Ayer et al., 1955).
 */
export function spreadLabels(
  wishes: readonly number[],
  height: number,
  top: number,
  bottom: number,
): number[] | undefined {
  if (wishes.length * height > bottom - top) return undefined
  const order = wishes.map((_, i) => i).toSorted((a, b) => wishes[a]! - wishes[b]! || a - b)
  const pools: { sum: number; count: number }[] = []
  for (const [rank, i] of order.entries()) {
    let pool = { sum: wishes[i]! - rank * height, count: 1 }
    for (let last = pools.at(-1); last && last.sum / last.count > pool.sum / pool.count; last = pools.at(-1)) {
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count }
      pools.pop()
    }
    pools.push(pool)
  }
  const least = top + height / 2
  const most = bottom - height / 2 - (wishes.length - 1) * height
  const shifted = pools.flatMap(({ sum, count }) => Array<number>(count).fill(clamp(sum / count, least, most)))
  const middles = Array<number>(wishes.length).fill(0)
  for (const [rank, i] of order.entries()) middles[i] = shifted[rank]! + rank * height
  return middles
}

export interface Curve {
  readonly spots: readonly Spot[]
  /** Size of the text that names it. */
  readonly width: number
  readonly height: number
}

interface Placed {
  readonly box: Box
  /** The spot of the curve that the label belongs to. */
  readonly anchor: Spot
}

// How near a name must be to its own curve, and how far from all others, to be read as the name of that curve (pixels).
const nearEnough = 14
const farEnough = 7
const step = 4

/** A place inside the frame for each curve's name; undefined when some curve has none. */
export function placeInside(curves: readonly Curve[], frame: Box): Placed[] | undefined {
  const dense = curves.map(({ spots }) => densify(spots))
  const placed: Placed[] = []
  for (const [i, curve] of curves.entries()) {
    const best = bestPlace(
      curve,
      dense[i]!,
      dense.filter((_, j) => j !== i),
      placed.map(({ box }) => box),
      frame,
    )
    if (best === undefined) return undefined
    placed.push(best)
  }
  return placed
}

function bestPlace(
  { width, height }: Curve,
  own: readonly Spot[],
  others: readonly (readonly Spot[])[],
  taken: readonly Box[],
  frame: Box,
): Placed | undefined {
  let best: Placed | undefined
  let bestScore = -Infinity
  const stride = Math.max(1, Math.floor(own.length / 60))
  for (let i = stride; i < own.length - stride; i += stride) {
    const anchor = own[i]!
    for (const box of boxesAround(anchor, width, height)) {
      if (!contains(frame, box) || taken.some((other) => overlaps(other, box))) continue
      const toOwn = distance(box, own)
      if (toOwn < 3 || toOwn > nearEnough) continue
      const toOther = Math.min(...others.map((spots) => distance(box, spots)))
      if (toOther < farEnough || toOther <= toOwn) continue
      // Far from the others first, near to its own next; more than 40 pixels away from the others is all the same.
      const score = Math.min(toOther, 40) - toOwn
      if (score > bestScore) [best, bestScore] = [{ box, anchor }, score]
    }
  }
  return best
}

function boxesAround({ x, y }: Spot, width: number, height: number): Box[] {
  const gap = 5
  return [
    { x: x - gap - width, y: y - gap - height, width, height },
    { x: x + gap, y: y + gap, width, height },
    { x: x - width / 2, y: y - gap - height, width, height },
    { x: x - width / 2, y: y + gap, width, height },
    { x: x + gap, y: y - gap - height, width, height },
    { x: x - gap - width, y: y + gap, width, height },
  ]
}

export const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

/** From a box to the nearest of the spots; 0 for a spot inside. */
function distance(box: Box, spots: readonly Spot[]): number {
  let least = Infinity
  for (const { x, y } of spots) {
    const dx = Math.max(box.x - x, 0, x - box.x - box.width)
    const dy = Math.max(box.y - y, 0, y - box.y - box.height)
    least = Math.min(least, dx * dx + dy * dy)
  }
  return Math.sqrt(least)
}

/** Spots along the lines between spots, so that a long straight piece is felt as an obstacle too. */
function densify(spots: readonly Spot[]): Spot[] {
  const dense: Spot[] = []
  for (const [i, { x, y }] of spots.entries()) {
    const next = spots[i + 1] ?? { x, y }
    const pieces = clamp(Math.ceil(Math.hypot(next.x - x, next.y - y) / step), 1, 1_000)
    for (let piece = 0; piece < pieces; piece += 1) {
      dense.push({ x: x + ((next.x - x) * piece) / pieces, y: y + ((next.y - y) * piece) / pieces })
    }
  }
  return dense
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high)
