/**
 * ListChunk: one chunk of the mixed list, opened to find terms in it; `format/mixed-list-writer.ts` has the layout. Opening
 * walks it once and notes where every 32nd run begins, so that a term is found by a search among those and a short scan.
 */
import { ByteReader } from '../format/byte-reader.ts'
import { endsGroup, NUMBERS, RESTART } from '../format/mixed-list-writer.ts'
import { BLOCK } from '../format/posting.ts'
import type { Lead } from './run-reader.ts'

/** The postings of one term in one chunk, and where its columns begin in the chunk's frames. */
export interface PostingRun {
  readonly postings: number
  readonly positions: number
  readonly gapAt: number
  readonly countAt: number
  /** Where the positions of its group of runs begin. */
  readonly placeAt: number
  /** The runs before it in its group; undefined for the first. */
  readonly lead: Lead | undefined
  /** Where its bounds begin in the terms frame; meaningless for runs shorter than a block. */
  readonly boundAt: number
}

/** Columns of the table of restarts; from `NUMBER` on one for each column of numbers. */
const WORD = 0
const GAP = 1
const COUNT = 2
const PLACE = 3
const BOUND = 4
const NUMBER = 5
const COLUMNS = NUMBER + NUMBERS

export class ListChunk {
  /** The terms frame. */
  readonly bytes: Uint8Array
  readonly runs: number
  readonly #restarts: Int32Array
  /** Length of the gaps column; the counts follow it in the documents frame. */
  readonly #gapBytes: number

  constructor(bytes: Uint8Array) {
    const head = new ByteReader(bytes)
    this.bytes = bytes
    this.runs = head.varint()
    const lengths = Array.from({ length: 1 + NUMBERS }, () => head.varint())
    this.#restarts = new Int32Array(Math.ceil(this.runs / RESTART) * COLUMNS)
    this.#gapBytes = this.#walk(head.at, lengths)
  }

  /** The run of a term, given as UTF-8; undefined when it has none here. */
  find(term: Uint8Array): PostingRun | undefined {
    const restart = this.#restartBefore(term)
    const scan = this.#scanFrom(restart)
    for (let i = restart * RESTART; i < Math.min(this.runs, (restart + 1) * RESTART); i++) {
      scan.next()
      const order = compareBytes(scan.word, scan.wordLength, term)
      if (order === 0) return scan.run()
      if (order > 0) return undefined
    }
    return undefined
  }

  /** Walks all runs, in order: `next` as often as there are runs. */
  scan(): RunScan {
    return this.#scanFrom(0)
  }

  /** Every run with its term, in order. */
  *entries(): Generator<[term: string, run: PostingRun]> {
    const scan = this.scan()
    for (let i = 0; i < this.runs; i++) {
      scan.next()
      yield [scan.term, scan.run()]
    }
  }

  /** Walk all runs once: fills the table of restarts, gives the length of the gaps column. */
  #walk(from: number, lengths: readonly number[]): number {
    const restarts = this.#restarts
    const starts = [from]
    for (const length of lengths) starts.push((starts.at(-1) as number) + length)
    const [word, ...numbers] = starts
    // Bounds are counted on this walk and placed after it.
    const scan = new RunScan(this.bytes, [word as number, 0, 0, 0, 0, ...numbers], 0)
    let bounds = 0
    for (let i = 0; i < this.runs; i++) {
      if (i % RESTART === 0) restarts.set(scan.state(bounds), (i / RESTART) * COLUMNS)
      scan.next()
      bounds += scan.blocks
    }
    this.#placeBounds(starts.at(-1) as number)
    return scan.gapAt
  }

  /** Turn numbers of blocks into places of their bounds. */
  #placeBounds(from: number): void {
    const reader = new ByteReader(this.bytes, from)
    let block = 0
    for (let at = BOUND; at < this.#restarts.length; at += COLUMNS) {
      for (const wanted = this.#restarts[at] as number; block < wanted; block++) skipBounds(reader)
      this.#restarts[at] = reader.at
    }
  }

  #scanFrom(restart: number): RunScan {
    const state = [...this.#restarts.subarray(restart * COLUMNS, (restart + 1) * COLUMNS)]
    return new RunScan(this.bytes, state, this.#gapBytes)
  }

  /** The last restart whose term is not after this one. */
  #restartBefore(term: Uint8Array): number {
    let [low, high] = [0, this.#restarts.length / COLUMNS - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const reader = new ByteReader(this.bytes, (this.#restarts[middle * COLUMNS + WORD] as number) + 1)
      const word = reader.take(reader.varint())
      if (compareBytes(word, word.length, term) <= 0) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Walks runs, adding up where their columns begin. */
export class RunScan {
  /** The term's bytes; the first `wordLength` count. */
  word: Buffer = Buffer.alloc(64)
  wordLength = 0
  /** Blocks with bounds that the run has. */
  blocks = 0
  readonly #words: ByteReader
  readonly #numbers: readonly ByteReader[]
  readonly #bounds: ByteReader
  readonly #gapBytes: number
  #postings = 0
  #positions = 0
  #gapAt = 0
  #countAt = 0
  #placeAt = 0
  #gapsNow = 0
  #countsNow = 0
  #placesNow = 0
  /** Runs since the restart. */
  #runs = 0
  /** Of the group of runs: its positions so far, the postings of its runs, and where it begins. */
  #grouped = 0
  #group: number[] = []
  #groupGapAt = 0
  #groupCountAt = 0

  constructor(bytes: Uint8Array, state: readonly number[], gapBytes: number) {
    this.#words = new ByteReader(bytes, state[WORD])
    this.#numbers = Array.from({ length: NUMBERS }, (_, i) => new ByteReader(bytes, state[NUMBER + i]))
    this.#bounds = new ByteReader(bytes, state[BOUND])
    this.#gapBytes = gapBytes
    this.#gapAt = state[GAP] as number
    this.#countAt = state[COUNT] as number
    this.#placeAt = state[PLACE] as number
  }

  /** What a restart notes, before `next`. */
  state(bound: number): number[] {
    const [count, place] = [this.#countAt + this.#countsNow, this.#placeAt + this.#placesNow]
    return [this.#words.at, this.gapAt, count, place, bound, ...this.#numbers.map(({ at }) => at)]
  }
  /** Where the next run's gaps begin. */
  get gapAt(): number {
    return this.#gapAt + this.#gapsNow
  }
  get term(): string {
    return this.word.toString('utf8', 0, this.wordLength)
  }
  get postings(): number {
    return this.#postings
  }
  /** Where its gaps and its counts begin, in the documents frame. */
  get runGapAt(): number {
    return this.#gapAt
  }
  get runCountAt(): number {
    return this.#gapBytes + this.#countAt
  }
  /** Runs of its group before this one. */
  get led(): number {
    return this.#group.length
  }

  next(): void {
    // With `gapBytes` unknown we are on the first walk, which has no bounds to follow and no word to look at.
    if (this.#gapBytes > 0) for (let i = 0; i < this.blocks; i++) skipBounds(this.#bounds)
    this.#gapAt += this.#gapsNow
    this.#countAt += this.#countsNow
    if (this.#gapBytes > 0) this.#readWord()
    else this.#passWord()
    if (endsGroup(this.#runs, this.#grouped)) this.#enterGroup()
    else this.#group.push(this.#postings)
    const postings = this.#number(0)
    this.#gapsNow = postings + this.#number(1)
    this.#countsNow = postings + this.#number(2)
    this.#postings = postings
    this.#positions = postings + this.#number(3)
    this.#grouped += this.#positions
    this.#runs++
    this.blocks = postings < BLOCK ? 0 : Math.ceil(postings / BLOCK)
  }

  run(): PostingRun {
    return {
      postings: this.#postings,
      positions: this.#positions,
      gapAt: this.runGapAt,
      countAt: this.runCountAt,
      placeAt: this.#placeAt,
      lead:
        this.#group.length === 0
          ? undefined
          : { gapAt: this.#groupGapAt, countAt: this.#gapBytes + this.#groupCountAt, runs: this.#group.slice() },
      boundAt: this.#bounds.at,
    }
  }

  #enterGroup(): void {
    this.#placeAt += this.#placesNow
    this.#placesNow = this.#number(4)
    this.#grouped = this.#group.length = 0
    this.#groupGapAt = this.#gapAt
    this.#groupCountAt = this.#countAt
  }

  #number(column: number): number {
    return (this.#numbers[column] as ByteReader).varint()
  }

  #passWord(): void {
    const words = this.#words
    words.at++
    const more = words.varint()
    words.at += more
  }

  #readWord(): void {
    const words = this.#words
    const shared = words.byte()
    const more = words.varint()
    const length = shared + more
    if (length > this.word.length) {
      const larger = Buffer.alloc(length * 2)
      larger.set(this.word)
      this.word = larger
    }
    for (let at = shared; at < length; at++) this.word[at] = words.byte()
    this.wordLength = length
  }
}

/** last page, gap bytes, count bytes, position bytes, highest count, then two bytes: length and zones. */
function skipBounds(reader: ByteReader): void {
  for (let i = 0; i < 5; i++) reader.varint()
  reader.at += 2
}

function compareBytes(a: Uint8Array, aLength: number, b: Uint8Array): number {
  const length = Math.min(aLength, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return aLength - b.length
}
