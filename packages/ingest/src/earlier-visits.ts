/**
 * What the pages of a collection said, told again to an order that learns from links: the crawl that goes on ranks as if
 * it had never stopped.
 */
import { FACTS, unpackAnchors } from '@comity/collection'
import type { Collection } from '@comity/collection'
import type { PageVisit } from '@comity/frontier'

/** The anchors of a page are unpacked when the first of them is asked for: most orders ask for none. */
export function lazyAnchors(packed: Uint8Array): (n: number) => string {
  let anchors: readonly string[] | undefined
  return (n) => (anchors ??= unpackAnchors(packed))[n] ?? ''
}

/** `topic` says for what query the pages' similarity was stored; for another one nothing is known of it. */
export function* earlierVisits(
  collection: Collection,
  topic: readonly string[],
): Generator<readonly [page: number, visit: PageVisit]> {
  const isSame = collection.fact(FACTS.topic) === topic.join(' ') && topic.length > 0
  for (const [page, links] of collection.linkLists()) {
    const { similarity = 0, isHot = false } = (isSame ? collection.page(page) : undefined) ?? {}
    yield [page, { links: links.map(({ to }) => to), anchorOf: (n) => links[n]?.anchor ?? '', similarity, isHot }]
  }
}
