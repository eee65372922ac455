/**
 * `comity demo`: a small living web on loopback, crawled into a collection in a temporary folder, with the web pages to
 * watch and search it all. When the crawl is over the sites say what they saw of us, as they logged it themselves. Then
 * the collection is kept fresh until Ctrl-C, with the truth beside what is estimated.
 */
import { textOf } from '@comity/protocol'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CrawlOptions } from '@comity/crawler'
import type { WatchSample } from '@comity/follow'
import type { LivingWeb } from '@comity/testbed'
import { politeDefaults } from '@comity/frontier'
import type { ServerOptions, Truth, TruthSample } from '@comity/repository'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { openServer } from '../collection/collection-server.ts'
import type { CollectionServer } from '../collection/collection-server.ts'
import { openView } from '../collection/collection-view.ts'
import { nextSteps, watchedCrawl } from '../crawl/command.ts'
import { crawlReport, jsonSummary, section } from '../crawl/report.ts'
import { openDemoAgent } from './agent.ts'
import { DemoAudit } from './audit.ts'
import { callerLines, callersOf } from './callers.ts'
import type { DemoCaller } from './callers.ts'
import { openDemoGateway } from './gateway.ts'
import type { DemoGateway } from './gateway.ts'
import { demoRoles } from './roles.ts'
import { DemoStalls } from './stalls.ts'
import { DemoTruth } from './truth.ts'
import { DAY_MS, DOOR_HOST, truthLines, watchDemo, watchWords } from './watch.ts'
import { openDemoWeb, siteMap } from './web.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import type { Paint } from '../terminal/terminal.ts'
import { countFrom, counted, formatCount, formatDuration } from '../terminal/quantity.ts'
import { DEFAULT_PORT, parsePort } from '../collection/serve-command.ts'
import { timeLimit } from '../terminal/time-limit.ts'
import { UsageError } from '../usage-error.ts'

interface DemoSettings {
  readonly into: string | undefined
  readonly port: number
  readonly once: boolean
  readonly seed: number
  readonly json: boolean
}

type Kept = { watch: WatchSample | undefined; truth: TruthSample; callers: DemoCaller[] } | undefined

/** Short, so that the demo ends; long enough to be seen. */
const DELAY_MS = 300
const PAGES_PER_CONNECTION = 3
/** With --once: long enough for every page that changes to have done so, and for a site that lies to be found out. */
const WATCH_MS = 15_000

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
    port: {
      argument: 'N',
      default: DEFAULT_PORT,
      shown: `${DEFAULT_PORT}`,
      parse: parsePort,
      help: 'the port of the web pages; any free one when it is taken',
    },
    once: off('open no web pages, and end fifteen seconds after the crawl'),
    json: off('print the summary as one JSON object, the last line on stdout, and end'),
  },
  examples: [
    ['comity demo', 'open the address it prints; the crawl takes less than half a minute'],
    ['comity demo --once', 'the crawl and fifteen seconds of keeping fresh, in words only'],
  ],
  run: runDemo,
}

async function runDemo({ settings, terminal }: Call<DemoSettings>): Promise<number> {
  const { paint } = terminal
  const into = settings.into ?? mkdtempSync(join(tmpdir(), 'comity-demo-'))
  using stalls = new DemoStalls()
  using agent = await openDemoAgent(DOOR_HOST)
  await using web = await openDemoWeb(settings.seed, agent)
  using audit = new DemoAudit({ web, stalls, delayMs: DELAY_MS })
  const politeness =
    `One connection to a site at a time, ${PAGES_PER_CONNECTION} pages on each, then ${formatDuration(DELAY_MS)} of rest ` +
    'or\nmore: a slow site gets ten times as long as it took, and what it asks counts.'
  if (!settings.json) terminal.print(['', ...siteMap(web.sites, paint), '', politeness, ''].join('\n'))
  const staysOpen = !settings.once && !settings.json
  await using gateway = staysOpen ? await openDemoGateway(settings.seed) : undefined
  let truth: DemoTruth | undefined
  let server: CollectionServer | undefined
  await using _ = {
    [Symbol.asyncDispose]: async () => {
      await server?.[Symbol.asyncDispose]()
      await truth?.[Symbol.asyncDispose]()
    },
  }
  const showPages = async (): Promise<void> => {
    server = await serverOnAnyPort(into, settings.port, {
      truth: () => truth?.sample(Date.now()),
      roles: gateway && (() => demoRoles({ web, gateway, isWatching: truth !== undefined })),
    })
    terminal.print(`${paint('bold', server.url)}  to watch it and to search what it finds\n`)
  }
  let opening: Promise<void> | undefined
  const options = demoOptions(web, gateway)
  const { summary, facts } = await watchedCrawl(into, options, terminal, {
    onBegin: () => {
      if (staysOpen) opening = showPages()
    },
  })
  await opening
  const seen = await whatSitesSaw(web, into, audit)
  if (!settings.json) {
    const lines = [...crawlReport(summary, facts, paint), ...section('What the sites saw', sightings(seen), paint)]
    // The sites are gone when this ends: nothing to go on with.
    terminal.print([...lines, ...nextSteps({ ...summary, waiting: 0 }, terminal), ''].join('\n'))
  }
  let kept: Kept
  if (!summary.interrupted) {
    if (!settings.json) terminal.print(watchWords(web.sites))
    if (server !== undefined) terminal.print(`${paint('bold', `${server.url}freshness`)}  shows it, until Ctrl-C`)
    using interrupt = onInterrupt(() => terminal.say('stopping'))
    const signal = AbortSignal.any([interrupt.signal, ...timeLimit(staysOpen ? Infinity : WATCH_MS)])
    // Within one process a collection is opened by who writes it first.
    const onBegin = (): void => void (truth = new DemoTruth(web, into, Date.now()))
    const watch = await watchDemo({ into, options, terminal, signal, onBegin, agents: agent?.port, gateway })
    const callers = await callersOf(into, web, DAY_MS, Date.now())
    kept = { watch, truth: truth!.sample(Date.now()), callers }
    if (!settings.json) terminal.print(keptLines(kept, paint).join('\n'))
  }
  const broken = await audit.broken()
  if (settings.json) {
    terminal.print(JSON.stringify({ ...jsonSummary(summary, facts), ...seen, violations: broken, kept }))
  } else if (kept !== undefined) terminal.print(['', ...promises(broken), ''].join('\n'))
  return broken.length === 0 ? 0 : 1
}

function keptLines({ truth, watch, callers }: NonNullable<Kept>, paint: Paint): string[] {
  return [
    ...section('Kept fresh', truthLines(truth, watch), paint),
    ...section('Sites that push', callerLines(callers, watch), paint),
  ]
}

const tellError = (error: unknown): unknown => process.stderr.write(`${textOf(error)}\n`)

/** The port that people know, or another one when it is taken. */
async function serverOnAnyPort(
  dir: string,
  port: number,
  shown: { readonly truth: Truth; readonly roles: ServerOptions['roles'] },
): Promise<CollectionServer> {
  const call = { dir, host: '127.0.0.1', onError: tellError, ...shown }
  try {
    return await openServer({ ...call, port })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return await openServer({ ...call, port: 0 })
  }
}

function demoOptions(web: LivingWeb, gateway: DemoGateway | undefined): Partial<CrawlOptions> {
  return {
    // Who pushes comes first: what a site offers is asked in this order, and who is called early has more to show.
    seeds: web.sites.toSorted((a, b) => callsFirst(b) - callsFirst(a)).map(({ origin }) => `${origin}/`),
    scope: 'any',
    // Pages that were read lead to others there: those are for whoever reads.
    exclude: gateway === undefined ? [] : [`${gateway.behind}/*`],
    allowPrivate: true,
    index: true,
    privateDelayMs: DELAY_MS,
    politeness: { ...politeDefaults, delayMs: DELAY_MS, pagesPerConnection: PAGES_PER_CONNECTION, backoffMs: 500 },
    userAgent: 'comity-demo/0.1',
  }
}

const callsFirst = ({ spec }: LivingWeb['sites'][number]): number => (spec.calls === undefined ? 0 : 1)

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
async function whatSitesSaw(web: LivingWeb, into: string, audit: DemoAudit): Promise<Sightings> {
  const { gaps } = await import('@comity/testbed')
  const log = web.log.read()
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
    violations: await audit.broken(),
    reachable: urls.size,
    reached: [...urls].filter(isHeld).length,
  }
}

function sightings(seen: Sightings): string[] {
  return [
    `  ${counted(seen.requests, 'request')} on ${counted(seen.connections, 'connection')}${restWords(seen.shortestRestMs)}`,
    `  ${formatCount(seen.reached)} of the ${counted(seen.reachable, 'page')} that a polite crawler can have were had`,
    ...promises(seen.violations),
  ]
}

/** Nothing where nobody came twice. */
const restWords = (ms: number): string =>
  ms === Infinity
    ? ''
    : `; the shortest rest between two to one address\n  was ${formatDuration(ms)} (a server hears a little late that one is closed)`

const promises = (broken: readonly string[]): string[] =>
  broken.length === 0
    ? ['  no promise broken: never two connections at once, nothing too soon']
    : broken.map((sentence) => `  broken: ${sentence}`)
