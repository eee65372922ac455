/** The frontier of one run: the order, the politeness and the budgets that its options ask for. */
import type { Collection } from '@comity/collection'
import { Frontier } from '@comity/frontier'
import type { HomeOf, SiteRow } from '@comity/frontier'
import { earlierVisits } from '@comity/ingest'
import type { Instant } from '@comity/protocol'
import type { RunBudget } from '../control/crawl-budget.ts'
import { budgetFor, politenessFor } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import type { WatchOptions } from '../watch-options.ts'

export function runFrontier(
  options: CrawlOptions,
  budget: RunBudget,
  collection: Collection,
  parts: { readonly random: () => number; readonly lag: () => number; readonly homeOf?: HomeOf | undefined },
): Frontier {
  const { order, topic, nearHot, promote, location, batch, maxTries, ignoreRobots } = options
  return new Frontier({
    order,
    importance: { topic: topic.words, nearHot, promote, location },
    lag: parts.lag,
    ...(batch < Infinity && { batch: { size: batch, spread: true } }),
    politenessOf: ({ origin, address }) => politenessFor(options, origin, address),
    budgetOf: (origin) => budgetFor(budget, origin),
    maxTries,
    random: parts.random,
    shard: parts.homeOf === undefined ? undefined : { homeOf: parts.homeOf },
    gates: !ignoreRobots,
    holds: heldBy(options.watch),
    textOf: (page) => collection.text(page),
  })
}

function heldBy(watch: WatchOptions | undefined): 'new' | 'all' | undefined {
  if (watch?.visits === false) return 'all'
  return watch?.explore === 0 ? 'new' : undefined
}

/** What earlier runs have left in the collection; a page log of which most is superseded is written anew. */
export async function restoreFrontier(
  frontier: Frontier,
  collection: Collection,
  { topic }: CrawlOptions,
  now: Instant,
  isMoved = false,
): Promise<void> {
  const source = {
    pageLog: () => collection.pageLog(),
    sites: () => collection.sites<SiteRow>(),
    addresses: () => collection.addresses(),
    visits: () => earlierVisits(collection, topic.words),
  }
  const superseded = frontier.restore(source, now, collection.wasClosed && !isMoved)
  if (superseded > 1_000_000 && superseded > 2 * frontier.pages.count)
    await collection.replacePageLog(frontier.snapshot())
}
