/** `comity export`: hand a collection over, as JSON lines, as a table, as a graph, or as a web archive. */
import { off } from '../command.ts'
import type { Call, Command, Flag } from '../command.ts'
import { openView } from './collection-view.ts'
import type { CollectionView } from './collection-view.ts'
import { edgeLines, nodeLines } from './export-graph.ts'
import { csvHeader, csvLine, jsonLine, visitedPages } from './export-rows.ts'
import { openSink } from './export-sink.ts'
import type { Sink } from './export-sink.ts'
import { exportWacz } from './export-wacz.ts'
import { LiveLine } from '../terminal/live-line.ts'
import { counted, formatBytes } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface ExportSettings {
  readonly jsonl: string | undefined
  readonly csv: string | undefined
  readonly graph: string | undefined
  readonly nodes: string | undefined
  readonly wacz: string | undefined
  readonly text: boolean
  readonly json: boolean
}

const file = (help: string): Flag<string | undefined> => ({ argument: 'FILE', default: undefined, parse: String, help })

export const exportCommand: Command<ExportSettings> = {
  name: 'export',
  summary: 'write the pages, the links or all of a collection to a file',
  operands: [{ name: 'DIR', help: 'the collection to export' }],
  flags: {
    jsonl: file('one JSON object a line for every visited page'),
    csv: file(
      'the same as a table (RFC 4180), with a line of names first. A text that begins like a formula, or with an apostrophe, has one more apostrophe before it; numbers are as they are',
    ),
    graph: file(
      'the links, one a line: from, tab, to, tab, anchor text, which has an apostrophe before it as in --csv',
    ),
    nodes: file('every known page, one a line: URL, tab, state, tab, status, tab, depth. Goes with --graph, or alone'),
    wacz: file('everything as one web archive (WACZ 1.1.1), for viewers such as ReplayWeb.page and for comity import'),
    text: off('with --jsonl or --wacz: the words of each page too'),
    json: off('print what was written as one JSON object'),
  },
  examples: [
    ['comity export example --jsonl pages.jsonl', 'a line for every page'],
    ['comity export example --graph links.tsv --nodes pages.tsv', 'the whole graph'],
    ['comity export example --csv - | head', '- is standard output'],
    ['comity export example --wacz example.wacz', 'what was fetched, in one file that others can open'],
  ],
  run: runExport,
}

interface Job {
  readonly path: string
  readonly lineEnd: string
  lines(view: CollectionView): Iterable<string>
}

function jobsOf({ jsonl, csv, graph, nodes, text }: ExportSettings): Job[] {
  const job = (path: string | undefined, lines: Job['lines'], lineEnd = '\n'): Job[] =>
    path === undefined ? [] : [{ path, lineEnd, lines }]
  return [
    ...job(jsonl, (view) => visitedPages(view).map((visited) => jsonLine(visited, view, text))),
    ...job(csv, csvLines, '\r\n'),
    ...job(graph, edgeLines),
    ...job(nodes, nodeLines),
  ]
}

function* csvLines(view: CollectionView): Generator<string> {
  yield csvHeader()
  for (const visited of visitedPages(view)) yield csvLine(visited, view)
}

async function runExport({ settings, operands: [dir = ''], terminal }: Call<ExportSettings>): Promise<number> {
  const jobs = jobsOf(settings)
  const { wacz } = settings
  if (jobs.length === 0 && wacz === undefined) {
    throw new UsageError(
      'Say what to write and where: --jsonl FILE, --csv FILE, --graph FILE, --nodes FILE or --wacz FILE.',
    )
  }
  if (wacz === '-') throw new UsageError('A WACZ cannot go to standard output: name a file.')
  const toOutput = jobs.filter(({ path }) => path === '-').length + Number(settings.json)
  if (toOutput > 1)
    throw new UsageError('Only one thing can go to standard output: write the others, or the export, to files.')
  if (settings.text && settings.jsonl === undefined && wacz === undefined)
    throw new UsageError('--text goes with --jsonl or --wacz.')
  await using view = openView(dir)
  const files: object[] = []
  for (const job of jobs) {
    const { lines, bytes } = await write(job, view, terminal)
    files.push({ file: job.path, lines, bytes })
    if (job.path !== '-') terminal.say(`${job.path}: ${counted(lines, 'line')}, ${formatBytes(bytes)}`)
  }
  if (wacz !== undefined) files.push(await writeWacz(view, wacz, settings.text, terminal))
  if (settings.json) terminal.print(JSON.stringify({ collection: dir, files }))
  return 0
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
