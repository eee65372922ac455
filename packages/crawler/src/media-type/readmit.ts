/**
 * What earlier runs left alone for its type may be wanted by this one: a crawl for pictures and one for pages go on in one
 * collection. Only when the wish has changed since, as every such page is looked at.
 */
import type { Collection } from '@comity/collection'
import { EXCLUDED, reasonCode } from '@comity/frontier'
import type { Frontier, Scope } from '@comity/frontier'
import { filterByType } from '../fetch/fetch-filter.ts'
import { followedKinds, mayBeWanted } from '@comity/ingest'
import type { TypeWish } from '@comity/ingest'
import { FACTS } from '@comity/collection'

const TYPE = reasonCode('type')

/** Returns how many pages wait again. */
export function readmitByType(frontier: Frontier, collection: Collection, wish: TypeWish, scope: Scope): number {
  const said = JSON.stringify([wish.kinds, wish.types])
  const before = collection.fact(FACTS.types)
  if (before === said) return 0
  collection.putFact(FACTS.types, said)
  // A collection from before such notes were made: nobody knows what it was made for.
  if (before === undefined) return 0
  const { pages } = frontier
  const gate = filterByType(wish)
  let readmitted = 0
  for (let page = 0; page < pages.count; page++) {
    if (pages.stateOf(page) !== EXCLUDED || pages.exclusionOf(page) !== TYPE) continue
    const [url, depth] = [frontier.urlOf(page), pages.depthOf(page)]
    const task = { kind: 'page', page, url, depth, tries: 0 } as const
    if (gate.admits(task, pages.siteOf(page)) !== 'fetch' || !isFollowed(wish, url)) continue
    if (scope(url, { depth, listed: false }) !== undefined) continue
    frontier.admit(page)
    readmitted++
  }
  return readmitted
}

function isFollowed(wish: TypeWish, url: string): boolean {
  return mayBeWanted(wish, url) !== false || followedKinds(wish).includes('page')
}
