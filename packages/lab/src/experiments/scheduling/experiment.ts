/**
 * Scheduling: the experiment of 004 on any web. Orders are compared by how early they bring PageRank, robots and links
 * by how long they take, in simulated crawls of the real frontier.
 *
 *   web ──▶ sample (registry, at most so many pages a site) ──▶ true PageRank ──▶ crawls ──▶ figures, tables, answers
 */
import type { ExperimentResult, Parameter } from '../../report/model.ts'
import { selfLinkNote, webShapeOf } from '../../report/model.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { schedulingClaims } from './claims.ts'
import { schedulingFigures } from './figures.ts'
import { measure } from './outcome.ts'
import type { SchedulingOutcome } from './outcome.ts'
import { SchedulingRuns } from './runs.ts'
import type { SchedulingHooks } from './runs.ts'
import { sampleWeb } from './sample.ts'
import { scaledTo, schedulingSettings } from './settings.ts'
import type { SchedulingSettings } from './settings.ts'
import { area } from './statistics.ts'
import { schedulingTables } from './tables.ts'
import { trueRanks } from '../../simulate/oracle.ts'
import { isFittedWeb } from '../../webs/generated/web.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

/** Less than this is no gain worth a sentence. */
const MIN_SPEED_UP = 1.05
/** Ids of figures are this long at most, with what follows. */
const MAX_SLUG = 40

/** Throws a RangeError for settings that make no sense. */
export function runScheduling(
  web: WebGraph,
  given: Partial<SchedulingSettings> = {},
  hooks: SchedulingHooks = {},
): ExperimentResult {
  const asked = schedulingSettings(given)
  const sample = sampleWeb(web, asked.maxPagesPerSite)
  const settings = scaledTo(sample.web.pages, asked)
  const ranks = trueRanks(sample.web)
  const outcome = measure(
    sample,
    ranks,
    settings,
    new SchedulingRuns(sample.web, ranks, settings, hooks),
    isFittedWeb(web),
  )
  // With its pages: a generated web of the same seed may be there in several sizes.
  const id = `scheduling-${slugOf(web.name)}-${web.pages}`
  return {
    id,
    name: `Scheduling on ${web.name}`,
    paper: '004',
    finding: findingOf(outcome),
    parameters: parametersOf(settings),
    seeds: settings.seeds,
    webs: [webShapeOf(sample.web, sampleText(web, sample.web, settings))],
    figures: schedulingFigures(id, outcome),
    tables: schedulingTables(id, outcome),
    claims: schedulingClaims(id, outcome),
    notes: notesOf(asked, settings, web),
  }
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replaceAll(/^-+|-+$/g, '') || 'web'

function findingOf({ crawls, settings, speeds }: SchedulingOutcome): string {
  const areas = [...crawls.get(settings.robots[0]!)!]
    .map(([name, { curve }]) => ({ name, area: area(curve) }))
    .toSorted((a, b) => b.area - a.area)
  const list = areas.map((one) => `${one.name} ${formatQuantity(one.area, 'share')}`).join(', ')
  const fastest = speeds.reduce((best, run) => (run.speedUp > best.speedUp ? run : best))
  return (
    `From the order that brings PageRank first to the one that brings it last, by the area under the line: ${list}. ` +
    (fastest.speedUp < MIN_SPEED_UP
      ? 'More robots make it no faster: the rests of the largest site decide.'
      : `${fastest.robots} robots are up to ${formatNumber(fastest.speedUp)} times as fast as ${settings.robots[0]}.`)
  )
}

function sampleText(whole: WebGraph, part: WebGraph, { maxPagesPerSite }: SchedulingSettings): string {
  const left = whole.pages - part.pages
  const all = 'begun at the home page of every site'
  if (left === 0) return all
  return `${all}; ${formatNumber(left)} pages are left out that no link leads to from there or that are past ${formatNumber(maxPagesPerSite)} on their site`
}

function parametersOf(settings: SchedulingSettings): Parameter[] {
  return [
    { name: 'orders', value: settings.orders.join(', ') },
    { name: 'orders with several robots', value: settings.parallelOrders.join(', ') },
    { name: 'robots r', value: settings.robots.join(', ') },
    { name: 'bandwidths B, bytes a second', value: settings.bandwidths.join(', ') },
    { name: 'wait between connections w', value: settings.waitMs / 1_000, unit: 's' },
    { name: 'pages a connection k', value: settings.pagesPerConnection },
    { name: 'pages a connection, Figure 7', value: settings.manyPagesPerConnection },
    { name: 'batch of Figure 7', value: settings.tailBatch, unit: 'pages' },
    { name: 'robots of Figure 7', value: settings.tailRobots },
    { name: 'bandwidths of Figure 7, bytes a second', value: settings.tailBandwidths.join(', ') },
    { name: 'robots of Figures 8 and 9', value: settings.crawlRobots },
    { name: 'batch of Figures 8 and 9', value: settings.crawlBatch, unit: 'pages' },
    { name: 'most pages of a site', value: settings.maxPagesPerSite },
    { name: 'most pages of a crawl', value: settings.maxPages === Infinity ? 'all' : settings.maxPages },
  ]
}

function notesOf(asked: SchedulingSettings, settings: SchedulingSettings, web: WebGraph): string[] {
  const notes = [
    'The crawls run on the frontier of the live crawler: its queues, orders, batches and clocks. Only time and bytes are simulated: a connection costs the latency of its site once, a transfer goes at the speed of its site or at its fair share of the link, whichever is less, and all shares change when a transfer begins or ends.',
    'PageRank is that of the whole web, solved beforehand with d = 0.9 and to a millionth; the paper does not say which d it used.',
    'The paper does not say how many robots Figure 7 has, nor how large its batch is. 29 hours at 2 KB a second and 3 at 20 are both about 210 MB, which is some 10,000 pages.',
    'Figures 8 and 9 run on the widest link: the paper does not print that of its crawl.',
    ...selfLinkNote(web),
  ]
  if (settings.crawlBatch !== asked.crawlBatch) {
    const sizes = asked.batchSizes.map((size) => formatNumber(size)).join(', ')
    notes.push(
      `Batches are smaller than the paper's ${sizes} and ${formatNumber(asked.crawlBatch)}, in proportion to a web of ${formatNumber(asked.paperPages)} pages, so that a crawl has as many of them.`,
    )
  }
  const unknown = [
    web.bytes === undefined ? `${formatNumber(settings.unknown.bytes)} bytes a page` : [],
    web.latencyMs === undefined ? `a latency of ${settings.unknown.latencyMs} ms` : [],
    web.bandwidth === undefined ? `${formatNumber(settings.unknown.bandwidth)} bytes a second from a site` : [],
  ].flat()
  if (unknown.length > 0) notes.push(`What this web does not say is the same for all of it: ${unknown.join(', ')}.`)
  return notes
}
