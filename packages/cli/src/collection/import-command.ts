/** `comity import`: take in what somebody else has archived, as if we had been there. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SKIP_REASONS } from '@comity/ingest'
import { importArchives, statedUrlRules } from '@comity/crawler'
import type { Archive, ImportProgress, ImportSummary } from '@comity/crawler'
import { ownValue, tableOf } from '@comity/protocol'
import { archivesIn } from '../crawl/archive-source.ts'
import { crawlFlags } from '../crawl/flags.ts'
import type { CrawlSettings } from '../crawl/flags.ts'
import { urlSettingsOf } from '../crawl/options.ts'
import { off, on } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { requireFile } from '../terminal/input-file.ts'
import { LiveLine } from '../terminal/live-line.ts'
import { counted, formatBytes, formatCount } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'
import { sayUrlRules } from './url-rules-note.ts'

interface ImportSettings {
  readonly into: string | undefined
  readonly index: boolean
  readonly json: boolean
  readonly config: string | undefined
  readonly sites: CrawlSettings['sites']
  readonly urls: CrawlSettings['urls']
}

export const importCommand: Command<ImportSettings> = {
  name: 'import',
  summary: 'take in the pages of WARC and WACZ files',
  operands: [{ name: 'FILE', help: 'a .warc, a .warc.gz or a .wacz file', many: true }],
  flags: {
    into: {
      argument: 'DIR',
      default: undefined,
      parse: String,
      help: 'the collection to take them into; made when it is new',
    },
    index: on('do not make pages searchable as they come in; it can be done later'),
    json: off('print what came of it as one JSON object'),
    config: { ...crawlFlags.config, help: 'JSON with the same settings, and those below' },
    sites: {
      ...crawlFlags.sites,
      help: 'a list of { "host" or "origin", "dropParameters", "keepParameters", "dropSessionIds" }, as in the config file of a crawl',
    },
    urls: crawlFlags.urls,
  },
  examples: [
    ['comity import crawl.warc.gz --into example', 'every answer in it becomes a capture with its own date'],
    ['comity import site.wacz more.wacz --into example', 'several archives into one collection'],
  ],
  notes: [
    'A capture is known by its URL and date, so importing a file twice changes nothing, and an import that was stopped ' +
      'is completed by the same command. What the pages link to becomes known, but waits for no crawl.',
  ],
  run: runImport,
}

async function runImport({ settings, operands, terminal }: Call<ImportSettings>): Promise<number> {
  const { into, json } = settings
  if (into === undefined) throw new UsageError('Say where the pages go: --into DIR.')
  if (operands.length === 0) throw new UsageError('Name the archives to take in: .warc, .warc.gz or .wacz files.')
  // Before a collection is made for nothing.
  for (const path of operands) await requireFile(path, 'a WARC or WACZ file in it')
  const urls = urlSettingsOf(settings)
  if (existsSync(join(into, 'collection.json'))) await sayUrlRules(into, terminal, statedUrlRules(urls))
  using line = new LiveLine(terminal)
  using interrupt = onInterrupt(() => line.say('stopping; Ctrl-C again stops at once'))
  const damaged = { 'bad-entry': 0, 'bad-file': 0 }
  const refusals: string[] = []
  const archives = allOf(operands, {
    onDamage: (name, message) => {
      damaged['bad-entry']++
      line.say(`${visible(name)}: ${message}; what was read before that is kept`)
    },
    onRefused: (message) => {
      damaged['bad-file']++
      refusals.push(message)
      line.say(visible(message))
    },
  })
  const summary = await importArchives({
    into,
    archives,
    ...urls,
    index: settings.index,
    signal: interrupt.signal,
    onProgress: (progress) => line.draw(progressText(progress)),
  })
  line.draw('')
  const files = Object.entries(damaged).filter(([, count]) => count > 0)
  const seen = files.reduce((sum, [, count]) => sum + count, summary.seen)
  const whole = { ...summary, seen, skipped: { ...summary.skipped, ...Object.fromEntries(files) } }
  if (json) terminal.print(JSON.stringify(whole))
  else terminal.print(report(whole, terminal.paint).join('\n'))
  if (summary.records === 0 && !summary.interrupted) {
    throw new UsageError(refusals[0] ?? `${operands.join(', ')}: no WARC record could be read.${hintFor(summary)}`)
  }
  return 0
}

interface Troubles {
  /** A part of a file could not be read to its end. */
  readonly onDamage: (name: string, message: string) => void
  /** A whole file could not; the others are read all the same. */
  readonly onRefused: (message: string) => void
}

async function* allOf(paths: readonly string[], { onDamage, onRefused }: Troubles): AsyncGenerator<Archive> {
  for (const path of paths) {
    try {
      yield* archivesIn(path, onDamage)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      onRefused(error.message)
    }
  }
}

const progressText = ({ archive, records, captures, bytes }: ImportProgress): string =>
  `${counted(captures, 'capture')} of ${counted(records, 'record')}, ${formatBytes(bytes)}, ${visible(archive)}`

function report(summary: ImportSummary, paint: Paint): string[] {
  const { collection, captures, pages, bytes, records, archives, skipped, problems, index } = summary
  const rows = (counts: Readonly<Record<string, number>>): string[] =>
    Object.entries(counts)
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `  ${formatCount(count).padStart(9)}  ${name.padEnd(24)}  ${paint('dim', meaning(name))}`)
  return [
    `${collection}: ${counted(captures, 'capture')} of ${counted(pages, 'new page')}, ${formatBytes(bytes)}, ` +
      `from ${counted(records, 'record')} in ${counted(archives, 'WARC file')}`,
    ...section('Left out', rows(skipped)),
    ...section('Read in spite of', rows(problems)),
    ...(index?.problem === undefined ? [] : ['', `Not everything is indexed: ${index.problem}`]),
  ]
}

const section = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', title, ...lines])

/** What the WARC reader and we have to say about a file. */
const OTHER_REASONS: ReadonlyMap<string, string> = tableOf({
  truncated: 'the file ends inside a record: a copy that was cut short',
  'too-large': 'a record larger than we take in',
  'bad-gzip': 'compressed bytes are damaged',
  'bad-version': 'bytes that are no WARC record',
  'bad-header': 'the head of a record cannot be read',
  'bad-line': 'a line in the head of a record that is no field',
  'bad-length': 'a record without a length, or with one that leads into others',
  'gave-up': 'so much is damaged that the rest was not looked at',
  'arc-not-supported': 'an ARC file, the older format: convert it to WARC first',
  'missing-field': 'a field that every record must have is missing',
  'missing-crlf': 'a record does not end as it must',
  'bad-digest': 'the bytes are not those of the digest in their record',
  'bad-entry': 'a WARC file in a WACZ that could not be read to its end',
  'bad-file': 'a WACZ that could not be read at all',
})

const meaning = (name: string): string => ownValue<string>(SKIP_REASONS, name) ?? OTHER_REASONS.get(name) ?? ''

const hintFor = ({ skipped }: ImportSummary): string => {
  if ('arc-not-supported' in skipped) return ' It is an ARC file, the older format: convert it to WARC first.'
  return ' Name a .warc, a .warc.gz or a .wacz file.'
}
