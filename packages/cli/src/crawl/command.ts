/** `comity crawl`: crawl, go on with a crawl, stop politely. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { crawl, proxyCaveat, statedUrlRules } from '@comity/crawler'
import { robotsRead, siteGivenUp } from '@comity/ingest'
import type { CrawlOptions, CrawlProgress, CrawlSummary } from '@comity/crawler'
import type { RobotsEvent, SiteGivenUpEvent } from '@comity/ingest'
import { sayUrlRules } from '../collection/url-rules-note.ts'
import type { Call, Command } from '../command.ts'
import { crawlFlags } from './flags.ts'
import type { CrawlSettings } from './flags.ts'
import { identityOf } from './identity.ts'
import { crawlOptionsOf } from './options.ts'
import { crawlReport, jsonSummary, section } from './report.ts'
import type { RunFacts } from './report.ts'
import { keptSettings, readKept, settingsToKeep, withKept } from './kept-settings.ts'
import { runEstimate } from './estimate-run.ts'
import { loadHook } from '../terminal/hook-module.ts'
import { yieldToPeople } from '../terminal/process-priority.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { readList, readTextFile } from '../terminal/list-source.ts'
import { orderOf, orderTables } from './order-choice.ts'
import { ProgressLine } from '../terminal/progress-line.ts'
import { counted } from '../terminal/quantity.ts'
import { ownName, shellWord, visible } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'
import { unreachedText } from './unreached.ts'
import { readWordCounts } from '../terminal/word-table.ts'

/** Sites whose trouble is told while it happens; the summary counts the others. */
const MAX_TOLD = 100

export const crawlCommand: Command<CrawlSettings> = {
  name: 'crawl',
  summary: 'fetch pages politely into a collection, or go on where the last crawl stopped',
  operands: [{ name: 'SEED', help: 'a page to start from: https://example.org/', optional: true, many: true }],
  flags: crawlFlags,
  tables: orderTables,
  examples: [
    [
      'comity crawl https://example.org/ --into example --user-agent "mybot/1.0 (+https://my.example/bot)"',
      'one site, one page every 15 seconds',
    ],
    ['comity crawl --into example', 'goes on where that crawl stopped, with its settings'],
    ['comity crawl --seeds urls.txt --into news --scope domain --max-pages 10k --max-depth 3', 'many start pages'],
    [
      'comity crawl http://wiki.intranet/ --into wiki --allow-private --delay 0 --types page,document',
      'a server of your own, as fast as it goes',
    ],
    [
      'comity crawl https://example.org/ --into pictures --types image/*,application/pdf',
      'files, and no HTML where the site lists them',
    ],
    [
      'comity crawl https://example.org/ --cluster nats://nats.intranet:4222 --name web --json',
      'seeds and settings for all',
    ],
    ['comity crawl https://example.org/ --estimate', 'how large it is, by its own word, before anything is fetched'],
  ],
  notes: [
    'Ctrl-C stops politely: visits under way finish, everything is kept, and the same command goes on later. A second ' +
      'Ctrl-C stops at once; what was acknowledged is safe even then.',
    'Without page among its --types a crawl wants no HTML. A site that lists its files with their types (a filter, metadata ' +
      'archives, a resource list) is then asked for those files alone. Elsewhere pages are read to find them: they are ' +
      'not kept, only known, and the summary says what share of requests and bytes they were.',
    'A start site that shows in its robots.txt or its answers that it cooperates is asked for its dump, when little of it is ' +
      'held and the dump is cheaper than its pages. Some pages are fetched all the same and compared; a dump that holds ' +
      'other pages than the site serves is not believed, and the pages are crawled. --no-dumps never asks.',
  ],
  run: runCrawl,
}

async function runCrawl(call: Call<CrawlSettings>): Promise<number> {
  const { said, operands, terminal } = call
  const { into, estimate, cluster } = call.settings
  if (cluster !== undefined && (into !== undefined || estimate))
    throw new UsageError(
      'With --cluster there is no --into and no --estimate: the machines of the cluster have the pages.',
    )
  if (into === undefined && !estimate && cluster === undefined)
    throw new UsageError('Say where the pages go: --into DIR.')
  const seeds = [...operands, ...(await readList(call.settings.seeds))]
  if (into !== undefined && !estimate && seeds.length === 0 && !existsSync(join(into, 'collection.json'))) {
    throw new UsageError(
      `Nothing to start from: name a page, such as https://example.org/, or go on with a collection; ${into} holds none.`,
    )
  }
  const isKnown = into !== undefined && existsSync(join(into, 'collection.json'))
  const before = isKnown ? await keptSettings(into) : readKept('')
  const { settings, notes } = withKept(call.settings, said, before, into ?? '')
  for (const note of notes) terminal.say(note)
  const doNotCrawl = await readList(settings.doNotCrawl)
  const ca = settings.ca === undefined ? undefined : await readTextFile(settings.ca)
  const order = await orderOf(settings.order)
  if (order.needsTopic === true && settings.topic.length === 0) {
    throw new UsageError(`The order ${order.name} needs a topic: --topic "words".`)
  }
  const wordCounts = await readWordCounts(settings.idf)
  const identity = await identityOf(settings)
  yieldToPeople()
  const files = { seeds, doNotCrawl, ca, order, wordCounts, identity }
  const options = crawlOptionsOf(settings, files, await loadHook(settings.hook))
  sayCaveats(options, terminal)
  if (cluster !== undefined) {
    const { crawlWhole } = await import('../cluster/crawl-whole.ts')
    return await crawlWhole(cluster, settings, options, terminal)
  }
  if (into === undefined || estimate) return await runEstimate(settings, options, terminal)
  if (existsSync(join(into, 'collection.json'))) await sayUrlRules(into, terminal, statedUrlRules(options))
  const { summary, facts } = await watchedCrawl(into, options, terminal, { settings: settingsToKeep(before, said) })
  if (settings.json) terminal.print(JSON.stringify(jsonSummary(summary, facts)))
  else terminal.print([...crawlReport(summary, facts, terminal.paint), ...nextSteps(summary, terminal)].join('\n'))
  return summary.pages === 0 && !summary.interrupted ? 1 : 0
}

/** What somebody might take for granted and should not, before it begins. */
export function sayCaveats(options: Partial<CrawlOptions>, terminal: Terminal): void {
  const caveat = proxyCaveat(options)
  if (caveat !== undefined) terminal.say(`note: ${caveat}`)
}

/** A crawl with its progress on stderr, which Ctrl-C stops. */
export async function watchedCrawl(
  into: string,
  options: Partial<CrawlOptions>,
  terminal: Terminal,
  { onBegin, settings }: { readonly onBegin?: (() => void) | undefined; readonly settings?: string | undefined } = {},
): Promise<{ summary: CrawlSummary; facts: RunFacts }> {
  using line = new ProgressLine(terminal)
  using interrupt = onInterrupt(() => {
    line.say(`stopping: ${counted(line.visits, 'visit finishes', 'visits finish')}; Ctrl-C again stops at once`)
  })
  let told = 0
  const note = (event: unknown): void => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- channels do not know their messages' type.
    const { origin, outcome, problem } = event as SiteGivenUpEvent
    if (told++ >= MAX_TOLD) return
    const isNews = !unreached.has(origin) && starts.has(origin)
    line.say(
      `given up for this run: ${isNews ? visible(unreachedText(origin, outcome, problem)) : `${origin} (${outcome})`}`,
    )
  }
  const starts = new Set(options.seeds?.flatMap((seed) => URL.parse(seed)?.origin ?? []))
  const unreached = new Set<string>()
  /** Of a start page at once, and once: whoever waits should know what for. */
  const tell = (event: unknown): void => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- channels do not know their messages' type.
    const { origin, outcome, problem } = event as RobotsEvent
    if (outcome === undefined || !starts.has(origin) || unreached.has(origin)) return
    unreached.add(origin)
    line.say(visible(unreachedText(origin, outcome, problem)))
  }
  siteGivenUp.subscribe(note)
  robotsRead.subscribe(tell)
  try {
    const { signal } = interrupt
    const onProgress = (progress: CrawlProgress): void => line.update(progress)
    const summary = await crawl({ into, options, signal, onProgress, settings, onControl: () => onBegin?.() })
    const { maxPages = Infinity, maxBytes = Infinity } = options
    return { summary, facts: { maxPages, maxBytes } }
  } finally {
    siteGivenUp.unsubscribe(note)
    robotsRead.unsubscribe(tell)
  }
}

/** Commands that make sense now, ready to be pasted. */
export function nextSteps(
  { collection, pages, waiting, seeds, index }: CrawlSummary,
  { env, paint }: Terminal,
): string[] {
  const comity = ownName(process.argv[1] ?? '', env)
  const dir = shellWord(collection)
  const page = shellWord(seeds[0]?.url ?? 'URL')
  const steps: [line: string, does: string, isUseful: boolean][] = [
    [`${comity} crawl --into ${dir}`, 'go on with the same settings', waiting > 0],
    [`${comity} search ${dir} WORDS`, 'find pages', index !== undefined && pages > 0],
    [`${comity} serve ${dir}`, 'the same with web pages', index !== undefined && pages > 0],
    [`${comity} inspect ${dir}`, 'what is in it', pages > 0],
    [`${comity} inspect ${dir} ${page}`, "one page's whole story", true],
    [`${comity} export ${dir} --jsonl pages.jsonl`, 'a line for every page', pages > 0],
    [`${comity} export ${dir} --graph links.tsv`, 'who links to whom', pages > 0],
  ]
  const useful = steps.filter(([, , isUseful]) => isUseful)
  const lines = useful.flatMap(([line, does]) => [paint('dim', `  # ${does}`), `  ${paint('cyan', line)}`])
  return section('Try next', lines, paint)
}
