import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import type { SampleVisit } from '@comity/collection/testing'
import { openSearch } from './collection-search.ts'
import type { CollectionSearch } from './collection-search.ts'
import { IndexUpdater } from './indexing/index-updater.ts'

const AT = Date.UTC(2026, 10, 14)

interface Sample {
  readonly collection: Collection
  readonly search: CollectionSearch
  readonly index: (...visits: Omit<SampleVisit, 'at' | 'page'>[]) => Promise<void>
}

async function sample(t: TestContext): Promise<Sample> {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection)
  const search = openSearch(dir, () => collection)
  t.after(async () => {
    await search[Symbol.asyncDispose]()
    await collection.close()
  })
  const index = async (...visits: Omit<SampleVisit, 'at' | 'page'>[]): Promise<void> => {
    for (const visit of visits) crawl.visit({ page: crawl.offer(`/${collection.lastChange}`), at: AT, ...visit })
    await crawl.commit()
    await using feed = new IndexUpdater(collection)
    await feed.catchUp()
  }
  return { collection, search, index }
}

test('a result has its title and a piece of its text from the archive, also of a page that came later', async (t) => {
  const { search, index } = await sample(t)
  assert.deepEqual((await search.engine.search({ query: 'kingfisher' })).results, [])
  await index({ body: '<title>Birds &amp; water</title><p>The kingfisher waits above the stream.' })
  const { results } = await search.engine.search({ query: 'kingfisher' })
  assert.equal(results.length, 1)
  const [{ title, snippet, url }] = results as [(typeof results)[0]]
  assert.deepEqual([title, url], ['Birds & water', 'https://a.example/0'])
  assert.equal(snippet.text.slice(...(snippet.marks[0] ?? [0, 0])), 'kingfisher')
})

test('a page that asks for no archive is found by its words, and shown by its title alone', async (t) => {
  const { search, index } = await sample(t)
  const extra = { noarchive: true, title: 'Secretive' }
  await index({ body: '<title>Secretive</title>unquotable sentences', extra })
  const { results } = await search.engine.search({ query: 'unquotable' })
  assert.deepEqual(
    results.map(({ title, snippet }) => [title, snippet.text]),
    [['Secretive', '']],
  )
})

test('a page whose content was let go since is shown by its URL', async (t) => {
  const { collection, search, index } = await sample(t)
  await index({ body: '<title>Here</title>ephemeral' })
  collection.drop(0)
  const { results } = await search.engine.search({ query: 'ephemeral' })
  assert.deepEqual(
    results.map(({ title, url, snippet }) => [title, url, snippet.text]),
    [['', 'https://a.example/0', '']],
  )
})
