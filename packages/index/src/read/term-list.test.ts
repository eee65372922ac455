import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { FrameCache } from '../format/frame-cache.ts'
import { compareTerms } from '../format/posting.ts'
import { modelPostings, sampleDocuments, sampleSegment, sampleView, testFolder } from '../testing/sample-index.ts'
import { allTerms, frequentTerms } from './term-list.ts'

test('the terms of several segments are listed once each, in order, with all of their documents', (t) => {
  const dir = testFolder(t)
  const documents = sampleDocuments({ seed: 4, documents: 300, vocabulary: 200, words: 8 })
  const cache = new FrameCache(1 << 20)
  const segments = [0, 1, 2].map((part) =>
    sampleSegment(
      join(dir, `s${part}.seg`),
      documents.filter((_, i) => i % 3 === part),
      cache,
    ),
  )
  const { segments: held } = sampleView(segments)
  const model = [...modelPostings(documents)]
    .map(([term, { length }]): [string, number] => [term, length])
    .toSorted(([a], [b]) => compareTerms(a, b))
  assert.deepEqual([...allTerms(held)], model)
  const withA = model.filter(([term]) => term.startsWith('a'))
  assert.deepEqual([...allTerms(held, 'a')], withA)
  const frequent = withA.toSorted((a, b) => b[1] - a[1]).map(([term]) => term)
  assert.deepEqual(frequentTerms(allTerms(held, 'a'), 5, 1_000).terms, frequent.slice(0, 5))
  assert.deepEqual(
    frequentTerms(allTerms(held, 'a'), 9, 3).terms.toSorted(),
    withA
      .slice(0, 3)
      .map(([term]) => term)
      .toSorted(),
  )
  for (const segment of segments) segment[Symbol.dispose]()
})
