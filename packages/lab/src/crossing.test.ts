import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { crossingOf, crossingText } from './crossing.ts'
import type { Crossing, Curve } from './crossing.ts'

const flat: Curve = [
  [0, 5],
  [1, 5],
  [2, 5],
]
const sloped = (from: number, by: number): Curve => flat.map(([x]) => [x, from + by * x])

const cases: [sentence: string, one: Curve, other: Curve, expected: Crossing][] = [
  ['it is where both are the same', sloped(0, 4), flat, { kind: 'at', x: 1.25 }],
  ['a curve that begins dearer is never the cheaper one', sloped(6, 0), flat, { kind: 'never' }],
  ['one that ends cheaper is always', sloped(0, 2), flat, { kind: 'always' }],
  ['one that only touches is still not dearer', sloped(1, 2), flat, { kind: 'always' }],
]
for (const [sentence, one, other, expected] of cases)
  test(sentence, () => assert.deepEqual(crossingOf(one, other), expected))

test('straight lines cross where they are equal', () => {
  const slope = fc.double({ min: 0.5, max: 100, noNaN: true })
  const start = fc.double({ min: 0, max: 100, noNaN: true })
  fc.assert(
    fc.property(start, slope, start, (a, by, gap) => {
      const xs = Array.from({ length: 20 }, (_, at) => at * 20)
      const one = xs.map((x) => [x, a + by * x] as const)
      const other = xs.map((x) => [x, a + gap] as const)
      const crossing = crossingOf(one, other)
      assert.ok(crossing.kind === 'at')
      assert.ok(Math.abs(crossing.x - gap / by) < 1e-6)
    }),
  )
})

test('in words', () => {
  assert.equal(crossingText({ kind: 'at', x: 0.35 }, 'share').replaceAll('\u00a0', ' '), 'up to 35 %')
  assert.equal(crossingText({ kind: 'never' }), 'never')
})

test('curves of different samples cannot be compared', () => assert.throws(() => crossingOf(flat, flat.slice(1))))
