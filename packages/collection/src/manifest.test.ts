import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { CollectionError } from './errors.ts'
import type { CollectionErrorCode } from './errors.ts'
import { ensureFolder, ensureManifest, makeFolders, readManifest } from './manifest.ts'
import { testFolder } from './testing/sample-crawl.ts'

const failsWith = (code: CollectionErrorCode, advice: RegExp) => (error: unknown) =>
  error instanceof CollectionError && error.code === code && advice.test(error.message)

test('a new collection has its folders first and its manifest last', (t) => {
  const dir = testFolder(t)
  ensureFolder(dir)
  makeFolders(dir)
  const made = ensureManifest(dir, 'comity/0.1', new Date(0))
  assert.deepEqual(readManifest(dir), made)
  assert.deepEqual(made, { format: 1, created: '1970-01-01T00:00:00.000Z', software: 'comity/0.1' })
  assert.deepEqual(readdirSync(dir).toSorted(), ['collection.json', 'index', 'state', 'warc'])
  // The second opener keeps what the first wrote.
  assert.deepEqual(ensureManifest(dir, 'other', new Date(5)), made)
})

const foreign: [sentence: string, files: string[]][] = [
  ["a folder with somebody's files is refused", ['notes.txt']],
  ['a folder named like ours with something else in it is refused', ['warc/mine.warc.gz']],
  ['an LMDB of somebody else is refused', ['state/data.mdb']],
]
for (const [sentence, files] of foreign) {
  test(`${sentence}, and nothing is written into it`, (t) => {
    const dir = testFolder(t)
    for (const file of files) {
      mkdirSync(dirname(join(dir, file)), { recursive: true })
      writeFileSync(join(dir, file), 'mine')
    }
    const before = readdirSync(dir, { recursive: true })
    assert.throws(() => ensureFolder(dir), failsWith('NOT_A_COLLECTION', /Name an empty or new directory/))
    assert.deepEqual(readdirSync(dir, { recursive: true }), before)
  })
}

const manifests: [sentence: string, text: string, code: CollectionErrorCode, advice: RegExp][] = [
  ['an unknown format is refused with what to do', '{"format":7}', 'COLLECTION_FORMAT', /format 7.*Use the version/],
  ['a format that is no number is refused', '{"format":"1"}', 'COLLECTION_FORMAT', /crawl into a new directory/],
  ['a manifest that is not JSON is damage', '{"format":', 'COLLECTION_DAMAGED', /comity repair/],
  ['a manifest that is no object is damage', 'null', 'COLLECTION_DAMAGED', /no JSON object/],
]
for (const [sentence, text, code, advice] of manifests) {
  test(sentence, (t) => {
    const dir = testFolder(t)
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'collection.json'), text)
    assert.throws(() => readManifest(dir), failsWith(code, advice))
    assert.throws(() => ensureFolder(dir), failsWith(code, advice))
    assert.equal(readFileSync(join(dir, 'collection.json'), 'utf8'), text)
  })
}

test('looking for a collection where there is none says how to make one', (t) => {
  assert.throws(() => readManifest(testFolder(t)), failsWith('COLLECTION_MISSING', /comity crawl SEED --into/))
})
