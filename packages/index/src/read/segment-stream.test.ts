import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { FrameCache } from '../format/frame-cache.ts'
import { modelPostings, randomFrom, sampleDocuments, sampleSegment, testFolder } from '../testing/sample-index.ts'
import type { ModelPosting } from '../testing/sample-index.ts'
import type { PostingStream } from '../format/posting.ts'
import { GONE, SegmentTerms } from './segment-stream.ts'

function postingOf({ doc, zones, count, gaps }: PostingStream): ModelPosting {
  let position = -1
  return { doc, positions: Array.from(gaps.subarray(0, count), (gap) => (position += gap + 1)), zones }
}

/** What a stream tells to someone who passes over a share of the terms, and of the postings of others. */
function heard(terms: SegmentTerms, random: () => number, patience: number): Map<string, ModelPosting[]> {
  const found = new Map<string, ModelPosting[]>()
  while (terms.next()) {
    if (random() > patience) continue
    const list: ModelPosting[] = []
    found.set(terms.term, list)
    while (random() <= patience && terms.postings.next()) list.push(postingOf(terms.postings))
  }
  return found
}

const shapes = fc.record({
  seed: fc.integer(),
  documents: fc.nat({ max: 400 }),
  vocabulary: fc.integer({ min: 1, max: 200 }),
  words: fc.constantFrom(1, 6, 30),
})

test('whatever is passed over, the rest is told as it is', (t) => {
  const dir = testFolder(t)
  let files = 0
  fc.assert(
    fc.property(shapes, fc.constantFrom(1, 0.9, 0.3), fc.constantFrom(0, 0.4), (shape, patience, goneShare) => {
      const documents = sampleDocuments(shape)
      using segment = sampleSegment(join(dir, `${files++}.seg`), documents, new FrameCache(1 << 20))
      const random = randomFrom(shape.seed)
      let count = 0
      const numbers = Int32Array.from({ length: documents.length }, () => (random() < goneShare ? GONE : count++))
      const told = heard(new SegmentTerms(segment, numbers, true), random, patience)
      const model = modelPostings(documents)
      if (patience === 1) assert.deepEqual([...told.keys()].toSorted(), [...model.keys()].toSorted())
      for (const [term, list] of told) {
        const all = (model.get(term) ?? [])
          .map(({ doc, positions, zones }) => ({ doc: numbers[doc] as number, positions, zones }))
          .filter(({ doc }) => doc !== GONE)
        assert.deepEqual(list, patience === 1 ? all : all.slice(0, list.length))
      }
    }),
    { numRuns: 60 },
  )
})

test('to one who wants no positions none are told', (t) => {
  const documents = sampleDocuments({ seed: 1, documents: 9, vocabulary: 5, words: 9 })
  using segment = sampleSegment(join(testFolder(t), 's.seg'), documents, new FrameCache(1 << 20))
  const terms = new SegmentTerms(segment, Int32Array.from(documents.keys()), false)
  while (terms.next()) while (terms.postings.next()) assert.equal(terms.postings.gaps.length, 0)
})
