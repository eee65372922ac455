/**
 * `comity demo`: a small living web on loopback, crawled into a collection in a temporary folder. Afterwards the sites
 * say what they saw of us, as they logged it themselves.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CrawlOptions } from '@comity/crawler'
import type { LivingWeb } from '@comity/lab'
import { politeManners } from '@comity/frontier'
import { off } from './command.ts'
import type { Call, Command } from './command.ts'
import { openView } from './collection-view.ts'
import { nextSteps, watchedCrawl } from './crawl-command.ts'
import { crawlReport, jsonSummary, section } from './crawl-report.ts'
import { openDemoWeb, siteMap } from './demo-web.ts'
import { countFrom, counted, formatCount, formatDuration } from './quantity.ts'

interface DemoSettings {
  readonly into: string | undefined
  readonly seed: number
  readonly json: boolean
}

/** Short, so that the demo ends; long enough to be seen. */
const DELAY_MS = 300
const PAGES_PER_CONNECTION = 3
/** A server hears of a closed connection a moment after we closed it. */
const TOLERANCE_MS = 50

export const demoCommand: Command<DemoSettings> = {
  name: 'demo',
  summary: 'crawl a small living web on this machine, and see what comes of it (npm start)',
  operands: [],
  flags: {
    into: {
      argument: 'DIR',
      default: undefined,
      parse: String,
      shown: 'a new temporary folder',
      help: 'the collection',
    },
    seed: { argument: 'N', default: 1, shown: '1', parse: countFrom(0), help: 'another number makes another web' },
    json: off('print the summary as one JSON object, the last line on stdout'),
  },
  examples: [['comity demo', 'takes less than half a minute']],
  run: runDemo,
}

async function runDemo({ settings, terminal }: Call<DemoSettings>): Promise<number> {
  const { paint } = terminal
  const into = settings.into ?? mkdtempSync(join(tmpdir(), 'comity-demo-'))
  await using web = await openDemoWeb(settings.seed)
  const manners =
    `One connection to a site at a time, ${PAGES_PER_CONNECTION} pages on each, then ${formatDuration(DELAY_MS)} of rest ` +
    'or\nmore: a slow site gets ten times as long as it took, and what it asks counts.'
  if (!settings.json) terminal.print(['', ...siteMap(web.sites, paint), '', manners, ''].join('\n'))
  const { summary, facts } = await watchedCrawl(into, demoOptions(web), terminal)
  const seen = await whatSitesSaw(web, into)
  if (settings.json) terminal.print(JSON.stringify({ ...jsonSummary(summary, facts), ...seen }))
  else {
    const lines = [...crawlReport(summary, facts, paint), ...section('What the sites saw', sightings(seen), paint)]
    // The sites are gone when this ends: nothing to go on with.
    terminal.print([...lines, ...nextSteps({ ...summary, waiting: 0 }, terminal), ''].join('\n'))
  }
  return seen.violations.length === 0 ? 0 : 1
}

function demoOptions(web: LivingWeb): Partial<CrawlOptions> {
  return {
    seeds: web.sites.map(({ origin }) => `${origin}/`),
    scope: 'any',
    allowPrivate: true,
    privateDelayMs: DELAY_MS,
    manners: { ...politeManners, delayMs: DELAY_MS, pagesPerConnection: PAGES_PER_CONNECTION, backoffMs: 500 },
    userAgent: 'comity-demo/0.1',
  }
}

interface Sightings {
  readonly requests: number
  readonly connections: number
  readonly shortestRestMs: number
  readonly violations: readonly string[]
  /** Pages that a polite crawler can have, and how many of them we have. */
  readonly reachable: number
  readonly reached: number
}

/** From the sites' own log, and against the plan they were made from. */
async function whatSitesSaw(web: LivingWeb, into: string): Promise<Sightings> {
  const { floorsOf, gaps, violations } = await import('@comity/lab')
  const log = web.log.read()
  const floors = floorsOf(web.sites, { connectionGapMs: DELAY_MS, toleranceMs: TOLERANCE_MS })
  const { urls } = web.reachable()
  await using view = openView(into)
  const { collection, frontier } = view
  const isHeld = (url: string): boolean => {
    const page = frontier.findUrl(url)
    return page !== -1 && collection.page(page)?.body !== undefined
  }
  return {
    requests: log.requests.length,
    connections: log.connections.length,
    shortestRestMs: Math.min(...gaps(log, 'connections', 'address').map(({ gapMs }) => gapMs)),
    violations: violations(log, floors).map(({ sentence }) => sentence),
    reachable: urls.size,
    reached: [...urls].filter(isHeld).length,
  }
}

function sightings(seen: Sightings): string[] {
  return [
    `  ${counted(seen.requests, 'request')} on ${counted(seen.connections, 'connection')}; the shortest rest between two ` +
      `to one address\n  was ${formatDuration(seen.shortestRestMs)} (a server hears a little late that one is closed)`,
    `  ${formatCount(seen.reached)} of the ${counted(seen.reachable, 'page')} that a polite crawler can have were had`,
    ...(seen.violations.length === 0
      ? ['  no promise broken: never two connections at once, nothing too soon']
      : seen.violations.map((sentence) => `  broken: ${sentence}`)),
  ]
}
