/**
 * A contest of orders: which gathers PageRank, and which well-linked pages, soonest, from several start pages, without
 * politeness and with those of 004. One order, the champion, is compared with each of the others pair by pair.
 *
 *   start pages ──▶ part of the web that each leads to ──▶ a crawl for each order ──▶ areas under the curves ──▶ wins
 */
import { politeDefaults } from '@comity/frontier'
import { contestSettings, sizedOrders } from './settings.ts'
import type { ContestSettings } from './settings.ts'
import { areaUnder, overShare, pointsOf, spreadOf, valueAt } from '../../simulate/crawl-model-curves.ts'
import type { ShareCurve } from '../../simulate/crawl-model-curves.ts'
import { thresholdCurve, worthOfBest } from '../../simulate/crawl-models.ts'
import { startPages } from '../../webs/graph/reach.ts'
import { importanceOfWeb } from '../../webs/importance-of-web.ts'
import { partFrom, visitsOf } from '../ordering/crawl.ts'
import type { CrawlPart } from '../ordering/crawl.ts'
import { webShapeOf } from '../../report/model.ts'
import type { ExperimentResult, Figure, Table } from '../../report/model.ts'
import { formatQuantity } from '../../report/number.ts'
import { createRandom, seedOf } from '@comity/testbed'
import { area } from '../scheduling/statistics.ts'
import { trueRanks } from '../../simulate/oracle.ts'
import { simulate } from '../../simulate/simulation.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

interface ContestHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

/** What one order came to from one start page. */
interface Score {
  readonly order: string
  readonly start: number
  readonly rank: ShareCurve
  readonly linked: ShareCurve
  /** Area under cumulative PageRank over pages, with politeness; undefined on a web of one site. */
  readonly polite: number | undefined
}

const QUARTER = 0.25
/** A link that no crawl here fills. */
const WIDE_LINK = 20_000_000

/** Throws a RangeError for settings that make no sense, and for a web in which no page leads to another. */
export function runContest(
  web: WebGraph,
  given: Partial<ContestSettings> = {},
  { onPart }: ContestHooks = {},
): ExperimentResult {
  const settings = contestSettings(given)
  const starts = settings.seeds.flatMap((seed) =>
    startPages(web, settings.starts, createRandom(seedOf(seed, 'start pages'))),
  )
  if (starts.length === 0) throw new RangeError(`${web.name} has no page to start at: it has no pages, or no links.`)
  const orders = sizedOrders(web.pages, settings)
  const pages = [...new Set(starts)]
  const scores = pages.flatMap((start, n) => {
    const part = partFrom(web, start)
    return scoresFrom(part, start, orders, settings, (order, m) =>
      onPart?.(`${order} from page ${start}`, n * orders.length + m, pages.length * orders.length),
    )
  })
  return reportOf(web, orders, scores, settings)
}

function scoresFrom(
  part: CrawlPart,
  start: number,
  orders: readonly string[],
  { seeds, wellLinked, robots, waitMs }: ContestSettings,
  onOrder: (order: string, n: number) => void,
): Score[] {
  const ranks = trueRanks(part.web)
  const backlinks = importanceOfWeb(part.web, 'backlink')
  const target = worthOfBest(backlinks, Math.max(1, Math.ceil(part.web.pages * wellLinked)))
  const seed = seeds[0]!
  const politeness = { ...politeDefaults, delayMs: waitMs, slowdown: 0, pagesPerConnection: 1 }
  return orders.map((order, n) => {
    onOrder(order, n)
    const visits = visitsOf(part, { order, seed, oracle: ranks, queues: 'site' })
    const link = { robots, bandwidth: WIDE_LINK, politeness, seed, homes: [part.start], ranks }
    return {
      order,
      start,
      rank: overShare(gathered(visits, ranks)),
      linked: overShare(thresholdCurve(visits, backlinks, target)),
      polite: part.web.sites < 2 ? undefined : area(simulate(part.web, { order, ...link }).curve),
    }
  })
}

/** Cumulative importance after each page. */
function gathered(visits: Uint32Array, importance: Float64Array): Float64Array {
  const curve = new Float64Array(visits.length + 1)
  for (const [n, page] of visits.entries()) curve[n + 1] = curve[n]! + importance[page]!
  return curve
}

function reportOf(
  web: WebGraph,
  orders: readonly string[],
  scores: readonly Score[],
  settings: ContestSettings,
): ExperimentResult {
  const id = `contest-${
    web.name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'web'
  }-${web.pages}`
  const pairs = pairsTable(`${id}-pairs`, orders, scores)
  return {
    id,
    name: `Contest of orders on ${web.name}`,
    paper: '003',
    finding: findingOf(orders, scores),
    parameters: [
      { name: 'champion', value: settings.champion },
      { name: 'start pages', value: new Set(scores.map(({ start }) => start)).size },
      { name: 'well linked', value: settings.wellLinked, unit: 'share' },
      { name: 'robots', value: settings.robots },
      { name: 'rest between connections', value: settings.waitMs / 1_000, unit: 's' },
    ],
    seeds: settings.seeds,
    webs: [webShapeOf(web)],
    figures: [
      linesFigure(`${id}-rank`, 'PageRank gathered', 'cumulative PageRank', orders, scores, 'rank'),
      linesFigure(`${id}-linked`, 'Well-linked pages found', 'part of the well-linked pages', orders, scores, 'linked'),
    ],
    tables: [pairs, areasTable(`${id}-areas`, orders, scores)],
    claims: [],
    notes: [
      'Areas are means over the whole crawl: 50 % is what a crawl has that finds all at the same pace, 100 % one that had all from the start.',
      'Start pages of one web are not independent of each other: read wins as counts.',
    ],
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const of = (scores: readonly Score[], order: string): readonly Score[] =>
  scores.filter((score) => score.order === order)

const MEASURES: readonly (readonly [label: string, measure: (score: Score) => number | undefined])[] = [
  ['PageRank', ({ rank }) => areaUnder(rank)],
  ['well linked', ({ linked }) => areaUnder(linked)],
  ['PageRank at a quarter', ({ rank }) => valueAt(rank, QUARTER)],
  ['well linked at a quarter', ({ linked }) => valueAt(linked, QUARTER)],
  ['PageRank with politeness', ({ polite }) => polite],
]

function findingOf(orders: readonly string[], scores: readonly Score[]): string {
  const best = (measure: (score: Score) => number | undefined): string => {
    const areas = orders.map((order) => ({ order, area: mean(of(scores, order).map((score) => measure(score) ?? 0)) }))
    const [first, second] = areas.toSorted((a, b) => b.area - a.area)
    return `${first!.order} (${formatQuantity(first!.area, 'share')}; then ${second?.order ?? 'nobody'}, ${formatQuantity(second?.area ?? 0, 'share')})`
  }
  return `Over the whole crawl PageRank is gathered soonest by ${best(MEASURES[0]![1])}, well-linked pages by ${best(MEASURES[1]![1])}.`
}

function linesFigure(
  id: string,
  title: string,
  label: string,
  orders: readonly string[],
  scores: readonly Score[],
  key: 'rank' | 'linked',
): Figure {
  return {
    id,
    kind: 'lines',
    title,
    caption: 'Mean over the start pages; the band is the best and the worst of them.',
    x: { label: 'part of the web crawled', unit: 'share' },
    y: { label, unit: 'share' },
    series: orders.map((order) => ({
      name: order,
      points: pointsOf(spreadOf(of(scores, order).map((score) => score[key]))),
    })),
  }
}

/** Wins and losses of the champion against each other order, over the start pages, and the mean difference. */
function pairsTable(id: string, [champion = '', ...others]: readonly string[], scores: readonly Score[]): Table {
  const ours = of(scores, champion)
  const cell = (theirs: readonly Score[], measure: (score: Score) => number | undefined): string => {
    const gaps = ours.flatMap((score, n) => {
      const [a, b] = [measure(score), measure(theirs[n]!)]
      return a === undefined || b === undefined ? [] : [a - b]
    })
    if (gaps.length === 0) return '–'
    const points = mean(gaps) * 100
    return `${gaps.filter((gap) => gap > 0).length}–${gaps.filter((gap) => gap < 0).length}, ${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`
  }
  return {
    id,
    title: `${champion} against each of the others`,
    caption: 'Start pages won and lost, and the mean difference in points.',
    columns: [{ label: 'against' }, ...MEASURES.map(([label]) => ({ label }))],
    rows: others.map((order) => [order, ...MEASURES.map(([, measure]) => cell(of(scores, order), measure))]),
  }
}

function areasTable(id: string, orders: readonly string[], scores: readonly Score[]): Table {
  return {
    id,
    title: 'Areas under the curves, and what is there at a quarter of the crawl',
    caption: 'Means over the start pages.',
    columns: [{ label: 'order' }, ...MEASURES.map(([label]) => ({ label, unit: 'share' }))],
    rows: orders.map((order) => [
      order,
      ...MEASURES.map(([, measure]) => {
        const values = of(scores, order).flatMap((score) => measure(score) ?? [])
        return values.length === 0 ? '–' : mean(values)
      }),
    ]),
  }
}
