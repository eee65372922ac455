import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection, FollowedCollection } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import { IndexUpdater } from '@comity/search'
import { collectionSearchPort } from './collection-search-port.ts'
import type { SearchPort } from '../ports.ts'

const AT = Date.UTC(2026, 10, 14)
const titles = ['Heron watching', 'Herons of the delta', 'Watching <b>rain</b>', '', 'Heron watching']

async function sample(t: TestContext): Promise<SearchPort> {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection)
  for (const [i, title] of titles.entries()) {
    const body = `<title>${title.replaceAll('<', '&lt;')}</title><p>Page ${i} is about herons or about rain.`
    crawl.visit({ page: crawl.offer(`/${i}`), at: AT, body })
  }
  await crawl.commit()
  {
    await using feed = new IndexUpdater(collection)
    await feed.catchUp()
  }
  const followed = new FollowedCollection(dir, () => AT)
  const port = collectionSearchPort(followed, { cacheBytes: 1 << 20 })
  t.after(async () => {
    await port[Symbol.asyncDispose]()
    await followed[Symbol.asyncDispose]()
    await collection.close()
  })
  return port
}

const suggestions = async (port: SearchPort, typed: string, limit: number): Promise<readonly string[]> =>
  ((await port.suggest?.(typed, limit)) ?? []).map(({ title }) => title)

test('a search has its titles and snippets from the collection', async (t) => {
  const port = await sample(t)
  const { results, matches } = await port.search({ query: 'delta' })
  assert.deepEqual([matches, results[0]?.title], [1, 'Herons of the delta'])
  assert.match(results[0]?.snippet.text ?? '', /about herons/)
})

test('suggestions are titles that have what was typed so far, each once, and no more than asked for', async (t) => {
  const port = await sample(t)
  assert.deepEqual((await suggestions(port, 'her', 5)).toSorted(), ['Heron watching', 'Herons of the delta'])
  assert.deepEqual(await suggestions(port, 'heron w', 5), ['Heron watching'], 'a word of which one letter is typed')
  assert.equal((await suggestions(port, 'herons of the del', 5))[0], 'Herons of the delta')
  assert.equal((await suggestions(port, 'her', 1)).length, 1)
  for (const typed of ['', '   ', '"', 'nothing like this', '-', '('])
    assert.deepEqual(await suggestions(port, typed, 5), [], typed)
})

test('statistics say what the index has', async (t) => {
  const port = await sample(t)
  const { documents, segments, bytes, refused } = port.statistics()
  assert.deepEqual([documents, segments, refused], [5, 1, []])
  assert.ok(bytes > 100)
})
