/** A made-up graph of sites, for tests. */
import type { GraphModel } from '../model/models.ts'

/** Numbers that look random and are not (mulberry32). */
function createDice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Sites in groups that mostly link among themselves, as the Web's do. */
export function sampleGraph(sites: number, links: number): GraphModel {
  const dice = createDice(sites)
  const groups = Math.max(1, Math.round(Math.sqrt(sites) / 2))
  const counts = new Map<string, readonly [number, number, number]>()
  const popular = (): number => Math.floor(dice() ** 2 * sites)
  for (let tries = 0; counts.size < links && tries < links * 20; tries++) {
    const from = popular()
    let to = popular()
    if (dice() < 0.75) to -= (to - from) % groups
    if (to < 0 || to >= sites || to === from) continue
    counts.set(`${from}-${to}`, [from, to, Math.ceil(dice() ** 6 * 4_000)])
  }
  return {
    sites: Array.from({ length: sites }, (_, i) => ({
      origin: `https://${['news', 'docs', 'wiki', 'shop', 'lists', 'mirror'][i % 6]}-${i}.example.${['org', 'net', 'com'][i % 3]}`,
      pages: Math.ceil(9_000 / (i + 1) ** 0.9),
      importance: 0.2 / (i + 1),
    })),
    links: [...counts.values()],
    leftOut: 12,
    linkedOnly: 0,
  }
}
