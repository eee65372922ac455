/**
 * TermPostings: where a term's postings stand in a segment, block by block, with the bounds of each. Nothing is decoded
 * yet; a cursor does that for the blocks it cannot skip.
 */
import { ByteReader } from '../format/byte-reader.ts'
import type { PostingRun } from './list-chunk.ts'
import { BLOCK } from '../format/posting.ts'
import type { Lead } from './run-reader.ts'
import type { Weighed } from '../format/frame-cache.ts'

export class TermPostings implements Weighed {
  readonly documents: number
  readonly positions: number
  readonly blocks: number
  /** Per block: the chunk it is in, how many postings, where its columns begin in the frames of that chunk. */
  readonly chunks: Int32Array
  readonly sizes: Uint8Array
  readonly gapAt: Int32Array
  readonly countAt: Int32Array
  readonly placeAt: Int32Array
  /** For blocks whose positions begin behind those of other runs: these. */
  readonly leads: Map<number, Lead> = new Map()
  /** The page before the first of the block; -1 at the beginning of a run. */
  readonly before: Int32Array
  /** Per block: its last page, highest count, lowest length byte, all zones. */
  readonly last: Int32Array
  readonly highest: Int32Array
  readonly shortest: Uint8Array
  readonly zones: Uint8Array

  constructor(runs: readonly { readonly chunk: number; readonly run: PostingRun; readonly terms: Uint8Array }[]) {
    this.documents = runs.reduce((sum, { run }) => sum + run.postings, 0)
    this.positions = runs.reduce((sum, { run }) => sum + run.positions, 0)
    const blocks = (this.blocks = runs.reduce((sum, { run }) => sum + Math.ceil(run.postings / BLOCK), 0))
    this.chunks = new Int32Array(blocks)
    this.sizes = new Uint8Array(blocks)
    this.gapAt = new Int32Array(blocks)
    this.countAt = new Int32Array(blocks)
    this.placeAt = new Int32Array(blocks)
    this.before = new Int32Array(blocks)
    this.last = new Int32Array(blocks)
    this.highest = new Int32Array(blocks)
    this.shortest = new Uint8Array(blocks)
    this.zones = new Uint8Array(blocks)
    let block = 0
    for (const { chunk, run, terms } of runs) block = this.#place(block, chunk, run, terms)
  }

  get weight(): number {
    return 200 + this.blocks * 34 + this.leads.size * 400
  }

  #place(first: number, chunk: number, run: PostingRun, terms: Uint8Array): number {
    let { gapAt, countAt, placeAt } = run
    if (run.lead !== undefined) this.leads.set(first, run.lead)
    let last = -1
    const bounds = new ByteReader(terms, run.boundAt)
    let block = first
    for (let left = run.postings; left > 0; left -= BLOCK, block++) {
      const size = Math.min(left, BLOCK)
      this.chunks[block] = chunk
      this.sizes[block] = size
      this.gapAt[block] = gapAt
      this.countAt[block] = countAt
      this.placeAt[block] = placeAt
      this.before[block] = last
      if (run.postings < BLOCK) {
        // A short run carries no bounds: it is cheaper to decode it than to ask whether to.
        this.last[block] = 0x7fffffff
        continue
      }
      this.last[block] = last += bounds.varint() + size
      gapAt += bounds.varint() + size
      countAt += bounds.varint() + size
      placeAt += bounds.varint()
      this.highest[block] = bounds.varint() + 1
      this.shortest[block] = bounds.byte()
      this.zones[block] = bounds.byte()
    }
    return block
  }
}
