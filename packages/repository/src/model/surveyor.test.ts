import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Collection, FollowedCollection, forgetPages } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import { AT, sampleCollection, sampleRepository } from '../testing/sample-repository.ts'
import { Surveyor } from './surveyor.ts'

test('a survey counts pages by what the queue and their visits say', async (t) => {
  const { survey } = await sampleRepository(t)
  assert.deepEqual(await survey.statistics(), {
    pages: { known: 6, visited: 5, held: 4, waiting: 1 },
    sites: 3,
    visitedSites: 2,
    heldSites: 2,
    damaged: [],
    captures: 6,
    outcomes: { ok: 4, 'client-error': 1 },
  })
})

test('pages that a crawl adds and changes are seen at the next look', async (t) => {
  const { survey, crawl } = await sampleRepository(t)
  const page = crawl.offer('/new', 1, 4)
  crawl.visit({ page: 3, at: AT + 9_000, body: 'three', links: [{ to: page, anchor: 'new' }] })
  await crawl.commit()
  const { pages, captures } = await survey.statistics()
  assert.deepEqual([pages, captures], [{ known: 7, visited: 6, held: 5, waiting: 1 }, 7])
  assert.equal(await survey.find('https://b.example/new'), page)
  await survey.settled()
  assert.deepEqual((await survey.linksIn(page, 10)).from, [3])
  assert.deepEqual((await survey.standing(page))?.depth, 2)
})

test('a look is made again only when it is due', async (t) => {
  const { collection, crawl } = await sampleCollection(t)
  let now = AT
  const followed = new FollowedCollection(collection.dir, () => now)
  const survey = new Surveyor(followed, { now: () => now, everyMs: 60_000 })
  t.after(async () => {
    await survey[Symbol.asyncDispose]()
    await followed[Symbol.asyncDispose]()
  })
  assert.equal((await survey.statistics()).pages.known, 6)
  crawl.offer('/late')
  await crawl.commit()
  assert.equal((await survey.statistics()).pages.known, 6)
  now += 600_000
  assert.equal((await survey.statistics()).pages.known, 7)
})

test('a page is found by its exact URL', async (t) => {
  const { survey } = await sampleRepository(t)
  assert.equal(await survey.find('https://b.example/kept?a=1'), 5)
  assert.equal(await survey.find('https://a.example/kept?a=1'), undefined)
  assert.equal(await survey.find('https://elsewhere.example/'), undefined)
})

test('sites come in the order asked for, cut where asked', async (t) => {
  const { survey } = await sampleRepository(t)
  const origins = async (sort: 'importance' | 'errors' | 'origin', offset: number, limit: number): Promise<string[]> =>
    (await survey.sites({ show: 'all', sort, offset, limit })).rows.map(({ origin }) => origin.slice(8, -8))
  assert.deepEqual(await origins('importance', 0, 10), ['a', 'b', 'unseen'])
  assert.deepEqual(await origins('origin', 1, 1), ['b'])
  assert.deepEqual(await origins('errors', 0, 2), ['a', 'b'])
  const [first] = (await survey.sites({ show: 'all', sort: 'known', offset: 0, limit: 1 })).rows
  assert.deepEqual(
    [first?.known, first?.held, first?.errors, first?.waiting, first?.lastVisitAt],
    [4, 2, 1, 1, AT + 3_000],
  )
})

test('sites that were visited and those that pages merely link to are told apart', async (t) => {
  const { survey } = await sampleRepository(t)
  const origins = async (show: 'visited' | 'linked' | 'all'): Promise<unknown[]> => {
    const { total, visited, linked, rows } = await survey.sites({ show, sort: 'origin', offset: 0, limit: 10 })
    assert.deepEqual([visited, linked, total], [2, 1, rows.length])
    return rows.map(({ origin }) => origin)
  }
  assert.deepEqual(await origins('visited'), ['https://a.example', 'https://b.example'])
  assert.deepEqual(await origins('linked'), ['https://unseen.example'])
  assert.equal((await origins('all')).length, 3)
  const { sites, visitedSites } = await survey.statistics()
  assert.deepEqual([sites, visitedSites], [3, 2])
  const drawn = await survey.graph('visited')
  assert.deepEqual([drawn.sites.length, drawn.linkedOnly], [2, 1])
})

test('importance follows the links: shares of sites sum to one, and what is linked to is worth more', async (t) => {
  const { survey } = await sampleRepository(t)
  const { rows } = await survey.sites({ show: 'all', sort: 'origin', offset: 0, limit: 10 })
  assert.ok(Math.abs(rows.reduce((sum, { importance }) => sum + importance, 0) - 1) < 1e-9)
  const [linked, lonely] = await Promise.all([survey.standing(0), survey.standing(5)])
  assert.ok(linked!.importance > lonely!.importance && lonely!.importance > 0)
  const site = await survey.site('https://a.example')
  assert.deepEqual(site?.topPages, [0, 1])
})

test('the graph has the pages held and the links between sites, and leaves those within one out', async (t) => {
  const { survey } = await sampleRepository(t)
  const { sites, links, leftOut } = await survey.graph('all')
  assert.deepEqual(
    sites.map(({ origin, pages }) => [origin, pages]),
    [
      ['https://a.example', 2],
      ['https://b.example', 2],
      ['https://unseen.example', 0],
    ],
  )
  assert.deepEqual(links, [
    [1, 0, 2],
    [0, 1, 1],
  ])
  assert.equal(leftOut, 0)
})

test('what was forgotten is gone at the next look, though another state took its place', async (t) => {
  const { survey, collection, clock } = await sampleRepository(t)
  await forgetPages(collection, [1], AT + 70_000)
  clock.now += 10_000
  assert.equal(await survey.find('https://a.example/1'), undefined)
  assert.equal((await survey.statistics()).pages.visited, 4)
})

test('a journal that cannot be read leaves the pages readable', async (t) => {
  const collection = await Collection.open(testFolder(t), AT, { minFreeBytes: 0 })
  t.after(() => collection.close())
  const crawl = new SampleCrawl(collection)
  const home = crawl.offer('/')
  crawl.offer('/1', 0, home)
  crawl.visit({ page: home, at: AT, body: 'home' })
  await crawl.commit()
  const followed = new FollowedCollection(collection.dir, () => AT)
  const survey = new Surveyor(followed, { now: () => AT })
  t.after(() => followed[Symbol.asyncDispose]())
  assert.deepEqual((await survey.statistics()).pages, { known: 2, visited: 1, held: 1, waiting: 1 })
  assert.equal(await survey.find('https://a.example/1'), 1)
})
