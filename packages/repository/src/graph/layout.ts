/**
 * Graph layout: where each site stands in the picture.
 *
 * Sites push each other away and links pull them together (d3-force), with the push of a site growing with its links so
 * that hubs get room. Clusters start apart, which saves most of the way. In the end sites that would cover each other are
 * pushed apart. No randomness: the same graph is the same picture.
 */
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force'
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
const GAP = 4
/** An angle that never repeats: the turn of a sunflower. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** `pages[i]` is the size of site `i`; links are indexes of two sites and how many links there are. */
export function layOut(pages: readonly number[], links: readonly WeightedLink[]): Layout {
  const size = pages.length
  // A thousand links between two sites are more than one, and not a thousand times more.
  const softened = links.map(([from, to, weight]): WeightedLink => [from, to, Math.log2(1 + Math.max(0, weight))])
  const cluster = clustersOf(size, softened)
  const radius = radiiOf(pages)
  const sites = startPositions(cluster)
  settle(sites, softened, cluster)
  fit(sites, 'x', WIDTH)
  fit(sites, 'y', HEIGHT)
  separate(sites, radius)
  const x = Float64Array.from(sites, (site) => site.x)
  const y = Float64Array.from(sites, (site) => site.y)
  return { x, y, radius, cluster }
}

/** What the forces move. */
interface Site {
  x: number
  y: number
}

/** Area goes with pages, within what can be seen and what leaves room. */
function radiiOf(pages: readonly number[]): Float64Array {
  const most = Math.max(1, ...pages)
  const largest = pages.length > 120 ? 20 : 28
  return Float64Array.from(pages, (count) => 3.5 + (largest - 3.5) * Math.sqrt(Math.max(0, count) / most))
}

/** Clusters on a circle, and the sites of each like the seeds of a sunflower. */
function startPositions(cluster: Int32Array): Site[] {
  const count = Math.max(0, ...cluster) + 1
  const filled = new Int32Array(count)
  const ring = count === 1 ? 0 : 12 * Math.sqrt(cluster.length)
  return Array.from(cluster, (c) => {
    const nth = filled[c]!++
    const [turn, out] = [nth * GOLDEN_ANGLE, 8 * Math.sqrt(nth + 0.5)]
    return {
      x: ring * Math.cos((2 * Math.PI * c) / count) + out * Math.cos(turn),
      y: ring * Math.sin((2 * Math.PI * c) / count) + out * Math.sin(turn),
    }
  })
}

function settle(sites: Site[], links: readonly WeightedLink[], cluster: Int32Array): void {
  const mass = new Float64Array(sites.length).fill(1)
  for (const [from, to] of links) {
    mass[from]! += 1
    mass[to]! += 1
  }
  const most = Math.max(1, ...links.map(([, , weight]) => weight))
  const pulls = forceLink(links.map(([source, target, weight]) => ({ source, target, weight })))
    .distance(20)
    .strength((_, i) => {
      const [from, to, weight] = links[i]!
      // Links inside a cluster count more: what belongs together should be seen to.
      return ((weight / most) * (cluster[from] === cluster[to] ? 1.6 : 0.4)) / Math.min(mass[from]!, mass[to]!)
    })
  forceSimulation(sites)
    .stop()
    .alphaDecay(1 - 0.001 ** (1 / STEPS))
    .force('links', pulls)
    .force(
      'room',
      forceManyBody().strength((_, i) => -30 * Math.sqrt(mass[i]!)),
    )
    // A gentle pull to the middle, so that what has no links does not fly away; flatter than high, as screens are.
    .force('middle', forceX(0).strength(0.05))
    .force('horizon', forceY(0).strength(0.08))
    .tick(STEPS)
}

/**
 * Into the picture, by rank halfway: positions keep their order, but a few far outsiders do not press all others into a
 * spot in the middle.
 */
function fit(sites: readonly Site[], axis: 'x' | 'y', extent: number): void {
  const order = sites.toSorted((a, b) => a[axis] - b[axis])
  const [low, high] = [order[0]?.[axis] ?? 0, order.at(-1)?.[axis] ?? 0]
  for (const [rank, site] of order.entries()) {
    const straight = high > low ? (site[axis] - low) / (high - low) : 0.5
    const place = order.length > 1 ? rank / (order.length - 1) : 0.5
    site[axis] = MARGIN + (extent - 2 * MARGIN) * (0.65 * straight + 0.35 * place)
  }
}

/** Pushes apart what overlaps, and keeps everything inside. */
function separate(sites: Site[], radius: Float64Array): void {
  const pushes = forceSimulation(sites)
    .stop()
    .alphaDecay(0)
    .force(
      'apart',
      forceCollide((_, i) => radius[i]! + GAP / 2),
    )
  for (let round = 0; round < 60; round++) {
    pushes.tick()
    for (const site of sites) {
      site.x = Math.min(WIDTH - MARGIN, Math.max(MARGIN, site.x))
      site.y = Math.min(HEIGHT - MARGIN, Math.max(MARGIN, site.y))
    }
  }
}
