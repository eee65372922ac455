/** Summary: what a crawl came to, as `--json` prints it and the last screen tells it, and how far it is meanwhile. */
import { excludedPages } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import type { BatchReport } from './batch-watch.ts'
import type { DumpReport } from '../bulk/dump-report.ts'
import type { IndexSummary } from '@comity/search'
import type { SiteOutcome, Totals } from '@comity/ingest'
import { failuresOf } from '@comity/ingest'
import type { CrawlProgress } from '../crawl-call.ts'
import type { MediaTypeReport } from '../media-type/media-type-crawl.ts'
import type { RunWatch } from '../watch/run-watch.ts'
import type { RunParts } from './run-parts.ts'

const MAX_REPORTED = 1_000

export interface SeedReport {
  readonly url: string
  readonly done: boolean
  /** Pages found from it that are still to be fetched. */
  readonly waiting: number
}

/** A site that was given up, and why. */
export interface SiteReport {
  readonly origin: string
  readonly outcome: SiteOutcome
  readonly problem: string
}

export interface CrawlSummary {
  readonly pages: number
  readonly bytes: number
  readonly seconds: number
  readonly pagesPerSecond: number
  readonly requests: number
  /** Visits that ended badly; `outcomes` says how. */
  readonly failed: number
  /** Known URLs that are excluded; `outside` says why, and has its name from the first. */
  readonly skipped: number
  readonly links: number
  readonly sites: number
  readonly known: number
  readonly waiting: number
  readonly collection: string
  readonly interrupted: boolean
  readonly seeds: readonly SeedReport[]
  readonly outcomes: Readonly<Record<string, number>>
  readonly outside: Readonly<Record<string, number>>
  /** One excluded URL for each reason. */
  readonly outsideExamples: Readonly<Record<string, string>>
  /** Pages that show next to nothing without scripts, which a crawl does not run, and some of them. */
  readonly needsScripts: { readonly pages: number; readonly examples: readonly string[] }
  /** Sites that gave no answer, or were left at their budget, with pages still waiting. */
  readonly unfinishedSites: number
  /** Why sites were given up in this run, the first thousand of them. */
  readonly givenUp: readonly SiteReport[]
  /** Of a crawl in batches: how long each took, and how many visits stood idle at its tail. */
  readonly batches: readonly BatchReport[]
  /** Of a crawl that wants no HTML: how files were found, and what finding them cost. */
  readonly typed?: MediaTypeReport | undefined
  /** Of sites whose first copy came from their dump. */
  readonly dumps: readonly DumpReport[]
  /** Absent when the crawl did not index. */
  readonly index?: IndexSummary | undefined
}

export function crawlSummary(
  frontier: Frontier,
  totals: Totals,
  seeds: readonly string[],
  run: {
    collection: string
    seconds: number
    interrupted: boolean
    linksDropped: number
    pagesBefore: number
    givenUp: readonly SiteReport[]
    batches: readonly BatchReport[]
    typed: MediaTypeReport | undefined
    dumps: readonly DumpReport[]
    index: IndexSummary | undefined
  },
): CrawlSummary {
  const pages = totals.pages - run.pagesBefore
  const excluded = excludedPages(frontier.pages, (page) => frontier.urlOf(page))
  return {
    pages: totals.pages,
    bytes: totals.bytes,
    seconds: run.seconds,
    pagesPerSecond: run.seconds > 0 ? pages / run.seconds : 0,
    requests: totals.requests,
    failed: failuresOf(totals.outcomes).reduce((sum, [, count]) => sum + count, 0),
    skipped: frontier.count('excluded') + run.linksDropped,
    links: totals.links,
    sites: frontier.sites.filter((site) => site.visited > 0).length,
    known: frontier.pages.count,
    waiting: frontier.count('waiting'),
    collection: run.collection,
    interrupted: run.interrupted,
    seeds: seeds.map((url, seed) => ({ url, done: frontier.openOf(seed) === 0, waiting: frontier.openOf(seed) })),
    outcomes: totals.outcomes,
    outside: excluded.counts,
    outsideExamples: excluded.examples,
    needsScripts: needingScripts(frontier, totals),
    unfinishedSites: frontier.sites.filter((site) => site.waiting > 0).length,
    givenUp: run.givenUp.slice(0, MAX_REPORTED),
    batches: run.batches,
    typed: run.typed,
    dumps: run.dumps.slice(0, MAX_REPORTED),
    index: run.index,
  }
}

function needingScripts(frontier: Frontier, { needsScripts }: Totals): CrawlSummary['needsScripts'] {
  const { pages = 0, examples = [] } = needsScripts ?? {}
  const known = examples.filter((page) => page < frontier.pages.count)
  return { pages, examples: known.map((page) => frontier.urlOf(page)) }
}

export function crawlProgress(
  { tally, frontier, room, now }: Pick<RunParts, 'tally' | 'frontier' | 'room' | 'now'>,
  watch: Pick<RunWatch, 'sample'> | undefined,
): CrawlProgress {
  return {
    totals: tally.totals,
    waiting: frontier.count('waiting'),
    visits: room.visits,
    sitesReady: frontier.readySites,
    restMs: Math.max(0, frontier.wakesAt() - now()),
    sites: frontier.sites.length,
    watch: watch?.sample(now()),
  }
}
