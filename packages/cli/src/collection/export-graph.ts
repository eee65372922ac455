/**
 * Export graph: the links as tab-separated lines that sort, join, awk and every graph tool read.
 *
 *   edges  from URL · to URL · anchor text
 *   nodes  URL · state · status · depth       also of pages that are known and not fetched
 */
import { knownAs, knownPages } from '@comity/collection'
import { FORGOTTEN, WRITTEN_STATES } from '@comity/frontier'
import { tsvCell } from '@comity/protocol'
import type { CollectionView } from './collection-view.ts'

export function* edgeLines({ collection, frontier, urlOf }: CollectionView): Generator<string> {
  const { pages } = frontier
  // What a crawl beside us has added since we looked is not ours to tell.
  const isShown = (page: number): boolean => page < pages.count && pages.stateOf(page) !== FORGOTTEN
  for (const [from, links] of collection.linkLists()) {
    if (!isShown(from)) continue
    const source = urlOf(from)
    for (const { to, anchor } of links) if (isShown(to)) yield `${source}\t${urlOf(to)}\t${tsvCell(anchor)}`
  }
}

export function* nodeLines({ collection, frontier: { pages } }: CollectionView): Generator<string> {
  for (const { page, url, row } of knownPages(collection)) {
    if (page >= pages.count) return
    yield `${url}\t${WRITTEN_STATES[pages.stateOf(page)]}\t${row === undefined ? '' : knownAs(row).status}\t${pages.depthOf(page)}`
  }
}
