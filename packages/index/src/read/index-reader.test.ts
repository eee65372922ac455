import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { IndexError } from '../errors.ts'
import { manifestPath } from '../index-manifest.ts'
import { IndexReader, isMergeOf } from './index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { testFolder } from '../testing/sample-index.ts'
import { pagesIn, samplePage } from '../testing/sample-pages.ts'

/** Three segments of ten pages each, in the second of which one is gone. */
function fill(dir: string): void {
  using writer = new IndexWriter(dir)
  for (let page = 0; page < 30; page++) {
    writer.put(samplePage(page, `w${page}`))
    if (page % 10 === 9) writer.commit(page)
  }
  writer.remove(15)
  writer.commit(30)
}

const keysIn = (reader: IndexReader): number[] => [...pagesIn(reader.view, 'w').keys()].toSorted((a, b) => a - b)
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

test('a reader sees a commit when it looks, and not before', (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  using reader = new IndexReader(dir)
  assert.deepEqual([reader.view.documents, reader.refresh()], [0, false])
  writer.put(samplePage(1, 'w1 w2 w3'))
  writer.commit(5)
  assert.equal(reader.view.documents, 0)
  assert.equal(reader.refresh(), true)
  assert.equal(reader.refresh(), false)
  const { documents, position, meanLength, bytes } = reader.view
  // Three words, and two of its URL: its path and its host.
  assert.deepEqual([documents, position], [1, 5])
  assert.ok(meanLength > 3 && bytes > 0)
})

test('segments that stay are not opened again', (t) => {
  const dir = testFolder(t)
  fill(dir)
  using writer = new IndexWriter(dir)
  using reader = new IndexReader(dir)
  const before = reader.view.segments
  writer.remove(3)
  writer.put(samplePage(99, 'w99'))
  writer.commit(40)
  reader.refresh()
  const after = reader.view.segments
  for (const i of [0, 1, 2]) assert.equal(after[i]?.segment, before[i]?.segment)
  assert.deepEqual([after.length, after[0]?.gone.count, before[0]?.gone.count], [4, 1, 0])
  assert.equal(after[1], before[1])
})

for (const file of ['s2.seg', 's2-4.gone']) {
  test(`when ${file} is missing or damaged, its segment is refused by name and the others are there`, (t) => {
    const dir = testFolder(t)
    fill(dir)
    const bytes = readFileSync(join(dir, file))
    const damaged = Buffer.from(bytes)
    damaged[bytes.length - 1]! ^= 1
    const expected = [...range(0, 10), ...range(20, 30)]
    for (const content of [damaged, bytes.subarray(0, 5), undefined]) {
      rmSync(join(dir, file))
      if (content !== undefined) writeFileSync(join(dir, file), content)
      using reader = new IndexReader(dir)
      assert.deepEqual(keysIn(reader), expected)
      assert.equal(reader.view.documents, 20)
      const [refused, ...more] = reader.view.refused
      assert.ok(refused instanceof IndexError && refused.message.includes(file) && more.length === 0)
      if (content === undefined) writeFileSync(join(dir, file), bytes)
    }
    using mended = new IndexReader(dir)
    assert.deepEqual([mended.view.refused, mended.view.documents], [[], 29])
  })
}

test('any flipped bit in any file of an index is noticed', (t) => {
  const dir = testFolder(t)
  fill(dir)
  const files = readdirSync(dir)
  assert.ok(files.length > 1)
  for (const file of files) {
    const path = join(dir, file)
    const bytes = readFileSync(path)
    for (let bit = 0; bit < bytes.length * 8; bit += 1 + ((bit * 7) % 61)) {
      const damaged = Buffer.from(bytes)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      writeFileSync(path, damaged)
      assert.ok(isNoticed(dir), `bit ${bit} of ${file}`)
    }
    writeFileSync(path, bytes)
  }
  assert.equal(isNoticed(dir), false)
})

function isNoticed(dir: string): boolean {
  try {
    using reader = new IndexReader(dir)
    for (const { segment } of reader.view.segments) segment.verify()
    return reader.view.refused.length > 0
  } catch (error) {
    assert.ok(error instanceof IndexError, String(error))
    return true
  }
}

test('a segment that is refused while it is searched stays refused when the index grows', (t) => {
  const dir = testFolder(t)
  fill(dir)
  using writer = new IndexWriter(dir)
  using reader = new IndexReader(dir)
  const damage = new IndexError('SEGMENT_DAMAGED', 's2.seg: as if')
  reader.refuse('s2', damage)
  assert.deepEqual([reader.view.refused, reader.view.documents], [[damage], 20])
  writer.put(samplePage(99, 'w99'))
  writer.commit(40)
  reader.refresh()
  assert.deepEqual([reader.view.refused, reader.view.documents], [[damage], 21])
})

test('a damaged manifest is refused, and the state before still answers', (t) => {
  const dir = testFolder(t)
  fill(dir)
  using reader = new IndexReader(dir)
  writeFileSync(manifestPath(dir), 'nonsense')
  assert.throws(() => reader.refresh(), { name: 'IndexError', code: 'INDEX_DAMAGED' })
  assert.equal(keysIn(reader).length, 29)
})

test('an index that was made anew is seen, even when it has come as far as the one before', (t) => {
  const dir = testFolder(t)
  fill(dir)
  using reader = new IndexReader(dir)
  const { generation } = reader.view
  for (const file of readdirSync(dir)) rmSync(join(dir, file))
  using writer = new IndexWriter(dir)
  for (let page = 0; page < generation; page++) {
    writer.put(samplePage(100 + page, 'w'))
    writer.commit(page + 1)
  }
  assert.equal(reader.refresh(), true)
  assert.deepEqual([reader.view.generation, keysIn(reader)], [generation, range(100, 100 + generation)])
})

test('a manifest that is put back as it was changes nothing', (t) => {
  const dir = testFolder(t)
  fill(dir)
  using reader = new IndexReader(dir)
  const { view } = reader
  copyFileSync(manifestPath(dir), join(dir, 'copy'))
  renameSync(join(dir, 'copy'), manifestPath(dir))
  reader.refresh()
  assert.equal(reader.view, view)
})

const steps: [sentence: string, step: (writer: IndexWriter) => void, isMerge: boolean][] = [
  ['a merge of all', (writer) => writer.mergeAll(), true],
  ['a segment written anew without what is gone', (writer) => writer.rewriteGone(), true],
  ['a commit', (writer) => [writer.put(samplePage(99, 'w99')), writer.commit(40)], false],
  ['pages that are called otherwise', (writer) => [writer.put(samplePage(3, 'w3')), writer.commit(30)], false],
  ['pages that go', (writer) => [writer.remove(3), writer.commit(30)], false],
  ['a commit that leaves no other segment', (writer) => putAll(writer), false],
  ['a commit and a merge', (writer) => [writer.put(samplePage(3, 'w3')), writer.commit(30), writer.mergeAll()], false],
]
for (const [sentence, step, isMerge] of steps) {
  test(`${sentence} ${isMerge ? 'leaves the documents as they were' : 'is more than a merge'}`, (t) => {
    const dir = testFolder(t)
    fill(dir)
    using writer = new IndexWriter(dir)
    using reader = new IndexReader(dir)
    const before = reader.view
    step(writer)
    reader.refresh()
    assert.equal(isMergeOf(reader.view, before), isMerge)
    assert.equal(isMergeOf(before, before), false)
  })
}

/** Every page of `fill` again. */
function putAll(writer: IndexWriter): void {
  for (let page = 0; page < 30; page++) if (page !== 15) writer.put(samplePage(page, `w${page}`))
  writer.commit(30)
}
