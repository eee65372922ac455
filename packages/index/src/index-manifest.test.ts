import assert from 'node:assert/strict'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { HOSTILE_NAMES } from '@comity/disk/testing'
import { manifestPath, readIndexManifest, removeUnnamed, writeIndexManifest } from './index-manifest.ts'
import type { IndexManifest } from './index-manifest.ts'
import { testFolder } from './testing/sample-index.ts'

const manifest: IndexManifest = {
  generation: 7,
  nextName: 12,
  position: 345,
  segments: [
    { name: 's3', documents: 100, bytes: 5_000, goneCount: 0 },
    { name: 's11', documents: 10, bytes: 500, gone: 's11-7.gone', goneCount: 2 },
  ],
}
const damage = { name: 'IndexError', code: 'INDEX_DAMAGED', message: /index\.json/ }

test('a manifest is read as it was written, and a later one in its place', (t) => {
  const dir = testFolder(t)
  writeIndexManifest(dir, manifest)
  assert.deepEqual(readIndexManifest(dir), manifest)
  writeIndexManifest(dir, { ...manifest, generation: 8 })
  assert.equal(readIndexManifest(dir).generation, 8)
  assert.deepEqual(readdirSync(dir), ['index.json'])
})

test('a folder without a manifest is an empty index', (t) => {
  const dir = testFolder(t)
  assert.deepEqual(readIndexManifest(dir), { generation: 0, nextName: 1, position: 0, segments: [] })
})

test('any flipped bit and any missing byte is noticed', (t) => {
  const dir = testFolder(t)
  writeIndexManifest(dir, manifest)
  const bytes = readFileSync(manifestPath(dir))
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = Buffer.from(bytes)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    writeFileSync(manifestPath(dir), damaged)
    assert.throws(() => readIndexManifest(dir), damage, `bit ${bit}`)
  }
  for (let length = 0; length < bytes.length; length++) {
    writeFileSync(manifestPath(dir), bytes.subarray(0, length))
    assert.throws(() => readIndexManifest(dir), damage, `${length} bytes`)
  }
})

test('an unknown format is refused by its number', (t) => {
  const dir = testFolder(t)
  const body = `${JSON.stringify({ format: 9, ...manifest })}\n`
  writeFileSync(manifestPath(dir), `${body}sum ${crc32(body).toString(16).padStart(8, '0')}\n`)
  assert.throws(() => readIndexManifest(dir), { ...damage, message: /format 9, and this version of Comity reads 1/ })
})

test('files nobody names are removed, those of others and unfinished ones stay', (t) => {
  const dir = testFolder(t)
  const kept = ['hits.values', 'index.json', 'notes.txt', 's11-7.gone', 's11.seg', 's12.seg', 's3.seg', 'sample.seg']
  const removed = ['s10.seg', 's11-6.gone', 's3-1.gone', 's4.seg']
  for (const file of [...kept, ...removed]) writeFileSync(join(dir, file), '')
  removeUnnamed(dir, manifest, ['s12'])
  assert.deepEqual(readdirSync(dir).toSorted(), kept)
})

test('a manifest that names a file outside its folder, or none of ours, is damaged', (t) => {
  const dir = testFolder(t)
  for (const name of [...HOSTILE_NAMES, 'secret', 's1.x', 's']) {
    const entry = { name: 's3', documents: 1, bytes: 1, goneCount: 0 }
    writeIndexManifest(dir, { ...manifest, segments: [{ ...entry, name }] })
    assert.throws(() => readIndexManifest(dir), damage, `segment ${name}`)
    writeIndexManifest(dir, { ...manifest, segments: [{ ...entry, gone: name }] })
    assert.throws(() => readIndexManifest(dir), damage, `gone ${name}`)
  }
})

test('a segment that is a link out of its folder is damage', (t) => {
  const dir = testFolder(t)
  symlinkSync(import.meta.filename, join(dir, 's3.seg'))
  writeIndexManifest(dir, manifest)
  assert.throws(() => readIndexManifest(dir), damage)
})
