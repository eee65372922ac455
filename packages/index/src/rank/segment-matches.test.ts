import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { iterate } from '../query/document-iterator.ts'
import type { Leaves } from '../query/document-iterator.ts'
import { FrameCache } from '../format/frame-cache.ts'
import type { Plan } from '../query/match-plan.ts'
import { END } from '../read/posting-cursor.ts'
import { randomFrom, sampleDocuments, sampleSegment, sampleTerms, testFolder } from '../testing/sample-index.ts'
import { samplePlan } from '../testing/sample-plans.ts'
import type { Segment } from '../read/segment.ts'
import { matchesOf } from './segment-matches.ts'

const shape = { seed: 5, documents: 300, vocabulary: 40, words: 30 }

function sampleOf(t: TestContext, cacheBytes: number): { segment: Segment; cache: FrameCache } {
  const cache = new FrameCache(cacheBytes)
  const segment = sampleSegment(join(testFolder(t), 's1.seg'), sampleDocuments(shape), cache)
  t.after(() => segment[Symbol.dispose]())
  return { segment, cache }
}

/** What an iterator comes by: document, and for each term how often and in which zones. */
function walked(plan: Plan, segment: Segment): unknown[] {
  const leaves: Leaves = new Map()
  const matches = iterate(plan, segment, leaves)
  const rows: unknown[] = []
  for (let doc = matches.next(); doc !== END; doc = matches.next()) {
    const row: unknown[] = [doc]
    for (const [term, cursor] of leaves) if (cursor.seek(doc) === doc) row.push([term, cursor.count, cursor.zones])
    rows.push(row)
  }
  return rows
}

function kept(plan: Plan, segment: Segment): unknown[] | undefined {
  const matches = matchesOf(plan, JSON.stringify(plan), segment)
  if (matches === undefined) return undefined
  return Array.from(matches.docs, (doc, i) => {
    const here = matches.terms.filter(({ counts }) => counts[i] !== 0)
    return [doc, ...here.map(({ term, counts, zones }) => [term, counts[i], zones[i]])]
  })
}

// A cache in which nothing stays gives the same, only later.
for (const cacheBytes of [1 << 22, 0]) {
  test(`the matches of a plan are what an iterator finds, also when asked again (${cacheBytes} bytes)`, (t) => {
    const { segment } = sampleOf(t, cacheBytes)
    const random = randomFrom(11)
    for (let i = 0; i < 200; i++) {
      const plan = samplePlan([...sampleTerms(shape), 'unknown'], random)
      const expected = walked(plan, segment)
      for (const _ of ['first', 'again']) assert.deepEqual(kept(plan, segment), expected)
    }
  })
}

test('they are found once, and weigh in the cache until the segment is closed', (t) => {
  const { segment, cache } = sampleOf(t, 1 << 22)
  const plan: Plan = { kind: 'every' }
  const matches = matchesOf(plan, 'every', segment)
  assert.equal(matchesOf(plan, 'every', segment), matches)
  assert.ok(cache.bytes >= 4 * shape.documents)
  segment[Symbol.dispose]()
  assert.equal(cache.bytes, 0)
})

test('too many to keep are not kept', (t) => {
  const { segment } = sampleOf(t, 1 << 22)
  const parts = sampleTerms({ ...shape, vocabulary: 40 }).map((term): Plan => ({ kind: 'term', term }))
  const plan: Plan = { kind: 'any', parts: Array.from({ length: 10 }, () => parts).flat() }
  assert.equal(kept(plan, segment), undefined)
})
