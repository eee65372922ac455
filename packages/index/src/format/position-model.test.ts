import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ZONES } from '../document.ts'
import { lengthByte } from './length-byte.ts'
import { BUCKETS, bucketOf, FORESEEN, levelOf, LEVELS, PositionModel, SYMBOL_BITS } from './position-model.ts'

test('buckets are single gaps, then halves of octaves', () => {
  const firsts = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]
  for (const [bucket, first] of firsts.entries()) assert.equal(bucketOf(first), bucket)
  for (const [bucket, first] of firsts.slice(1).entries()) assert.equal(bucketOf(first - 1), bucket)
  assert.equal(bucketOf(2 ** 20 - 1), BUCKETS - 1)
})

const levels: [sentence: string, words: number, count: number, expected: number][] = [
  ['a page that is one word over and over', 500, 500, 0],
  ['a page without words', 0, 1, 0],
  ['every second word', 20, 10, 1],
  ['once in 1,024 words, or about', 1_024, 1, 10],
  ['twice in them', 1_024, 2, 9],
  ['nearer to a third than to a half', 30, 11, 1],
  ['nearer to a fourth', 30, 10, 2],
]
for (const [sentence, words, count, expected] of levels)
  test(`${sentence} is level ${expected}`, () => assert.equal(levelOf(lengthByte(words), count), expected))

test('no page is beyond the last level', () => {
  assert.ok(levelOf(255, 1) < LEVELS)
})

/** What is foreseen before each of these gaps. */
function foreseen(model: PositionModel, length: number, gaps: readonly number[]): number[] {
  model.startPage(length, gaps.length, 0)
  return gaps.map((gap) => {
    const { foreseen: expected } = model
    model.learn(gap, bucketOf(gap))
    return expected
  })
}

test('the gap that followed two gaps is foreseen when they come again', () => {
  const model = new PositionModel()
  model.startBlock()
  assert.deepEqual(foreseen(model, 50, [9, 4, 7, 30, 4, 7]), [-1, -1, -1, -1, -1, -1])
  assert.deepEqual(foreseen(model, 60, [8, 4, 7, 31, 5, 7]), [9, -1, -1, 30, -1, -1])
  assert.deepEqual(foreseen(model, 70, [1, 4, 7, 2]), [8, -1, -1, 31])
})

test('a page of the same length with as many positions begins the same, and any like the one before', () => {
  const model = new PositionModel()
  model.startBlock()
  assert.deepEqual(foreseen(model, 50, [10]), [-1])
  assert.deepEqual(foreseen(model, 60, [20, 1]), [10, -1])
  assert.deepEqual(foreseen(model, 50, [30]), [10])
  assert.deepEqual(foreseen(model, 50, [40, 5]), [30, -1])
  model.startBlock()
  assert.deepEqual(foreseen(model, 50, [30]), [-1])
})

test('first words of the title, last ones of the URL and all others have contexts of their own', () => {
  const model = new PositionModel()
  const contextOf = (zones: number, gaps: readonly number[]): number => {
    model.startBlock()
    model.startPage(100, gaps.length + 1, zones)
    for (const gap of gaps) model.learn(gap, bucketOf(gap))
    return model.context
  }
  const firsts = [0, ZONES.title, ZONES.url].map((zones) => contextOf(zones, []))
  const lasts = [0, ZONES.title, ZONES.url].map((zones) => contextOf(zones, [3]))
  assert.deepEqual([new Set(firsts).size, new Set(lasts).size], [3, 2])
  assert.notEqual(contextOf(0, [3]), contextOf(0, [30]))
})

test('a page walked at once is as one learnt gap by gap', () => {
  const [walker, learner] = [new PositionModel(), new PositionModel()]
  const page = fc.record({
    length: fc.nat(255),
    zones: fc.nat(15),
    gaps: fc.array(fc.oneof(fc.nat(3), fc.nat(2 ** 20 - 1)), { minLength: 1, maxLength: 100 }),
  })
  const property = fc.property(fc.array(page), (pages) => {
    walker.startBlock()
    learner.startBlock()
    for (const { length, zones, gaps } of pages) {
      const steps = new Int32Array(gaps.length)
      walker.walkPage(length, gaps.length, zones, Uint32Array.from(gaps), steps)
      learner.startPage(length, gaps.length, zones)
      for (const [i, gap] of gaps.entries()) {
        const symbol = gap === learner.foreseen ? FORESEEN : bucketOf(gap)
        assert.equal(steps[i], (learner.context << SYMBOL_BITS) | symbol)
        learner.learn(gap, bucketOf(gap))
      }
    }
  })
  fc.assert(property)
})
