/**
 * Graph clusters: which sites belong together, judged by the links between them alone.
 *
 * Louvain's method (Blondel et al. 2008, doi:10.1088/1742-5468/2008/10/P10008): each site moves to the neighbouring
 * cluster where the share of inner links rises most above what chance would give; then clusters are taken for sites and
 * it begins again. Sites are taken in their order, so the same graph gives the same clusters.
 */
export type WeightedLink = readonly [from: number, to: number, weight: number]

/** The cluster of each of `size` sites; cluster 0 is the largest, then 1, and so on. */
export function clustersOf(size: number, links: readonly WeightedLink[]): Int32Array {
  return bySize(louvain(size, links))
}

function louvain(size: number, links: readonly WeightedLink[]): Int32Array {
  const clusters = moveSites(size, links)
  const names = [...new Set(clusters)]
  if (names.length === size || names.length <= 1) return clusters
  const at = new Map(names.map((name, i) => [name, i]))
  const coarse = clusters.map((name) => at.get(name)!)
  const above = louvain(
    names.length,
    links.map(([from, to, weight]): WeightedLink => [coarse[from]!, coarse[to]!, weight]),
  )
  return coarse.map((name) => above[name]!)
}

const ROUNDS = 8

function moveSites(size: number, links: readonly WeightedLink[]): Int32Array {
  const neighbours: [site: number, weight: number][][] = Array.from({ length: size }, () => [])
  const degree = new Float64Array(size)
  let total = 0
  for (const [from, to, weight] of links) {
    degree[from]! += weight
    degree[to]! += weight
    total += 2 * weight
    if (from === to) continue
    neighbours[from]!.push([to, weight])
    neighbours[to]!.push([from, weight])
  }
  const cluster = Int32Array.from({ length: size }, (_, i) => i)
  const held = degree.slice()
  for (let round = 0, moved = true; moved && round < ROUNDS; round++) {
    moved = false
    for (let site = 0; site < size; site++) {
      const home = cluster[site]!
      held[home]! -= degree[site]!
      const best = bestCluster(home, neighbours[site]!, cluster, (c) => (degree[site]! * held[c]!) / total)
      held[best]! += degree[site]!
      if (best !== home) [cluster[site], moved] = [best, true]
    }
  }
  return cluster
}

/** Where the links into a cluster exceed most what chance would give; home when nothing is better. */
function bestCluster(
  home: number,
  neighbours: readonly (readonly [site: number, weight: number])[],
  cluster: Int32Array,
  chance: (cluster: number) => number,
): number {
  const into = new Map<number, number>([[home, 0]])
  for (const [site, weight] of neighbours) into.set(cluster[site]!, (into.get(cluster[site]!) ?? 0) + weight)
  let best = home
  let bestGain = into.get(home)! - chance(home) + 1e-9
  for (const [candidate, weight] of into) {
    const gain = weight - chance(candidate)
    if (gain > bestGain) [best, bestGain] = [candidate, gain]
  }
  return best
}

function bySize(clusters: Int32Array): Int32Array {
  const counts = new Map<number, number>()
  for (const cluster of clusters) counts.set(cluster, (counts.get(cluster) ?? 0) + 1)
  const order = [...counts].toSorted(([a, m], [b, n]) => n - m || a - b)
  const rank = new Map(order.map(([cluster], i) => [cluster, i]))
  return clusters.map((cluster) => rank.get(cluster)!)
}
