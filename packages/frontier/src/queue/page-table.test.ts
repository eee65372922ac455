import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '@comity/protocol/testing'
import { DONE, NOWHERE, PageTable, WAITING } from './page-table.ts'

const CHUNK = 65_536
/** Keys that differ in every bit from one to the next, as real ones do. */
const spread = (n: number): [high: number, low: number] => [
  Math.imul(n, 0x9e3779b1) >>> 0,
  Math.imul(n, 0x85ebca6b) >>> 0,
]

test('an empty table knows nothing', () => {
  assert.equal(new PageTable(() => 0).find(0, 0, 0), -1)
})

test('the site, the high and the low half of the key all tell pages apart', () => {
  const table = new PageTable(Math.random)
  const ids = [table.add(1, 2, 3, 0, 0, WAITING), table.add(2, 2, 3, 0, 0, WAITING), table.add(1, 3, 3, 0, 0, WAITING)]
  assert.deepEqual(ids, [0, 1, 2])
  assert.deepEqual([table.find(1, 2, 3), table.find(2, 2, 3), table.find(1, 3, 3), table.find(1, 2, 4)], [0, 1, 2, -1])
})

test('it finds what a Map would find, whatever the keys and whatever the process drew', () => {
  // Few values, so that keys meet in the same table and at the same slot.
  const word = fc.oneof(fc.constantFrom(0, 1, 0x01000000, 0xff000000, 0xffffffff), fc.nat(3))
  const key = fc.tuple(fc.nat(2), word, word)
  const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), draw, (keys, drawn) => {
      const table = new PageTable(() => drawn)
      const model = new Map<string, number>()
      for (const [site, high, low] of keys) {
        const name = `${site} ${high} ${low}`
        assert.equal(table.find(site, high, low), model.get(name) ?? -1)
        if (!model.has(name)) model.set(name, table.add(site, high, low, 7, 1, WAITING))
      }
      assert.equal(table.count, model.size)
    }),
  )
})

test('pages are found, and keep their facts, across the borders of chunks and the growth of slots', () => {
  const table = new PageTable(Math.random)
  const pages = 2 * CHUNK + 3
  for (let n = 0; n < pages; n++) table.add(n % 1_000, ...spread(n), n, n % 50, n % 2 === 0 ? WAITING : DONE, n % 256)
  assert.equal(table.count, pages)
  for (const n of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK - 1, 2 * CHUNK, pages - 1]) {
    const [high, low] = spread(n)
    assert.equal(table.find(n % 1_000, high, low), n)
    const facts = [
      table.siteOf(n),
      table.seedOf(n),
      table.keyHighOf(n),
      table.keyLowOf(n),
      table.depthOf(n),
      table.triesOf(n),
    ]
    assert.deepEqual(facts, [n % 1_000, n, high, low, n % 50, n % 256])
    assert.equal(table.stateOf(n), n % 2 === 0 ? WAITING : DONE)
    assert.equal(table.placeOf(n), NOWHERE)
  }
  for (let n = 0; n < pages; n++) assert.equal(table.find(n % 1_000, ...spread(n)), n)
  assert.equal(table.find(0, ...spread(pages)), -1)
})

test('keys chosen to meet in one slot of a table without a secret do not make it slow', () => {
  const table = new PageTable(Math.random)
  // All in one part, all with the same low half: with `low & mask` as the place, 40,000 of them would take 800 million steps.
  const began = processorMs()
  for (let n = 0; n < 40_000; n++) {
    assert.equal(table.find(0, n, 42), -1)
    table.add(0, n, 42, 0, 0, WAITING)
  }
  assert.ok(processorMs() - began < 2_000)
})

test('pages appended together are found after the table has been indexed, and can be added to', () => {
  const table = new PageTable(Math.random)
  for (let n = 0; n < 100_000; n++) table.append(n % 7, ...spread(n), 0, 0, WAITING, 0)
  assert.equal(table.find(0, ...spread(0)), -1)
  table.index()
  for (let n = 100_000; n < 200_000; n++) table.add(n % 7, ...spread(n), 0, 0, WAITING)
  for (let n = 0; n < 200_000; n++) assert.equal(table.find(n % 7, ...spread(n)), n)
})
