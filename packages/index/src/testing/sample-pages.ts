/** Sample pages, for the tests of this package: documents as a crawl brings them, and what an index says of them. */
import type { IndexDocument } from '../document.ts'
import type { IndexView } from '../read/index-reader.ts'
import { END } from '../read/posting-cursor.ts'

export const AT: number = Date.UTC(2026, 10, 1)

/** A page in no language anybody stems, about nothing unless said. */
export function samplePage(key: number, text: string, more: Partial<IndexDocument> = {}): IndexDocument {
  return {
    key,
    url: `https://a.example/${key}`,
    title: '',
    headings: [],
    text,
    anchors: [],
    language: 'und',
    type: 'text/html',
    at: AT,
    ...more,
  }
}

/** What a state of an index holds: of each page that is there, the words that begin like this, in order. */
export function pagesIn(view: IndexView, prefix: string): Map<number, string[]> {
  const pages = new Map<number, string[]>()
  for (const { segment, gone } of view.segments) {
    for (const [doc, key] of segment.columns.keys.entries()) {
      if (gone.has(doc)) continue
      if (pages.has(key)) throw new Error(`page ${key} is there twice`)
      pages.set(key, [])
    }
    for (const [term] of segment.terms(prefix)) {
      const postings = segment.postings(term)
      if (postings === undefined) throw new Error(`${term} is listed and not found`)
      const cursor = segment.cursor(postings)
      for (let doc = cursor.next(); doc !== END; doc = cursor.next())
        if (!gone.has(doc)) pages.get(segment.columns.keys[doc] as number)?.push(term)
    }
  }
  return pages
}
