/**
 * Segment: an immutable part of the index, opened for reading. Columns and the keys of the mixed list stand in memory;
 * frames are read when they are asked for and kept in a cache that all segments share.
 *
 * What a reader of it may find out at any moment: a frame that is not what was written. That throws a named error, and
 * whoever searches leaves the segment out from then on.
 */
import { compareTerms, BLOCK } from '../format/posting.ts'
import { DocumentColumns, ROWS_A_FRAME, URLS_A_FRAME, decodeUrls } from '../format/document-table.ts'
import { IndexError, segmentDamaged } from '../errors.ts'
import type { FrameRef } from '../format/frame.ts'
import type { FrameCache, Weighed } from '../format/frame-cache.ts'
import { ListChunk } from './list-chunk.ts'
import type { PostingRun } from './list-chunk.ts'
import { PostingCursor } from './posting-cursor.ts'
import { readDirectory } from './segment-directory.ts'
import type { SearchWork } from '../query/search-work.ts'
import type { SegmentDirectory } from './segment-directory.ts'
import { SegmentFile } from '../format/segment-file.ts'
import { TermPostings } from './term-postings.ts'

/** An array of numbers, of whatever width. */
class HeldArray<Numbers extends Uint8Array | Uint32Array> implements Weighed {
  readonly numbers: Numbers
  constructor(numbers: Numbers) {
    this.numbers = numbers
  }
  get weight(): number {
    return this.numbers.byteLength + 100
  }
}

class HeldChunk implements Weighed {
  readonly chunk: ListChunk
  constructor(bytes: Uint8Array) {
    this.chunk = new ListChunk(bytes)
  }
  get weight(): number {
    return this.chunk.bytes.length + this.chunk.runs + 200
  }
}

class HeldUrls implements Weighed {
  readonly urls: readonly string[]
  readonly weight: number
  constructor(bytes: Uint8Array) {
    this.urls = decodeUrls(bytes)
    this.weight = this.urls.reduce((sum, url) => sum + url.length + 40, 0)
  }
}

/** Bytes of file that one segment's cache keys may stand for; see `Segment.#key`. */
const KEYS_A_SEGMENT = 2 ** 37
/** Above the bytes of any file: keys for what was found in a segment and stands nowhere in it. */
const FOUND_KEYS = KEYS_A_SEGMENT / 2
/** Terms whose places are remembered. */
const MAX_KNOWN_TERMS = 10_000
/** Names under which something is kept. */
const MAX_KEPT_NAMES = 1_000

/**
 * Every open segment has its own number, so that their frames do not meet in the cache. A number is used again when its
 * segment is closed: a server opens several segments a second for weeks, and keys must stay below 2^53.
 */
const freeNumbers: number[] = []
let numbersUsed = 0

export class Segment implements Disposable {
  readonly directory: SegmentDirectory
  readonly columns: DocumentColumns
  readonly #file: SegmentFile
  readonly #cache: FrameCache
  readonly #number: number
  readonly #known = new Map<string, TermPostings | undefined>()
  /** The key of what is kept under a name. */
  readonly #kept = new Map<string, number>()
  #keptSoFar = 0
  #isClosed = false

  constructor(path: string, cache: FrameCache) {
    this.#cache = cache
    this.#file = new SegmentFile(path)
    try {
      this.directory = readDirectory(this.#file.directory())
      this.columns = new DocumentColumns(this.directory.documents)
      for (const [i, frame] of this.directory.rowFrames.entries())
        this.columns.fill(this.#file.frame(frame), i * ROWS_A_FRAME)
    } catch (error) {
      this.#file.close()
      throw error instanceof IndexError ? error : segmentDamaged(path, 'its directory cannot be read', error)
    }
    this.#number = freeNumbers.pop() ?? numbersUsed++
  }

  get path(): string {
    return this.#file.path
  }
  get bytes(): number {
    return this.#file.bytes
  }
  get documents(): number {
    return this.directory.documents
  }

  /** Where a term's postings stand; undefined when no document has it. */
  postings(term: string): TermPostings | undefined {
    if (this.#known.has(term)) return this.#known.get(term)
    const found = this.#findPostings(term)
    if (this.#known.size >= MAX_KNOWN_TERMS) this.#known.clear()
    this.#known.set(term, found)
    return found
  }

  cursor(postings: TermPostings, work?: SearchWork): PostingCursor {
    return new PostingCursor(this, postings, work)
  }

  /** Terms that begin with a prefix, in order, with the number of their documents in this segment. */
  *terms(prefix = ''): Generator<[term: string, documents: number]> {
    const { firstTerms } = this.directory
    let [before, documents] = ['', 0]
    for (let chunk = this.#chunkBefore(prefix); chunk < firstTerms.length; chunk++) {
      if (compareTerms(firstTerms[chunk] as string, prefix) > 0 && !(firstTerms[chunk] as string).startsWith(prefix))
        break
      for (const [term, run] of this.#chunk(chunk).entries()) {
        if (!term.startsWith(prefix)) {
          if (compareTerms(term, prefix) > 0) break
          continue
        }
        if (term !== before && documents > 0) yield [before, documents]
        documents = (term === before ? documents : 0) + run.postings
        before = term
      }
    }
    if (documents > 0) yield [before, documents]
  }

  url(doc: number): string {
    const frame = Math.floor(doc / URLS_A_FRAME)
    const ref = this.directory.urlFrames[frame] as FrameRef
    const held = this.#cache.get(this.#key(ref), () => new HeldUrls(this.#file.frame(ref)))
    return held.urls[doc % URLS_A_FRAME] as string
  }

  /** The length bytes of documents, and frames of a chunk, for cursors. */
  get lengths(): Uint8Array {
    return this.columns.lengths
  }
  documentsOf(chunk: number): Uint8Array {
    return this.#bytes(this.directory.chunkFrames[chunk * 3 + 1] as FrameRef)
  }
  positionsOf(chunk: number): Uint8Array {
    return this.#bytes(this.directory.chunkFrames[chunk * 3 + 2] as FrameRef)
  }
  gapsAt(chunk: number, placeAt: number, decode: () => Uint32Array): Uint32Array {
    const ref = this.directory.chunkFrames[chunk * 3 + 2] as FrameRef
    // Frames have the keys of their first bytes, so those of the bytes behind are free.
    return this.#cache.get(this.#key(ref) + 1 + placeAt, () => new HeldArray(decode())).numbers
  }

  /** What was made of this segment under a name, as long as there is room for it; made when it is not there. */
  kept<Thing extends Weighed>(name: string, make: () => Thing): Thing {
    let key = this.#kept.get(name)
    if (key === undefined) {
      // What is kept under a name that is forgotten is never asked for again, and goes when room is needed.
      if (this.#kept.size >= MAX_KEPT_NAMES) this.#kept.clear()
      this.#kept.set(name, (key = this.#number * KEYS_A_SEGMENT + FOUND_KEYS + this.#keptSoFar++))
    }
    return this.#cache.get(key, make)
  }

  /** A chunk of the mixed list, for a merge. Uncached, as nobody comes back to it. */
  chunkAt(chunk: number): { list: ListChunk; documents: Uint8Array; positions: Uint8Array } {
    const { chunkFrames } = this.directory
    const [terms, documents, positions] = [0, 1, 2].map((i) => this.#file.frame(chunkFrames[chunk * 3 + i] as FrameRef))
    return { list: new ListChunk(terms!), documents: documents!, positions: positions! }
  }

  /** URLs in order, for a merge. */
  *urls(): Generator<string> {
    for (const frame of this.directory.urlFrames) yield* decodeUrls(this.#file.frame(frame))
  }

  /** Read every frame; throws for the first that is not what was written. */
  verify(): void {
    const { rowFrames, urlFrames, chunkFrames } = this.directory
    for (const frame of [...rowFrames, ...urlFrames, ...chunkFrames]) this.#file.frame(frame)
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#cache.drop(this.#number * KEYS_A_SEGMENT, (this.#number + 1) * KEYS_A_SEGMENT)
    freeNumbers.push(this.#number)
    this.#file.close()
  }

  #findPostings(term: string): TermPostings | undefined {
    const bytes = Buffer.from(term, 'utf8')
    const { firstTerms } = this.directory
    const runs: { chunk: number; run: PostingRun; terms: Uint8Array }[] = []
    for (let chunk = this.#chunkBefore(term); chunk < firstTerms.length; chunk++) {
      if (compareTerms(firstTerms[chunk] as string, term) > 0) break
      const held = this.#chunk(chunk)
      const run = held.find(bytes)
      if (run !== undefined) runs.push({ chunk, run, terms: held.bytes })
    }
    if (runs.length === 0) return undefined
    const postings = new TermPostings(runs)
    this.#boundShortRuns(postings)
    return postings
  }

  /** Runs shorter than a block have no bounds on disk: they are decoded to have them. */
  #boundShortRuns(postings: TermPostings): void {
    const cursor = new PostingCursor(this, postings)
    for (let block = 0; block < postings.blocks; block++) {
      if ((postings.highest[block] as number) > 0 || (postings.sizes[block] as number) >= BLOCK) continue
      cursor.decode(block)
      let [highest, shortest, zones] = [0, 255, 0]
      for (let i = 0; i < (postings.sizes[block] as number); i++) {
        highest = Math.max(highest, cursor.counts[i] as number)
        shortest = Math.min(shortest, this.columns.lengths[cursor.docs[i] as number] as number)
        zones |= cursor.zoneSets[i] as number
      }
      postings.last[block] = cursor.docs[(postings.sizes[block] as number) - 1] as number
      postings.highest[block] = highest
      postings.shortest[block] = shortest
      postings.zones[block] = zones
    }
  }

  /** The last chunk that begins before a term, or with it when it is the first to. */
  #chunkBefore(term: string): number {
    const { firstTerms } = this.directory
    let [low, high] = [0, firstTerms.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareTerms(firstTerms[middle] as string, term) < 0) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  #chunk(chunk: number): ListChunk {
    const ref = this.directory.chunkFrames[chunk * 3] as FrameRef
    return this.#cache.get(this.#key(ref), () => new HeldChunk(this.#file.frame(ref))).chunk
  }

  #bytes(ref: FrameRef): Uint8Array {
    return this.#cache.get(this.#key(ref), () => new HeldArray(this.#file.frame(ref))).numbers
  }

  #key(ref: FrameRef): number {
    return this.#number * KEYS_A_SEGMENT + ref.offset
  }
}
