import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameCache } from '../format/frame-cache.ts'
import { planMerge } from './merge.ts'
import { randomFrom, sampleDocuments, sampleSegment, testFolder } from '../testing/sample-index.ts'
import type { SampleDocument, SampleShape } from '../testing/sample-index.ts'
import { Segment } from '../read/segment.ts'
import { GONE } from '../read/segment-stream.ts'
import { writeSegment, writeSegmentInSteps } from './segment-writer.ts'

const cache = new FrameCache(1 << 20)

interface Part {
  readonly documents: readonly SampleDocument[]
  readonly hasPositions?: boolean
}

/** The bytes of a merge of parts, each written as a segment, without the keys that are gone. */
function merged(dir: string, parts: readonly Part[], isGone: (key: number) => boolean = () => false): Buffer {
  const paths = parts.map((_, i) => join(dir, `s${i}.seg`))
  const into = join(dir, 'merged.seg')
  for (const path of [...paths, into]) rmSync(path, { force: true })
  const segments = parts.map(({ documents, hasPositions }, i) =>
    sampleSegment(paths[i] as string, documents, cache, hasPositions),
  )
  const { source, renumbered } = planMerge(
    segments.map((segment) => ({ segment, isGone: (doc) => isGone(segment.columns.keys[doc] as number) })),
  )
  writeSegment(into, source)
  using whole = new Segment(into, cache)
  for (const [i, segment] of segments.entries()) {
    for (const [doc, key] of segment.columns.keys.entries())
      assert.equal(renumbered[i]?.[doc], isGone(key) ? GONE : whole.columns.find(key))
    segment[Symbol.dispose]()
  }
  return readFileSync(into)
}

function partsOf(documents: readonly SampleDocument[], count: number, seed: number): Part[] {
  const random = randomFrom(seed)
  const parts = Array.from({ length: count }, (): SampleDocument[] => [])
  for (const document of documents) parts[Math.floor(random() * count)]?.push(document)
  return parts.map((part) => ({ documents: part }))
}

function checkMerge(dir: string, shape: SampleShape, count: number, goneShare: number): void {
  const documents = sampleDocuments(shape)
  const random = randomFrom(shape.seed + 1)
  const gone = new Set(documents.filter(() => random() < goneShare).map(({ entry }) => entry.key))
  const isGone = (key: number): boolean => gone.has(key)
  const inParts = merged(dir, partsOf(documents, count, shape.seed), isGone)
  const atOnce = merged(dir, [{ documents: documents.filter(({ entry }) => !isGone(entry.key)) }])
  assert.ok(inParts.equals(atOnce), 'the same bytes')
}

test('a merge of any parts is, byte for byte, what indexing at once what is not gone gives', (t) => {
  const dir = testFolder(t)
  const shapes = fc.record({
    seed: fc.integer(),
    documents: fc.nat({ max: 300 }),
    vocabulary: fc.integer({ min: 1, max: 200 }),
    words: fc.constantFrom(1, 6, 30),
  })
  fc.assert(
    fc.property(shapes, fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 0.3, 0.95, 1), (shape, count, share) =>
      checkMerge(dir, shape, count, share),
    ),
    { numRuns: 40 },
  )
})

test('and so it is for lists that go through several chunks', (t) => {
  const dir = testFolder(t)
  checkMerge(dir, { seed: 4, documents: 9_000, vocabulary: 3, words: 4 }, 3, 0.1)
  checkMerge(dir, { seed: 5, documents: 2_500, vocabulary: 4_000, words: 12 }, 5, 0.2)
})

test('when one part has no positions, the whole has none', (t) => {
  const dir = testFolder(t)
  const documents = sampleDocuments({ seed: 6, documents: 60, vocabulary: 20, words: 10 })
  const parts = [{ documents: documents.slice(0, 30) }, { documents: documents.slice(30), hasPositions: false }]
  assert.ok(merged(dir, parts).equals(merged(dir, [{ documents, hasPositions: false }])))
})

test('nothing merged is a segment of nothing', (t) => {
  const dir = testFolder(t)
  merged(dir, [])
  using segment = new Segment(join(dir, 'merged.seg'), cache)
  segment.verify()
  assert.deepEqual([segment.documents, [...segment.terms()], segment.postings('a')], [0, [], undefined])
})

test('a merge pauses between chunks and can be given up at any pause', (t) => {
  const dir = testFolder(t)
  using segment = sampleSegment(
    join(dir, 's1.seg'),
    sampleDocuments({ seed: 7, documents: 6_000, vocabulary: 2_000, words: 12 }),
    cache,
  )
  const { source } = planMerge([{ segment, isGone: () => false }])
  const steps = writeSegmentInSteps(join(dir, 'merged.seg'), source)
  let pauses = 0
  for (; pauses < 7; pauses++) assert.equal(steps.next().done, false)
  steps.return({ documents: 0, bytes: 0, terms: 0, postings: 0, positions: 0 })
  assert.throws(() => new Segment(join(dir, 'merged.seg'), cache), { code: 'SEGMENT_DAMAGED' })
})
