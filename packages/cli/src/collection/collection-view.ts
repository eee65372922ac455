/**
 * Collection view: a collection opened to look only, with its pages' places in the queue. Works beside a crawl that
 * writes it; what is seen is the moment of opening.
 *
 * The frontier is rebuilt in memory as a crawl would do it, about 45 bytes for each known URL.
 */
import { Collection, FACTS } from '@comity/collection'
import { Frontier, politeDefaults } from '@comity/frontier'
import type { SiteRow } from '@comity/frontier'
import { crawlDefaults } from '@comity/crawler'
import type { Instant } from '@comity/protocol'

export interface CollectionView extends AsyncDisposable {
  readonly collection: Collection
  readonly frontier: Frontier
  /** URLs by page, the latest of them remembered: graphs name the same pages again and again. */
  readonly urlOf: (page: number) => string
}

const MAX_REMEMBERED = 200_000
/** Which shard it is does not matter to who only looks. */
const SOMEWHERE = 0

export function openView(dir: string): CollectionView {
  const collection = Collection.openReadOnly(dir)
  const frontier = frontierOf(collection)
  const urls = new Map<number, string>()
  return {
    collection,
    frontier,
    urlOf: (page) => {
      const known = urls.get(page)
      if (known !== undefined) return known
      const url = collection.url(page) ?? '(forgotten)'
      if (urls.size >= MAX_REMEMBERED) urls.delete(urls.keys().next().value!)
      urls.set(page, url)
      return url
    },
    [Symbol.asyncDispose]: () => collection.close(),
  }
}

function frontierOf(collection: Collection): Frontier {
  try {
    // As if closed well: a look changes no clock.
    return restoredFrontier(collection, 0, true)
  } catch (error) {
    void collection.close()
    throw error
  }
}

/**
 * The frontier of a collection that is not going to be crawled now, so that order and budgets do not matter. In a shard of a cluster what
 * is at home elsewhere is known by its whole URL; at home here is what it has a site for, and `home`.
 */
export function restoredFrontier(collection: Collection, now: Instant, clean: boolean, home?: string): Frontier {
  const origins = new Set(home === undefined ? [] : [home])
  const isShard = collection.fact(FACTS.openings) !== undefined
  const frontier = new Frontier({
    order: crawlDefaults.order,
    politenessOf: () => politeDefaults,
    budgetOf: () => crawlDefaults.siteBudget,
    maxTries: crawlDefaults.maxTries,
    random: () => 0,
    gates: false,
    shard: isShard ? { homeOf: (origin) => (origins.has(origin) ? undefined : SOMEWHERE) } : undefined,
    textOf: (page) => collection.text(page),
  })
  const source = {
    pageLog: () => collection.pageLog(),
    sites: () => collection.sites<SiteRow>(),
    addresses: () => collection.addresses(),
  }
  frontier.restore(source, now, clean)
  for (const { origin } of frontier.sites) origins.add(origin)
  return frontier
}
