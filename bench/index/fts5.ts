/**
 * SQLite's FTS5 as a peer, through `node:sqlite`: contentless, one column, one transaction without a journal, its buffer
 * as large as everybody's, then `optimize` and `VACUUM`.
 *
 * Words are folded in case but not in accents, as Lucene's StandardAnalyzer does. `detail=none` keeps no frequencies, so
 * it is smaller than what Lucene keeps without positions, and cannot rank; it is there for its size.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { IndexDocument } from '../../packages/index/src/document.ts'
import { plainText } from './documents.ts'
import type { BuildOptions, Engine, Mode, Searcher } from './engine.ts'

const FILE = 'fts5.db'

export const fts5: Engine = { name: `FTS5 ${version()}`, build, open }

function version(): string {
  using database = new DatabaseSync(':memory:')
  return String(database.prepare('SELECT sqlite_version() AS version').get()!['version'])
}

async function build(
  documents: Iterable<IndexDocument>,
  dir: string,
  { detail, memoryMb }: BuildOptions,
  added: () => void,
): Promise<void> {
  using database = new DatabaseSync(join(dir, FILE))
  const kept = detail === 'positional' ? 'full' : 'none'
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE VIRTUAL TABLE page
      USING fts5(text, content = '', detail = ${kept}, tokenize = 'unicode61 remove_diacritics 0');
    INSERT INTO page(page, rank) VALUES ('hashsize', ${memoryMb * 1024 * 1024});
    BEGIN;`)
  const insert = database.prepare('INSERT INTO page(rowid, text) VALUES (?, ?)')
  for (const document of documents) insert.run(document.key, plainText(document))
  database.exec('COMMIT')
  added()
  database.exec(`INSERT INTO page(page) VALUES ('optimize'); VACUUM;`)
}

async function open(dir: string): Promise<Searcher> {
  const database = new DatabaseSync(join(dir, FILE), { readOnly: true })
  // The whole index in SQLite's own memory, as Lucene has it in mapped files.
  database.exec('PRAGMA cache_size = -1000000')
  const best = database.prepare('SELECT rowid FROM page WHERE page MATCH ? ORDER BY rank LIMIT ?')
  const all = database.prepare('SELECT count(*) AS matches FROM page WHERE page MATCH ?')
  const { documents } = database.prepare('SELECT count(*) AS documents FROM page_docsize').get()!
  return {
    documents: Number(documents),
    search: (words, mode, limit) => best.all(expression(words, mode), limit).map((row) => Number(row['rowid'])),
    count: (words, mode) => Number(all.get(expression(words, mode))!['matches']),
  }
}

function expression(words: readonly string[], mode: Mode): string {
  return words.map((word) => `"${word}"`).join(mode === 'all' ? ' AND ' : ' OR ')
}
