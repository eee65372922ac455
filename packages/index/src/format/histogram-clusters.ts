/**
 * Histograms joined into clusters, so that coding each by the sum of its cluster loses little: the cluster that loses
 * most is split in two until there are enough, then every histogram goes to the cluster that suits it best, and again.
 * That is Lloyd's algorithm with relative entropy for distance (Banerjee et al. 2005).
 */

/** How often each symbol occurs; all of one length. */
type Histogram = readonly number[]

const SPLIT_ROUNDS = 8
const ROUNDS = 30
/** The share that symbols get which a cluster has not seen, or nothing with them could ever join it. */
const UNSEEN = 2e-5

/** At most so many clusters, each as the places of its histograms. */
export function clusterHistograms(histograms: readonly Histogram[], most: number): number[][] {
  const own = histograms.map((histogram) => costOf(histogram, bitsBy(histogram)))
  const lossOf = (cluster: readonly number[]): number => {
    const sum = sumOf(histograms, cluster)
    return costOf(sum, bitsBy(sum)) - cluster.reduce((total, i) => total + (own[i] as number), 0)
  }
  let clusters = [[...histograms.keys()]]
  const losses = clusters.map((cluster) => lossOf(cluster))
  while (clusters.length < most) {
    const worst = losses.indexOf(Math.max(...losses))
    const [one, other] = split(histograms, clusters[worst] as number[], own)
    if (one.length === 0 || other.length === 0) break
    clusters[worst] = one
    losses[worst] = lossOf(one)
    losses.push(lossOf(other))
    clusters.push(other)
  }
  for (let i = 0; i < ROUNDS; i++) clusters = nearest(histograms, [...histograms.keys()], centres(histograms, clusters))
  return clusters
}

/** In two: what suits the member that suits the cluster least, and the rest. */
function split(histograms: readonly Histogram[], cluster: number[], own: readonly number[]): [number[], number[]] {
  const [all] = centres(histograms, [cluster])
  const losses = cluster.map((i) => costOf(histograms[i] as Histogram, all as number[]) - (own[i] as number))
  const outlier = histograms[cluster[losses.indexOf(Math.max(...losses))] as number] as Histogram
  let halves = nearest(histograms, cluster, [bitsBy(outlier), all as number[]])
  for (let i = 0; i < SPLIT_ROUNDS && halves.length === 2; i++)
    halves = nearest(histograms, cluster, centres(histograms, halves))
  return [halves[0] ?? [], halves[1] ?? []]
}

/** Each member to the centre that codes it best. Centres that nobody goes to are left out. */
function nearest(histograms: readonly Histogram[], members: readonly number[], bits: readonly number[][]): number[][] {
  const clusters = bits.map((): number[] => [])
  for (const i of members) {
    const costs = bits.map((own) => costOf(histograms[i] as Histogram, own))
    clusters[costs.indexOf(Math.min(...costs))]?.push(i)
  }
  return clusters.filter((cluster) => cluster.length > 0)
}

const centres = (histograms: readonly Histogram[], clusters: readonly number[][]): number[][] =>
  clusters.map((cluster) => bitsBy(sumOf(histograms, cluster)))

export function sumOf(histograms: readonly Histogram[], members: readonly number[]): number[] {
  const sum = (histograms[members[0] as number] as Histogram).map(() => 0)
  for (const i of members)
    for (const [symbol, count] of (histograms[i] as Histogram).entries()) sum[symbol] = (sum[symbol] as number) + count
  return sum
}

/** Bits of each symbol in the ideal code for a histogram. */
function bitsBy(histogram: Histogram): number[] {
  const total = histogram.reduce((sum, count) => sum + count, 0) || 1
  return histogram.map((count) => -Math.log2((count / total + UNSEEN) / (1 + UNSEEN * histogram.length)))
}

function costOf(histogram: Histogram, bits: readonly number[]): number {
  let cost = 0
  for (let symbol = 0; symbol < histogram.length; symbol++)
    cost += (histogram[symbol] as number) * (bits[symbol] as number)
  return cost
}
