/** Orders in a live crawl: what they have learnt decides, also in the next run; batches; and content that is let go. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import { crawlDefaults } from '@comity/crawler'
import type { CrawlOptions } from '@comity/crawler'
import { ORDERS, orderNamed } from '@comity/frontier'
import { holdingsOf } from './holdings.ts'
import { newDirectory, quick, quickCrawl } from './quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'

const link = (path: string, words: string = path): string => `<a href="${path}">${words}</a>`

/** The home page leads to six pages; the first three of them all lead to `/late`, each in other words. */
const routes = {
  '/': ['/p1', '/p2', '/p3', '/p4', '/p5', '/p6/home'].map((path) => link(path)).join(' '),
  '/p1': link('/late') + link('/x1'),
  '/p2': link('/late', 'about computers') + link('/x2'),
  '/p3': link('/late') + link('/x3'),
  '/p4': page('p4'),
  '/p5': page('computer'),
  '/p6/home': page('p6'),
  '/late': page('late', '/p1'),
  '/x1': page('x1'),
  '/x2': page('x2'),
  '/x3': page('x3'),
}

const oneByOne = {
  politeness: { ...quick.politeness!, pagesPerConnection: 1 },
  parallel: 1,
} satisfies Partial<CrawlOptions>

// oxfmt-ignore
const nextPages: [order: string, path: string, why: string][] = [
  ['depth',                       '/p4',      'it is one click away'],
  ['fifo',                        '/p4',      'it was found first'],
  ['length',                      '/p4',      'it is one click away'],
  ['backlink',                    '/late',    'three pages link to it'],
  ['pagerank',                    '/late',    'three pages link to it'],
  ['batch:1',                     '/late',    'its PageRank is the highest'],
  ['partial:100',                 '/late',    'its PageRank is the highest'],
  ['log(backlink) + 0.1*pagerank', '/late',   'it is best by both'],
  ['anchor',                      '/late',    'a link to it speaks of computers'],
  ['location',                    '/p6/home', 'home is in its URL and counts for more than a slash'],
]
for (const [order, path, why] of nextPages) {
  test(`${order}: a crawl that goes on takes ${path} next, as ${why}`, async () => {
    await using site = await createSmallSite(routes)
    const into = newDirectory()
    const options = {
      ...oneByOne,
      topic: { ...crawlDefaults.topic, words: ['computers'] },
      location: { endings: [], words: [['home', 5] as const], slash: -1 },
    }
    await quickCrawl(into, [`${site.origin}/`], { ...options, order: orderNamed('depth'), maxPages: 4 })
    assert.deepEqual(site.paths, ['/', '/p1', '/p2', '/p3'])
    await quickCrawl(into, [], { ...options, order: orderNamed(order) })
    assert.equal(site.paths[4], path)
    assert.deepEqual(site.paths.toSorted(), Object.keys(routes).toSorted(), 'each page once')
  })
}

for (const { name, isLabOnly } of ORDERS) {
  if (isLabOnly) continue
  test(`${name}: fetches every page, each once, over two runs`, async () => {
    await using site = await createSmallSite(routes)
    const into = newDirectory()
    const options = { order: orderNamed(name), topic: { ...crawlDefaults.topic, words: ['computer'] } }
    await quickCrawl(into, [`${site.origin}/`], { ...options, maxPages: 5 })
    await quickCrawl(into, [], options)
    assert.deepEqual(site.paths.toSorted(), Object.keys(routes).toSorted())
  })
}

test('what a page has to do with the topic is remembered, and not believed for another topic', async () => {
  await using site = await createSmallSite(routes)
  const into = newDirectory()
  const topic = { ...crawlDefaults.topic, words: ['computer'] }
  await quickCrawl(into, [`${site.origin}/`], { topic, order: orderNamed('topic') })
  const { row } = (await holdingsOf(into)).get(`${site.origin}/p5`)!
  assert.deepEqual([row?.isHot, (row?.similarity ?? 0) > 0.9], [true, true])
  assert.equal((await holdingsOf(into)).get(`${site.origin}/p4`)!.row?.isHot, undefined)
})

/** A home page and four more. */
const fivePages = (prefix: string): Record<string, string> => ({
  '/': ['1', '2', '3', '4'].map((n) => link(`/${prefix}${n}`)).join(''),
  ...Object.fromEntries(['1', '2', '3', '4'].map((n) => [`/${prefix}${n}`, page(n)])),
})

test('in batches no page is asked for before the batch before it is done, and idle visits are counted', async () => {
  await using a = await createSmallSite(fivePages('a'), '127.0.50.1')
  await using b = await createSmallSite(fivePages('b'), '127.0.50.2')
  const summary = await quickCrawl(newDirectory(), [`${a.origin}/`, `${b.origin}/`], { batch: 4 })
  assert.deepEqual(
    summary.batches.map(({ pages: count, sites }) => [count, sites]),
    [
      [2, 2],
      [4, 2],
      [4, 2],
    ],
  )
  // Two of each site in each batch: the third of one is not asked for before the second of the other.
  const asked = [...a.asked, ...b.asked].filter(({ path }) => /^\/[ab]\d/.test(path)).toSorted((x, y) => x.at - y.at)
  assert.deepEqual(
    asked
      .slice(0, 4)
      .map(({ path }) => path)
      .toSorted(),
    ['/a1', '/a2', '/b1', '/b2'],
  )
  assert.ok(summary.batches.every(({ idleVisitSeconds, tailSeconds }) => idleVisitSeconds >= 0 && tailSeconds >= 0))
})

test('with room for B pages the most important are held, the others stay known, and the archive shrinks', async () => {
  await using site = await createSmallSite(routes)
  const into = newDirectory()
  const summary = await quickCrawl(into, [`${site.origin}/`], { order: orderNamed('backlink'), keep: 3 })
  assert.equal(summary.pages, 11)
  const held = await holdingsOf(into)
  const kept = [...held.values()].filter(({ row }) => row?.body !== undefined)
  assert.equal(kept.length, 3)
  assert.ok(held.get(`${site.origin}/late`)!.row?.body !== undefined, 'most linked to')
  assert.equal([...held.values()].filter(({ row }) => row?.isDropped).length, 8)
  assert.deepEqual(held.get(`${site.origin}/p1`)!.links.toSorted(), [`${site.origin}/late`, `${site.origin}/x1`])
  await using collection = Collection.openReadOnly(into)
  for (const { row } of kept) assert.ok(collection.readBody(row!.body!).length > 0)
})

test('with less room in the next run more is let go, and what was dropped is not fetched again', async () => {
  await using site = await createSmallSite(routes)
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { order: orderNamed('backlink'), keep: 5 })
  await quickCrawl(into, [], { order: orderNamed('backlink'), keep: 2 })
  const rows = [...(await holdingsOf(into)).values()].map(({ row }) => row)
  assert.equal(rows.filter((row) => row?.body !== undefined).length, 2)
  assert.equal(site.paths.length, 11)
})
