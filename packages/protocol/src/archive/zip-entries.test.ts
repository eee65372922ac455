import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { packEntries, ZipEntries } from './zip-entries.ts'
import type { ZipEntry } from './zip-entries.ts'

const entry = (name: string, offset: number): ZipEntry => ({
  name,
  offset,
  method: offset % 2 === 0 ? 0 : 8,
  isEncrypted: offset % 3 === 0,
  crc32: 2 ** 32 - 1 - offset,
  packedBytes: 2 ** 40 + offset,
  bytes: offset,
})

test('packed, sent to another thread and opened again, entries are what they were, and are found by their names', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '/', '𝄞'), maxLength: 3 })
  const property = fc.property(fc.array(name, { maxLength: 30 }), name, (names, other) => {
    const entries = names.map(entry)
    const opened = new ZipEntries(structuredClone(packEntries(entries)))
    assert.deepEqual([...opened], entries)
    for (const one of [...names, other])
      assert.deepEqual(
        opened.find(one),
        entries.findLast((known) => known.name === one),
      )
  })
  fc.assert(property, { numRuns: 300 })
})
