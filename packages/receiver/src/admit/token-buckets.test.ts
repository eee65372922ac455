import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TokenBuckets } from './token-buckets.ts'

test('a burst passes, then one at a time as the bucket fills', () => {
  const buckets = new TokenBuckets({ perSecond: 2, burst: 3 }, 10)
  assert.deepEqual(
    [0, 0, 0, 0].map((now) => buckets.draw('a', 1, now)),
    [0, 0, 0, 500],
  )
  assert.equal(buckets.draw('a', 1, 499), 1)
  assert.equal(buckets.draw('a', 1, 500), 0)
  assert.equal(buckets.draw('a', 1, 501), 499)
})

test('what is told to wait for passes after just that time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }), fc.nat(40), (rate, burst, cost) => {
      const buckets = new TokenBuckets({ perSecond: rate, burst }, 10)
      let now = 0
      for (let i = 0; i < 20; i++) {
        const waitMs = buckets.draw('a', cost, now)
        if (waitMs > 0) {
          now += waitMs
          assert.equal(buckets.draw('a', cost, now), 0)
        }
      }
    }),
  )
})

test('one who is busy costs nobody else anything', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 2 }, 10)
  for (let i = 0; i < 10; i++) buckets.draw('loud', 1, 0)
  assert.ok(buckets.draw('loud', 1, 0) > 0)
  assert.equal(buckets.draw('quiet', 1, 0), 0)
})

test('an act that costs more than a bucket holds passes when the bucket is full', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 5 }, 10)
  assert.equal(buckets.draw('a', 100, 0), 0)
  assert.equal(buckets.draw('a', 100, 0), 5_000)
})

test('memory is bounded: whoever is idle is forgotten, and newcomers wait while all are busy', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 10 }, 3)
  for (const key of ['a', 'b', 'c']) assert.equal(buckets.draw(key, 5, 0), 0)
  assert.equal(buckets.draw('d', 1, 1_000), 1_000)
  assert.equal(buckets.size, 3)
  assert.equal(buckets.draw('d', 1, 5_000), 0)
  assert.equal(buckets.size, 1)
})

test('who can have any number of keys shuts nobody out: the least busy is forgotten', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 10 }, 3, true)
  for (const [key, cost] of [
    ['a', 9],
    ['b', 5],
    ['c', 8],
  ] as const)
    buckets.charge(key, cost, 0)
  assert.equal(buckets.waitMs('d', 1, 0), 0)
  buckets.charge('d', 10, 0)
  assert.equal(buckets.size, 3)
  assert.deepEqual(
    ['a', 'c', 'd'].map((key) => buckets.waitMs(key, 2, 0)),
    [1_000, 0, 2_000],
  )
})

test('a charge is paid though the bucket holds less, before anything more is drawn', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 10 }, 3)
  buckets.charge('a', 8, 0)
  buckets.charge('a', 8, 0)
  assert.equal(buckets.waitMs('a', 1, 0), 7_000)
  buckets.charge('b', 1_000, 0)
  assert.equal(buckets.waitMs('b', 1, 0), 11_000)
})

test('a factor makes a bucket fill faster', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, 3)
  buckets.draw('a', 1, 0, 10)
  assert.equal(buckets.waitMs('a', 1, 0, 10), 100)
})

test('a clock that steps back neither fills nor empties a bucket', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, 3)
  assert.equal(buckets.draw('a', 1, 10_000), 0)
  assert.equal(buckets.draw('a', 1, 5_000), 1_000)
  assert.equal(buckets.draw('a', 1, 11_000), 0)
})
