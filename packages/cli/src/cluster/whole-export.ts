/** `comity export --cluster`: the lines that each shard's export prints, one shard after the other, in the same files. */
import { shardOf, taskOutput } from '@comity/cluster'
import type { Message } from '@comity/cluster'
import { siteOf } from '@comity/protocol'
import type { Said } from '../command-line.ts'
import { ParquetFile } from '../collection/export-parquet.ts'
import type { ExportRecord } from '../collection/export-parquet.ts'
import { openSink } from '../collection/export-sink.ts'
import { counted, formatBytes } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'
import { openCluster } from './place.ts'
import type { WholeSettings } from './place-flags.ts'
import { EXPORT_FILTERS, EXPORT_SWITCHES, LINE_EXPORTS } from './shard-command.ts'
import { requireDone, shardsOf } from './whole-tasks.ts'
import type { Whole } from './whole-tasks.ts'

type LineExport = (typeof LINE_EXPORTS)[number]

interface WholeExportSettings extends WholeSettings {
  readonly jsonl: string | undefined
  readonly csv: string | undefined
  readonly errors: string | undefined
  readonly graph: string | undefined
  readonly nodes: string | undefined
  readonly parquet: string | undefined
  readonly wacz: string | undefined
  readonly text: boolean
  readonly wholeText: boolean
  readonly all: boolean
  readonly json: boolean
}

export async function exportWhole(settings: WholeExportSettings, said: Said, terminal: Terminal): Promise<number> {
  const { wacz, parquet, json } = settings
  if (wacz !== undefined)
    throw new UsageError(
      'A WACZ holds whole archives, which do not cross the road: make one of each shard on its machine, comity export DIR/shard-3 --wacz FILE.',
    )
  const { road, settings: made } = await openCluster(settings.cluster, settings)
  await using _ = road
  const whole = { road, settings: made }
  const asked = askedFor(settings, said)
  const files: object[] = []
  for (const what of LINE_EXPORTS) {
    const path = settings[what]
    if (path === undefined) continue
    const { lines, bytes } = await writeLines(whole, { what, path, asked }, terminal)
    files.push({ file: path, lines, bytes })
    if (path !== '-') terminal.say(`${path}: ${counted(lines, 'line')}, ${formatBytes(bytes)}`)
  }
  if (parquet !== undefined) files.push(await writeParquet(whole, parquet, asked, terminal))
  if (json) terminal.print(JSON.stringify({ cluster: made.name, shards: made.shards, files }))
  return 0
}

/** As it was typed: times such as `7d` are counted where they are read. */
function askedFor(settings: WholeExportSettings, said: Said): Message {
  const filters = EXPORT_FILTERS.flatMap((name) => {
    const typed = said.get(name)?.[0]
    return typed === undefined ? [] : [[name, typed] as const]
  })
  const switches = EXPORT_SWITCHES.filter((name) => settings[name]).map((name) => [name, true] as const)
  return Object.fromEntries<string | boolean>([...filters, ...switches])
}

interface LineJob {
  readonly what: LineExport
  readonly path: string
  readonly asked: Message
}

async function writeLines(
  whole: Whole,
  { what, path, asked }: LineJob,
  terminal: Terminal,
): Promise<{ readonly lines: number; readonly bytes: number }> {
  const lineEnd = what === 'csv' ? '\r\n' : '\n'
  await using sink = await openSink(path, terminal, lineEnd)
  for (const shard of shardsOf(whole)) {
    let isFirst = true
    for await (const lines of linesOf(whole, shard, { word: 'export', what, ...shared(what, asked) }, lineEnd)) {
      for (const line of lines) {
        const isHeader = what === 'csv' && isFirst && shard > 0
        isFirst = false
        if (!isHeader && isOfShard(what, line, shard, whole)) sink.line(line)
      }
      await sink.room()
    }
  }
  await sink.finish()
  return { lines: sink.lines, bytes: sink.bytes }
}

/** Text goes with pages alone. */
function shared(what: LineExport, { text, wholeText, ...rest }: Message): Message {
  if (what === 'graph' || what === 'nodes') return {}
  return what === 'jsonl' ? { ...rest, text, wholeText } : rest
}

/** A page is known to every shard that has found it, and told of by the one where it is at home. */
const isOfShard = (what: LineExport, line: string, shard: number, { settings }: Whole): boolean =>
  what !== 'nodes' || shardOf(siteOf(line.slice(0, line.indexOf('\t'))), settings.shards) === shard

async function* linesOf(whole: Whole, shard: number, task: Message, lineEnd: string): AsyncGenerator<string[]> {
  const output = taskOutput(whole.road, shard, task)
  let rest = ''
  for (;;) {
    const piece = await output.next()
    if (piece.done === true) return requireDone(shard, piece.value)
    const lines = (rest + piece.value).split(lineEnd)
    rest = lines.pop() ?? ''
    yield lines
  }
}

async function writeParquet(whole: Whole, path: string, asked: Message, terminal: Terminal): Promise<object> {
  await using table = new ParquetFile(path, asked['text'] === true || asked['wholeText'] === true)
  for (const shard of shardsOf(whole))
    for await (const lines of linesOf(whole, shard, { word: 'export', what: 'jsonl', ...asked }, '\n'))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a command of ours printed it.
      for (const line of lines) await table.add(JSON.parse(line) as ExportRecord)
  await table.finish()
  const { rows, bytes } = table
  terminal.say(`${path}: ${counted(rows, 'row')}, ${formatBytes(bytes)}`)
  return { file: path, rows, bytes }
}
