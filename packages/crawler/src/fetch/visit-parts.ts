/** What a visit works with: the handlers of a crawl, made once from its parts and shared by all of its visits. */
import type { Instant } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Frontier, Scope } from '@comity/frontier'
import { AddressCache } from './addresses.ts'
import { ByteBudget } from './byte-budget.ts'
import type { FaultHandler, LinkHandler, SettledVisit, ReadingPool, Tally } from '@comity/ingest'
import { productTokenOf } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import { OpenVisits } from '../run/open-visits.ts'
import { PageHandler, isTypedCrawl } from '@comity/ingest'
import type { Questions } from '@comity/follow'
import { RobotsHandler } from './robots-handler.ts'
import { SitemapHandler } from './sitemap-handler.ts'
import type { SitesGivenUp } from '../run/sites-given-up.ts'
import type { StartPages } from '../run/start-pages.ts'
import { trustOf } from './trust.ts'
import type { VisitParts } from './visit.ts'
import type { World } from '../world.ts'

/** What the run itself does for its visits. */
type RunDuties = Pick<
  VisitParts,
  'sleepUntil' | 'room' | 'isStopping' | 'isSpent' | 'asked' | 'track' | 'learnt' | 'wantsDifferences' | 'noDifferences'
>

export interface RunParts extends RunDuties {
  readonly options: CrawlOptions
  readonly world: World
  readonly collection: Collection
  readonly frontier: Frontier
  readonly tally: Tally
  readonly pool: ReadingPool
  readonly links: LinkHandler
  readonly start: StartPages
  readonly givenUp: SitesGivenUp
  readonly questions: Questions
  readonly faults: FaultHandler
  readonly onDeposit: (visit: SettledVisit) => void
  readonly whyOf: (page: number) => string | undefined
  readonly onContent: (page: number) => void
}

/** All but the gate, which works with them. */
export function visitParts(run: RunParts): Omit<VisitParts, 'gate'> {
  const { options, world, collection, frontier, tally, pool, links, start, givenUp, questions, faults, ...rest } = run
  const { onDeposit, onContent, whyOf, ...duties } = rest
  const { sitemaps, maxTries, allowPrivate, manners, limits, urlRules } = options
  const now = (): Instant => world.now()
  const scope: Scope = (url, found) => start.reasonFor(url, found)
  const onSeedMoved = (url: string): void => start.move(url)
  const seedOf = (origin: string): number => start.ofSite(origin)
  const giveUp: VisitParts['giveUp'] = (...why) => givenUp.add(...why)
  const productToken = productTokenOf(options.userAgent)
  // A typed crawl reads a start site's sitemaps itself, to see whether they tell types.
  const readsSitemaps = sitemaps && !(isTypedCrawl(options) && options.watch === undefined)
  const gate = { productToken, sitemaps: readsSitemaps, maxTries, retryMs: manners.backoffMs, giveUp }
  return {
    ...duties,
    options,
    frontier,
    collection,
    tally,
    faults,
    now,
    pool,
    open: new OpenVisits(now),
    giveUp,
    addresses: new AddressCache({ lookup: world.lookup, allowPrivate, now, timeoutMs: limits.connectTimeoutMs }),
    budget: new ByteBudget(options.bytesPerSecond),
    robots: new RobotsHandler(frontier, collection, gate),
    sitemaps: new SitemapHandler(frontier, { scope, urlRules, seedOf }),
    reasonForRead: (url) => start.reasonForRead(url),
    reasonSince: (url) => start.reasonSince(url),
    questions,
    pages: new PageHandler({
      frontier,
      collection,
      links,
      scope,
      tally,
      pool,
      options,
      onSeedMoved,
      onContent,
      onDeposit,
      whyOf,
    }),
    trust: trustOf(options.ca),
  }
}
