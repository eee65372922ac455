/** The fetch filter of one run, as its options ask for it: by type alone, or with what start sites have to tell before it. */
import type { Instant } from '@comity/protocol'
import { CooperationStore } from '@comity/follow'
import type { RunBudget } from '../control/crawl-budget.ts'
import { DumpHandler } from '../bulk/dump-handler.ts'
import type { DumpReport } from '../bulk/dump-report.ts'
import { budgetFor } from '../options.ts'
import { filterByType } from '../fetch/fetch-filter.ts'
import type { FetchFilter } from '../fetch/fetch-filter.ts'
import type { SettledVisit } from '@comity/ingest'
import { OfferDiscovery } from '../media-type/offer-discovery.ts'
import type { StartPages } from './start-pages.ts'
import { MediaTypeCrawl } from '../media-type/media-type-crawl.ts'
import type { MediaTypeReport } from '../media-type/media-type-crawl.ts'
import { readmit } from './readmit.ts'
import { isMediaTypeCrawl } from '@comity/ingest'
import type { VisitParts } from '../fetch/visit.ts'

export interface RunFetchFilter extends FetchFilter {
  settled(visit: SettledVisit): void
  /** Pages that are wanted whole for another reason, too. */
  wantWhole(isWanted: (page: number) => boolean): void
  /** What earlier runs excluded may be wanted by this one. */
  restore(): void
  /** `typed` of a media-type crawl alone. */
  report(): { readonly typed: MediaTypeReport | undefined; readonly dumps: readonly DumpReport[] }
}

interface RunFetchFilterParts {
  readonly visits: Omit<VisitParts, 'filter'>
  readonly start: StartPages
  readonly random: () => number
  readonly budget: RunBudget
}

export function runFetchFilter(parts: RunFetchFilterParts): RunFetchFilter {
  const { options } = parts.visits
  // Whoever keeps a collection fresh asks sites by itself.
  const isFirst = options.watch === undefined
  if (!isFirst) {
    const nothing = { typed: undefined, dumps: [] }
    // A watch has rules of its own for what is new, and they are no wider wish of the one who crawled.
    const plain = { settled: () => undefined, restore: () => undefined, report: () => nothing }
    return withWholePages({ ...filterByType(options), ...plain })
  }
  return withWholePages(discoveringFilter(parts, isMediaTypeCrawl(options)))
}

function withWholePages(filter: Omit<RunFetchFilter, 'wantWhole'>): RunFetchFilter {
  const wanted: ((page: number) => boolean)[] = [(page) => filter.mustBeWhole(page)]
  return {
    ...filter,
    mustBeWhole: (page) => wanted.some((isWanted) => isWanted(page)),
    wantWhole: (isWanted) => void wanted.push(isWanted),
  }
}

function restore({ visits, start }: RunFetchFilterParts, unheard: Set<number>): void {
  const { frontier, collection, options, robots } = visits
  for (const site of readmit(frontier, collection, options, start.urls, (url, found) => start.reasonFor(url, found))) {
    unheard.add(site)
    robots.askForSitemaps(site)
  }
}

function discoveringFilter(parts: RunFetchFilterParts, isTyped: boolean): Omit<RunFetchFilter, 'wantWhole'> {
  const { visits, start, random, budget } = parts
  const { options, frontier, collection, questions, robots, sitemaps, tally } = visits
  const before = { ...tally.totals }
  const now = (): Instant => visits.now()
  const store = new CooperationStore(collection)
  const originOf = (site: number): string => frontier.sites[site]!.origin
  const typed = isTyped ? new MediaTypeCrawl(options, originOf) : undefined
  const unheard = new Set<number>()
  const dumps =
    isTyped || !options.dumps
      ? undefined
      : new DumpHandler({
          options,
          frontier,
          store,
          questions,
          robots,
          sitemaps,
          now,
          random,
          pages: visits.pages,
          pool: visits.pool,
          faults: visits.faults,
          room: visits.room,
          start,
          pagesLeft: (site) => {
            const { maxPages } = budgetFor(budget, originOf(site))
            return Math.min(budget.maxPages - tally.totals.pages, maxPages - frontier.sites[site]!.visited)
          },
        })
  const preface = new OfferDiscovery({
    options,
    frontier,
    collection,
    store,
    questions,
    robots,
    sitemaps,
    start,
    now,
    typed,
    dumps,
    unheard,
  })
  return {
    admits: (task, site) => preface.admits(task, site),
    wants: (head, url, site) => preface.wants(head, url, site),
    mustBeWhole: (page) => preface.mustBeWhole(page),
    settled: (visit) => preface.settled(visit),
    restore: () => restore(parts, unheard),
    report: () => {
      const { requests, bytes } = tally.totals
      const spent = { requests: requests - before.requests, bytes: bytes - before.bytes }
      return { typed: typed?.report(spent), dumps: dumps?.reports ?? [] }
    },
  }
}
