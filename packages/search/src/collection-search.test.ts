import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import type { SampleVisit } from '@comity/collection/testing'
import { openSearch } from './collection-search.ts'
import type { CollectionSearch } from './collection-search.ts'
import { collectionHints } from './hints/collection-hints.ts'
import { readHints } from './hints/hints-file.ts'
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

const url = (path: number): string => `https://a.example/${path}`

test('with hints a word is asked for together with others, and a pinned page stands first, once', async (t) => {
  const { collection, index } = await sample(t)
  await index({ body: '<title>Otters</title>otter otter otter' })
  await index({ body: '<title>Lutra</title>lutra swims' })
  for (let i = 0; i < 4; i++) await index({ body: `<title>More ${i}</title>otter number ${i}` })
  await index({ body: '<title>Secret</title>otter', extra: { noindex: true } })
  const hints = readHints(`otter, lutra\notter => ${url(5)} ${url(6)} https://nowhere.example/\nlutra => ${url(0)}`)
  await using search = openSearch(collection.dir, () => collection, {
    hints: collectionHints(
      hints,
      () => collection,
      () => AT,
    ),
  })
  const ask = (query: string, more: object = {}): ReturnType<typeof search.engine.search> =>
    search.engine.search({ query, limit: 3, unfolded: true, ...more })
  const first = await ask('Otter')
  assert.deepEqual(first.widened, [{ words: 'Otter', by: ['lutra'] }])
  assert.deepEqual(
    first.problems,
    [url(6), 'https://nowhere.example/'].map((one) => `The page pinned for this question is not held: ${one}`),
  )
  assert.deepEqual([first.results[0]?.url, first.results[0]?.pinned, first.results[0]?.title], [url(5), true, 'More 3'])
  const rest = [...(await ask('otter', { offset: 3 })).results, ...first.results.slice(1)]
  assert.deepEqual(rest.map((one) => one.url).toSorted(), [0, 1, 2, 3, 4].map(url))
  assert.ok(rest.every(({ pinned }) => pinned === undefined))
  const [lutra] = (await ask('lutra')).results
  assert.deepEqual([lutra?.url, lutra?.pinned], [url(0), true])
  for (const query of ['"otter"', 'otter site:a.example', '-otter lutra']) {
    const { results } = await ask(query)
    assert.ok(
      results.every(({ pinned }) => pinned === undefined),
      query,
    )
  }
  assert.equal((await ask('"otter"')).widened, undefined)
})
