/** Reads the directory of a segment, as `write/segment-writer.ts` lays it out. */
import { ByteReader } from '../format/byte-reader.ts'
import type { DocumentTables } from '../format/document-table.ts'
import { readFrameRef } from '../format/frame.ts'
import type { FrameRef } from '../format/frame.ts'

export interface SegmentDirectory extends DocumentTables {
  readonly documents: number
  readonly terms: number
  readonly postings: number
  /** All words of all documents. */
  readonly positions: number
  readonly hasPositions: boolean
  readonly rowFrames: readonly FrameRef[]
  readonly urlFrames: readonly FrameRef[]
  /** First term of each chunk, rising; equal when a term spans several. */
  readonly firstTerms: readonly string[]
  readonly firstDocs: Uint32Array
  /** Three a chunk: terms, documents, positions. */
  readonly chunkFrames: readonly FrameRef[]
}

export function readDirectory(bytes: Uint8Array): SegmentDirectory {
  const from = new ByteReader(bytes)
  const [documents, terms, postings, positions] = [from.varint(), from.varint(), from.varint(), from.varint()]
  const hasPositions = from.byte() === 1
  const [sites, types, languages] = [readWords(from), readWords(from), readWords(from)]
  const [rowFrames, urlFrames] = [readPlaces(from), readPlaces(from)]
  const totals = { documents, terms, postings, positions, hasPositions }
  return { ...totals, sites, types, languages, rowFrames, urlFrames, ...readChunks(from) }
}

function readWords(from: ByteReader): string[] {
  return Array.from({ length: from.varint() }, () => from.text())
}

function readPlaces(from: ByteReader): FrameRef[] {
  const frames: FrameRef[] = []
  for (let left = from.varint(), before = 0; left > 0; left--) {
    const frame = readFrameRef(from, before)
    frames.push(frame)
    before = frame.offset
  }
  return frames
}

function readChunks(from: ByteReader): Pick<SegmentDirectory, 'firstTerms' | 'firstDocs' | 'chunkFrames'> {
  const count = from.varint()
  // Each takes some bytes: a number that promises more than there are must not cost memory.
  if (count > from.end - from.at) throw new RangeError('the bytes end too soon')
  const firstTerms: string[] = []
  const firstDocs = new Uint32Array(count)
  const chunkFrames: FrameRef[] = []
  let [before, last] = [0, Buffer.alloc(0)]
  for (let chunk = 0; chunk < count; chunk++) {
    const shared = from.varint()
    last = Buffer.concat([last.subarray(0, shared), from.take(from.varint())])
    firstTerms.push(last.toString('utf8'))
    firstDocs[chunk] = from.varint()
    for (let i = 0; i < 3; i++) {
      const frame = readFrameRef(from, before)
      chunkFrames.push(frame)
      before = frame.offset
    }
  }
  return { firstTerms, firstDocs, chunkFrames }
}
