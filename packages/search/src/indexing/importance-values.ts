/** The importance of every page of a collection: PageRank of the links we have seen, mean 1 (003 §2). */
import type { Collection } from '@comity/collection'
import { PageRank } from '@comity/frontier'

export function importanceOf(collection: Collection): Float32Array {
  const ranks = new PageRank()
  let pages = 0
  for (const [page, targets] of collection.linkTargets()) {
    ranks.set(page, targets)
    pages = targets.reduce((most, target) => Math.max(most, target + 1), Math.max(pages, page + 1))
  }
  ranks.solve()
  return Float32Array.from({ length: pages }, (_, page) => ranks.rankOf(page))
}
