import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LimitedBuffer } from './limited-buffer.ts'

test('a buffer with room drops nothing', () => {
  const buffer = new LimitedBuffer(2, () => 0)
  assert.deepEqual([buffer.add(7), buffer.add(3)], [undefined, undefined])
  assert.deepEqual(buffer.pages.toSorted(), Uint32Array.of(3, 7))
})

test('a full buffer drops the page with the lowest score, be it the new one', () => {
  const scores = [5, 1, 3, 0]
  const buffer = new LimitedBuffer(2, (page) => scores[page]!)
  assert.deepEqual(
    [0, 1, 2, 3].map((page) => buffer.add(page)),
    [undefined, undefined, 1, 3],
  )
})

test('a page whose score has risen since it came is kept', () => {
  const scores = [1, 2, 3]
  const buffer = new LimitedBuffer(2, (page) => scores[page]!)
  buffer.add(0)
  buffer.add(1)
  scores[0] = 9
  assert.equal(buffer.add(2), 1)
})

test('of equals the page kept longest goes', () => {
  const buffer = new LimitedBuffer(2, () => 1)
  assert.deepEqual(
    [4, 2, 9, 1].map((page) => buffer.add(page)),
    [undefined, undefined, 4, 2],
  )
})

test('a buffer for nothing keeps nothing', () => {
  const buffer = new LimitedBuffer(0, () => 1)
  assert.equal(buffer.add(4), 4)
  assert.equal(buffer.size, 0)
})

test('a size that makes no sense is refused', () => {
  for (const size of [-1, 1.5, NaN, Infinity]) assert.throws(() => new LimitedBuffer(size, () => 0), RangeError)
})

test('whatever rises in between, it drops what a search through all would', () => {
  const steps = fc.array(fc.record({ rises: fc.array(fc.tuple(fc.nat(40), fc.nat(3)), { maxLength: 4 }) }), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(fc.nat(6), steps, (capacity, all) => {
      const scores = Array.from({ length: 41 }, () => 0)
      const buffer = new LimitedBuffer(capacity, (page) => scores[page]!)
      const kept: number[] = []
      for (const [page, { rises }] of all.entries()) {
        for (const [to, by] of rises) scores[to]! += by
        kept.push(page)
        const expected = kept.length > capacity ? leastOf(kept, scores) : undefined
        if (expected !== undefined) kept.splice(kept.indexOf(expected), 1)
        assert.equal(buffer.add(page), expected)
        assert.deepEqual(buffer.pages.toSorted(), Uint32Array.from(kept).toSorted())
      }
    }),
  )
})

/** The first, hence longest kept, of those with the lowest score. */
function leastOf(kept: readonly number[], scores: readonly number[]): number {
  return kept.reduce((least, page) => (scores[page]! < scores[least]! ? page : least))
}
