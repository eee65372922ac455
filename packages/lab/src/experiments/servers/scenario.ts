/**
 * Scenarios: one set of assumptions about pages, run once for each seed (or stretch of a history), and all that is
 * measured of it: change classes (Figure 2), needless requests (Figure 3), freshness against bandwidth (Figure 6).
 */
import { measuredShares } from '../../webs/change-classes.ts'
import { daysChanged } from '../../webs/change-process.ts'
import type { ChangeProcess } from '../../webs/change-process.ts'
import { curveOf, intervalOf } from './curve.ts'
import type { FreshnessCurve, Interval } from './curve.ts'
import { needlessAt } from './needless.ts'
import type { NeedlessPoint } from './needless.ts'
import { conventionalFreshness, metadataFreshness, repositoryOf } from './refresh.ts'
import type { Repository } from './refresh.ts'
import type { ServersSettings } from './settings.ts'

export interface Scenario {
  readonly name: string
  /** What it assumes, a sentence. */
  readonly about: string
  runs(): Iterable<ScenarioRun>
}

export interface ScenarioRun {
  readonly process: ChangeProcess
  /** The same pages for as long as 000 §4.1 watched them: what Figure 2 is drawn from. */
  readonly watched: ChangeProcess
  /** Of each page, in the unit of `overhead`. */
  readonly sizes: Float64Array
  /** What the metadata of each day costs. */
  readonly overhead: Float64Array
  /** How it is counted, and what other ways of counting add to each day. */
  readonly counted: string
  readonly countedElse: readonly { readonly name: string; readonly added: number }[]
}

export interface ScenarioOutcome {
  readonly name: string
  readonly about: string
  readonly runs: number
  readonly pages: Interval
  readonly changedADay: Interval
  /** Of the five bars of Figure 2, as daily visits tell them. */
  readonly classShares: readonly Interval[]
  readonly needless: readonly NeedlessInterval[]
  readonly conventional: FreshnessCurve
  readonly metadata: FreshnessCurve
  readonly differences: FreshnessCurve
  /** The least bandwidth at which every page is fresh, as a share of the repository a day. */
  readonly perfect: { readonly conventional: Interval; readonly ways: readonly PerfectWay[] }
}

interface NeedlessInterval {
  readonly requests: number
  readonly bound: Interval
  readonly visited: Interval
  /** Pages visited in all runs, those with fewer needless visits than the bound, and with exactly as many. */
  readonly pages: number
  readonly below: number
  readonly tight: number
}

interface PerfectWay {
  /** How the metadata is counted. */
  readonly name: string
  readonly metadata: Interval
  readonly differences: Interval
}

interface RunOutcome {
  readonly pages: number
  readonly changedADay: number
  readonly classShares: readonly number[]
  readonly needless: readonly NeedlessPoint[]
  readonly conventional: readonly number[]
  readonly metadata: readonly number[]
  readonly differences: readonly number[]
  readonly perfect: { conventional: number; ways: { name: string; metadata: number; differences: number }[] }
}

export function measureScenario(scenario: Scenario, settings: ServersSettings): ScenarioOutcome {
  const visits = visitCounts(settings.days)
  const bandwidths = Array.from({ length: settings.levels + 1 }, (_, i) => i / settings.levels)
  const runs = Array.from(scenario.runs(), (run) => measureRun(run, bandwidths, visits, settings))
  const over = (value: (run: RunOutcome) => number): Interval => intervalOf(runs.map(value))
  const curve = (key: 'conventional' | 'metadata' | 'differences'): FreshnessCurve =>
    curveOf(
      bandwidths,
      runs.map((run) => run[key]),
    )
  return {
    name: scenario.name,
    about: scenario.about,
    runs: runs.length,
    pages: over((run) => run.pages),
    changedADay: over((run) => run.changedADay),
    classShares: runs[0]!.classShares.map((_, i) => over((run) => run.classShares[i]!)),
    needless: visits.map((requests, i) => ({
      requests,
      bound: over((run) => run.needless[i]!.bound),
      visited: over((run) => run.needless[i]!.visited),
      pages: runs.reduce((sum, run) => sum + run.pages, 0),
      below: runs.reduce((sum, run) => sum + run.needless[i]!.below, 0),
      tight: runs.reduce((sum, run) => sum + run.needless[i]!.tight, 0),
    })),
    conventional: curve('conventional'),
    metadata: curve('metadata'),
    differences: curve('differences'),
    perfect: {
      conventional: over((run) => run.perfect.conventional),
      ways: runs[0]!.perfect.ways.map(({ name }, i) => ({
        name,
        metadata: over((run) => run.perfect.ways[i]!.metadata),
        differences: over((run) => run.perfect.ways[i]!.differences),
      })),
    },
  }
}

/** Up to one a day. Dense where Figure 3 is steep. */
const visitCounts = (days: number): readonly number[] => [
  ...new Set(
    [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((part) => Math.ceil((part * days) / 100)),
  ),
]

function measureRun(
  { process, watched, sizes, overhead, counted, countedElse }: ScenarioRun,
  bandwidths: readonly number[],
  visits: readonly number[],
  { deltaShare }: ServersSettings,
): RunOutcome {
  const repository = repositoryOf(process, sizes)
  const changes = daysChanged(process)
  const withMetadata =
    (changeShare: number): FreshnessAt =>
    (bandwidth) =>
      metadataFreshness(repository, bandwidth * repository.total, { overhead, changeShare })
  const conventional = sweep((share) => conventionalFreshness(repository, share * repository.total), bandwidths)
  const metadata = sweep(withMetadata(1), bandwidths)
  const differences = sweep(withMetadata(deltaShare), bandwidths)
  // What is the same every day moves a line to the right and leaves its shape.
  const ways = [{ name: counted, added: 0 }, ...countedElse].map(({ name, added }) => ({
    name,
    metadata: metadata.perfectAt + added / repository.total,
    differences: differences.perfectAt + added / repository.total,
  }))
  return {
    pages: process.pages,
    changedADay: changedShare(repository),
    classShares: measuredShares(daysChanged(watched), watched.days),
    needless: visits.map((requests) => needlessAt(process, changes, requests)),
    conventional: conventional.freshness,
    metadata: metadata.freshness,
    differences: differences.freshness,
    perfect: { conventional: conventional.perfectAt, ways },
  }
}

const changedShare = ({ changed, pages, days }: Repository): number =>
  changed.reduce((sum, list) => sum + list.length, 0) / (pages * days)

type FreshnessAt = (bandwidth: number) => number

interface Sweep {
  readonly freshness: readonly number[]
  /** The bandwidth from which on all is fresh; below it a round robin may be lucky now and then. NaN if there is none. */
  readonly perfectAt: number
}

function sweep(freshnessAt: FreshnessAt, bandwidths: readonly number[]): Sweep {
  const freshness = bandwidths.map(freshnessAt)
  let first = freshness.length
  while (first > 0 && freshness[first - 1] === 1) first--
  if (first === freshness.length) return { freshness, perfectAt: NaN }
  if (first === 0) return { freshness, perfectAt: bandwidths[0]! }
  return { freshness, perfectAt: perfectFrom(freshnessAt, bandwidths[first - 1]!, bandwidths[first]!) }
}

/** Finer than the hundredth of a page in 10,000 that any result is told to. */
const FINEST = 1e-5

/** Between a bandwidth at which not all is fresh and one at which all is. */
function perfectFrom(freshnessAt: FreshnessAt, notAt: number, at: number): number {
  let [low, high] = [notAt, at]
  while (high - low > FINEST) {
    const middle = (low + high) / 2
    if (freshnessAt(middle) === 1) high = middle
    else low = middle
  }
  return high
}
