import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseMerge } from './merge-policy.ts'
import type { SegmentSize } from './merge-policy.ts'

const live = (...documents: number[]): SegmentSize[] => documents.map((count) => ({ documents: count, gone: 0 }))

const cases: [sentence: string, segments: SegmentSize[], chosen: number[]][] = [
  ['nothing is merged with nothing', [], []],
  ['three small ones wait for a fourth', live(1, 2, 3), []],
  ['seven larger ones wait for an eighth', live(...Array.from({ length: 7 }, () => 5_000)), []],
  ['four small ones become one', live(1, 2, 3, 1_024), [0, 1, 2, 3]],
  ['eight larger ones become one', live(...Array.from({ length: 8 }, () => 5_000)), [0, 1, 2, 3, 4, 5, 6, 7]],
  ['a large one among small ones stays', live(1, 2, 3, 90_000, 4), [0, 1, 2, 4]],
  ['not more than eight at a time', live(...Array.from({ length: 12 }, () => 5_000)), [0, 1, 2, 3, 4, 5, 6, 7]],
  [
    'small ones come before large ones',
    live(...Array.from({ length: 8 }, () => 5_000), ...Array.from({ length: 8 }, () => 5)),
    [8, 9, 10, 11],
  ],
  ['one that is mostly gone is written anew', [...live(5), { documents: 10_000, gone: 4_001 }], [1]],
  ['but not when it is small', [{ documents: 1_000, gone: 999 }], []],
  ['what is gone does not count for its tier', [...live(1, 2, 3), { documents: 2_000, gone: 1_000 }], [0, 1, 2, 3]],
]
for (const [sentence, segments, chosen] of cases) {
  test(sentence, () => assert.deepEqual(chooseMerge(segments), chosen))
}

test('merging ends, leaves few segments, and writes a document a few times only', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 400 }), (commits) => {
      let segments: SegmentSize[] = []
      let written = 0
      for (const documents of commits) {
        segments.push({ documents, gone: 0 })
        for (let places = chooseMerge(segments); places.length > 0; places = chooseMerge(segments)) {
          const merged = places.reduce((sum, i) => sum + (segments[i] as SegmentSize).documents, 0)
          written += merged
          segments = [...segments.filter((_, i) => !places.includes(i)), { documents: merged, gone: 0 }]
        }
      }
      const total = commits.reduce((sum, documents) => sum + documents, 0)
      const tiers = 2 + Math.ceil(Math.log(Math.max(1, total / 1_024)) / Math.log(8))
      assert.ok(segments.length <= 7 * tiers)
      assert.equal(
        segments.reduce((sum, { documents }) => sum + documents, 0),
        total,
      )
      // In the first tier, segments of a few documents are written again until they are a thousand.
      assert.ok(written <= total * (tiers + 200))
    }),
  )
})
