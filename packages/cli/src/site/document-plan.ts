/**
 * Document plan: which documents a publication would write, change and take away, for `--dry-run`. The journal is gone on with in a
 * copy that is thrown away, so what follows from a scan is known, and nothing of the site is touched.
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePrivateFolder } from '@comity/disk'
import type { PlannedFile, PublicRuleOptions, SiteScheme } from '@comity/site'
import { publishWorld } from './files.ts'
import { robotsRdfTerms } from './command.ts'
import { counted, formatBytes, formatCount } from '../terminal/quantity.ts'
import { visible } from '../terminal/terminal.ts'
import type { Paint } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'

interface PlannedPlace {
  readonly docroot: string
  readonly into: string
  readonly journalDir: string
}

interface PlannedSite {
  readonly base: string
  readonly rules: Omit<PublicRuleOptions, 'robots'>
  readonly schemes: readonly SiteScheme[]
  readonly maximum: number
  readonly hasIncludes: boolean
}

export async function planDocuments(
  { docroot, into, journalDir }: PlannedPlace,
  { base, rules, schemes, maximum, hasIncludes }: PlannedSite,
): Promise<readonly PlannedFile[]> {
  const { DocrootScanner, docrootReader, exportedGlobs, FileJournal, FolderFiles, publishingLimits, StaticExport } =
    await import('@comity/site')
  const scratch = mkdtempSync(join(tmpdir(), 'comity-dry-run-'))
  try {
    makePrivateFolder(join(scratch, 'archives'))
    for (const name of ['journal.log', 'archives'])
      if (existsSync(join(journalDir, name))) cpSync(join(journalDir, name), join(scratch, name), { recursive: true })
    // Of earlier versions none is kept: bodies come from the document root.
    await using journal = await FileJournal.open(scratch, { versions: { maxBytes: 0 } })
    const reject = [...(rules.reject ?? []), ...exportedGlobs(new URL(base).pathname)]
    const scanner = new DocrootScanner(
      journal,
      { root: docroot, rules: { ...rules, reject }, spreadMs: 0, mayBeEmpty: true },
      publishWorld,
    )
    await scanner.scan()
    const kept = new FolderFiles(join(scratch, 'archives'))
    const read = docrootReader(docroot, publishingLimits.pageBytes)
    const robotsRdf = robotsRdfTerms(maximum, hasIncludes)
    const site = { journal, base, now: Date.now, rules, schemes, kept, robotsRdf, read }
    return await new StaticExport(site, { into, docroot }).plan()
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const WORDS: Readonly<Record<PlannedFile['change'], string>> = {
  new: 'would be written',
  changed: 'would be written anew',
  same: 'stay as they are',
  removed: 'would be removed',
  foreign: "would not be there, since somebody else's file is",
}

export function documentLines(documents: readonly PlannedFile[], into: string, paint: Paint): string[] {
  const there = documents.filter(({ change }) => change !== 'removed' && change !== 'foreign')
  const bytes = there.reduce((sum, one) => sum + one.bytes, 0)
  const counts = (Object.keys(WORDS) as PlannedFile['change'][]).flatMap((change) => {
    const count = documents.filter((one) => one.change === change).length
    return count === 0 ? [] : [`${formatCount(count)} ${WORDS[change]}`]
  })
  return [
    '',
    paint(
      'bold',
      `${counted(there.length, 'document')} in ${visible(into)}, ${formatBytes(bytes)}: ${counts.join(', ')}`,
    ),
    ...textTable(
      documents.map(({ path, change, bytes: size }) => [change, formatBytes(size), visible(path)]),
      ['left', 'right', 'left'],
    ),
  ]
}
