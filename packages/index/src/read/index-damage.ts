/** Index damage: every segment read to its end, as searches read parts of it. What is wrong, in words; undefined when nothing is. */
import { IndexError } from '../errors.ts'
import { IndexReader } from './index-reader.ts'
import { END } from './posting-cursor.ts'
import type { Segment } from './segment.ts'

export function indexDamage(dir: string): string | undefined {
  try {
    using reader = new IndexReader(dir)
    const { refused, segments } = reader.view
    if (refused.length > 0) return refused.map(({ message }) => message).join(' ')
    for (const { segment } of segments) readToItsEnd(segment)
    return undefined
  } catch (error) {
    if (error instanceof IndexError) return error.message
    throw error
  }
}

function readToItsEnd(segment: Segment): void {
  for (let doc = 0; doc < segment.documents; doc++) segment.url(doc)
  for (const [term] of segment.terms('')) {
    const postings = segment.postings(term)
    if (postings === undefined) continue
    const cursor = segment.cursor(postings)
    let doc = cursor.next()
    while (doc !== END) doc = cursor.next()
  }
}
