/**
 * Important pages: what a site's own links and readers say of its pages (002 §6.3: "based on local connectivity, textual
 * information, or log file analysis"). Rank is PageRank over the links inside the site; importance is rank and readers
 * together, in equal parts, or rank alone where the owner keeps the access log to himself.
 *
 * It needs all pages at once, so it is audited by running it whole. The engine has no access log; what depends on it is
 * named in `unaudited`, and an engine is wise to use it for order within the site alone.
 */
export const manifest = {
  name: 'important-pages',
  version: '1.0.0',
  about: 'Ranks the pages of the site by the links between them and, where allowed, by how often each was read.',
  perPage: false,
  reads: ['pages', 'log'],
  emits: ['meta'],
  unaudited: ['hits', 'importance'],
}

/** Share of a rank that goes along links; the rest goes to all pages alike. */
const DAMPING = 0.85
const ROUNDS = 30
/** Pages that are told of. */
const MOST = 1000

export default function importantPages(agent) {
  const pages = [...agent.pages()]
  const targets = linksBetween(pages, agent)
  const ranks = pageRanks(targets)
  const log = agent.log()
  const hits = pages.map(({ url }) => (log === null ? 0 : (log[url] ?? 0)))
  const allHits = hits.reduce((sum, count) => sum + count, 0)
  const rows = pages.map(({ url }, i) => ({
    url,
    rank: ranks[i],
    hits: hits[i],
    importance: allHits === 0 ? ranks[i] : (ranks[i] + hits[i] / allHits) / 2,
  }))
  rows.sort((a, b) => b.importance - a.importance || (a.url < b.url ? -1 : 1))
  for (const { url, rank, hits: count, importance } of rows.slice(0, MOST)) {
    agent.emit({ kind: 'meta', url, rank: short(rank), hits: count, importance: short(importance) })
  }
}

/** Of each page, the numbers of the pages it links to, each once. */
function linksBetween(pages, agent) {
  const numbers = new Map(pages.map(({ url }, i) => [url, i]))
  return pages.map((page) => {
    const links = agent.html(page)?.links ?? []
    const found = new Set()
    for (const { url, rel } of links) {
      const to = numbers.get(url)
      if (to !== undefined && !rel.split(' ').includes('nofollow')) found.add(to)
    }
    return [...found]
  })
}

export function pageRanks(targets) {
  const count = targets.length
  let ranks = Array.from({ length: count }, () => 1 / count)
  for (let round = 0; round < ROUNDS; round++) {
    const next = Array.from({ length: count }, () => 0)
    let loose = 0
    for (const [i, list] of targets.entries()) {
      if (list.length === 0) loose += ranks[i]
      for (const to of list) next[to] += ranks[i] / list.length
    }
    ranks = next.map((rank) => (1 - DAMPING) / count + DAMPING * (rank + loose / count))
  }
  return ranks
}

/** Six digits that count: enough to order pages, and no noise to send. */
const short = (value) => Number(value.toPrecision(6))
