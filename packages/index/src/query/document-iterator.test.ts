import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { iterate } from './document-iterator.ts'
import type { Leaves } from './document-iterator.ts'
import { FrameCache } from '../format/frame-cache.ts'
import { timesAsked } from './match-plan.ts'
import { END } from '../read/posting-cursor.ts'
import {
  inOrder,
  randomFrom,
  sampleDocuments,
  sampleSegment,
  sampleTerms,
  testFolder,
  wordsByTerm,
} from '../testing/sample-index.ts'
import { modelMatches, samplePlan } from '../testing/sample-plans.ts'

const shapes = fc.record({
  seed: fc.integer(),
  documents: fc.nat({ max: 300 }),
  vocabulary: fc.integer({ min: 1, max: 30 }),
  words: fc.constantFrom(2, 12),
})

test('any plan is walked through just the documents that match, by steps and by leaps', (t) => {
  const path = join(testFolder(t), 's1.seg')
  fc.assert(
    fc.property(shapes, (shape) => {
      rmSync(path, { force: true })
      const documents = inOrder(sampleDocuments(shape))
      using segment = sampleSegment(path, documents, new FrameCache(1 << 20))
      const terms = [...sampleTerms(shape), 'unknown']
      const random = randomFrom(shape.seed + 1)
      for (let i = 0; i < 30; i++) {
        const plan = samplePlan(terms, random)
        const matches = [...documents.keys()].filter((doc) => modelMatches(plan, documents[doc]?.words ?? []))
        const leaves: Leaves = new Map()
        const found = iterate(plan, segment, leaves)
        const leap = i % 2 === 0 ? 0 : 20
        for (let doc = found.next(); ;) {
          assert.equal(doc, matches.find((match) => match >= doc) ?? END)
          if (doc === END) break
          const own = wordsByTerm(documents[doc]?.words ?? [])
          for (const term of timesAsked(plan).keys())
            assert.equal(leaves.get(term)?.seek(doc) === doc, own.has(term), `${term} in ${doc}`)
          const target = doc + 1 + Math.floor(random() * leap)
          const expected = matches.find((match) => match >= target) ?? END
          doc = target === doc + 1 && random() < 0.5 ? found.next() : found.seek(target)
          assert.equal(doc, expected)
          assert.equal(found.seek(target), doc)
        }
      }
    }),
    { numRuns: 40 },
  )
})

test('in an index without positions a phrase is all of its words', (t) => {
  const documents = inOrder(sampleDocuments({ seed: 3, documents: 200, vocabulary: 8, words: 6 }))
  using segment = sampleSegment(join(testFolder(t), 's1.seg'), documents, new FrameCache(1 << 20), false)
  const [a = '', b = ''] = sampleTerms({ seed: 3, documents: 200, vocabulary: 8, words: 6 })
  const found = iterate({ kind: 'phrase', words: [[a], [b]] }, segment, new Map())
  const matches: number[] = []
  for (let doc = found.next(); doc !== END; doc = found.next()) matches.push(doc)
  const expected = [...documents.entries()].filter(([, { words }]) =>
    [a, b].every((one) => wordsByTerm(words).has(one)),
  )
  assert.deepEqual(
    matches,
    expected.map(([doc]) => doc),
  )
})
