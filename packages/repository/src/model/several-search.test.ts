import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import { IndexUpdater } from '@comity/search'
import { openCollections, namesOf, wantedCollections } from './several-search.ts'
import { createPages } from '../pages/pages.ts'
import type { SeveralPort } from '../ports.ts'
import { RepositoryServer } from '../http/server.ts'
import { ask, TOKEN } from '../testing/sample-server.ts'

const AT = Date.UTC(2026, 10, 14)

async function collectionOf(t: TestContext, origin: string, texts: readonly string[]): Promise<string> {
  const dir = testFolder(t)
  await using collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection, [origin])
  for (const [i, text] of texts.entries())
    crawl.visit({ page: crawl.offer(`/${i}`), at: AT, body: `<title>${text}</title><p>${text} of page ${i}` })
  await crawl.commit()
  await using feed = new IndexUpdater(collection)
  await feed.catchUp()
  return dir
}

const RIVER = ['herons wade', 'otters swim far', 'a long text about many herons and one heron more']
const SEA = ['gulls and herons', 'whales sing', 'a text about tides']

async function both(t: TestContext): Promise<{ readonly port: SeveralPort; readonly names: readonly string[] }> {
  const dirs = [
    await collectionOf(t, 'https://river.example', RIVER),
    await collectionOf(t, 'https://sea.example', SEA),
  ]
  const port = openCollections(dirs, { now: () => AT })
  t.after(() => port[Symbol.asyncDispose]())
  return { port, names: namesOf(dirs) }
}

test('several collections answer as one, and each result says where it is', async (t) => {
  const { port, names } = await both(t)
  const { results, matches, facets } = await port.search({ query: 'herons' })
  assert.equal(matches, 3)
  assert.deepEqual(new Set(results.map(({ collection }) => collection)), new Set(names))
  assert.deepEqual(facets.sites.map(({ value }) => value).toSorted(), ['https://river.example', 'https://sea.example'])
  assert.deepEqual(
    (await port.collections()).map(({ name, documents }) => [name, documents]),
    names.map((name) => [name, 3]),
  )
})

test('collection: asks one alone, as if there were no other', async (t) => {
  const alone = openCollections([await collectionOf(t, 'https://river.example', RIVER)], { now: () => AT })
  t.after(() => alone[Symbol.asyncDispose]())
  const { port, names } = await both(t)
  const own = await alone.search({ query: 'herons' })
  for (const query of [`collection:${names[0]} herons`, `herons -collection:"${names[1]}"`]) {
    const { results, matches } = await port.search({ query })
    assert.deepEqual(
      [matches, results.map(({ url, score }) => [url, score])],
      [2, own.results.map(({ url, score }) => [url, score])],
    )
  }
})

test('a collection that is not there is said, with those that are', async (t) => {
  const { port, names } = await both(t)
  const { results, problems } = await port.search({ query: 'collection:constructor herons' })
  assert.deepEqual(
    [results, problems],
    [[], [`There is no collection constructor here: they are ${names.join(', ')}.`]],
  )
})

// oxfmt-ignore
const questions: readonly [query: string, rest: string, named: string[], without: string[]][] = [
  ['herons',                          'herons',                    [],           []],
  ['collection:Wiki herons',          'herons',                    ['wiki'],     []],
  ['a collection:a collection:b',     'a',                         ['a', 'b'],   []],
  ['-collection:"my wiki" herons',    'herons',                    [],           ['my wiki']],
  ['"the collection:wiki syntax"',    '"the collection:wiki syntax"', [],        []],
  ['recollection:wiki',               'recollection:wiki',         [],           []],
  ['(collection:a otters)',           '( otters)',                 ['a'],        []],
]
for (const [query, rest, named, without] of questions) {
  test(`of ${query} the collections are ${[...named, ...without.map((one) => `not ${one}`)].join(', ') || 'all'}`, () => {
    assert.deepEqual(wantedCollections(query), { query: rest, named, without })
  })
}

test('collections have the names of their folders, and those that are called alike a number', () => {
  assert.deepEqual(namesOf(['/data/wiki', 'backup/wiki/', 'my docs', '/']), ['wiki', 'wiki-2', 'my-docs', 'root'])
})

test('no page of several collections leads to one that is not there', async (t) => {
  const { port } = await both(t)
  const server = new RepositoryServer({ several: port, pages: createPages('collections'), token: TOKEN, now: () => AT })
  const { port: at } = await server.listen()
  t.after(() => server.stop())
  const pages = await Promise.all(['/', '/search?q=herons', '/collections'].map((path) => ask(at, path)))
  assert.match(pages[0]!.text, /<b>6<\/b> pages of/)
  assert.match(pages[1]!.text, /in <bdi>/)
  const links = new Set(
    pages.flatMap(({ text }) => Array.from(text.matchAll(/ href="(\/[^"#]*)"/g), ([, path]) => path!)),
  )
  const answers = await Promise.all([...links].map((path) => ask(at, path.replaceAll('&amp;', '&'))))
  assert.deepEqual(
    [...links].filter((_, i) => answers[i]!.status !== 200),
    [],
  )
  assert.ok(links.size > 4)
})
