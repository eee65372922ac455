/**
 * What earlier runs excluded may be wanted by this one: a crawl goes on with a wider scope, or one for pictures and one for
 * pages go on in one collection; or a version before excluded what today's rules are sure of. Only when the wishes have changed
 * since, as every excluded page is looked at.
 * What robots.txt or a page's `nofollow` kept out is not ours to take in.
 */
import { FACTS } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { EXCLUDED, readmittedBy, reasonNamed } from '@comity/frontier'
import type { Frontier, Scope } from '@comity/frontier'
import { followedKinds, mayBeWanted } from '@comity/ingest'
import type { TypeWish } from '@comity/ingest'
import { filterByType } from '../fetch/fetch-filter.ts'
import type { Instant } from '@comity/protocol'
import type { CrawlOptions } from '../options.ts'
import { scopeDigest } from './run-scope.ts'

/** Returns the sites of which files wait again that they had said to be of other types than were wanted. */
export function readmit(
  frontier: Frontier,
  collection: Collection,
  options: CrawlOptions,
  seeds: readonly string[],
  scope: Scope,
): ReadonlySet<number> {
  const isOtherType = isChanged(collection, 'types', JSON.stringify([options.kinds, options.types]))
  const isOtherScope = isChanged(collection, 'scope', scopeDigest(options, seeds))
  const changed = { scope: isOtherScope, type: isOtherType, never: false }
  const unheard = new Set<number>()
  if (!isOtherType && !isOtherScope) return unheard
  const { pages } = frontier
  for (let page = 0; page < pages.count; page++) {
    if (pages.stateOf(page) !== EXCLUDED) continue
    const reason = reasonNamed(pages.exclusionOf(page))
    if (!changed[readmittedBy(reason)]) continue
    const [url, depth] = [frontier.urlOf(page), pages.depthOf(page)]
    if (!isOfType(options, { page, url, depth }, pages.siteOf(page))) continue
    if (scope(url, { depth, listed: false }) !== undefined) continue
    frontier.admit(page)
    // What it is only its site knows: it says so again before the page is asked for.
    if (reason === 'told-type') unheard.add(pages.siteOf(page))
  }
  return unheard
}

/** What was visited before then is old enough to be asked for again. */
export function readmitOlder(frontier: Frontier, collection: Collection, before: Instant): void {
  for (const { key, value } of collection.pages()) if (value.visitedAt <= before) frontier.admit(key)
}

/** Of a collection from before such notes were made nobody knows what it was made for. */
function isChanged(collection: Collection, name: 'types' | 'scope', said: string): boolean {
  const before = collection.fact(FACTS[name])
  if (before === said) return false
  collection.putFact(FACTS[name], said)
  return before !== undefined
}

interface KnownPage {
  readonly page: number
  readonly url: string
  readonly depth: number
}

function isOfType(wish: TypeWish, known: KnownPage, site: number): boolean {
  const task = { kind: 'page', ...known, tries: 0 } as const
  const isFollowed = mayBeWanted(wish, known.url) !== false || followedKinds(wish).includes('page')
  return isFollowed && filterByType(wish).admits(task, site) === 'fetch'
}
