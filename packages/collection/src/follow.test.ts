/** Following a collection, by a reader of its own: nothing is missed, and a stop is gone on from. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection } from './collection.ts'
import { CollectionError } from './errors.ts'
import { follow } from './follow.ts'
import type { FollowedChange } from './follow.ts'
import { forgetPages } from './forget/forget.ts'
import { SampleCrawl, testFolder } from './testing/sample-crawl.ts'

const AT = Date.UTC(2026, 10, 14)

async function sample(t: TestContext): Promise<{ dir: string; crawl: SampleCrawl }> {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  t.after(async () => await collection.close())
  return { dir, crawl: new SampleCrawl(collection) }
}

const told = ({ number, pages }: FollowedChange): unknown[] => [
  number,
  ...pages.map(({ page, url, read }) => [page, url, Buffer.from(read()?.body ?? []).toString()]),
]

async function all(dir: string, since: number): Promise<unknown[][]> {
  const changes: unknown[][] = []
  for await (const change of follow(dir, since, { stayOpen: false })) changes.push(told(change))
  return changes
}

test('each commit that changed a page is told once, with what the page says, and a stop is gone on from', async (t) => {
  const { dir, crawl } = await sample(t)
  const [home, other] = [crawl.offer('/'), crawl.offer('/other')]
  crawl.visit({ page: home, at: AT, body: 'one' })
  crawl.visit({ page: other, at: AT, body: 'else' })
  await crawl.commit()
  crawl.visit({ page: home, at: AT + 1, body: 'two' })
  await crawl.commit()
  const [first, second] = await all(dir, 0)
  assert.deepEqual(first, [1, [home, 'https://a.example/', 'two'], [other, 'https://a.example/other', 'else']])
  assert.deepEqual(second, [2, [home, 'https://a.example/', 'two']])
  assert.deepEqual(await all(dir, 1), [second])
  assert.deepEqual(await all(dir, 2), [])
})

test('a follower that stays hears of what comes later, and ends when it is told to', async (t) => {
  const { dir, crawl } = await sample(t)
  const home = crawl.offer('/')
  crawl.visit({ page: home, at: AT, body: 'one' })
  await crawl.commit()
  const stop = new AbortController()
  const heard: unknown[] = []
  for await (const { number } of follow(dir, 0, { signal: stop.signal, everyMs: 1 })) {
    heard.push(number)
    if (number === 3) stop.abort()
    crawl.visit({ page: home, at: AT + number, body: `more ${number}` })
    await crawl.commit()
  }
  assert.deepEqual(heard, [1, 2, 3])
})

test('what was forgotten has no address and no content, under the number it always had', async (t) => {
  const { dir, crawl } = await sample(t)
  const [home, gone] = [crawl.offer('/'), crawl.offer('/gone')]
  for (const page of [home, gone]) crawl.visit({ page, at: AT, body: `page ${page}` })
  await crawl.commit()
  await forgetPages(crawl.collection, [gone], AT + 1)
  assert.deepEqual(await all(dir, 1), [[2, [gone, undefined, '']]])
  crawl.visit({ page: home, at: AT + 2, body: 'another' })
  await crawl.commit()
  assert.deepEqual(await all(dir, 2), [[3, [home, 'https://a.example/', 'another']]])
})

test('a page that is forgotten while somebody is about to read it is gone, and its collection is not damaged', async (t) => {
  const { dir, crawl } = await sample(t)
  const page = crawl.offer('/')
  crawl.visit({ page, at: AT, body: 'mine' })
  await crawl.commit()
  const heard: unknown[] = []
  for await (const { pages } of follow(dir, 0, { stayOpen: false })) {
    if (heard.length === 0) await forgetPages(crawl.collection, [page], AT + 1)
    heard.push(pages[0]!.read())
  }
  assert.deepEqual(heard, [undefined, undefined])
})

test('a page that is gone has a row and no content', async (t) => {
  const { dir, crawl } = await sample(t)
  const home = crawl.offer('/')
  crawl.visit({ page: home, at: AT, body: 'not found', extra: { status: 404 } })
  await crawl.commit()
  for await (const { pages } of follow(dir, 0, { stayOpen: false })) {
    assert.equal(pages[0]!.row?.status, 404)
    assert.equal(pages[0]!.read(), undefined)
  }
})

test('whoever followed another collection is told so, and waits for nothing', async (t) => {
  const { dir, crawl } = await sample(t)
  const home = crawl.offer('/')
  crawl.visit({ page: home, at: AT, body: 'one' })
  await crawl.commit()
  await assert.rejects(all(dir, 7), (error) => error instanceof CollectionError && error.code === 'CHANGE_UNKNOWN')
})
