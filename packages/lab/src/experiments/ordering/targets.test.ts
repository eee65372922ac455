import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LEAST_HOT, targetFor, targetNote } from './targets.ts'

const thousand = Float64Array.from({ length: 1_000 }, (_, page) => page / 10)

test('a target that enough pages reach is used as it is', () => {
  const target = targetFor(thousand, 90, 0.1)
  assert.deepEqual([target.used, target.hot, target.share], [90, 100, 0.1])
  assert.equal(targetNote('IB', target), undefined)
})

test('a target that too few reach becomes the one that gives the share of the paper', () => {
  const target = targetFor(thousand, 99, 0.1)
  assert.deepEqual([target.paper, target.used, target.hot], [99, 90, 100])
  assert.match(targetNote('IB', target)!, /the paper's G = 99, so G = 90 is used, which makes 100 pages hot/)
})

test('a share that would make too few pages hot makes enough hot', () => {
  assert.equal(targetFor(thousand, 1_000, 0.001).hot, LEAST_HOT)
})

test('a web of few pages has all of them hot rather than none', () => {
  assert.equal(targetFor(Float64Array.of(1, 2, 3), 100, 0.008).hot, 3)
})
