/** `comity export`: hand a collection over, as JSON lines, as a table, as a graph, or as a web archive. */
import { requireOnePlace, wholeFlags } from '../cluster/place-flags.ts'
import type { WholeSettings } from '../cluster/place-flags.ts'
import { off } from '../command.ts'
import type { Call, Command, Flag } from '../command.ts'
import { openView } from './collection-view.ts'
import type { CollectionView } from './collection-view.ts'
import { exportChoice, hasChoice, parseSince, parseStatuses } from './export-choice.ts'
import type { Choice, ChoiceSettings } from './export-choice.ts'
import { edgeLines, nodeLines } from './export-graph.ts'
import { ParquetFile } from './export-parquet.ts'
import { csvHeader, csvLine, FIELDS, jsonLine, recordOf, TEXT_FIELD, visitedPages } from './export-rows.ts'
import type { TextOf, Visited } from './export-rows.ts'
import { openSink } from './export-sink.ts'
import type { Sink } from './export-sink.ts'
import { exportWacz } from './export-wacz.ts'
import { pageText, textWithoutMenus } from './page-text.ts'
import { requireRoomFor } from '../terminal/input-file.ts'
import { LiveLine } from '../terminal/live-line.ts'
import { counted, formatBytes } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface ExportSettings extends ChoiceSettings, WholeSettings {
  readonly jsonl: string | undefined
  readonly csv: string | undefined
  readonly parquet: string | undefined
  readonly errors: string | undefined
  readonly graph: string | undefined
  readonly nodes: string | undefined
  readonly wacz: string | undefined
  readonly text: boolean
  readonly wholeText: boolean
  readonly json: boolean
}

const file = (help: string): Flag<string | undefined> => ({ argument: 'FILE', default: undefined, parse: String, help })
const KIND_WORDS = { text: '', count: '; a number', time: '; ISO 8601, UTC' } as const
const filter = (argument: string, help: string): Flag<string | undefined> => {
  return { argument, default: undefined, parse: String, help }
}

export const exportCommand: Command<ExportSettings> = {
  name: 'export',
  summary: 'write the pages, the links or all of a collection to a file',
  operands: [{ name: 'DIR', help: 'the collection to export; none with --cluster', optional: true }],
  flags: {
    jsonl: file('one JSON object a line for every page; see Fields'),
    csv: file(
      'the same as a table (RFC 4180), with a line of names first. A text that begins like a formula, or with an apostrophe, has one more apostrophe before it; numbers are as they are',
    ),
    parquet: file('the same as a table of columns, for notebooks and databases'),
    errors: file('one JSON object a line for every visited address that is no page: redirects, errors, failures'),
    all: off('pages and what is no page together in --jsonl, --csv and --parquet'),
    site: filter('HOST', 'only pages of this site, or below example.org/docs'),
    type: filter('TYPE', 'only pages of this type: html, pdf, image/png'),
    lang: filter('CODE', 'only pages in this language'),
    since: filter('WHEN', 'only pages first seen since a date or so long ago: 2026-01-31, 7d'),
    changedSince: {
      argument: 'WHEN',
      default: undefined,
      parse: parseSince,
      help: 'only pages that are new or other than they were since then',
    },
    status: {
      argument: 'LIST',
      default: undefined,
      parse: parseStatuses,
      help: 'only addresses with one of these statuses, pages or not: 200, or 404,410, or 5xx',
    },
    where: filter('FILTERS', 'the same in the words of a search: "site:example.org -type:pdf lang:de"'),
    graph: file(
      'the links, one a line: from, tab, to, tab, anchor text, which has an apostrophe before it as in --csv',
    ),
    nodes: file('every known page, one a line: URL, tab, state, tab, status, tab, depth. Goes with --graph, or alone'),
    wacz: file('everything as one web archive (WACZ 1.1.1), for viewers such as ReplayWeb.page and for comity import'),
    text: off(
      'with --jsonl, --parquet or --wacz: the words of each page too, in the first two without the menus that its site repeats',
    ),
    wholeText: off('the same with the menus'),
    json: off('print what was written as one JSON object'),
    ...wholeFlags,
  },
  tables: [
    {
      title: 'Fields',
      rows: [...Object.entries(FIELDS), ['text', TEXT_FIELD] as const].map(
        ([name, { kind, means }]) => [name, `${means}${KIND_WORDS[kind]}`] as const,
      ),
    },
  ],
  examples: [
    ['comity export example --jsonl pages.jsonl', 'a line for every page'],
    [
      'comity export example --jsonl new.jsonl --text --changed-since 7d --lang en',
      'what is new in English, with its words',
    ],
    ['comity export example --parquet pages.parquet --errors errors.jsonl', 'a table of pages, and apart what is none'],
    ['comity export example --graph links.tsv --nodes pages.tsv', 'the whole graph'],
    ['comity export example --csv - | head', '- is standard output'],
    ['comity export example --wacz example.wacz', 'what was fetched, in one file that others can open'],
    ['comity export --cluster nats://nats.intranet:4222 --name web --jsonl pages.jsonl', 'the pages of all machines'],
  ],
  run: runExport,
}

interface Job {
  readonly path: string
  readonly lineEnd: string
  lines(view: CollectionView): Iterable<string>
}

/** The visited pages that go into a file. */
type Chosen = (view: CollectionView) => Iterable<Visited>

interface Chooser {
  readonly pages: Chosen
  readonly errors: Chosen
  /** What was left out as it is no page, of the last walk over `pages`. */
  leftOut(): number
}

function chooserOf(settings: ExportSettings): Chooser {
  let leftOut = 0
  const walk = (isWanted: (choice: Choice) => boolean): Chosen =>
    function* chosen(view) {
      const choose = exportChoice(settings, view.collection, Date.now())
      leftOut = 0
      for (const visited of visitedPages(view)) {
        const choice = choose(visited)
        if (isWanted(choice)) yield visited
        else if (choice === 'other') leftOut++
      }
    }
  return {
    pages: walk((choice) => choice === 'page' || (settings.all && choice === 'other')),
    errors: walk((choice) => choice === 'other'),
    leftOut: () => leftOut,
  }
}

type Texts = (view: CollectionView) => TextOf | undefined

function textsOf({ text, wholeText }: ExportSettings): Texts {
  if (wholeText) return (view) => (visited) => pageText(visited, view)
  return text ? textWithoutMenus : () => undefined
}

function jobsOf({ jsonl, csv, errors, graph, nodes }: ExportSettings, chooser: Chooser, texts: Texts): Job[] {
  const job = (path: string | undefined, lines: Job['lines'], lineEnd = '\n'): Job[] =>
    path === undefined ? [] : [{ path, lineEnd, lines }]
  return [
    ...job(jsonl, (view) => jsonLines(chooser.pages, view, texts(view))),
    ...job(errors, (view) => jsonLines(chooser.errors, view, undefined)),
    ...job(csv, (view) => csvLines(chooser.pages, view), '\r\n'),
    ...job(graph, edgeLines),
    ...job(nodes, nodeLines),
  ]
}

function* jsonLines(chosen: Chosen, view: CollectionView, textOf: TextOf | undefined): Generator<string> {
  for (const visited of chosen(view)) yield jsonLine(visited, view, textOf)
}

function* csvLines(chosen: Chosen, view: CollectionView): Generator<string> {
  yield csvHeader()
  for (const visited of chosen(view)) yield csvLine(visited, view)
}

/** What cannot be meant is told before anything is opened. */
function requireSense(settings: ExportSettings): void {
  const { jsonl, csv, parquet, errors, graph, nodes, wacz, text, wholeText, json } = settings
  const lineFiles = [jsonl, csv, errors, graph, nodes]
  if ([...lineFiles, parquet, wacz].every((path) => path === undefined)) {
    throw new UsageError(
      'Say what to write and where: --jsonl FILE, --csv FILE, --parquet FILE, --errors FILE, --graph FILE, --nodes FILE or --wacz FILE.',
    )
  }
  if (wacz === '-') throw new UsageError('A WACZ cannot go to standard output: name a file.')
  if (parquet === '-') throw new UsageError('A Parquet table cannot go to standard output: name a file.')
  if (lineFiles.filter((path) => path === '-').length + Number(json) > 1)
    throw new UsageError('Only one thing can go to standard output: write the others, or the export, to files.')
  if ((text || wholeText) && [jsonl, parquet, wacz].every((path) => path === undefined))
    throw new UsageError('--text goes with --jsonl, --parquet or --wacz.')
  if (hasChoice(settings) && [jsonl, csv, parquet, errors].every((path) => path === undefined))
    throw new UsageError(
      'Which pages can be said for --jsonl, --csv, --parquet and --errors; a graph and a WACZ are of the whole collection.',
    )
}

const filesOf = ({ jsonl, csv, parquet, errors, graph, nodes, wacz }: ExportSettings): string[] =>
  [jsonl, csv, parquet, errors, graph, nodes, wacz].flatMap((path) =>
    path === undefined || path === '-' ? [] : [path],
  )

async function runExport({ settings, said, operands: [dir], terminal }: Call<ExportSettings>): Promise<number> {
  requireSense(settings)
  requireOnePlace(dir, settings)
  for (const path of filesOf(settings)) await requireRoomFor(path)
  if (settings.cluster !== undefined) {
    const { exportWhole } = await import('../cluster/whole-export.ts')
    return await exportWhole(settings, said, terminal)
  }
  return await exportCollection(dir ?? '', settings, terminal)
}

async function exportCollection(dir: string, settings: ExportSettings, terminal: Terminal): Promise<number> {
  const { wacz, parquet, errors } = settings
  const chooser = chooserOf(settings)
  const texts = textsOf(settings)
  await using view = openView(dir)
  // What is wrong with a filter is told before a file is begun.
  exportChoice(settings, view.collection, Date.now())
  const files: object[] = []
  for (const job of jobsOf(settings, chooser, texts)) {
    const { lines, bytes } = await write(job, view, terminal)
    files.push({ file: job.path, lines, bytes })
    if (job.path !== '-') terminal.say(`${job.path}: ${counted(lines, 'line')}, ${formatBytes(bytes)}`)
  }
  if (parquet !== undefined) files.push(await writeParquet(view, parquet, chooser, texts, terminal))
  if (wacz !== undefined) files.push(await writeWacz(view, wacz, settings.text || settings.wholeText, terminal))
  if (errors === undefined) sayLeftOut(chooser.leftOut(), terminal)
  if (settings.json) terminal.print(JSON.stringify({ collection: dir, files }))
  return 0
}

function sayLeftOut(count: number, terminal: Terminal): void {
  if (count === 0) return
  const addresses = counted(count, 'visited address', 'visited addresses')
  terminal.say(`${addresses} left out as no page (redirects, errors): --errors FILE writes them, --all adds them`)
}

async function writeParquet(
  view: CollectionView,
  path: string,
  { pages }: Chooser,
  texts: Texts,
  terminal: Terminal,
): Promise<object> {
  using line = new LiveLine(terminal)
  const textOf = texts(view)
  await using table = new ParquetFile(path, textOf !== undefined)
  let shownAt = Date.now()
  for (const visited of pages(view)) {
    await table.add(recordOf(visited, view, textOf))
    if (Date.now() - shownAt < PROGRESS_EVERY_MS) continue
    shownAt = Date.now()
    line.draw(`${path}: ${counted(table.rows, 'row')}, ${formatBytes(table.bytes)}`)
  }
  await table.finish()
  const { rows, bytes } = table
  line.say(`${path}: ${counted(rows, 'row')}, ${formatBytes(bytes)}`)
  return { file: path, rows, bytes }
}

async function writeWacz(view: CollectionView, path: string, withText: boolean, terminal: Terminal): Promise<object> {
  using line = new LiveLine(terminal)
  let shownAt = Date.now()
  const onProgress = (entry: string, bytes: number): void => {
    if (Date.now() - shownAt < PROGRESS_EVERY_MS) return
    shownAt = Date.now()
    line.draw(`${path}: ${entry}, ${formatBytes(bytes)}`)
  }
  const made = await exportWacz(view, path, { created: new Date(), withText, onProgress })
  const { pages, captures, bytes } = made
  line.say(`${path}: ${counted(pages, 'page')}, ${counted(captures, 'capture')}, ${formatBytes(bytes)}`)
  return { file: path, ...made }
}

/** Lines between two looks at the clock. */
const LINES_A_TURN = 1_000
const PROGRESS_EVERY_MS = 500

async function write(job: Job, view: CollectionView, terminal: Terminal): Promise<{ lines: number; bytes: number }> {
  await using sink = await openSink(job.path, terminal, job.lineEnd)
  let shownAt = Date.now()
  for (const line of job.lines(view)) {
    sink.line(line)
    await sink.room()
    if (sink.lines % LINES_A_TURN !== 0 || Date.now() - shownAt < PROGRESS_EVERY_MS) continue
    shownAt = Date.now()
    show(job, sink, terminal)
  }
  await sink.finish()
  if (terminal.liveColumns() !== undefined) terminal.draw('\r\x1b[2K')
  return { lines: sink.lines, bytes: sink.bytes }
}

function show({ path }: Job, { lines, bytes }: Sink, terminal: Terminal): void {
  const columns = terminal.liveColumns()
  if (columns === undefined || path === '-') return
  terminal.draw(`\r\x1b[2K${`${path}: ${counted(lines, 'line')}, ${formatBytes(bytes)}`.slice(0, columns - 1)}`)
}
