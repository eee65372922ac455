/** `comity index`: bring the index of a collection up to date, or make it anew. A crawl does so by itself. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Collection } from '@comity/collection'
import { IndexUpdater } from '@comity/search'
import type { IndexUpdaterReport } from '@comity/search'
import { IndexReader } from '@comity/index'
import { sayUrlRules } from './url-rules-note.ts'
import { requireOnePlace, wholeFlags } from '../cluster/place-flags.ts'
import type { WholeSettings } from '../cluster/place-flags.ts'
import { off, on } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { LiveLine } from '../terminal/live-line.ts'
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface IndexSettings extends WholeSettings {
  readonly anew: boolean
  readonly positions: boolean
  readonly json: boolean
}

export const indexCommand: Command<IndexSettings> = {
  name: 'index',
  summary: 'bring the index of a collection up to date, or make it anew',
  operands: [{ name: 'DIR', help: 'the collection; none with --cluster', optional: true }],
  flags: {
    anew: off('throw the index away first: after damage, or to change its kind'),
    positions: on('with --anew: leave out where words stand; a fifth of the size, and no phrases'),
    json: off('print what it came to as one JSON object, the last line on stdout'),
    ...wholeFlags,
  },
  examples: [
    ['comity index example', 'what an interrupted crawl left to do, and all of it merged into one segment'],
    ['comity index example --anew', 'from the archive, from the beginning'],
    ['comity index --cluster nats://nats.intranet:4222 --name web', 'every shard, by its machine; when no crawl runs'],
  ],
  notes: ['A crawl indexes by itself as it goes (comity crawl --no-index does not).'],
  run: runIndex,
}

async function runIndex({ settings, operands: [dir], terminal }: Call<IndexSettings>): Promise<number> {
  requireOnePlace(dir, settings)
  if (settings.cluster === undefined) return await indexCollection(dir ?? '', settings, terminal)
  const { indexWhole } = await import('../cluster/whole-index.ts')
  return await indexWhole(settings, terminal)
}

async function indexCollection(dir: string, settings: IndexSettings, terminal: Terminal): Promise<number> {
  await sayUrlRules(dir, terminal)
  await using collection = await Collection.open(dir, Date.now())
  if (settings.anew) removeIndex(dir)
  const startedAt = performance.now()
  let report: IndexUpdaterReport
  {
    using line = new LiveLine(terminal)
    const show = ({ pages }: IndexUpdaterReport): void => line.draw(`${counted(pages, 'page')} read`)
    await using updater = new IndexUpdater(collection, { writer: { hasPositions: settings.positions } })
    await updater.catchUp(show)
    line.draw('importance, and everything into one segment')
    await updater.finish()
    updater.mergeAll()
    report = updater.report
  }
  using reader = new IndexReader(join(dir, 'index'))
  const { documents, bytes } = reader.view
  const tookMs = performance.now() - startedAt
  if (settings.json)
    terminal.print(
      JSON.stringify({
        collection: dir,
        documents,
        bytes,
        read: report.pages,
        unread: report.unread,
        seconds: tookMs / 1000,
      }),
    )
  else {
    const lines = [
      `${counted(documents, 'page')} can be found; the index has ${formatBytes(bytes)}, made in ${formatDuration(tookMs)}`,
    ]
    for (const [why, count] of Object.entries(report.unread)) lines.push(`  ${formatCount(count)} left out: ${why}`)
    terminal.print(lines.join('\n'))
  }
  return 0
}

/** As docs/index-format.md names them. The folder may be a link, and where it leads there may be more than an index. */
const INDEX_FILE =
  /^(?:index\.json|s\d+\.seg|s\d+-\d+\.gone|(?:importance|hits)\.values|anchors\.notes|read-pages)(?:\.new)?$/

export function removeIndex(dir: string): void {
  const folder = join(dir, 'index')
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (INDEX_FILE.test(name)) rmSync(join(folder, name), { force: true })
}
