import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FrameCache } from '../format/frame-cache.ts'
import { PageStatics } from './page-statics.ts'
import { writePageValues } from '../format/page-values.ts'
import { rankDefaults, saturated, UNIT } from './ranking.ts'
import { sampleDocuments, sampleSegment, sampleView, testFolder } from '../testing/sample-index.ts'
import { NO_STATICS } from './static-scores.ts'

test('a page is worth its importance and hits; one without values, nothing', (t) => {
  const dir = testFolder(t)
  const documents = sampleDocuments({ seed: 1, documents: 5, vocabulary: 2, words: 1 })
  using segment = sampleSegment(join(dir, 's1.seg'), documents, new FrameCache(1 << 20))
  const [held] = sampleView([segment]).segments
  assert.ok(held)
  const statics = new PageStatics(dir, rankDefaults)
  assert.equal(statics.staticsOf(held), NO_STATICS)
  writePageValues(dir, 'importance', Float32Array.of(4, 0, 1))
  writePageValues(dir, 'hits', Float32Array.of(10, 5))
  assert.equal(statics.staticsOf(held), NO_STATICS)
  statics.refresh()
  const scores = statics.staticsOf(held)
  const of = (key: number): number => scores.scoreOf(segment.columns.find(key))
  assert.deepEqual([0, 1, 2, 3, 4].map(of), [2 * UNIT, saturated(5, 2, 10), saturated(1, 2, 4), 0, 0])
  assert.deepEqual([statics.hitsOf(1), statics.hitsOf(4), statics.importanceOf(2)], [5, 0, 1])
  assert.equal(statics.staticsOf(held), scores)
})

test('values that are damaged are done without, and named', (t) => {
  const dir = testFolder(t)
  writePageValues(dir, 'importance', Float32Array.of(4))
  writeFileSync(join(dir, 'hits.values'), 'nonsense')
  const statics = new PageStatics(dir, rankDefaults)
  assert.deepEqual([statics.importanceOf(0), statics.hitsOf(0)], [4, 0])
  assert.match(statics.refused.map(({ message }) => message).join(), /hits\.values: it is not what was written/)
  writePageValues(dir, 'hits', Float32Array.of(3))
  statics.refresh()
  assert.deepEqual([statics.hitsOf(0), statics.refused], [3, []])
})
