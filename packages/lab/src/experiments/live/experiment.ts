/**
 * Live experiment: is a simulated crawl what a live one would have been? The web is served on loopback and crawled in each
 * order by the crawler itself, over sockets and with politeness; the same crawl is simulated with the same w, k and r; and
 * both are drawn on one plot, cumulative PageRank against pages.
 *
 *   web ──▶ serve, crawl, log ──▶ curve ─┐
 *    └────▶ simulate, several draws ─────┴──▶ distance, band ──▶ figure and row of each order
 *
 * A live crawl is never the same twice, so neither is this report: the only one of the lab that is not.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { reachableFrom } from '../../webs/graph/reach.ts'
import { agreementOf, asFarOutside, bandOf, rankCurve } from './agreement.ts'
import type { Agreement, RankCurve, SimulatedBand } from './agreement.ts'
import { liveCrawl } from './crawl.ts'
import type { LiveCrawl } from './crawl.ts'
import { liveFigure, liveTables } from './figures.ts'
import { liveSettings } from './settings.ts'
import type { LiveSettings } from './settings.ts'
import { idealVisits, simulatedVisits } from './simulation.ts'
import { webShapeOf } from '../../report/model.ts'
import type { ExperimentResult, Parameter } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'
import { trueRanks } from '../../simulate/oracle.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

interface LiveHooks {
  /** Before each live crawl: its order, and how many are over. */
  readonly onCrawl?: ((order: string, done: number, of: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** One order, crawled and simulated. */
export interface LiveRun {
  readonly order: string
  readonly live: RankCurve
  readonly simulated: SimulatedBand
  readonly ideal: RankCurve
  readonly agreement: Agreement
  /** The share of the simulated crawls that get as far outside of the band of the others as the live one does. */
  readonly asFarOutside: number
  /** The largest distance of the live curve from the order itself: what politeness cost. */
  readonly cost: number
  /** Pages that were fetched more than once, and those that can be reached and were not. */
  readonly repeated: number
  readonly missed: number
  readonly medianOverheadMs: number
  readonly shortestRestMs: number
  /** What the politeness audit found. */
  readonly violations: readonly string[]
}

/** Throws a RangeError for settings that make no sense and for a web that cannot be served; rejects when aborted. */
export async function runLive(
  web: WebGraph,
  given: Partial<LiveSettings> = {},
  hooks: LiveHooks = {},
): Promise<ExperimentResult> {
  const settings = liveSettings(web.pages, given)
  const runs = await liveRuns(web, settings, hooks)
  const id = `live-${slugOf(web.name, 30)}-${web.pages}`
  return {
    id,
    name: `Live and simulated crawls of ${web.name}`,
    varies: true,
    paper: '004',
    finding: findingOf(runs),
    parameters: parametersOf(settings),
    seeds: [settings.seed],
    webs: [webShapeOf(web, 'served on loopback, one address a site')],
    figures: runs.map((run) => liveFigure(`${id}-${slugOf(run.order, 30)}`, run)),
    tables: liveTables(id, runs),
    claims: [],
    notes: notesOf(web, runs, settings),
  }
}

export async function liveRuns(web: WebGraph, settings: LiveSettings, hooks: LiveHooks = {}): Promise<LiveRun[]> {
  const ranks = trueRanks(web)
  const { reached } = reachableFrom(web, web.homes)
  const runs: LiveRun[] = []
  // One after the other: two crawls at once would wait for each other's processor.
  for (const [done, order] of settings.orders.entries()) {
    hooks.onCrawl?.(order, done, settings.orders.length)
    const crawled = await liveCrawl(web, { ...settings, order }, hooks.signal)
    hooks.signal?.throwIfAborted()
    runs.push(await compare(order, crawled, ranks, reached, settings, hooks.signal))
  }
  return runs
}

async function compare(
  order: string,
  crawled: LiveCrawl,
  ranks: Float64Array,
  reached: Uint8Array,
  settings: LiveSettings,
  signal: AbortSignal | undefined,
): Promise<LiveRun> {
  const { web, visits, overheadsMs, audit } = crawled
  const simulated: RankCurve[] = []
  for (let draw = 0; draw < settings.draws; draw++) {
    const seed = settings.seed + draw
    simulated.push(rankCurve(simulatedVisits(web, { ...settings, order, seed, overheadsMs, robotsTxt: true }), ranks))
    // So many of a large web take minutes, and whoever calls it off is to be heard.
    await nextTurn()
    signal?.throwIfAborted()
  }
  const live = rankCurve(visits, ranks)
  const band = bandOf(simulated, settings.robots)
  const agreement = agreementOf(live, band)
  const ideal = rankCurve(idealVisits(web, { ...settings, order }), ranks)
  const fetched = new Set(visits)
  return {
    order,
    live,
    simulated: band,
    ideal,
    agreement,
    asFarOutside: asFarOutside(agreement.outside, simulated, settings.robots),
    cost: agreementOf(live, bandOf([ideal], 0)).distance,
    repeated: visits.length - fetched.size,
    missed: reached.reduce((missed, isReached, page) => missed + (isReached === 1 && !fetched.has(page) ? 1 : 0), 0),
    medianOverheadMs: overheadsMs[overheadsMs.length >> 1] ?? 0,
    shortestRestMs: audit.shortestRestMs,
    violations: audit.violations.map(({ sentence }) => sentence),
  }
}

const slugOf = (name: string, most: number): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replaceAll(/^-+|-+$/g, '') || 'web'

function findingOf(runs: readonly LiveRun[]): string {
  const furthest = runs.toSorted((a, b) => b.agreement.distance - a.agreement.distance)[0]!
  const mean = runs.reduce((sum, { agreement }) => sum + agreement.meanDistance, 0) / runs.length
  const { distance, at } = furthest.agreement
  return (
    `Live and simulated curves are ${points(mean)} points of PageRank apart on average over ${runs.length} orders; at most ` +
    `${points(distance)}, after ${formatNumber(at)} pages in ${furthest.order} order. ` +
    `${explanationOf(runs)} ${healthOf(runs)}`
  )
}

function explanationOf(runs: readonly LiveRun[]): string {
  // What happens to the fewest simulated crawls comes first.
  const outside = runs
    .filter(({ agreement }) => agreement.outside > 0)
    .toSorted((a, b) => a.asFarOutside - b.asFarOutside || b.agreement.outside - a.agreement.outside)
  const [first] = outside
  if (first === undefined) return 'Every live curve lies within what w, k and r explain.'
  const by = `${points(first.agreement.outside)} points in ${first.order} order`
  if (first.asFarOutside === 0)
    return `What w, k and r do not explain is ${by}: no simulated crawl gets as far from the others.`
  return (
    `${runs.length - outside.length} of the ${runs.length} live curves lie within what w, k and r explain, and the rest no ` +
    `further outside than simulated crawls get by chance: ${by}, as ${points(first.asFarOutside)} % of those do.`
  )
}

function healthOf(runs: readonly LiveRun[]): string {
  const sum = (valueOf: (run: LiveRun) => number): number => runs.reduce((all, run) => all + valueOf(run), 0)
  const repeated = sum((run) => run.repeated)
  const missed = sum((run) => run.missed)
  const broken = sum(({ violations }) => violations.length)
  if (repeated + missed + broken === 0) return 'Every order fetched every page once, and nobody was asked too soon.'
  return `In all orders together ${repeated} pages were fetched again, ${missed} were missed, and ${broken} promises were broken.`
}

function parametersOf(settings: LiveSettings): Parameter[] {
  return [
    { name: 'orders', value: settings.orders.join(', ') },
    { name: 'wait between connections w', value: settings.waitMs, unit: 'ms' },
    { name: 'pages a connection k', value: settings.pagesPerConnection },
    { name: 'robots r', value: settings.robots },
    { name: 'latencies of the web times', value: settings.latencyFactor },
    { name: 'bandwidths of the web times', value: settings.bandwidthFactor },
    { name: 'topic', value: settings.topic },
    { name: 'simulated crawls of each order', value: settings.draws },
  ]
}

function notesOf(web: WebGraph, runs: readonly LiveRun[], { robots, draws }: LiveSettings): string[] {
  const largest = trueRanks(web).reduce((a, b) => Math.max(a, b), 0)
  const broken = runs.flatMap(({ order, violations }) => violations.slice(0, 3).map((one) => `${order}: ${one}.`))
  return [
    'The live crawl is the crawler as it is: sockets, robots.txt, politeness, a collection on disk. Only the pages are read on its main thread, as a thread that has yet to start would miss the beginning of so short a crawl.',
    `The band around the simulated line is what w, k and r explain: ${draws} simulated crawls with other milliseconds and, in random order, other dice, ${robots} pages earlier or later, as there are so many on their way. One page alone holds up to ${points(largest)} % of PageRank here, so two curves are that far apart until both have it.`,
    'Simulated requests take as long as the web says and, besides, what this machine was seen to add to one; robots.txt of each site costs a request before its first page, and that page is chosen when robots.txt has come.',
    `One more simulated crawl would leave the band now and then too. So of a live line that does, the table says how many of the ${draws} simulated crawls get as far outside of the band of the others; that none of them does happens by chance in one order of ${draws + 1}.`,
    'The order itself is the same crawl without time: one robot, no rests, every page known the moment it is fetched.',
    'Distances depend on the machine and differ from run to run, unlike all other figures of the lab.',
    ...broken,
  ]
}

/** Hundredths of all PageRank. */
const points = (share: number): string => formatNumber(Math.round(share * 10_000) / 100)
