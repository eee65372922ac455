/** The terms of a segment as a stream, its documents under new numbers: what a merge reads from each of its sources. */
import type { PostingStream, TermStream } from './posting.ts'
import type { Segment } from './segment.ts'

/** Under the new numbers a document that is gone has this one. */
export const GONE = -1

/** Postings of a term over all of its runs. `renumber` must rise, apart from documents that are gone. */
export class SegmentTerms implements TermStream {
  term = ''
  readonly postings: SegmentPostings
  readonly #runs: ReturnType<Segment['runs']>
  #ahead: IteratorResult<RunBytes>

  /** `hasPositions` is false for a merge with a segment that has none. */
  constructor(segment: Segment, renumber: Int32Array, hasPositions: boolean) {
    this.#runs = segment.runs()
    this.#ahead = this.#runs.next()
    this.postings = new SegmentPostings(renumber, hasPositions, (term) => this.#nextRunOf(term))
  }

  next(): boolean {
    // Runs of the term before that nobody asked for.
    while (this.#ahead.done !== true && this.#ahead.value.term === this.term) this.#ahead = this.#runs.next()
    if (this.#ahead.done === true) return false
    this.term = this.#ahead.value.term
    this.postings.start(this.term)
    return true
  }

  #nextRunOf(term: string): RunBytes | undefined {
    if (this.#ahead.done === true || this.#ahead.value.term !== term) return undefined
    const run = this.#ahead.value
    this.#ahead = this.#runs.next()
    return run
  }
}

type RunBytes = ReturnType<Segment['runs']> extends Generator<infer Yielded> ? Yielded : never

class SegmentPostings implements PostingStream {
  doc = 0
  count = 0
  zones = 0
  positionBytes: Uint8Array = new Uint8Array(0)
  positionStart = 0
  positionEnd = 0
  readonly #renumber: Int32Array
  readonly #hasPositions: boolean
  readonly #nextRun: (term: string) => RunBytes | undefined
  #term = ''
  #left = 0
  #old = -1
  #bytes: Uint8Array = new Uint8Array(0)
  #gapAt = 0
  #countAt = 0

  constructor(renumber: Int32Array, hasPositions: boolean, nextRun: (term: string) => RunBytes | undefined) {
    this.#renumber = renumber
    this.#hasPositions = hasPositions
    this.#nextRun = nextRun
  }

  start(term: string): void {
    this.#term = term
    this.#left = 0
  }

  next(): boolean {
    do {
      if (this.#left === 0 && !this.#enterRun()) return false
      this.#step()
    } while (this.doc === GONE)
    return true
  }

  #enterRun(): boolean {
    const found = this.#nextRun(this.#term)
    if (found === undefined) return false
    this.#bytes = found.documents
    this.#left = found.run.postings
    this.#gapAt = found.run.gapAt
    this.#countAt = found.run.countAt
    this.#old = -1
    this.positionBytes = found.positions
    this.positionEnd = found.run.placeAt
    return true
  }

  #step(): void {
    this.#left--
    const bytes = this.#bytes
    let byte = bytes[this.#gapAt++] as number
    let gap = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) gap |= ((byte = bytes[this.#gapAt++] as number) & 0x7f) << shift
    this.#old += gap + 1
    this.doc = this.#renumber[this.#old] as number
    byte = bytes[this.#countAt++] as number
    let code = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) code |= ((byte = bytes[this.#countAt++] as number) & 0x7f) << shift
    this.count = (code >>> 1) + 1
    this.zones = (code & 1) === 0 ? 0 : (bytes[this.#countAt++] as number)
    this.positionStart = this.positionEnd
    if (this.#hasPositions) this.#passPositions()
  }

  #passPositions(): void {
    const bytes = this.positionBytes
    let at = this.positionEnd
    for (let left = this.count; left > 0;) if ((bytes[at++] as number) < 0x80) left--
    this.positionEnd = at
  }
}
