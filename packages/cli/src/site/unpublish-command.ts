/** `comity unpublish`: what `comity publish` wrote is taken away again. */
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { off } from '../command.ts'
import type { Call, Command } from '../command.ts'
import { journalOf } from './command.ts'
import { counted } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface UnpublishSettings {
  readonly into: string | undefined
  readonly journal: string | undefined
  readonly forget: boolean
  readonly dryRun: boolean
  readonly json: boolean
}

export const unpublishCommand: Command<UnpublishSettings> = {
  name: 'unpublish',
  summary: 'take away all that publish wrote, and nothing else',
  operands: [{ name: 'DOCROOT', help: 'the folder that was published' }],
  flags: {
    into: { argument: 'DIR', default: undefined, shown: 'DOCROOT', parse: String, help: 'where the documents are, when publish was given --into' },
    journal: { argument: 'DIR', default: undefined, shown: '.comity-NAME beside DOCROOT', parse: String, help: 'where what changed is remembered' },
    forget: off('remove that journal too, with the ledger, subscribers and signing keys in it: who followed the site begins anew'),
    dryRun: off('only say what would be removed'),
    json: off('print what was removed as JSON'),
  }, // oxfmt-ignore
  examples: [
    ['comity unpublish /var/www/html --dry-run', 'what would go?'],
    ['comity unpublish /var/www/html', 'documents go, and our lines in robots.txt; pages stay'],
    ['comity unpublish /var/www/html --forget', 'and what was remembered of the site'],
  ],
  notes: [
    'Which files are ours stands in .comity-files.json beside them, with their sums: one that somebody has edited since stays, and is ' +
      'named. Stop a publish --watch or --serve of the same folder first. What --snippet printed is in your server: take the include out there.',
  ],
  run: runUnpublish,
}

async function runUnpublish({ settings, operands: [given = ''], terminal }: Call<UnpublishSettings>): Promise<number> {
  const { dryRun, forget, json } = settings
  const { FileJournal, unpublish } = await import('@comity/site')
  const docroot = resolve(given)
  if (!existsSync(docroot)) throw new UsageError(`${given} is not there: name the folder that was published.`)
  const into = resolve(settings.into ?? docroot)
  const journal = journalOf(settings, 'http://localhost/', docroot)
  const hasJournal = existsSync(join(journal, JOURNAL))
  // Whoever is publishing now would write it all again.
  if (hasJournal && !dryRun) await (await FileJournal.open(journal))[Symbol.asyncDispose]()
  const done = await unpublish({ into, docroot }, dryRun)
  const key = dryRun ? undefined : removeKeyFile(journal, into)
  const removed = [...done.removed, ...(key === undefined ? [] : [key])]
  const isForgotten = forget && hasJournal
  const unknown = isForgotten && !dryRun ? forgetJournal(journal) : []
  if (json) {
    const forgotten = isForgotten ? journal : undefined
    terminal.print(JSON.stringify({ docroot, into, ...done, removed, forgotten, unknown, dryRun }))
    return 0
  }
  const does = dryRun ? 'would be removed from' : 'removed from'
  if (removed.length === 0 && !done.robots && done.left.length === 0)
    terminal.print(`${visible(into)}: nothing of ours is there.`)
  else terminal.print(`${counted(removed.length, 'file')} ${does} ${visible(into)}`)
  if (done.robots) terminal.print(`robots.txt: our lines ${dryRun ? 'would be taken' : 'are taken'} out, yours stay`)
  for (const path of done.left) terminal.print(terminal.paint('yellow', `${visible(path)} stays: it was edited since`))
  if (isForgotten) terminal.print(`${visible(journal)} ${dryRun ? 'would be forgotten' : 'is forgotten'}`)
  else if (hasJournal)
    terminal.print(`${visible(journal)} stays, so that a later publish goes on from it; --forget removes it`)
  for (const name of unknown)
    terminal.print(terminal.paint('yellow', `${visible(join(journal, name))} stays: it is none of ours`))
  return 0
}

const JOURNAL = 'journal.log'
/** What a publication keeps, beside locks and files half written. */
const KEPT: ReadonlySet<string> = new Set([
  JOURNAL,
  'versions',
  'archives',
  'ledger.json',
  'ledger.json.damaged',
  'push',
])
const LEFT_OVER = /^(?:writer-\d+\.lock|(?:journal\.log|ledger\.json)\.[\w.-]+)$/

/** Names of what is there and is not ours, which stays with the folder. */
function forgetJournal(dir: string): readonly string[] {
  const [own, others] = [[] as string[], [] as string[]]
  for (const name of readdirSync(dir)) (KEPT.has(name) || LEFT_OVER.test(name) ? own : others).push(name)
  for (const name of own) rmSync(join(dir, name), { recursive: true, force: true })
  if (others.length === 0) rmdirSync(dir)
  return others
}

/** The key of IndexNow is a file of the document root that no list names. */
function removeKeyFile(journal: string, into: string): string | undefined {
  try {
    const key = readFileSync(join(journal, 'push/indexnow-key.txt'), 'utf8').trim()
    const file = join(into, `${key}.txt`)
    if (!/^[\w-]{8,128}$/.test(key) || readFileSync(file, 'utf8') !== key) return undefined
    rmSync(file)
    return `/${key}.txt`
  } catch {
    // It was never written, or is gone.
    return undefined
  }
}
