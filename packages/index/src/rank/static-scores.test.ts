import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { END } from '../read/posting-cursor.ts'
import { NO_STATICS, staticScores } from './static-scores.ts'

test('no document of a run is worth more than its bound, and runs follow each other', () => {
  const scores = fc.array(fc.nat({ max: 1_000 }), { maxLength: 1_000 }).map((all) => Float64Array.from(all))
  fc.assert(
    fc.property(scores, (all) => {
      const statics = staticScores(all)
      assert.equal(statics.most, Math.max(0, ...all))
      for (let doc = 0; doc < all.length;) {
        const [end, bound] = [statics.endAt(doc), statics.boundAt(doc)]
        assert.ok(end >= doc)
        for (; doc <= end && doc < all.length; doc++) {
          assert.equal(statics.scoreOf(doc), all[doc])
          assert.ok((all[doc] as number) <= bound && bound <= statics.most)
        }
      }
    }),
    { numRuns: 50 },
  )
})

test('without statics nothing is added, up to the last document', () => {
  assert.deepEqual([NO_STATICS.most, NO_STATICS.scoreOf(5), NO_STATICS.boundAt(5)], [0, 0, 0])
  assert.equal(NO_STATICS.endAt(5), END - 1)
})
