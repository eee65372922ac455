import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection } from '../collection.ts'
import { forgetPages } from '../forget/forget.ts'
import { knownPages } from './known-pages.ts'
import { storedPage } from './stored-page.ts'
import { SampleCrawl, testFolder } from '../testing/sample-crawl.ts'
import { survey } from './survey.ts'

const AT = Date.UTC(2026, 10, 14)

async function sample(t: TestContext): Promise<Collection> {
  const collection = await Collection.open(testFolder(t), AT, { minFreeBytes: 0 })
  t.after(() => collection.close())
  const crawl = new SampleCrawl(collection, ['https://a.example', 'https://b.example', 'https://unseen.example'])
  const home = crawl.offer('/')
  const [one, two, waiting, slow] = [
    crawl.offer('/1', 0, home),
    crawl.offer('/2', 0, home),
    crawl.offer('/3', 0, home),
    crawl.offer('/', 1, home),
  ]
  const links = [one, two, waiting, slow].map((to) => ({ to, anchor: `link ${to}` }))
  crawl.visit({ page: home, at: AT, body: 'home', title: 'Home', links })
  await crawl.commit()
  crawl.visit({ page: one, at: AT + 1, body: 'one', extra: { timings: { firstByteMs: 15 } } })
  crawl.visit({ page: one, at: AT + 2, body: 'one, changed', links: [{ to: home, anchor: 'up' }] })
  crawl.visit({
    page: two,
    at: AT + 3,
    body: '',
    extra: { outcome: 'not-found', status: 404, problem: 'status 404', bytes: 0, nearDuplicateOf: one },
  })
  crawl.visit({ page: slow, at: AT + 4, body: 'slow', extra: { timings: { firstByteMs: 900 } } })
  collection.putRobots(0, { fetchedAt: AT, expiresAt: AT, status: 404, verdict: 'allow-all', body: Buffer.of() })
  await crawl.commit()
  return collection
}

test('a survey counts pages, outcomes, statuses and sites in one walk', async (t) => {
  const { sites, outcomes, statuses, knownOutcomes, ...totals } = survey(await sample(t))
  assert.deepEqual(totals, { pages: 4, visits: 5, bytes: 4 + 12 + 0 + 4 })
  assert.deepEqual(
    [...outcomes],
    [
      ['ok', 3],
      ['not-found', 1],
    ],
  )
  assert.deepEqual(knownOutcomes, outcomes)
  assert.deepEqual(
    [...statuses],
    [
      [200, 3],
      [404, 1],
    ],
  )
  const rows = sites.map(({ origin, pages, problems, slowestMs, meanFirstByteMs }) => [
    origin,
    pages,
    problems,
    slowestMs,
    meanFirstByteMs,
  ])
  assert.deepEqual(rows, [
    ['https://a.example', 3, 1, 5, 5],
    ['https://b.example', 1, 0, 900, 900],
    ['https://unseen.example', 0, 0, 0, 0],
  ])
})

test('all known pages come in the order they were found, visited or not, forgotten ones left out', async (t) => {
  const collection = await sample(t)
  const list = (): unknown[] =>
    Array.from(knownPages(collection), ({ page, url, parent, row }) => [page, url, parent, row?.visits])
  const expected = [
    [0, 'https://a.example/', undefined, 1],
    [1, 'https://a.example/1', 0, 2],
    [2, 'https://a.example/2', 0, 1],
    [3, 'https://a.example/3', 0, undefined],
    [4, 'https://b.example/', 0, 1],
  ]
  assert.deepEqual(list(), expected)
  await forgetPages(collection, [1, 3], AT)
  assert.deepEqual(
    list(),
    expected.filter(([page]) => page !== 1 && page !== 3),
  )
})

test("a page's story tells where it was found, every visit, and its links", async (t) => {
  const collection = await sample(t)
  const story = storedPage(collection, 1)
  assert.equal(story.url, 'https://a.example/1')
  assert.deepEqual(story.foundOn, { page: 0, url: 'https://a.example/' })
  assert.deepEqual(
    story.captures.map(({ at, bytes }) => [at, bytes]),
    [
      [AT + 1, 3],
      [AT + 2, 12],
    ],
  )
  assert.deepEqual(story.linksOut, [{ page: 0, url: 'https://a.example/', anchor: 'up' }])
  assert.equal(story.row?.visits, 2)
  assert.equal(story.robots?.verdict, 'allow-all')
  assert.deepEqual([...collection.linksIn(1)], [{ from: 0, anchor: 'link 1' }])
  assert.equal(storedPage(collection, 2).nearDuplicateOf, 'https://a.example/1')
  const unseen = storedPage(collection, 3)
  assert.deepEqual([unseen.row, unseen.captures, unseen.linksOut], [undefined, [], []])
  assert.equal(storedPage(collection, 0).foundOn, undefined)
})

test('a site is found by its origin', async (t) => {
  const collection = await sample(t)
  assert.equal(collection.findSite('https://b.example'), 1)
  assert.equal(collection.findSite('https://c.example'), undefined)
  assert.throws(() => collection.origin(77), { code: 'COLLECTION_DAMAGED' })
})
