/** The language of each indexed page, as its page says it or as its words tell: `de`, by the page's number. */
import { join } from 'node:path'
import { IndexReader } from '@comity/index'

/** What nobody can tell. */
const UNDETERMINED = 'und'

export function indexedLanguages(dir: string): ReadonlyMap<number, string> {
  using reader = new IndexReader(join(dir, 'index'))
  const found = new Map<number, string>()
  for (const { segment, gone } of reader.view.segments) {
    const { columns, directory } = segment
    for (let doc = 0; doc < columns.count; doc++) {
      const language = directory.languages[columns.languages[doc] as number] as string
      if (language !== UNDETERMINED && !gone.has(doc)) found.set(columns.keys[doc] as number, language)
    }
  }
  return found
}
