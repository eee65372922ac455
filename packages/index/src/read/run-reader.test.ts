import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { FrameCache } from '../format/frame-cache.ts'
import { PositionDecoder } from '../format/position-codec.ts'
import { BLOCK } from '../format/posting.ts'
import { passLead, RunReader } from './run-reader.ts'
import { modelPostings, sampleDocuments, sampleSegment, testFolder } from '../testing/sample-index.ts'
import type { ModelPosting } from '../testing/sample-index.ts'

test('each run is read without those before it, but for the positions of its lead', (t) => {
  const documents = sampleDocuments({ seed: 11, documents: 300, vocabulary: 900, words: 40 })
  using segment = sampleSegment(join(testFolder(t), 's.seg'), documents, new FrameCache(1 << 20))
  const model = modelPostings(documents)
  const [reader, decoder] = [new RunReader(), new PositionDecoder()]
  let led = 0
  const chunks = Array.from(segment.directory.firstTerms, (_, chunk) => segment.chunkAt(chunk))
  const runs = chunks.flatMap(({ list, documents: bytes, positions }) =>
    [...list.entries()].map(([term, run]) => ({ term, run, bytes, positions })),
  )
  for (const { term, run, bytes, positions } of runs.toReversed()) {
    reader.open(bytes, run.gapAt, run.countAt)
    decoder.open(positions, run.placeAt)
    if (run.lead !== undefined) {
      passLead(decoder, run.lead, bytes, segment.lengths)
      led++
    }
    const found: ModelPosting[] = []
    for (let i = 0; i < run.postings; i++) {
      if (i > 0 && i % BLOCK === 0) decoder.align()
      if (i % BLOCK === 0) decoder.startBlock()
      reader.next()
      const gaps = new Uint32Array(reader.count)
      decoder.read(segment.lengths[reader.doc] as number, reader.count, reader.zones, gaps)
      let position = -1
      found.push({ doc: reader.doc, positions: Array.from(gaps, (gap) => (position += gap + 1)), zones: reader.zones })
    }
    assert.deepEqual(found, model.get(term))
  }
  assert.ok(led > 100)
})
