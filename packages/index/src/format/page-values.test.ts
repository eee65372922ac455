import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { readPageValues, valuesStamp, writePageValues } from './page-values.ts'
import { testFolder } from '../testing/sample-index.ts'

test('values are read as they were written', (t) => {
  const dir = testFolder(t)
  fc.assert(
    fc.property(fc.float32Array(), (values) => {
      writePageValues(dir, 'hits', values)
      assert.deepEqual(readPageValues(dir, 'hits'), values)
    }),
    { numRuns: 30 },
  )
})

test('where there are none yet, there are none', (t) => {
  const dir = testFolder(t)
  assert.equal(readPageValues(dir, 'importance').length, 0)
  assert.equal(valuesStamp(dir, 'importance'), '')
})

test('the stamp tells that values were replaced', (t) => {
  const dir = testFolder(t)
  writePageValues(dir, 'hits', Float32Array.of(1))
  const before = valuesStamp(dir, 'hits')
  assert.equal(valuesStamp(dir, 'hits'), before)
  writePageValues(dir, 'hits', Float32Array.of(2))
  assert.notEqual(valuesStamp(dir, 'hits'), before)
})

test('any flipped bit and any missing byte is noticed by name', (t) => {
  const dir = testFolder(t)
  writePageValues(dir, 'hits', Float32Array.of(1, 0, 2.5))
  const path = join(dir, 'hits.values')
  const bytes = readFileSync(path)
  const damage = { name: 'IndexError', code: 'INDEX_DAMAGED', message: /hits\.values/ }
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    writeFileSync(path, damaged)
    assert.throws(() => readPageValues(dir, 'hits'), damage)
  }
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(path, bytes.subarray(0, length))
    assert.throws(() => readPageValues(dir, 'hits'), damage)
  }
})
