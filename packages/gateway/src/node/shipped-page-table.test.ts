import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { NO_TAG, PageTable } from './shipped-page-table.ts'
import type { ShippedPageRow } from './shipped-page-table.ts'

const word = fc.nat({ max: 2 ** 32 - 1 })
const hex = (digits: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: digits / 2, maxLength: digits / 2 }).map((bytes) => Buffer.from(bytes).toString('hex'))
const pages: fc.Arbitrary<ShippedPageRow> = fc.record(
  {
    digest: hex(64),
    coded: hex(16),
    etag: hex(16),
    lastModified: word,
    expires: word,
    shippedAt: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
    seenAt: word,
    toldAt: word,
    readers: word,
    robots: word,
    bytes: word,
  },
  { noNullPrototype: true },
)
const urls = fc.nat({ max: 3_000 }).map((number) => `http://a.example/${number}`)

test('the table holds what a map would hold, whatever is set and forgotten, and gives its rows to another', () => {
  const steps = fc.array(fc.tuple(urls, fc.option(pages, { nil: undefined, freq: 4 })), { maxLength: 300 })
  fc.assert(
    fc.property(steps, (all) => {
      const [table, map] = [new PageTable(100_000), new Map<string, ShippedPageRow>()]
      for (const [url, page] of all) {
        if (page === undefined) table.forget(url)
        else table.set(url, page)
        if (page === undefined) map.delete(url)
        else map.set(url, page)
      }
      const copy = new PageTable(100_000)
      for (const row of table.rows()) copy.restore(row)
      for (const [url] of all) {
        assert.deepEqual(table.get(url), map.get(url))
        assert.deepEqual(copy.get(url), map.get(url))
        assert.equal(table.has(url), map.has(url))
      }
    }),
    { numRuns: 50 },
  )
})

const PAGE: ShippedPageRow = {
  digest: '1'.repeat(64),
  coded: '2'.repeat(16),
  etag: NO_TAG,
  lastModified: 0,
  expires: 0,
  shippedAt: 5,
  seenAt: 5,
  toldAt: 5,
  readers: 0,
  robots: 0,
  bytes: 9,
}

test('of more pages than may be, those that were seen longest ago go, and are counted', () => {
  const table = new PageTable(1_000)
  for (let i = 0; i < 5_000; i++) table.set(`http://a.example/${i}`, { ...PAGE, seenAt: i })
  assert.ok(table.size <= 1_000)
  assert.equal(table.evicted, 5_000 - table.size)
  assert.ok(table.has('http://a.example/4999'))
  assert.ok(table.has('http://a.example/4200'))
  assert.equal(table.has('http://a.example/3000'), false)
})

test('pages of one second go as well when there is no older one', () => {
  const table = new PageTable(1_000)
  for (let i = 0; i < 2_500; i++) table.set(`http://a.example/${i}`, PAGE)
  assert.ok(table.size <= 1_000 && table.size > 0)
  assert.ok(table.has('http://a.example/2499'))
})

test('rows that changed are given once', () => {
  const table = new PageTable(1_000)
  table.set('http://a.example/1', PAGE)
  table.set('http://a.example/2', PAGE)
  table.set('http://a.example/1', { ...PAGE, seenAt: 9 })
  assert.equal([...table.takeChanged()].length, 2)
  assert.equal([...table.takeChanged()].length, 0)
  table.forget('http://a.example/2')
  assert.equal([...table.takeChanged()].length, 1)
})

test('a page takes less than 200 bytes of memory, and its address is nowhere in them', () => {
  const table = new PageTable(100_000)
  for (let i = 0; i < 20_000; i++) table.set(`http://a.example/secret-path/${i}`, PAGE)
  assert.ok(table.memoryBytes / table.size < 200, `${table.memoryBytes / table.size} bytes`)
  assert.ok([...table.rows()].every((row) => !Buffer.from(row).includes('secret')))
  const copy = new PageTable(100_000)
  for (const row of table.rows()) copy.restore(row)
  assert.equal(copy.size, table.size)
  assert.deepEqual(copy.get('http://a.example/secret-path/19999'), PAGE)
})
