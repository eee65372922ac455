/** The gate of one run, as its options ask for it: by type alone, or with what start sites have to tell before it. */
import type { Instant } from '@comity/protocol'
import { CooperationStore } from '@comity/follow'
import type { RunBudget } from '../control/crawl-budget.ts'
import { DumpHandler } from '../bulk/dump-handler.ts'
import type { DumpReport } from '../bulk/dump-handler.ts'
import { budgetFor } from '../options.ts'
import { gateByType } from '../fetch/page-gate.ts'
import type { PageGate } from '../fetch/page-gate.ts'
import type { SettledVisit } from '@comity/ingest'
import { SitePreface } from '../typed/site-preface.ts'
import type { StartPages } from './start-pages.ts'
import { TypedCrawl } from '../typed/typed-crawl.ts'
import type { TypedReport } from '../typed/typed-crawl.ts'
import { readmitByType } from '../typed/readmit.ts'
import { isTypedCrawl } from '@comity/ingest'
import type { VisitParts } from '../fetch/visit.ts'

export interface RunGate extends PageGate {
  settled(visit: SettledVisit): void
  /** Pages that are wanted whole for another reason, too. */
  wantWhole(isWanted: (page: number) => boolean): void
  /** What earlier runs left alone may be wanted by this one. */
  restore(): void
  /** `typed` of a typed crawl alone. */
  report(): { readonly typed: TypedReport | undefined; readonly dumps: readonly DumpReport[] }
}

export interface RunGateParts {
  readonly visits: Omit<VisitParts, 'gate'>
  readonly start: StartPages
  readonly random: () => number
  readonly budget: RunBudget
}

export function runGate(parts: RunGateParts): RunGate {
  const { options } = parts.visits
  // Whoever keeps a collection fresh asks sites by itself.
  const isFirst = options.watch === undefined
  const isTyped = isTypedCrawl(options)
  if (!isFirst || !(isTyped || options.dumps)) {
    const nothing = { typed: undefined, dumps: [] }
    const plain = { settled: () => undefined, restore: () => restore(parts), report: () => nothing }
    return withWholePages({ ...gateByType(options), ...plain })
  }
  return withWholePages(prefacedGate(parts, isTyped))
}

function withWholePages(gate: Omit<RunGate, 'wantWhole'>): RunGate {
  const wanted: ((page: number) => boolean)[] = [(page) => gate.mustBeWhole(page)]
  return {
    ...gate,
    mustBeWhole: (page) => wanted.some((isWanted) => isWanted(page)),
    wantWhole: (isWanted) => void wanted.push(isWanted),
  }
}

function restore({ visits, start }: RunGateParts): void {
  const { frontier, collection, options } = visits
  readmitByType(frontier, collection, options, (url, found) => start.reasonFor(url, found))
}

function prefacedGate(parts: RunGateParts, isTyped: boolean): Omit<RunGate, 'wantWhole'> {
  const { visits, start, random, budget } = parts
  const { options, frontier, collection, questions, robots, sitemaps, tally } = visits
  const before = { ...tally.totals }
  const now = (): Instant => visits.now()
  const store = new CooperationStore(collection)
  const originOf = (site: number): string => frontier.sites[site]!.origin
  const typed = isTyped ? new TypedCrawl(options, originOf) : undefined
  const dumps = isTyped
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
        room: () => visits.room.forPage(),
        isInScope: (url) => start.reasonFor(url, { depth: 1, listed: true }) === undefined,
        pagesLeft: (site) => {
          const { maxPages } = budgetFor(budget, originOf(site))
          return Math.min(budget.maxPages - tally.totals.pages, maxPages - frontier.sites[site]!.visited)
        },
        isStopping: (site) => visits.room.isStopping || visits.room.isEnough(site),
      })
  const preface = new SitePreface({
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
  })
  return {
    admits: (task, site) => preface.admits(task, site),
    wants: (head, url, site) => preface.wants(head, url, site),
    mustBeWhole: (page) => preface.mustBeWhole(page),
    settled: (visit) => preface.settled(visit),
    restore: () => restore(parts),
    report: () => {
      const { requests, bytes } = tally.totals
      const spent = { requests: requests - before.requests, bytes: bytes - before.bytes }
      return { typed: typed?.report(spent), dumps: dumps?.reports ?? [] }
    },
  }
}
