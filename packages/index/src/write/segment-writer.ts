/**
 * Writes a segment: the documents in the order of their URLs, the mixed list of their postings, and the directory.
 *
 *   directory   varint documents · terms · postings · positions · u8 1 when positions are stored
 *               tables of sites, types and languages
 *               varint frames of rows · their places; varint frames of URLs · their places
 *               varint chunks · per chunk: shared, more of its first term · first document · three places
 */
import { ByteWriter } from '../format/byte-writer.ts'
import { DocumentTableWriter, URLS_A_FRAME } from '../format/document-table.ts'
import type { DocumentEntry } from '../format/document-table.ts'
import { DENSE, QUICK, STORED, writeFrameRef } from '../format/frame.ts'
import type { FrameRef } from '../format/frame.ts'
import { writeMixedList } from '../format/mixed-list-writer.ts'
import type { ListTotals, RawChunk } from '../format/mixed-list-writer.ts'
import type { TermStream } from '../format/posting.ts'
import { SegmentFileWriter } from '../format/segment-file.ts'

export interface SegmentSource {
  /** In the order of URLs. */
  readonly documents: Iterable<DocumentEntry>
  readonly terms: TermStream
  readonly hasPositions: boolean
  /** It will stay for long: pack it well. */
  readonly isDense?: boolean | undefined
}

interface WrittenSegment extends ListTotals {
  readonly documents: number
  readonly bytes: number
}

interface ChunkPlace {
  readonly firstTerm: string
  readonly firstDoc: number
  readonly terms: FrameRef
  readonly documents: FrameRef
  readonly positions: FrameRef
}

export function writeSegment(path: string, source: SegmentSource): WrittenSegment {
  const steps = writeSegmentInSteps(path, source)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same, with pauses. Returning early leaves a file that nobody names. */
export function* writeSegmentInSteps(path: string, source: SegmentSource): Generator<void, WrittenSegment> {
  const file = new SegmentFileWriter(path)
  try {
    const level = source.isDense === true ? DENSE : QUICK
    const rows: FrameRef[] = []
    const urls: FrameRef[] = []
    const table = new DocumentTableWriter(
      (bytes) => rows.push(file.frame(bytes, level)),
      (bytes) => urls.push(file.frame(bytes, level)),
    )
    const lengths = new ByteWriter()
    for (const entry of source.documents) {
      table.add(entry)
      lengths.byte(entry.length)
      if (table.count % URLS_A_FRAME === 0) yield
    }
    table.end()
    const chunks: ChunkPlace[] = []
    const totals = yield* writeMixedList(source.terms, lengths.bytes, (chunk) =>
      chunks.push(placeChunk(file, chunk, level)),
    )
    const out = new ByteWriter()
    for (const number of [table.count, totals.terms, totals.postings, totals.positions]) out.varint(number)
    out.byte(source.hasPositions ? 1 : 0)
    for (const { words } of [table.sites, table.types, table.languages]) writeWords(out, words)
    for (const frames of [rows, urls]) writePlaces(out, frames)
    writeChunks(out, chunks)
    return { ...totals, documents: table.count, bytes: file.finish(out.bytes) }
  } finally {
    file.close()
  }
}

const placeChunk = (file: SegmentFileWriter, chunk: RawChunk, level: number): ChunkPlace => ({
  firstTerm: chunk.firstTerm,
  firstDoc: chunk.firstDoc,
  terms: file.frame(chunk.terms, level),
  documents: file.frame(chunk.documents, level),
  positions: file.frame(chunk.positions, STORED),
})

function writeWords(out: ByteWriter, words: readonly string[]): void {
  out.varint(words.length)
  for (const word of words) out.text(word)
}

function writePlaces(out: ByteWriter, frames: readonly FrameRef[]): void {
  out.varint(frames.length)
  let before = 0
  for (const frame of frames) {
    writeFrameRef(out, frame, before)
    before = frame.offset
  }
}

function writeChunks(out: ByteWriter, chunks: readonly ChunkPlace[]): void {
  out.varint(chunks.length)
  let [before, last] = [0, Buffer.alloc(0)]
  for (const { firstTerm, firstDoc, ...frames } of chunks) {
    const bytes = Buffer.from(firstTerm, 'utf8')
    let shared = 0
    while (shared < last.length && shared < bytes.length && bytes[shared] === last[shared]) shared++
    out.varint(shared)
    out.varint(bytes.length - shared)
    out.append(bytes, shared)
    last = bytes
    out.varint(firstDoc)
    for (const frame of [frames.terms, frames.documents, frames.positions]) {
      writeFrameRef(out, frame, before)
      before = frame.offset
    }
  }
}
