import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '@comity/protocol/testing'
import { bandsOf, findNearDuplicate, forgetSimhash, isNear, rememberSimhash } from './near-duplicates.ts'
import type { Simhash } from './near-duplicates.ts'
import { testFolder } from '../testing/sample-crawl.ts'
import { openState } from './state.ts'
import type { State } from './state.ts'

function state(t: TestContext): State {
  const dir = testFolder(t)
  mkdirSync(join(dir, 'state'), { recursive: true })
  const opened = openState(dir)
  t.after(() => opened.root.close())
  return opened
}
const flip = ([high, low]: Simhash, bits: readonly number[]): Simhash => [
  bits.reduce((word, bit) => (bit >= 32 ? word ^ (1 << (bit - 32)) : word), high) >>> 0,
  bits.reduce((word, bit) => (bit < 32 ? word ^ (1 << bit) : word), low) >>> 0,
]
const hash: fc.Arbitrary<Simhash> = fc.tuple(fc.nat(0xffffffff), fc.nat(0xffffffff))

test('three bits apart is near and shares a band; four is not', () => {
  fc.assert(
    fc.property(hash, fc.uniqueArray(fc.nat(63), { minLength: 4, maxLength: 4 }), (one, bits) => {
      const near = flip(one, bits.slice(1))
      assert.ok(isNear(one, near))
      assert.ok(bandsOf(one).some((band, i) => band === bandsOf(near)[i]))
      assert.equal(isNear(one, flip(one, bits)), false)
    }),
  )
})

test('a page finds the one that is nearly the same, never itself, and nothing once that is forgotten', async (t) => {
  const { root, similar } = state(t)
  const one: Simhash = [0xdeadbeef, 0x01234567]
  await root.batch(() => rememberSimhash(similar, one, 7))
  for (const bits of [[], [0], [17, 40], [5, 33, 63]]) assert.equal(findNearDuplicate(similar, flip(one, bits), 8), 7)
  assert.equal(findNearDuplicate(similar, one, 7), undefined)
  assert.equal(findNearDuplicate(similar, flip(one, [1, 2, 3, 4]), 8), undefined)
  await root.batch(() => forgetSimhash(similar, one, 7))
  assert.equal(findNearDuplicate(similar, one, 8), undefined)
  assert.deepEqual([...similar.getRange()], [])
})

test('ten thousand pages of the same boilerplate keep a look-up short', async (t) => {
  const { root, similar } = state(t)
  const one: Simhash = [1, 2]
  await root.batch(() => {
    for (let page = 0; page < 10_000; page++)
      rememberSimhash(similar, flip(one, [page % 16, 32 + (page % 16), 20, 50]), page)
  })
  const began = processorMs()
  for (let i = 0; i < 100; i++) findNearDuplicate(similar, one, 20_000)
  assert.ok(processorMs() - began < 2_000)
})

test('a row that is cut short is damage', async (t) => {
  const { similar } = state(t)
  const one: Simhash = [1, 2]
  for (const [band, bits] of bandsOf(one).entries()) await similar.put(band * 0x10000 + bits, Buffer.of(1, 2, 3))
  assert.throws(() => findNearDuplicate(similar, one, 7), { code: 'COLLECTION_DAMAGED' })
})
