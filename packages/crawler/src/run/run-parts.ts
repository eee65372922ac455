/**
 * RunParts: what a run is made of, each part made after those that it works with. What one has to know of another that comes
 * later, it hears: from the stream of what was taken, or when the run stops.
 */
import type { Instant } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import { CooperationStore, Questions } from '@comity/follow'
import { connectionPages } from '@comity/frontier'
import type { Frontier } from '@comity/frontier'
import {
  Acknowledgements,
  earlierTotals,
  FaultIsolation,
  GroupCommit,
  IngestEvents,
  LinkHandler,
  ReadingPool,
  Tally,
  TOTALS,
} from '@comity/ingest'
import { Indexing } from '@comity/search'
import { RunBudget } from '../control/crawl-budget.ts'
import { RunSwitch } from '../control/run-switch.ts'
import { readingOptions } from '../fetch/run-reading.ts'
import type { CrawlOptions } from '../options.ts'
import { RevisitHandler } from '../watch/revisit-handler.ts'
import { WatchFigures } from '../watch/watch-figures.ts'
import type { World } from '../world.ts'
import { BatchWatch } from './batch-watch.ts'
import { Bell } from './bell.ts'
import { ContentEviction } from './content-eviction.ts'
import { ImportanceSample } from './importance-sample.ts'
import { runFrontier } from './run-frontier.ts'
import { InFlightLimits } from './in-flight-limits.ts'
import type { ShardPort } from './shard-port.ts'
import { SitesGivenUp } from './sites-given-up.ts'
import { StartPages } from './start-pages.ts'

/** Unread bytes that may wait for the readers. */
const MAX_UNREAD_BYTES = 4 << 20
/** Pages told to the order together while others wait to be read. */
const MAX_LAG = 32

export interface RunParts {
  readonly options: CrawlOptions
  readonly world: World
  readonly now: () => Instant
  readonly collection: Collection
  readonly taken: IngestEvents
  readonly start: StartPages
  readonly budget: RunBudget
  readonly tally: Tally
  readonly pool: ReadingPool
  readonly frontier: Frontier
  readonly givenUp: SitesGivenUp
  readonly faults: FaultIsolation
  readonly questions: Questions
  readonly links: LinkHandler
  readonly commit: GroupCommit
  readonly acknowledgements: Acknowledgements
  readonly runSwitch: RunSwitch
  readonly bell: Bell
  readonly batches: BatchWatch
  readonly importance: ImportanceSample
  readonly keeper: ContentEviction | undefined
  readonly indexing: Indexing | undefined
  readonly fresh: FreshParts | undefined
  readonly room: InFlightLimits
  /** Of one shard among several. */
  readonly shard: ShardPort | undefined
}

/** Of a run that keeps a collection fresh. */
export interface FreshParts {
  readonly store: CooperationStore
  readonly revisits: RevisitHandler
  readonly figures: WatchFigures
}

export function runParts(options: CrawlOptions, world: World, collection: Collection, shard?: ShardPort): RunParts {
  const now = (): Instant => world.now()
  const random = (): number => world.random()
  const taken = new IngestEvents()
  const runSwitch = new RunSwitch()
  const bell = new Bell()
  const start = new StartPages(options, collection, now())
  const budget = new RunBudget(options)
  const tally = new Tally(earlierTotals(collection))
  const pool = new ReadingPool(readingOptions(options), options.threads, MAX_UNREAD_BYTES)
  const lag = (): number => (pool.unreadBytes > 0 ? MAX_LAG : 0)
  const frontier = runFrontier(options, budget, collection, { random, lag, homeOf: shard?.homeOf })
  const faults = new FaultIsolation(collection.dir, 'crawl', now)
  const onError = (error: Error): void => runSwitch.fail(error)
  const commit = new GroupCommit({ collection, frontier, everyMs: options.commitEveryMs, taken, onError })
  const indexing = options.index ? indexingOf(collection, taken, pool) : undefined
  const batches = new BatchWatch(options.parallel)
  const fresh = freshParts(options, frontier, collection, random)
  const revisits = fresh?.revisits
  const limits = { options, budget, tally, frontier, pool, commit, indexing, revisits, batches }
  // The totals travel with every commit, so that limits hold across a kill; a copy, as counting goes on meanwhile.
  taken.follow('committing', () => collection.putFact(TOTALS, structuredClone(tally.totals)))
  runSwitch.onStop(() => bell.ring())
  return {
    ...limits,
    ...contentParts(options, frontier, collection, taken, random),
    world,
    now,
    collection,
    taken,
    start,
    givenUp: new SitesGivenUp(frontier),
    faults,
    questions: new Questions(frontier, faults),
    links: new LinkHandler(frontier, (url, found) => start.reasonFor(url, found)),
    acknowledgements: acknowledgementsOf(commit, taken, runSwitch),
    runSwitch,
    bell,
    fresh,
    shard,
    room: new InFlightLimits({ ...limits, runSwitch, bell, now, places: shard?.places }),
  }
}

function acknowledgementsOf(commit: GroupCommit, taken: IngestEvents, runSwitch: RunSwitch): Acknowledgements {
  const acknowledgements = new Acknowledgements(() => commit.soon())
  taken.follow('committing', () => acknowledgements.begins())
  runSwitch.onStop((error) => {
    if (error !== undefined) acknowledgements.fail(error)
  })
  return acknowledgements
}

/** The index follows what became durable, and says how far it is. */
function indexingOf(collection: Collection, taken: IngestEvents, readers: ReadingPool): Indexing {
  const indexing = new Indexing(collection, {}, (change) => taken.tell('searchable', { change }))
  indexing.hear(readers)
  taken.follow('committed', () => indexing.follow())
  return indexing
}

/** Who looks at each page whose content has come. */
function contentParts(
  options: CrawlOptions,
  frontier: Frontier,
  collection: Collection,
  taken: IngestEvents,
  random: () => number,
): Pick<RunParts, 'keeper' | 'importance'> {
  const keeper = options.keep < Infinity ? new ContentEviction(collection, frontier, options.keep) : undefined
  const importance = new ImportanceSample(frontier, collection, random)
  taken.follow('content', ({ page }) => {
    keeper?.add(page)
    importance.add(page)
  })
  return { keeper, importance }
}

function freshParts(
  { watch, urlRules, politeness }: CrawlOptions,
  frontier: Frontier,
  collection: Collection,
  random: () => number,
): FreshParts | undefined {
  if (watch === undefined) return undefined
  const store = new CooperationStore(collection)
  const pagesPerConnection = connectionPages(politeness)
  const shared = { options: watch, frontier, collection, store, urlRules, random }
  return { store, revisits: new RevisitHandler({ ...shared, pagesPerConnection }), figures: new WatchFigures() }
}
