/**
 * Graph layout: where each site stands in the picture.
 *
 * Sites push each other away and links pull them together (Fruchterman and Reingold 1991), with the mass of a site
 * growing with its links so that hubs get room (Jacomy et al. 2014, doi:10.1371/journal.pone.0098679). Clusters start
 * apart, which saves most of the way. Every pair is looked at: for 300 sites that is 45,000 pairs a step, and simpler
 * and sooner done than a tree. In the end sites that would cover each other are pushed apart. No randomness: the same
 * graph is the same picture.
 */
import { clustersOf } from './clusters.ts'
import type { WeightedLink } from './clusters.ts'

export interface Layout {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly radius: Float64Array
  readonly cluster: Int32Array
}

export const WIDTH = 1_000
export const HEIGHT = 700

const STEPS = 130
const MARGIN = 30
/** An angle that never repeats: the turn of a sunflower. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** `pages[i]` is the size of site `i`; links are indexes of two sites and how many links there are. */
export function layOut(pages: readonly number[], links: readonly WeightedLink[]): Layout {
  const size = pages.length
  // A thousand links between two sites are more than one, and not a thousand times more.
  const softened = links.map(([from, to, weight]): WeightedLink => [from, to, Math.log2(1 + Math.max(0, weight))])
  const cluster = clustersOf(size, softened)
  const [x, y] = startPositions(cluster)
  const radius = radiiOf(pages)
  if (size > 1) {
    settle(x, y, softened, cluster)
    fit(x, WIDTH)
    fit(y, HEIGHT)
    separate(x, y, radius)
  } else if (size === 1) [x[0], y[0]] = [WIDTH / 2, HEIGHT / 2]
  return { x, y, radius, cluster }
}

/** Area goes with pages, within what can be seen and what leaves room. */
function radiiOf(pages: readonly number[]): Float64Array {
  const most = Math.max(1, ...pages)
  const largest = pages.length > 120 ? 20 : 28
  return Float64Array.from(pages, (count) => 3.5 + (largest - 3.5) * Math.sqrt(Math.max(0, count) / most))
}

/** Clusters on a circle, and the sites of each like the seeds of a sunflower. */
function startPositions(cluster: Int32Array): [x: Float64Array, y: Float64Array] {
  const x = new Float64Array(cluster.length)
  const y = new Float64Array(cluster.length)
  const count = Math.max(0, ...cluster) + 1
  const filled = new Int32Array(count)
  const ring = count === 1 ? 0 : 12 * Math.sqrt(cluster.length)
  for (const [i, c] of cluster.entries()) {
    const nth = filled[c]!++
    const [turn, out] = [nth * GOLDEN_ANGLE, 8 * Math.sqrt(nth + 0.5)]
    x[i] = ring * Math.cos((2 * Math.PI * c) / count) + out * Math.cos(turn)
    y[i] = ring * Math.sin((2 * Math.PI * c) / count) + out * Math.sin(turn)
  }
  return [x, y]
}

function settle(x: Float64Array, y: Float64Array, links: readonly WeightedLink[], cluster: Int32Array): void {
  const size = x.length
  const mass = new Float64Array(size).fill(1)
  for (const [from, to] of links) {
    mass[from]! += 1
    mass[to]! += 1
  }
  const pull = new Float64Array(size).map((_, i) => 1 / mass[i]!)
  for (let i = 0; i < size; i++) mass[i] = Math.sqrt(mass[i]!)
  const [dx, dy] = [new Float64Array(size), new Float64Array(size)]
  for (let step = 0; step < STEPS; step++) {
    repel(x, y, mass, dx, dy)
    attract(x, y, links, cluster, pull, dx, dy)
    // Steps shrink, so that it comes to rest.
    move(x, y, mass, dx, dy, 24 * (1 - step / STEPS) + 0.2)
  }
}

/** Also sets `dx` and `dy`, which is where a step begins. */
function repel(x: Float64Array, y: Float64Array, mass: Float64Array, dx: Float64Array, dy: Float64Array): void {
  dx.fill(0)
  dy.fill(0)
  for (let i = 0; i < x.length; i++) {
    const [xi, yi, mi] = [x[i]!, y[i]!, mass[i]!]
    for (let j = 0; j < i; j++) {
      const vx = xi - x[j]!
      const vy = yi - y[j]!
      const force = (160 * mi * mass[j]!) / (vx * vx + vy * vy + 0.01)
      dx[i]! += vx * force
      dy[i]! += vy * force
      dx[j]! -= vx * force
      dy[j]! -= vy * force
    }
  }
}

function attract(
  x: Float64Array,
  y: Float64Array,
  links: readonly WeightedLink[],
  cluster: Int32Array,
  pull: Float64Array,
  dx: Float64Array,
  dy: Float64Array,
): void {
  for (const [from, to, weight] of links) {
    // Links inside a cluster count more: what belongs together should be seen to.
    const force = weight * (pull[from]! + pull[to]!) * (cluster[from] === cluster[to] ? 1.6 : 0.4)
    const vx = (x[to]! - x[from]!) * force
    const vy = (y[to]! - y[from]!) * force
    dx[from]! += vx
    dy[from]! += vy
    dx[to]! -= vx
    dy[to]! -= vy
  }
}

function move(
  x: Float64Array,
  y: Float64Array,
  mass: Float64Array,
  dx: Float64Array,
  dy: Float64Array,
  limit: number,
): void {
  for (let i = 0; i < x.length; i++) {
    // A gentle pull to the middle, so that what has no links does not fly away; flatter than high, as screens are.
    const fx = dx[i]! - 0.5 * mass[i]! * x[i]!
    const fy = dy[i]! - 0.8 * mass[i]! * y[i]!
    const length = Math.hypot(fx, fy)
    if (length === 0) continue
    const stride = Math.min(limit, length * 0.05)
    x[i]! += (fx / length) * stride
    y[i]! += (fy / length) * stride
  }
}

/**
 * Into the picture, by rank halfway: positions keep their order, but a few far outsiders do not press all others into a
 * spot in the middle.
 */
function fit(values: Float64Array, extent: number): void {
  const sorted = values.toSorted()
  const [low, high] = [sorted[0]!, sorted.at(-1)!]
  const inner = extent - 2 * MARGIN
  const order = [...values.keys()].toSorted((a, b) => values[a]! - values[b]! || a - b)
  const place = new Float64Array(values.length)
  for (const [rank, i] of order.entries()) place[i] = rank / (values.length - 1)
  for (let i = 0; i < values.length; i++) {
    const straight = high > low ? (values[i]! - low) / (high - low) : 0.5
    values[i] = MARGIN + inner * (0.65 * straight + 0.35 * place[i]!)
  }
}

/** Pushes apart what overlaps, and keeps everything inside. */
function separate(x: Float64Array, y: Float64Array, radius: Float64Array): void {
  for (let round = 0; round < 60; round++) {
    let touched = false
    for (let i = 0; i < x.length; i++) {
      for (let j = 0; j < i; j++) touched = pushApart(x, y, radius, i, j) || touched
    }
    for (let i = 0; i < x.length; i++) {
      x[i] = Math.min(WIDTH - MARGIN, Math.max(MARGIN, x[i]!))
      y[i] = Math.min(HEIGHT - MARGIN, Math.max(MARGIN, y[i]!))
    }
    if (!touched) return
  }
}

const GAP = 4

function pushApart(x: Float64Array, y: Float64Array, radius: Float64Array, i: number, j: number): boolean {
  const least = radius[i]! + radius[j]! + GAP
  let vx = x[i]! - x[j]!
  let vy = y[i]! - y[j]!
  const squared = vx * vx + vy * vy
  if (squared >= least * least) return false
  const distance = Math.sqrt(squared)
  // On the very same spot any direction will do, as long as it is not chance.
  if (distance < 1e-6) [vx, vy] = [Math.cos(i * GOLDEN_ANGLE), Math.sin(i * GOLDEN_ANGLE)]
  const push = (least - distance) / 2 / Math.max(distance, 1)
  x[i]! += vx * push
  y[i]! += vy * push
  x[j]! -= vx * push
  y[j]! -= vy * push
  return true
}
