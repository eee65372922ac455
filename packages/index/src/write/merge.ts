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
export function planMerge(sources: readonly MergeSource[], isDense = true): MergePlan {
  const renumbered = sources.map(({ segment }) => new Int32Array(segment.documents).fill(GONE))
  const documents = mergedDocuments(sources, renumbered)
  const hasPositions = sources.every(({ segment }) => segment.directory.hasPositions)
  const streams = sources.map(({ segment }, i) => new SegmentTerms(segment, renumbered[i] as Int32Array, hasPositions))
  return { renumbered, source: { documents, hasPositions, terms: new MergedTerms(streams), isDense } }
}

const NO_POSTINGS: PostingStream = { doc: 0, count: 0, zones: 0, gaps: new Uint32Array(0), next: () => false }

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
  postings: PostingStream = NO_POSTINGS
  readonly #merged = new MergedPostings()
  readonly #live: SegmentTerms[]
  /** Those that have the term, and how many they are. */
  readonly #current: SegmentTerms[]
  #count = 0

  constructor(streams: readonly SegmentTerms[]) {
    this.#live = streams.filter((stream) => stream.next())
    this.#current = [...this.#live]
  }

  next(): boolean {
    const [live, current] = [this.#live, this.#current]
    for (let i = 0; i < this.#count; i++) {
      const stream = current[i]!
      if (!stream.next()) live.splice(live.indexOf(stream), 1)
    }
    let count = 0
    let term = ''
    for (const stream of live) {
      const order = count === 0 ? -1 : compareTerms(stream.term, term)
      if (order > 0) continue
      if (order < 0) count = 0
      current[count++] = stream
      term = stream.term
    }
    this.#count = count
    this.term = term
    // Most terms stand in one part alone.
    this.postings = count === 1 ? current[0]!.postings : this.#merged.start(current, count)
    return count > 0
  }
}

/** Postings of one term from several streams, by their new numbers. */
class MergedPostings implements PostingStream {
  doc = 0
  count = 0
  zones = 0
  gaps: Uint32Array = new Uint32Array(0)
  readonly #live: PostingStream[] = []
  #least: PostingStream | undefined

  start(streams: readonly SegmentTerms[], count: number): this {
    this.#live.length = 0
    this.#least = undefined
    for (let i = 0; i < count; i++) {
      const { postings } = streams[i]!
      if (postings.next()) this.#live.push(postings)
    }
    return this
  }

  next(): boolean {
    const live = this.#live
    if (this.#least !== undefined && !this.#least.next()) live.splice(live.indexOf(this.#least), 1)
    let least = live[0]
    if (least === undefined) return false
    for (let i = 1; i < live.length; i++) if (live[i]!.doc < least.doc) least = live[i]!
    this.#least = least
    this.doc = least.doc
    this.count = least.count
    this.zones = least.zones
    this.gaps = least.gaps
    return true
  }
}
