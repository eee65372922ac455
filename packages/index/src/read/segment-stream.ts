/** The terms of a segment as a stream, its documents under new numbers: what a merge reads from each of its sources. */
import { PositionDecoder } from '../format/position-codec.ts'
import { BLOCK } from '../format/posting.ts'
import type { PostingStream, TermStream } from '../format/posting.ts'
import { passLead, RunReader } from './run-reader.ts'
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
    this.postings = new SegmentPostings(segment.lengths, renumber, hasPositions, (term) => this.#nextRunOf(term))
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
  gaps: Uint32Array = new Uint32Array(0)
  readonly #lengths: Uint8Array
  readonly #renumber: Int32Array
  readonly #hasPositions: boolean
  readonly #nextRun: (term: string) => RunBytes | undefined
  readonly #reader = new RunReader()
  readonly #decoder = new PositionDecoder()
  #term = ''
  /** Postings of the run that are to come, and within the block. */
  #left = 0
  #leftOfBlock = 0
  /** The run that is being read. */
  #run: RunBytes | undefined

  constructor(
    lengths: Uint8Array,
    renumber: Int32Array,
    hasPositions: boolean,
    nextRun: (term: string) => RunBytes | undefined,
  ) {
    this.#lengths = lengths
    this.#renumber = renumber
    this.#hasPositions = hasPositions
    this.#nextRun = nextRun
  }

  get count(): number {
    return this.#reader.count
  }
  get zones(): number {
    return this.#reader.zones
  }

  start(term: string): void {
    this.#term = term
    // What was not asked for of the run before must be read over to read the next.
    if (this.#left > 0) this.#run = undefined
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
    const { run, documents, positions } = found
    this.#reader.open(documents, run.gapAt, run.countAt)
    this.#left = run.postings
    this.#leftOfBlock = BLOCK
    if (this.#hasPositions && !this.#isNextInGroup(found)) {
      this.#decoder.open(positions, run.placeAt)
      if (run.lead !== undefined) passLead(this.#decoder, run.lead, documents, this.#lengths)
    }
    this.#decoder.startBlock()
    this.#run = found
    return true
  }

  /** Whether the decoder is where this run begins. */
  #isNextInGroup({ run, positions }: RunBytes): boolean {
    const before = this.#run
    if (before === undefined || before.positions !== positions || before.run.placeAt !== run.placeAt) return false
    return (run.lead?.runs.length ?? 0) === (before.run.lead?.runs.length ?? 0) + 1
  }

  #step(): void {
    const reader = this.#reader
    reader.next()
    this.#left--
    this.doc = this.#renumber[reader.doc] as number
    if (!this.#hasPositions) return
    if (this.#leftOfBlock-- === 0) this.#nextBlock()
    if (this.gaps.length < reader.count) this.gaps = new Uint32Array(reader.count * 2)
    this.#decoder.read(this.#lengths[reader.doc] as number, reader.count, reader.zones, this.gaps)
  }

  #nextBlock(): void {
    this.#decoder.align()
    this.#decoder.startBlock()
    this.#leftOfBlock = BLOCK - 1
  }
}
