/** Collection facts: what a whole collection holds, gathered in one pass over its pages. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CollectionError, FACTS, FORGOTTEN_SEED_MARK, letterSummary, survey } from '@comity/collection'
import type { Collection, LetterSummary, SiteSurvey } from '@comity/collection'
import { cooperationOf, cooperationStory, isBelieved, isCooperating, lastWatch } from '@comity/follow'
import { earlierTotals, gatewayRows, isErrorOutcome, pagesNeedingScripts } from '@comity/ingest'
import type { PushStory, WatchMemory } from '@comity/follow'
import type { Totals } from '@comity/ingest'
import { ALL_ADDRESSES, excludedPages, PAGE_STATES, WRITTEN_STATES } from '@comity/frontier'
import { mediaKindOf, addCount } from '@comity/protocol'
import type { Instant, UrlRules } from '@comity/protocol'
import type { CollectionView } from './collection-view.ts'
import { readingFact } from '@comity/search'

export interface CollectionFacts {
  readonly collection: string
  readonly created: string
  /** What makes two URLs one of its pages. */
  readonly urlRules: UrlRules
  readonly seeds: readonly { readonly url: string; readonly waiting: number }[]
  /** Pages whose body is held. */
  readonly pages: number
  readonly totals: Totals
  readonly known: number
  readonly states: Counts
  readonly outside: Counts
  /** One excluded URL for each reason. */
  readonly outsideExamples: Readonly<Record<string, string>>
  /** Pages that show next to nothing without scripts, and some of them. */
  readonly needsScripts: { readonly pages: number; readonly examples: readonly string[] }
  /** How the last visit to each page ended, which may have told nothing new. */
  readonly outcomes: Counts
  /** What pages are known as; a status of 0 is no answer. */
  readonly knownOutcomes: Counts
  readonly statuses: Counts
  readonly kinds: Counts
  readonly errors: readonly ErrorFacts[]
  readonly siteCount: number
  /** By pages visited, most first. */
  readonly sites: readonly SiteFigures[]
  /** By the mean time to the first byte, slowest first. */
  readonly slowest: readonly SiteFigures[]
  /** Sites with pages to fetch, by when they may be asked. */
  readonly due: readonly { readonly origin: string; readonly at: Instant; readonly waiting: number }[]
  /** What keeping it fresh came to; undefined when nobody has. */
  readonly freshness: FreshnessFacts | undefined
  /** What was kept aside for a fault of ours. */
  readonly deadLetters: LetterSummary
  /** What it remembers and nobody can read; where that tells something here, it is told as if there were none. */
  readonly wrongFacts: WrongFacts
  readonly disk: Readonly<Record<'warc' | 'state' | 'index', number>>
  readonly warcFiles: number
}

export interface FreshnessFacts {
  /** Pages that were visited again, or heard of. */
  readonly records: number
  /** Sites that help crawlers, and those of them that are not believed in everything. */
  readonly cooperating: number
  readonly doubted: number
  /** Sites that push, those that sent most first. */
  readonly callers: readonly { readonly origin: string; readonly calls: PushStory }[]
  readonly lastWatch: WatchMemory
}

/** Facts that are of another kind than comity writes, or damaged. Whoever needs one ends with its name. */
interface WrongFacts {
  readonly count: number
  readonly names: readonly string[]
}

export type Counts = Readonly<Record<string, number>>

interface ErrorFacts {
  readonly outcome: string
  readonly pages: number
  /** One of them, and what was said about it. */
  readonly url: string
  readonly problem: string
}

export interface SiteFigures {
  readonly origin: string
  readonly visited: number
  readonly known: number
  readonly waiting: number
  readonly bytes: number
  readonly meanMs: number
  readonly crawlDelayMs: number
  readonly robots: string
}

const TOP_SITES = 20
const TOP_SLOWEST = 5
const TOP_DUE = 5

export function collectFacts(view: CollectionView, now: Instant): CollectionFacts {
  const { collection, frontier } = view
  const { outcomes, knownOutcomes, statuses, sites } = survey(collection)
  const visited = sites.filter(({ pages }) => pages > 0)
  const figures = (site: SiteSurvey): SiteFigures => siteFigures(view, site)
  const { dir } = collection
  const excluded = excludedPages(frontier.pages, view.urlOf)
  return {
    collection: dir,
    created: collection.manifest.created,
    urlRules: collection.urlRules(),
    seeds: (unlessWrong(() => collection.fact(FACTS.seeds)) ?? [])
      .map((url, seed) => ({ url, waiting: frontier.openOf(seed) }))
      .filter(({ url }) => !url.startsWith(FORGOTTEN_SEED_MARK)),
    totals: totalsOf(collection),
    known: frontier.pages.count,
    states: Object.fromEntries(PAGE_STATES.map((state, code) => [WRITTEN_STATES[code], frontier.count(state)])),
    outside: excluded.counts,
    outsideExamples: excluded.examples,
    needsScripts: needingScripts(view),
    outcomes: Object.fromEntries(outcomes),
    statuses: Object.fromEntries(statuses),
    knownOutcomes: Object.fromEntries(knownOutcomes),
    ...kindsAndErrors(view, outcomes),
    siteCount: visited.length,
    sites: visited.slice(0, TOP_SITES).map(figures),
    slowest: visited
      .toSorted((a, b) => b.meanFirstByteMs - a.meanFirstByteMs)
      .slice(0, TOP_SLOWEST)
      .map(figures),
    due: dueSites(view),
    freshness: freshnessFacts(view, now),
    deadLetters: letterSummary(dir),
    wrongFacts: wrongFacts(collection),
    disk: { warc: bytesIn(dir, 'warc'), state: bytesIn(dir, 'state'), index: bytesIn(dir, 'index') },
    warcFiles: collection.warcPaths.length,
  }
}

function totalsOf(collection: Collection): Totals {
  const totals = unlessWrong(() => earlierTotals(collection))
  if (totals === undefined) return { pages: 0, bytes: 0, links: 0, requests: 0, outcomes: {} }
  // Told by name beside them, and counted in the rows.
  const { needsScripts: _, ...told } = totals
  return told
}

function needingScripts({ collection, urlOf }: CollectionView): CollectionFacts['needsScripts'] {
  const { pages, examples } = pagesNeedingScripts(collection)
  return { pages, examples: examples.map(urlOf) }
}

/** What is held, and an example of each error. */
function kindsAndErrors(
  { collection, urlOf }: CollectionView,
  outcomes: ReadonlyMap<string, number>,
): Pick<CollectionFacts, 'pages' | 'kinds' | 'errors'> {
  const kinds: Record<string, number> = {}
  let pages = 0
  const firsts = new Map<string, { readonly page: number; readonly problem: string }>()
  for (const { key: page, value: row } of collection.pages()) {
    if (row.body !== undefined) {
      pages++
      addCount(kinds, mediaKindOf(row.type))
    }
    if (isErrorOutcome(row.outcome) && !firsts.has(row.outcome))
      firsts.set(row.outcome, { page, problem: row.problem ?? '' })
  }
  const errors = Array.from(firsts, ([outcome, { page, problem }]) => {
    return { outcome, pages: outcomes.get(outcome) ?? 0, url: urlOf(page), problem }
  })
  return { pages, kinds, errors: errors.toSorted((a, b) => b.pages - a.pages) }
}

function siteFigures(
  { collection, frontier }: CollectionView,
  { site, pages, bytes, meanFirstByteMs }: SiteSurvey,
): SiteFigures {
  const { origin, known, waiting, crawlDelayMs } = frontier.sites[site]!
  const robots = collection.robots(site)?.verdict ?? 'not asked'
  return { origin, visited: pages, known, waiting, bytes, meanMs: meanFirstByteMs, crawlDelayMs, robots }
}

function dueSites({ collection, frontier }: CollectionView): CollectionFacts['due'] {
  const addresses = new Map(collection.addresses())
  // After a kill one clock stands for every address that has none of its own.
  const elsewhere = addresses.get(ALL_ADDRESSES) ?? 0
  return frontier.sites
    .filter((site) => site.waiting > 0)
    .map(({ origin, readyAt, askedUntil, address, waiting }) => ({
      origin,
      at: Math.max(readyAt, askedUntil, addresses.get(address ?? ALL_ADDRESSES) ?? elsewhere),
      waiting,
    }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, TOP_DUE)
}

function freshnessFacts({ collection, frontier }: CollectionView, now: Instant): FreshnessFacts | undefined {
  const watch = unlessWrong(() => lastWatch(collection))
  if (watch === undefined) return undefined
  let [records, cooperating, doubted] = [0, 0, 0]
  const callers: { origin: string; calls: PushStory }[] = []
  for (const { key } of collection.pages()) if (collection.freshness(key) !== undefined) records++
  for (const { id, origin } of frontier.sites) {
    const row = cooperationOf(collection, id) ?? {}
    const story = cooperationStory(row, watch.sample.dayMs, now)
    if (!isCooperating(story)) continue
    cooperating++
    const { calls } = story
    if (calls !== undefined && (calls.heard > 0 || calls.subscription !== undefined)) callers.push({ origin, calls })
    const isDoubted = story.channels.some(({ quarantine }) => quarantine !== undefined)
    const isLiar = calls !== undefined && !isBelieved(calls)
    if (isDoubted || isLiar || story.silenceDoubtedUntil !== undefined) doubted++
  }
  const best = callers.toSorted((a, b) => b.calls.heard - a.calls.heard).slice(0, TOP_SITES)
  return { records, cooperating, doubted, callers: best, lastWatch: watch }
}

/** Bytes on disk, which for a file with holes are fewer than its length. */
function bytesIn(dir: string, folder: string): number {
  const path = join(dir, folder)
  let bytes = 0
  for (const name of readdirSync(path)) {
    // A file may go while we look: a crawl is at work.
    const stat = statSync(join(path, name), { throwIfNoEntry: false })
    bytes += stat?.isFile() ? stat.blocks * 512 : 0
  }
  return bytes
}

/** All that a collection may remember, each by its name in the format. */
export const FACT_READERS: ReadonlyMap<string, (collection: Collection) => unknown> = new Map([
  ...Object.values(FACTS).map(
    (kind) => [kind.name, (collection: Collection) => collection.fact<unknown>(kind)] as const,
  ),
  ['totals', earlierTotals] as const,
  ['watch', lastWatch] as const,
  ['gateways', gatewayRows] as const,
  ['reading', readingFact] as const,
])

function wrongFacts(collection: Collection): WrongFacts {
  const names = [...FACT_READERS].filter(([, read]) => !isReadable(() => read(collection))).map(([name]) => name)
  return { count: names.length, names }
}

/** What it says; undefined, too, when it is wrong. */
function unlessWrong<Value>(read: () => Value | undefined): Value | undefined {
  return isReadable(read) ? read() : undefined
}

function isReadable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof CollectionError && error.code === 'COLLECTION_DAMAGED') return false
    throw error
  }
}
