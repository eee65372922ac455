import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { GoneDocuments } from './gone-documents.ts'
import { testFolder } from '../testing/sample-index.ts'

test('documents that are gone are read back, and no others', (t) => {
  const path = join(testFolder(t), 's1-1.gone')
  const cases = fc.nat({ max: 100 }).chain((documents) =>
    fc.record({
      documents: fc.constant(documents),
      gone: fc.array(fc.nat({ max: Math.max(0, documents - 1) }), { maxLength: documents }),
    }),
  )
  fc.assert(
    fc.property(cases, ({ documents, gone }) => {
      rmSync(path, { force: true })
      const written = new GoneDocuments(documents)
      for (const doc of gone) written.add(doc)
      const copy = written.copy()
      written.write(path)
      const read = GoneDocuments.read(path, documents)
      for (const one of [written, read, copy]) {
        assert.equal(one.count, new Set(gone).size)
        for (let doc = 0; doc < documents; doc++) assert.equal(one.has(doc), gone.includes(doc))
      }
    }),
    { numRuns: 50 },
  )
})

test('a copy goes its own way', () => {
  const one = new GoneDocuments(9)
  const copy = one.copy()
  one.add(8)
  assert.deepEqual([one.count, copy.count, copy.has(8)], [1, 0, false])
})

test('any flipped bit, any missing byte and a missing file are noticed by name', (t) => {
  const path = join(testFolder(t), 's1-1.gone')
  const damage = { name: 'IndexError', code: 'SEGMENT_DAMAGED', message: /s1-1\.gone/ }
  for (const documents of [0, 1, 21]) {
    rmSync(path, { force: true })
    assert.throws(() => GoneDocuments.read(path, documents), damage)
    const gone = new GoneDocuments(documents)
    if (documents > 0) gone.add(documents - 1)
    gone.write(path)
    assert.throws(() => GoneDocuments.read(path, documents + 8), damage)
    const bytes = readFileSync(path)
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = Buffer.from(bytes)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      writeFileSync(path, damaged)
      assert.throws(() => GoneDocuments.read(path, documents), damage)
    }
    for (let length = 0; length < bytes.length; length++) {
      writeFileSync(path, bytes.subarray(0, length))
      assert.throws(() => GoneDocuments.read(path, documents), damage)
    }
  }
})
