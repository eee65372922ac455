/** What an index holds, listed posting by posting, and what a search finds: for tests. */
import { join } from 'node:path'
import { Collection } from '@comity/collection'
import { IndexReader } from '@comity/index'
import { openSearch } from '../collection-search.ts'

/** After the last page of a list; larger than any number of a document. */
const END = 0x7fffffff
/** As many times as a word is counted on one page. */
const MAX_PLACES = 1 << 16

interface IndexContents {
  /** URL and facts of each document, by page. */
  readonly documents: ReadonlyMap<number, string>
  /** `term page zones places`, in order: the same for the same pages, however they are spread over segments. */
  readonly postings: readonly string[]
}

/** Reads everything that is there; what is gone only when asked for, as it may still be on disk. */
export function indexContents(dir: string, { withGone = false }: { readonly withGone?: boolean } = {}): IndexContents {
  using reader = new IndexReader(join(dir, 'index'))
  if (reader.view.refused.length > 0) throw reader.view.refused[0]!
  const documents = new Map<number, string>()
  const postings: string[] = []
  const places = new Int32Array(MAX_PLACES)
  for (const { segment, gone } of reader.view.segments) {
    const { columns, directory } = segment
    for (let doc = 0; doc < segment.documents; doc++) {
      if (gone.has(doc) && !withGone) continue
      const [type, language] = [directory.types[columns.types[doc]!], directory.languages[columns.languages[doc]!]]
      const facts = [segment.url(doc), type, language, columns.lengths[doc], columns.groups[doc], columns.at(doc)]
      documents.set(columns.keys[doc]!, facts.join(' '))
    }
    for (const [term] of segment.terms()) {
      const cursor = segment.cursor(segment.postings(term)!)
      for (let doc = cursor.next(); doc !== END; doc = cursor.next()) {
        if (gone.has(doc) && !withGone) continue
        const count = cursor.positions(places)
        const where = [...places.subarray(0, count)].join(',')
        postings.push(`${term} ${columns.keys[doc]} ${cursor.zones} ${where}`)
      }
    }
  }
  return { documents: new Map([...documents].toSorted(([a], [b]) => a - b)), postings: postings.toSorted() }
}

/** Paths of the pages that a search finds, best first. */
export async function pathsFound(dir: string, query: string): Promise<string[]> {
  await using collection = Collection.openReadOnly(dir)
  await using search = openSearch(dir, () => collection)
  const { results } = await search.engine.search({ query, limit: 100, unfolded: true })
  return results.map(({ url }) => new URL(url).pathname)
}
