import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseMerge, staysLong } from './merge-policy.ts'
import type { SegmentSize } from './merge-policy.ts'

const live = (...documents: number[]): SegmentSize[] => documents.map((count) => ({ documents: count, gone: 0 }))

const SMALL = Array.from({ length: 15 }, (_, i) => 1 + i)

const cases: [sentence: string, segments: SegmentSize[], chosen: number[]][] = [
  ['nothing is merged with nothing', [], []],
  ['fifteen small ones wait for another', live(...Array.from({ length: 15 }, () => 9)), []],
  ['seven larger ones wait for an eighth', live(...Array.from({ length: 7 }, () => 5_000)), []],
  ['sixteen small ones become one', live(...SMALL, 1_024), [...SMALL.keys(), 15]],
  ['eight larger ones become one', live(...Array.from({ length: 8 }, () => 5_000)), [0, 1, 2, 3, 4, 5, 6, 7]],
  ['a large one among small ones stays', live(...SMALL, 90_000, 4), [...SMALL.keys(), 16]],
  ['not more than eight at a time', live(...Array.from({ length: 12 }, () => 5_000)), [0, 1, 2, 3, 4, 5, 6, 7]],
  [
    'small ones come before large ones',
    live(...Array.from({ length: 8 }, () => 5_000), ...SMALL, 5),
    Array.from({ length: 16 }, (_, i) => 8 + i),
  ],
  ['one that is mostly gone is written anew', [...live(5), { documents: 10_000, gone: 4_001 }], [1]],
  ['but not when it is small', [{ documents: 1_000, gone: 999 }], []],
  [
    'what is gone does not count for its tier',
    [...live(...SMALL), { documents: 2_000, gone: 1_000 }],
    [...SMALL.keys(), 15],
  ],
]
for (const [sentence, segments, chosen] of cases) {
  test(sentence, () => assert.deepEqual(chooseMerge(segments), chosen))
}

test('what becomes large is packed well, without what is gone', () => {
  assert.equal(staysLong(live(40_000, 30_000)), true)
  assert.equal(staysLong([...live(40_000), { documents: 30_000, gone: 10_000 }]), false)
})

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
      assert.ok(segments.length <= 15 + 7 * tiers)
      assert.equal(
        segments.reduce((sum, { documents }) => sum + documents, 0),
        total,
      )
      // In the first tier, segments of a few documents are written again until they are a thousand.
      assert.ok(written <= total * (tiers + 200))
    }),
  )
})
