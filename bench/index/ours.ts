/**
 * Our own index as an engine of `bench/index.ts`. It indexes more than the peers do: zones of title, headings and URL,
 * the words of the URL, stems by language; and keeps the URL of each page. What is timed of a search is the query
 * language, the plan and the best ten by BM25F; what only a page of results needs (facets, snippets, folding) is not,
 * as the peers do none of it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IndexWriter, SearchEngine } from '@comity/index'
import type { IndexDocument } from '@comity/index'
import type { BuildOptions, Engine, Mode, Searcher } from './engine.ts'

export const ours: Engine = { name: `ours ${version()}`, build, open }

function version(): string {
  const path = join(import.meta.dirname, '../../packages/index/package.json')
  const { version: found }: { version: string } = JSON.parse(readFileSync(path, 'utf8'))
  return found
}

async function build(
  documents: Iterable<IndexDocument>,
  dir: string,
  { detail, memoryMb }: BuildOptions,
  added: () => void,
): Promise<void> {
  using writer = new IndexWriter(dir, { memoryBytes: memoryMb << 20, hasPositions: detail === 'positional' })
  for (const document of documents) writer.put(document)
  writer.commit(1)
  added()
  if (writer.segments > 1) writer.mergeAll()
}

async function open(dir: string): Promise<Searcher> {
  const engine = new SearchEngine(dir, { contentOf: async () => undefined })
  return {
    documents: engine.view.documents,
    search: (words, mode, limit) =>
      engine.rank(engine.plan(expression(words, mode)), limit, 'bm25').map(({ key }) => key),
    count: async (words, mode) => (await engine.search({ query: expression(words, mode), limit: 1 })).matches,
  }
}

function expression(words: readonly string[], mode: Mode): string {
  return words.join(mode === 'all' ? ' ' : ' OR ')
}
