/** `comity watch`: keep a collection fresh, within a budget, until told to stop. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { INBOX_SCHEMES } from '@comity/collection'
import type { InboxScheme } from '@comity/collection'
import { crawl, statedUrlRules, watchDefaults } from '@comity/crawler'
import type { CrawlProgress, CrawlSummary } from '@comity/crawler'
import type { WatchSample } from '@comity/follow'
import { REVISIT_POLICIES, parsePolicy, policyDefaults } from '@comity/frontier'
import type { ProgramsView } from '@comity/receiver'
import { behindFlag } from '../terminal/behind-proxy.ts'
import type { Call, Command, FlagTable } from '../command.ts'
import { sayUrlRules } from '../collection/url-rules-note.ts'
import { sayCaveats } from '../crawl/command.ts'
import { crawlFlags } from '../crawl/flags.ts'
import type { CrawlSettings } from '../crawl/flags.ts'
import { identityOf } from '../crawl/identity.ts'
import { crawlOptionsOf } from '../crawl/options.ts'
import { yieldToPeople } from '../terminal/process-priority.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { readTextFile } from '../terminal/list-source.ts'
import { didYouMean } from '../terminal/nearest-name.ts'
import { formatDuration, parseDuration, parseRate, parseRequests } from '../terminal/quantity.ts'
import { usualOrder } from '../crawl/order-choice.ts'
import { parseListen } from '../site/flags.ts'
import type { ListenPlace } from '../site/flags.ts'
import { timeLimit } from '../terminal/time-limit.ts'
import { BadValue, UsageError } from '../usage-error.ts'
import { doorsFailed, doorsOf, parseSchemes, publicAddress, wholeNumber } from './endpoints.ts'
import { WatchLine, watchReport, watchText } from './report.ts'

/** Flags that mean the same as for a crawl, and stand there. */
const SHARED = [
  'scope',
  'include',
  'exclude',
  'types',
  'sitemaps',
  'delay',
  'addressDelay',
  'pagesPerConnection',
  'parallel',
  'userAgent',
  'identity',
  'signatureAgent',
  'ignoreRobots',
  'allowPrivate',
  'ca',
  'index',
  'threads',
  'json',
  'config',
  'sites',
  'limits',
  'urls',
] as const

type SharedSettings = Pick<CrawlSettings, (typeof SHARED)[number]>

export interface WatchSettings extends SharedSettings {
  readonly budget: number
  readonly rate: number
  readonly policy: string
  readonly maxOutdated: number
  readonly explore: number
  readonly signals: boolean
  readonly poll: number
  readonly for: number
  readonly day: number
  readonly listen: ListenPlace | undefined
  readonly publicUrl: string | undefined
  readonly behind: readonly string[]
  readonly subscriptions: number
  readonly subscribeTo: readonly InboxScheme[]
  readonly agents: string | undefined
  readonly gateways: string | undefined
  readonly programs: string | undefined
  readonly hitsHalfLife: number
}

const policyNames = REVISIT_POLICIES.map(({ name }) => name)

// oxfmt-ignore
export const watchFlags: FlagTable<WatchSettings> = {
  budget: { argument: 'RATE', default: watchDefaults.requestsPerSecond, shown: '1/s', parse: parseRequests,
    help: 'requests, all together: 5/s, 100/min, 20k/d' },
  rate: { argument: 'RATE', default: Infinity, parse: parseRate, help: 'bytes a second, all together: 2MB/s' },
  policy: { argument: 'NAME', default: 'value', shown: 'value', parse: parsePolicyName, help: 'which page is worth a visit now: one of the policies below' },
  maxOutdated: { argument: 'P', default: policyDefaults.maxOutdated, shown: String(policyDefaults.maxOutdated), parse: share,
    help: 'for the policy outdated: visit a page when it is outdated with this probability' },
  explore: { argument: 'SHARE', default: watchDefaults.explore, shown: String(watchDefaults.explore), parse: share,
    help: 'share of the requests for pages that are new; 0 keeps fresh what is held and nothing else' },
  signals: { default: true, parse: (text) => text === 'true', help: 'do not ask sites what has changed; decide by change rates alone' },
  poll: { argument: 'TIME', default: watchDefaults.minPollMs, shown: formatDuration(watchDefaults.minPollMs), parse: parseDuration,
    help: 'ask a site what has changed no more often than this' },
  for: { argument: 'TIME', default: Infinity, parse: parseDuration, help: 'stop by itself after this time' },
  day: { argument: 'TIME', default: watchDefaults.dayMs, shown: '1d', parse: parseDuration,
    help: 'how long a day lasts, for change rates, trust and the longest interval: less to see in minutes what takes weeks' },
  listen: { argument: '[HOST:]PORT', default: undefined, parse: parseListen,
    help: 'hear sites that push, here: 8091 or 0.0.0.0:8091; they are subscribed to as far as they are worth it' },
  publicUrl: { argument: 'URL', default: undefined, parse: publicAddress,
    help: 'where sites and their hubs reach --listen, when that is another address' },
  behind: behindFlag,
  subscriptions: { argument: 'N', default: watchDefaults.subscriptions, shown: String(watchDefaults.subscriptions), parse: wholeNumber,
    help: 'so many sites may push; the others are asked' },
  subscribeTo: { argument: 'LIST', default: watchDefaults.subscribeTo, shown: watchDefaults.subscribeTo.join(','), parse: parseSchemes,
    help: `what they are to send, the first that each offers: ${INBOX_SCHEMES.join(', ')}` },
  agents: { argument: 'DIR', default: undefined, parse: (text) => text,
    help: 'hear the agents whose bundles are in this folder, where sites run them: --subscribe-to agent,differences,changes' },
  gateways: { argument: 'FILE', default: undefined, parse: (text) => text,
    help: 'hear the gateways that this file lists with their keys and hosts; a collection may live of them alone, without a start page' },
  programs: { argument: 'FILE', default: undefined, parse: (text) => text,
    help: 'give these programs to gateways that are nominated for them, and withdraw those that fail' },
  hitsHalfLife: { argument: 'TIME', default: watchDefaults.hitsHalfLifeDays * watchDefaults.dayMs, shown: '30d', parse: parseDuration,
    help: 'what people read, as gateways count it, counts half after this time, and half of that after as much again' },
  scope: crawlFlags.scope,
  include: crawlFlags.include,
  exclude: crawlFlags.exclude,
  types: crawlFlags.types,
  sitemaps: crawlFlags.sitemaps,
  delay: crawlFlags.delay,
  addressDelay: crawlFlags.addressDelay,
  pagesPerConnection: crawlFlags.pagesPerConnection,
  parallel: crawlFlags.parallel,
  userAgent: crawlFlags.userAgent,
  identity: crawlFlags.identity,
  signatureAgent: crawlFlags.signatureAgent,
  ignoreRobots: crawlFlags.ignoreRobots,
  allowPrivate: crawlFlags.allowPrivate,
  ca: crawlFlags.ca,
  index: crawlFlags.index,
  threads: crawlFlags.threads,
  json: crawlFlags.json,
  config: crawlFlags.config,
  sites: crawlFlags.sites,
  limits: crawlFlags.limits,
  urls: crawlFlags.urls,
}

export const watchCommand: Command<WatchSettings> = {
  name: 'watch',
  summary: 'keep a collection fresh with the fewest requests',
  operands: [{ name: 'DIR', help: 'a collection that `comity crawl` made' }],
  flags: watchFlags,
  tables: [{ title: 'Policies', rows: REVISIT_POLICIES.map(({ name, description }) => [name, description]) }],
  examples: [
    ['comity watch example --budget 5/s --user-agent "mybot/1.0 (+https://my.example/bot)"', 'until Ctrl-C'],
    ['comity watch example --budget 100/min --explore 0', 'only what is held, no new pages'],
    [
      'comity watch example --listen 8091 --public-url https://crawler.example',
      'sites that can push do so, the rest is asked',
    ],
    ['comity watch campus --listen 8091 --gateways gateways.json', 'what people read, by gateways, with no crawling'],
    ['comity watch example --policy outdated --max-outdated 0.1', 'no page outdated with a probability above a tenth'],
  ],
  notes: [
    'Beside it, `comity serve DIR` shows how fresh the collection is, what that costs, and whom to believe.',
    'Sites that tell what changed (sitemaps, change lists, metadata archives, robots.rdf, a filter) are asked for that, ' +
      'and believed as far as visits have shown them right. `comity inspect DIR URL` says why a page was fetched.',
  ],
  run: runWatch,
}

async function runWatch(call: Call<WatchSettings>): Promise<number> {
  return await keepFresh(call, { visits: true, textOf: watchText, report: watchReport })
}

/** How a watch is shown, and whether it visits pages. */
export interface WatchKind {
  readonly visits: boolean
  readonly textOf: typeof watchText
  readonly report: typeof watchReport
}

/** The run of every command that keeps a collection fresh. */
export async function keepFresh(
  { settings, operands, terminal }: Call<WatchSettings>,
  { visits, textOf, report }: WatchKind,
): Promise<number> {
  const into = operands[0]!
  // What gateways see needs no start page, so there may be nothing yet.
  if (settings.gateways === undefined && !existsSync(join(into, 'collection.json'))) {
    throw new UsageError(`${into} is no collection: make one with comity crawl SEED --into ${into}.`)
  }
  const policy = parsePolicy(settings.policy, { maxOutdated: settings.maxOutdated })
  if (typeof policy === 'string') throw new UsageError(`--policy: ${policy}.`)
  const ca = settings.ca === undefined ? undefined : await readTextFile(settings.ca)
  const identity = await identityOf(settings)
  yieldToPeople()
  const files = { seeds: [], doNotCrawl: [], ca, identity, order: 'order' in usualOrder ? usualOrder.order : never() }
  // A crawl has flags of these names too, and means something else by them.
  const shared = { ...crawlDefaultsOf(), ...settings, programs: false, rate: Infinity }
  const options = crawlOptionsOf(shared, files, { hooks: {} })
  sayCaveats(options, terminal)
  if (existsSync(join(into, 'collection.json'))) await sayUrlRules(into, terminal, statedUrlRules(options))
  const watch = {
    policy,
    visits,
    requestsPerSecond: settings.budget,
    bytesPerSecond: settings.rate,
    explore: settings.explore,
    signals: settings.signals,
    minPollMs: settings.poll,
    dayMs: settings.day,
    subscriptions: settings.subscriptions,
    subscribeTo: settings.subscribeTo,
    hitsHalfLifeDays: settings.hitsHalfLife / settings.day,
  }
  using line = new WatchLine(terminal, textOf)
  using interrupt = onInterrupt(() => line.say('stopping: visits under way finish; Ctrl-C again stops at once'))
  let last: WatchSample | undefined
  const onProgress = (progress: CrawlProgress): void => {
    last = progress.watch ?? last
    line.update(progress)
  }
  const signal = AbortSignal.any([interrupt.signal, ...timeLimit(settings.for)])
  const doors = await doorsOf(settings, into, (text) => line.say(text))
  const intake = doors === undefined ? {} : { intake: doors }
  const summary = await crawl({ into, options: { ...options, watch }, signal, onProgress, ...intake }).catch(
    (error: unknown) => {
      throw doorsFailed(error, settings.listen)
    },
  )
  const programs = settings.programs === undefined ? undefined : await programsOf(settings.programs)
  if (settings.json) terminal.print(JSON.stringify({ ...jsonOf(summary), watch: last, programs }))
  else if (last !== undefined) terminal.print(report(summary, last, terminal.paint, programs).join('\n'))
  return 0
}

/** Undefined when the file was spoiled since the start, which was told. */
async function programsOf(path: string): Promise<ProgramsView | undefined> {
  const view = (await import('@comity/receiver')).programsView(path)
  return typeof view === 'string' ? undefined : view
}

/** A watch is always stopped by somebody: that is not worth a word. */
function jsonOf(summary: CrawlSummary): object {
  return Object.fromEntries(Object.entries(summary).filter(([name]) => name !== 'interrupted'))
}

function crawlDefaultsOf(): CrawlSettings {
  const entries = Object.entries(crawlFlags).map(([name, flag]) => [name, (flag as { default: unknown }).default])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table has one row for each setting.
  return Object.fromEntries(entries) as CrawlSettings
}

function never(): never {
  throw new Error('the usual order is one of the table')
}

function parsePolicyName(text: string): string {
  if (policyNames.includes(text)) return text
  throw new BadValue(`is no policy: it is one of ${policyNames.join(', ')}.${didYouMean(text, policyNames)}`)
}

function share(text: string): number {
  const percent = /^(\d+(?:\.\d+)?)\s*%$/.exec(text)?.[1]
  const value = percent === undefined ? Number(text) : Number(percent) / 100
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw new BadValue('is no share: write 0.1 or 10%')
  return value
}
