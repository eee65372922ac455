import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contentVersion, decodeChanges, encodeChanges } from './change-list.ts'
import { Collection } from '../collection.ts'
import { dropContents, forgetPages } from '../forget/forget.ts'
import type { PageRow } from './rows.ts'
import { SampleCrawl, testFolder } from '../testing/sample-crawl.ts'

const AT = Date.UTC(2026, 10, 14)
const body = { file: 0, offset: 100, length: 10 }
const row: PageRow = {
  site: 0,
  outcome: 'ok',
  status: 200,
  visitedAt: 1,
  visits: 1,
  changes: 0,
  bytes: 9,
  timings: {},
  body,
}

const cases: [sentence: string, row: PageRow | undefined, isThere: boolean][] = [
  ['a page that nobody visited has no content', undefined, false],
  ['a page with a body has', row, true],
  ['one without has none', { ...row, body: undefined }, false],
  ['a page that fails for a while keeps what it had', { ...row, status: 503, outcome: 'busy' }, true],
  ['a page that may not be had any more keeps it too', { ...row, status: 403 }, true],
  ['a page that is not found is gone', { ...row, status: 404 }, false],
  ['a page that says it is gone is', { ...row, status: 410 }, false],
  ['a page that moved is found where it is now', { ...row, status: 301, redirectTo: 'https://a.example/new' }, false],
  ['a page that asks not to be indexed is not', { ...row, noindex: true }, false],
  ['a page that asks not to be shown may be found', { ...row, noarchive: true }, true],
  ['a page that was not modified is as it was', { ...row, status: 304, outcome: 'not-modified' }, true],
]
for (const [sentence, given, isThere] of cases) {
  test(sentence, () => assert.equal(contentVersion(given) !== undefined, isThere))
}

test('another body is another version', () => {
  assert.notEqual(contentVersion(row), contentVersion({ ...row, body: { ...body, offset: 200 } }))
  assert.notEqual(contentVersion(row), contentVersion({ ...row, body: { ...body, file: 1 } }))
})

test('a list of pages is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 0xffffffff })), (pages) => {
      // As from a database: somewhere in a larger buffer.
      const held = Buffer.concat([Buffer.from('x'), encodeChanges(pages)]).subarray(1)
      assert.deepEqual([...decodeChanges(held)], pages)
    }),
  )
})

const changesAfter = (collection: Collection, number: number): number[][] =>
  Array.from(collection.changes(number), ({ pages }) => Array.from(pages))

test('a commit lists the pages whose content it changed, and whoever has seen some asks for the rest', async (t) => {
  const dir = testFolder(t)
  await using collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection)
  const [home, other] = [crawl.offer('/'), crawl.offer('/other')]
  assert.equal(collection.lastChange, 0)
  crawl.visit({ page: home, at: AT, body: 'one' })
  crawl.visit({ page: other, at: AT, body: 'two' })
  await crawl.commit()
  assert.deepEqual(changesAfter(collection, 0), [[home, other]])
  crawl.visit({ page: home, at: AT + 1, body: 'one' })
  await crawl.commit()
  assert.deepEqual(changesAfter(collection, 1), [], 'the same body again is no change')
  crawl.visit({ page: home, at: AT + 2, body: 'three' })
  await crawl.commit()
  crawl.visit({ page: other, at: AT + 3, body: 'two', extra: { noindex: true } })
  collection.touch(home)
  await crawl.commit()
  assert.deepEqual(changesAfter(collection, 1), [[home], [other, home]])
  assert.equal(collection.lastChange, 3)
  await using reader = Collection.openReadOnly(dir)
  assert.equal(reader.lastChange, 3)
  assert.deepEqual(changesAfter(reader, 2), [[other, home]])
})

test('the list goes on where it was after closing, forgetting and dropping', async (t) => {
  const dir = testFolder(t)
  {
    await using collection = await Collection.open(dir, AT)
    const crawl = new SampleCrawl(collection)
    for (const path of ['/', '/a', '/b']) crawl.visit({ page: crawl.offer(path), at: AT, body: `at ${path}` })
    await crawl.commit()
  }
  await using collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection, ['https://a.example'], 3)
  collection.drop(1)
  await crawl.commit()
  await dropContents(collection, [1], AT)
  collection.touch(2)
  await crawl.commit()
  await forgetPages(collection, [2], AT)
  collection.touch(0)
  await crawl.commit()
  assert.deepEqual(changesAfter(collection, 0), [[0, 1, 2], [1], [2], [2], [0]], 'what was forgotten is a change')
  assert.equal(collection.lastChange, 5)
})
