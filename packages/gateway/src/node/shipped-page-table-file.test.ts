import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { newFileName } from '@comity/disk'
import { logSuite } from '@comity/disk/testing'
import { pageRowFraming, PageTableFile } from './shipped-page-table-file.ts'
import { NO_TAG, ROW_BYTES } from './shipped-page-table.ts'
import type { ShippedPageRow } from './shipped-page-table.ts'

const PAGE: ShippedPageRow = {
  digest: 'ab'.repeat(32),
  coded: '2'.repeat(16),
  etag: NO_TAG,
  lastModified: 7,
  expires: 0,
  shippedAt: 5,
  seenAt: 5,
  toldAt: 5,
  readers: 1,
  robots: 2,
  bytes: 9,
}

const url = (i: number): string => `http://a.example/${i}`

const entry = (n: number): Buffer => Buffer.alloc(ROW_BYTES, n + 1)
logSuite('table of pages', { framing: pageRowFraming(newFileName()), entry, holesAre: 'torn' })
logSuite('table of pages, of the first format', { framing: pageRowFraming(undefined), entry, holesAre: 'damage' })

interface Place {
  readonly path: string
  readonly open: () => PageTableFile
}

function place(t: TestContext): Place {
  const folder = mkdtempSync(join(tmpdir(), 'comity-table-'))
  t.after(() => rmSync(folder, { recursive: true }))
  let runs = 0
  const path = join(folder, 'pages.table')
  const newRun = (): string => String(++runs).padStart(32, '0')
  return { path, open: () => PageTableFile.open(path, { maxPages: 100_000, newRun }) }
}

test('what was committed is there after a restart, with its run and number; what was not is not', (t) => {
  const { open } = place(t)
  {
    using file = open()
    assert.equal(file.found, 'nothing')
    file.table.set(url(1), PAGE)
    file.commit(1)
    file.table.set(url(2), { ...PAGE, readers: 9 })
    file.commit(2)
    file.table.set(url(3), PAGE)
  }
  using file = open()
  assert.equal(file.found, 'whole')
  assert.deepEqual(file.table.get(url(1)), PAGE)
  assert.deepEqual(file.table.get(url(2)), { ...PAGE, readers: 9 })
  assert.equal(file.table.get(url(3)), undefined)
  assert.equal(file.run, '1'.padStart(32, '0'))
  assert.equal(file.number, 2)
})

test('wherever a crash cuts the file off, what was committed before is kept', (t) => {
  const { path, open } = place(t)
  const sizes: number[] = []
  {
    using file = open()
    for (let number = 1; number <= 5; number++) {
      file.table.set(url(number), PAGE)
      file.commit(number)
      sizes.push(statSync(path).size)
    }
  }
  const whole = readFileSync(path)
  for (let size = whole.length; size > sizes[1]!; size -= 7) {
    writeFileSync(path, whole)
    truncateSync(path, size)
    using file = open()
    const committed = sizes.filter((end) => end <= size).length
    assert.equal(file.found, 'whole')
    assert.equal(file.number, committed)
    for (let number = 1; number <= committed; number++) assert.ok(file.table.has(url(number)), `${number} at ${size}`)
    file.table.set(url(99), PAGE)
    file.commit(committed + 1)
    using again = open()
    assert.ok(again.table.has(url(99)))
  }
})

test('damage in the middle begins a new run, since numbers may be lost', (t) => {
  const { path, open } = place(t)
  {
    using file = open()
    for (let number = 1; number <= 5; number++) {
      file.table.set(url(number), PAGE)
      file.commit(number)
    }
  }
  const bytes = readFileSync(path)
  bytes[70 + 2 * (ROW_BYTES + 4)]! ^= 0xff
  writeFileSync(path, bytes)
  {
    using file = open()
    assert.equal(file.found, 'damaged')
    assert.notEqual(file.run, '1'.padStart(32, '0'))
    assert.equal(file.number, 0)
  }
  using after = open()
  assert.equal(after.found, 'whole')
})

test('a hole in the last write costs that write: the run goes on with the number before it', (t) => {
  const { path, open } = place(t)
  let before = 0
  {
    using file = open()
    file.table.set(url(1), PAGE)
    file.commit(1)
    before = statSync(path).size
    for (const n of [2, 3, 4]) file.table.set(url(n), PAGE)
    file.commit(2)
  }
  const whole = readFileSync(path)
  for (let from = before; from < whole.length; from += 23) {
    const holed = Buffer.from(whole).fill(0, from, Math.min(whole.length, from + 40))
    // Zeros for zeros are no hole.
    if (holed.equals(whole)) continue
    writeFileSync(path, holed)
    using file = open()
    assert.deepEqual([file.found, file.run], ['whole', '1'.padStart(32, '0')], `a hole at ${from}`)
    assert.ok(file.number === 1 && file.table.has(url(1)))
  }
})

test('a file of the first format is what it was, and is written anew as one of today', (t) => {
  const { path, open } = place(t)
  {
    using file = open()
    file.table.set(url(1), PAGE)
    file.commit(7)
  }
  // The same records, each with a plain sum.
  const bytes = readFileSync(path)
  const run = bytes.toString('latin1', 15, 47)
  const records: Buffer[] = [Buffer.from(`comity-pages-1\n${run}`)]
  for (let at = 63; at < bytes.length; at += ROW_BYTES + 4)
    records.push(pageRowFraming(undefined).encode(bytes.subarray(at, at + ROW_BYTES), true) as Buffer)
  writeFileSync(path, Buffer.concat(records))
  using file = open()
  assert.deepEqual([file.found, file.run, file.number, file.table.get(url(1))], ['whole', run, 7, PAGE])
  assert.match(readFileSync(path, 'latin1'), /^comity-pages-2\n/u)
  file.commit(8)
  using again = open()
  assert.equal(again.number, 8)
})

test('a file of somebody else is left alone', (t) => {
  const { path, open } = place(t)
  writeFileSync(path, 'x'.repeat(1_000))
  assert.throws(open, /no table of pages/)
  assert.equal(readFileSync(path, 'latin1'), 'x'.repeat(1_000))
})

test('noise at the end is cut off and written over', (t) => {
  const { path, open } = place(t)
  {
    using file = open()
    file.table.set(url(1), PAGE)
    file.commit(1)
  }
  appendFileSync(path, 'half a record')
  using file = open()
  file.table.set(url(2), PAGE)
  file.commit(2)
  using again = open()
  assert.ok(again.table.has(url(1)) && again.table.has(url(2)))
})

test('history is thrown away: the file stays in proportion to the table', (t) => {
  const { path, open } = place(t)
  using file = open()
  for (let number = 1; number <= 40; number++) {
    for (let i = 0; i < 1_000; i++) file.table.set(url(i), { ...PAGE, readers: number })
    file.commit(number)
  }
  assert.ok(statSync(path).size < 15_000 * (ROW_BYTES + 4), `${statSync(path).size} bytes`)
  using again = open()
  assert.equal(again.table.get(url(999))?.readers, 40)
  assert.equal(again.number, 40)
})

test('nobody else may read it', (t) => {
  const { path, open } = place(t)
  using file = open()
  file.commit(1)
  assert.equal(statSync(path).mode & 0o077, 0)
})
