import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeUrls, DocumentColumns, DocumentTableWriter, ROWS_A_FRAME, URLS_A_FRAME } from './document-table.ts'
import type { DocumentEntry } from './document-table.ts'

const entries = fc.record({
  key: fc.nat({ max: 2 ** 32 - 1 }),
  url: fc.webUrl(),
  group: fc.nat({ max: 2 ** 32 - 1 }),
  length: fc.nat({ max: 255 }),
  site: fc.constantFrom('https://a.example', 'https://ü.example', 'http://c.example:81'),
  type: fc.constantFrom('text/html', 'application/pdf'),
  language: fc.constantFrom('en', 'und'),
  at: fc.nat({ max: 60_000_000 }).map((minute) => minute * 60_000),
})

function written(all: readonly DocumentEntry[]): { table: DocumentTableWriter; rows: Buffer[]; urls: Buffer[] } {
  const [rows, urls]: [Buffer[], Buffer[]] = [[], []]
  const table = new DocumentTableWriter(
    (bytes) => rows.push(Buffer.from(bytes)),
    (bytes) => urls.push(Buffer.from(bytes)),
  )
  for (const entry of all) table.add(entry)
  table.end()
  return { table, rows, urls }
}

function check(all: readonly DocumentEntry[]): void {
  const { table, rows, urls } = written(all)
  const columns = new DocumentColumns(all.length)
  for (const [i, bytes] of rows.entries()) columns.fill(bytes, i * ROWS_A_FRAME)
  assert.deepEqual(
    urls.flatMap((bytes) => decodeUrls(bytes)),
    all.map(({ url }) => url),
  )
  for (const [doc, entry] of all.entries()) {
    assert.equal(columns.keys[doc], entry.key)
    assert.equal(columns.groups[doc], entry.group)
    assert.equal(columns.lengths[doc], entry.length)
    assert.equal(table.sites.words[columns.sites[doc] as number], entry.site)
    assert.equal(table.types.words[columns.types[doc] as number], entry.type)
    assert.equal(table.languages.words[columns.languages[doc] as number], entry.language)
    assert.equal(columns.at(doc), entry.at)
    assert.equal(columns.keys[columns.find(entry.key)], entry.key)
  }
}

test('documents are read as they were put', () => {
  fc.assert(fc.property(fc.array(entries), check))
})

test('the table goes on from frame to frame', () => {
  const all = Array.from({ length: ROWS_A_FRAME + URLS_A_FRAME + 1 }, (_, i) => ({
    key: (i * 7) % 10_007,
    url: `https://a.example/${i}`,
    group: i,
    length: i % 256,
    site: `https://${i % 3}.example`,
    type: 'text/html',
    language: 'en',
    at: i * 60_000,
  }))
  check(all)
  const { rows, urls } = written(all)
  assert.deepEqual([rows.length, urls.length], [2, 10])
})

test('a time is kept to the minute, and one before 1970 is none', () => {
  const entry = { key: 1, url: 'x', group: 1, length: 1, site: '', type: '', language: '' }
  const { rows } = written([
    { ...entry, at: 119_999 },
    { ...entry, at: -5 },
  ])
  const columns = new DocumentColumns(2)
  columns.fill(rows[0] as Buffer, 0)
  assert.deepEqual([columns.at(0), columns.at(1)], [60_000, 0])
})

test('a key that no document has is not found', () => {
  const columns = new DocumentColumns(0)
  assert.equal(columns.find(3), -1)
})
