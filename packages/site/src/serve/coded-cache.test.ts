import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CodedCache } from './coded-cache.ts'
import type { Sized } from './coded-cache.ts'

test('the least recently used goes first, and no more is held than allowed', () => {
  const cache = new CodedCache<Sized>(3 * 1_300)
  const put = (key: string): void => cache.set(key, { body: new Uint8Array(1_000) })
  for (const key of ['a', 'b', 'c']) put(key)
  cache.get('a')
  put('d')
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined),
    [true, false, true, true],
  )
})

test('whatever is put in, what is held never exceeds the limit', () => {
  const acts = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(3_000)))
  fc.assert(
    fc.property(acts, (list) => {
      const cache = new CodedCache<Sized>(4_000)
      for (const [key, size] of list) {
        cache.set(key, size % 5 === 0 ? 'useless' : { body: new Uint8Array(size) })
        assert.ok(cache.bytes <= 4_000)
      }
    }),
  )
})
