/**
 * Merge: several segments become one, without the documents that are gone. All streams are in order already, of URLs
 * and of terms, so nothing is sorted and memory does not grow with the segments: only the new number of every document
 * is held.
 *
 * A merge of a large index takes minutes, and new pages must be searchable meanwhile; so it is a generator that does a
 * little, yields, and can be given up between two steps.
 */
import type { DocumentEntry } from '../format/document-table.ts'
import { compareTerms } from '../format/posting.ts'
import type { PostingStream, TermStream } from '../format/posting.ts'
import type { Segment } from '../read/segment.ts'
import { GONE, SegmentTerms } from '../read/segment-stream.ts'
import type { SegmentSource } from './segment-writer.ts'

interface MergeSource {
  readonly segment: Segment
  readonly isGone: (doc: number) => boolean
}

interface MergePlan {
  readonly source: SegmentSource
  /** For each source, the new number of each document; `GONE` for those left out. */
  readonly renumbered: readonly Int32Array[]
}

/** What a merged segment is written from. The new numbers are there when all documents were taken. */
export function planMerge(sources: readonly MergeSource[]): MergePlan {
  const renumbered = sources.map(({ segment }) => new Int32Array(segment.documents).fill(GONE))
  const documents = mergedDocuments(sources, renumbered)
  const hasPositions = sources.every(({ segment }) => segment.directory.hasPositions)
  const streams = sources.map(({ segment }, i) => new SegmentTerms(segment, renumbered[i] as Int32Array, hasPositions))
  return { renumbered, source: { documents, hasPositions, terms: new MergedTerms(streams), isDense: true } }
}

function* mergedDocuments(
  sources: readonly MergeSource[],
  renumbered: readonly Int32Array[],
): Generator<DocumentEntry> {
  const heads = sources.map((source, i) => new DocumentStream(source, renumbered[i] as Int32Array))
  for (let number = 0; ; number++) {
    let least: DocumentStream | undefined
    for (const head of heads)
      if (!head.isDone && (least === undefined || compareTerms(head.url, least.url) < 0)) least = head
    if (least === undefined) return
    yield least.take(number)
  }
}

/** The documents of one source that are still there, in order. */
class DocumentStream {
  url = ''
  isDone = false
  readonly #source: MergeSource
  readonly #numbers: Int32Array
  readonly #urls: Generator<string>
  #doc = -1

  constructor(source: MergeSource, numbers: Int32Array) {
    this.#source = source
    this.#numbers = numbers
    this.#urls = source.segment.urls()
    this.#advance()
  }

  take(number: number): DocumentEntry {
    const { directory, columns } = this.#source.segment
    const doc = this.#doc
    this.#numbers[doc] = number
    const entry = {
      key: columns.keys[doc] as number,
      url: this.url,
      group: columns.groups[doc] as number,
      length: columns.lengths[doc] as number,
      site: directory.sites[columns.sites[doc] as number] as string,
      type: directory.types[columns.types[doc] as number] as string,
      language: directory.languages[columns.languages[doc] as number] as string,
      at: columns.at(doc),
    }
    this.#advance()
    return entry
  }

  #advance(): void {
    do {
      const next = this.#urls.next()
      if (next.done === true) {
        this.isDone = true
        return
      }
      this.url = next.value
      this.#doc++
    } while (this.#source.isGone(this.#doc))
  }
}

/** The terms of several streams, each once. A term all of whose documents are gone is not written by anybody. */
class MergedTerms implements TermStream {
  term = ''
  readonly postings = new MergedPostings()
  #live: SegmentTerms[]
  #current: SegmentTerms[] = []

  constructor(streams: readonly SegmentTerms[]) {
    this.#live = streams.filter((stream) => stream.next())
  }

  next(): boolean {
    for (const stream of this.#current) if (!stream.next()) this.#live.splice(this.#live.indexOf(stream), 1)
    this.#current = []
    for (const stream of this.#live) {
      const order = this.#current.length === 0 ? -1 : compareTerms(stream.term, this.term)
      if (order > 0) continue
      if (order < 0) this.#current.length = 0
      this.#current.push(stream)
      this.term = stream.term
    }
    this.postings.start(this.#current.map(({ postings }) => postings))
    return this.#current.length > 0
  }
}

/** Postings of one term from several streams, by their new numbers. */
class MergedPostings implements PostingStream {
  #live: PostingStream[] = []
  #least: PostingStream | undefined

  start(streams: readonly PostingStream[]): void {
    this.#live = streams.filter((stream) => stream.next())
    this.#least = undefined
  }

  next(): boolean {
    if (this.#least !== undefined && !this.#least.next()) this.#live.splice(this.#live.indexOf(this.#least), 1)
    let [least] = this.#live
    for (const stream of this.#live) if (stream.doc < (least as PostingStream).doc) least = stream
    this.#least = least
    return least !== undefined
  }

  get doc(): number {
    return this.#current.doc
  }
  get count(): number {
    return this.#current.count
  }
  get zones(): number {
    return this.#current.zones
  }
  get gaps(): Uint32Array {
    return this.#current.gaps
  }

  get #current(): PostingStream {
    if (this.#least === undefined) throw new Error('asked before next')
    return this.#least
  }
}
