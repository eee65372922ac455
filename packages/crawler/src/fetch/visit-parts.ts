/** What a visit works with: the handlers of a crawl, made once from the parts of a run and shared by all of its visits. */
import type { Scope } from '@comity/frontier'
import { CrawlFollowUp, PageHandler, isMediaTypeCrawl } from '@comity/ingest'
import { productTokenOf } from '../options.ts'
import { OpenVisits } from '../run/open-visits.ts'
import { runFetchFilter } from '../run/run-fetch-filter.ts'
import type { RunFetchFilter } from '../run/run-fetch-filter.ts'
import type { RunParts } from '../run/run-parts.ts'
import { AddressCache } from './addresses.ts'
import { ByteBudget } from './byte-budget.ts'
import { DifferenceUse } from './difference-use.ts'
import { RobotsHandler } from './robots-handler.ts'
import { SitemapHandler } from './sitemap-handler.ts'
import { trustOf } from './trust.ts'
import type { VisitParts } from './visit.ts'

export function visitParts(run: RunParts): VisitParts & { readonly filter: RunFetchFilter } {
  const { options, world, frontier, start, fresh, now } = run
  const { allowPrivate, limits, urlRules } = options
  const scope: Scope = (url, found) => start.reasonFor(url, found)
  const seedOf = (origin: string): number => start.ofSite(origin)
  const open = new OpenVisits(now)
  run.runSwitch.onStop(() => open.stop())
  const visits = {
    ...run,
    open,
    addresses: new AddressCache({ lookup: world.lookup, allowPrivate, now, timeoutMs: limits.connectTimeoutMs }),
    bytes: new ByteBudget(options.bytesPerSecond),
    robots: robotsHandler(run),
    sitemaps: new SitemapHandler(frontier, { scope, urlRules, seedOf, wish: options }),
    differences: new DifferenceUse(fresh?.store, now),
    pages: new PageHandler({
      ...run,
      followUp: new CrawlFollowUp({ ...run, scope, onSeedMoved: (url) => start.move(url) }),
      whyOf: (page) => fresh?.revisits.whyOf(page),
    }),
    trust: trustOf(options.ca),
  }
  const filter = runFetchFilter({ visits, start, budget: run.budget, random: () => world.random() })
  run.taken.follow('deposit', (visit) => filter.settled(visit))
  return { ...visits, filter }
}

function robotsHandler({ options, frontier, collection, givenUp }: RunParts): RobotsHandler {
  const { sitemaps, urlRules, maxTries, politeness } = options
  // A media-type crawl reads a start site's sitemaps itself, to see whether they tell types.
  const readsSitemaps = sitemaps && !(isMediaTypeCrawl(options) && options.watch === undefined)
  return new RobotsHandler(frontier, collection, {
    productToken: productTokenOf(options.userAgent),
    sitemaps: readsSitemaps,
    urlRules,
    maxTries,
    retryMs: politeness.backoffMs,
    giveUp: (...why) => givenUp.add(...why),
  })
}
