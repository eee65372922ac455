/** The terms of a segment as a stream, its documents under new numbers: what a merge reads from each of its sources. */
import { PositionDecoder } from '../format/position-codec.ts'
import { BLOCK } from '../format/posting.ts'
import type { PostingStream, TermStream } from '../format/posting.ts'
import type { RunScan } from './list-chunk.ts'
import { passLead, RunReader } from './run-reader.ts'
import type { Segment } from './segment.ts'

/** Under the new numbers a document that is gone has this one. */
export const GONE = -1

/** Every run of the mixed list, one after another. */
class SegmentRuns {
  /** Of the run at hand; undefined behind the last. */
  term: string | undefined
  documents: Uint8Array = new Uint8Array(0)
  positions: Uint8Array = new Uint8Array(0)
  /** Runs before this one. */
  number = -1
  readonly #segment: Segment
  #chunk = 0
  #scan: RunScan | undefined
  #left = 0

  constructor(segment: Segment) {
    this.#segment = segment
    this.next()
  }

  get scan(): RunScan {
    return this.#scan!
  }

  next(): void {
    while (this.#left === 0) {
      if (this.#chunk === this.#segment.directory.firstTerms.length) return (this.term = undefined)
      const { list, documents, positions } = this.#segment.chunkAt(this.#chunk++)
      this.#scan = list.scan()
      this.#left = list.runs
      this.documents = documents
      this.positions = positions
    }
    this.#left--
    this.number++
    this.scan.next()
    this.term = this.scan.term
  }
}

/** Postings of a term over all of its runs. `renumber` must rise, apart from documents that are gone. */
export class SegmentTerms implements TermStream {
  term = ''
  readonly postings: SegmentPostings
  readonly #runs: SegmentRuns

  /** `hasPositions` is false for a merge with a segment that has none. */
  constructor(segment: Segment, renumber: Int32Array, hasPositions: boolean) {
    this.#runs = new SegmentRuns(segment)
    this.postings = new SegmentPostings(this.#runs, segment.lengths, renumber, hasPositions)
  }

  next(): boolean {
    const runs = this.#runs
    // Runs of the term before that nobody asked for.
    while (runs.term === this.term) runs.next()
    if (runs.term === undefined) return false
    this.term = runs.term
    this.postings.start(this.term)
    return true
  }
}

class SegmentPostings implements PostingStream {
  doc = 0
  count = 0
  zones = 0
  gaps: Uint32Array = new Uint32Array(0)
  readonly #runs: SegmentRuns
  readonly #lengths: Uint8Array
  readonly #renumber: Int32Array
  readonly #hasPositions: boolean
  readonly #reader = new RunReader()
  readonly #decoder = new PositionDecoder()
  #term = ''
  /** Postings of the run that are to come, and within the block. */
  #left = 0
  #leftOfBlock = 0
  /** The run that was read to its end last. */
  #read = -1

  constructor(runs: SegmentRuns, lengths: Uint8Array, renumber: Int32Array, hasPositions: boolean) {
    this.#runs = runs
    this.#lengths = lengths
    this.#renumber = renumber
    this.#hasPositions = hasPositions
  }

  start(term: string): void {
    this.#term = term
    // What was not asked for of the run before must be read over to read the next.
    if (this.#left > 0) this.#read = -1
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
    const runs = this.#runs
    if (runs.term !== this.#term) return false
    const { scan, documents, positions, number } = runs
    // Where the decoder is at the end of a run, the next one of its group begins.
    const isNextInGroup = scan.led > 0 && number === this.#read + 1 && this.#read >= 0
    const run = isNextInGroup || !this.#hasPositions ? undefined : scan.run()
    this.#reader.open(documents, scan.runGapAt, scan.runCountAt)
    this.#left = scan.postings
    this.#leftOfBlock = BLOCK
    if (run !== undefined) {
      this.#decoder.open(positions, run.placeAt)
      if (run.lead !== undefined) passLead(this.#decoder, run.lead, documents, this.#lengths)
    }
    this.#decoder.startBlock()
    this.#read = number
    runs.next()
    return true
  }

  #step(): void {
    const reader = this.#reader
    reader.next()
    this.#left--
    const { doc, count, zones } = reader
    this.doc = this.#renumber[doc]!
    this.count = count
    this.zones = zones
    if (!this.#hasPositions) return
    if (this.#leftOfBlock-- === 0) this.#nextBlock()
    if (this.gaps.length < count) this.gaps = new Uint32Array(count * 2)
    this.#decoder.read(this.#lengths[doc]!, count, zones, this.gaps)
  }

  #nextBlock(): void {
    this.#decoder.align()
    this.#decoder.startBlock()
    this.#leftOfBlock = BLOCK - 1
  }
}
