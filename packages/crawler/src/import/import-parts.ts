/**
 * ImportParts: what an import is made of, each part made after those that it works with. What it takes in goes the one way that
 * all captures go (`page-handler.ts` of ingest); commit, counts and index follow the stream of what was taken.
 */
import type { Instant, UrlRules } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import { Frontier } from '@comity/frontier'
import {
  FaultIsolation,
  GroupCommit,
  IngestEvents,
  LinkHandler,
  PageHandler,
  ReadingPool,
  Tally,
  TOTALS,
  earlierTotals,
  knownHooks,
} from '@comity/ingest'
import { RunSwitch } from '../control/run-switch.ts'
import { readingOptions } from '../fetch/run-reading.ts'
import { crawlDefaults } from '../options.ts'
import { runUrlRules } from '../run/stated-url-rules.ts'
import { ArchivedPages } from './archived-pages.ts'
import { ArchivedRevisits } from './archived-revisits.ts'
import { importLimits } from './import-call.ts'
import type { ImportCall, ImportLimits } from './import-call.ts'
import { ImportCounts } from './import-counts.ts'
import { ImportIndex } from './import-index.ts'

const MAX_UNREAD_BYTES = 4 << 20

export interface ImportParts {
  readonly now: () => Instant
  readonly limits: ImportLimits
  readonly collection: Collection
  readonly urlRules: UrlRules
  readonly frontier: Frontier
  readonly faults: FaultIsolation
  readonly pool: ReadingPool
  readonly commit: GroupCommit
  readonly counts: ImportCounts
  readonly index: ImportIndex | undefined
  readonly entered: ArchivedPages
  readonly revisits: ArchivedRevisits
  readonly pages: PageHandler
  /** Stopped by a fault. */
  readonly runSwitch: RunSwitch
}

export function importParts(collection: Collection, now: () => Instant, call: ImportCall): ImportParts {
  const limits = { ...importLimits, ...call.limits }
  const urlRules = runUrlRules(collection, call)
  const { commitEveryMs: everyMs, kinds, types, gzipLevel } = crawlDefaults
  const taken = new IngestEvents()
  const runSwitch = new RunSwitch()
  const tally = new Tally(earlierTotals(collection))
  const frontier = importFrontier(collection)
  const pool = new ReadingPool(readingOptions({ ...crawlDefaults, urlRules }), limits.threads, MAX_UNREAD_BYTES)
  const onError = (error: Error): void => runSwitch.fail(error)
  const commit = new GroupCommit({ collection, frontier, everyMs, taken, onError })
  taken.follow('committing', () => collection.putFact(TOTALS, structuredClone(tally.totals)))
  const entered = new ArchivedPages(frontier, collection, urlRules)
  return {
    now,
    limits,
    collection,
    urlRules,
    frontier,
    faults: new FaultIsolation(collection.dir, 'import', now),
    pool,
    commit,
    counts: new ImportCounts(tally.totals, taken),
    index: call.index === true ? new ImportIndex(collection, taken, pool) : undefined,
    entered,
    revisits: new ArchivedRevisits(frontier, collection, limits.maxRevisits),
    pages: new PageHandler({
      pool,
      collection,
      links: new LinkHandler(frontier, () => 'depth'),
      followUp: entered,
      tally,
      options: { kinds, types, gzipLevel, hooks: knownHooks(call.hooks ?? {}) },
      taken,
    }),
    runSwitch,
  }
}

function importFrontier(collection: Collection): Frontier {
  const { order, politeness, siteBudget, maxTries } = crawlDefaults
  return new Frontier({
    order,
    politenessOf: () => politeness,
    budgetOf: () => siteBudget,
    maxTries,
    random: () => 0,
    gates: false,
    textOf: (page) => collection.text(page),
  })
}
