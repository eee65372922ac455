import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import { untilSo } from '@comity/protocol/testing'
import { readIndexManifest, readPageValues } from '@comity/index'
import { pathsFound } from '../testing/index-fixture.ts'
import { Indexing } from './indexing.ts'
import { countReading } from './readership.ts'

const AT = Date.UTC(2026, 10, 14)

interface Sample {
  readonly dir: string
  readonly collection: Collection
  readonly crawl: SampleCrawl
  /** Visit so many new pages and commit. */
  readonly grow: (pages: number) => Promise<void>
}

async function sample(t: TestContext): Promise<Sample> {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  t.after(() => collection.close())
  const crawl = new SampleCrawl(collection)
  const grow = async (pages: number): Promise<void> => {
    for (let i = 0; i < pages; i++) {
      const page = crawl.offer(`/${i}-${collection.lastChange}`)
      crawl.visit({
        page,
        at: AT,
        body: `words of commit${collection.lastChange + 1}`,
        links: [{ to: 0, anchor: 'up' }],
      })
    }
    await crawl.commit()
  }
  return { dir, collection, crawl, grow }
}

const positionOf = (dir: string): number => readIndexManifest(join(dir, 'index')).position

test('pages are counted as unindexed from their commit until they can be found', async (t) => {
  const { dir, collection, grow } = await sample(t)
  await grow(3)
  await using indexing = new Indexing(collection)
  assert.equal(indexing.unindexed, 3, 'what was there before it began counts too')
  await grow(20)
  assert.equal(indexing.unindexed, 3, 'it has not been told yet')
  indexing.follow()
  assert.ok(indexing.unindexed > 0)
  await indexing.room(0)
  await untilSo(() => indexing.unindexed === 0)
  assert.equal(positionOf(dir), 2)
  assert.equal((await pathsFound(dir, 'commit2')).length, 20)
  await indexing.finish(true)
  assert.deepEqual([indexing.error, indexing.report.pages], [undefined, 23])
  assert.ok(readPageValues(join(dir, 'index'), 'importance').length > 0)
})

test('room lets a crawl go on as soon as few enough wait to be taken in', async (t) => {
  const { collection, grow } = await sample(t)
  await using indexing = new Indexing(collection)
  for (let i = 0; i < 5; i++) {
    await grow(40)
    indexing.follow()
    await indexing.room(50)
    const waiting = 40 * (i + 1) - indexing.report.pages
    assert.ok(waiting <= 50, `${waiting} wait`)
  }
  await indexing.finish(false)
  assert.equal(indexing.unindexed, 0, 'the end takes everything in')
})

test('while it rests the files are nobody’s, and afterwards it goes on and counts on', async (t) => {
  const { dir, collection, crawl, grow } = await sample(t)
  await using indexing = new Indexing(collection)
  await grow(5)
  indexing.follow()
  await indexing.rest()
  assert.equal(indexing.report.pages, 5)
  await grow(4)
  assert.equal(positionOf(dir), 1)
  indexing.follow()
  await indexing.room(0)
  assert.equal(indexing.report.pages, 9)
  collection.drop(0)
  await crawl.commit()
  indexing.follow()
  await indexing.finish(false)
  assert.deepEqual([indexing.error, positionOf(dir)], [undefined, 3])
  assert.equal((await pathsFound(dir, 'commit1')).length, 4)
})

test('a thread that cannot go on says why, and holds up nobody', async (t) => {
  const { dir, collection, grow } = await sample(t)
  await grow(2)
  // A file where the folder should be: nothing can be written.
  rmSync(join(dir, 'index'), { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  const indexing = new Indexing(collection)
  writeFileSync(join(dir, 'index'), 'in the way')
  await indexing.room(0)
  await indexing.rest()
  await indexing.finish(true)
  await indexing[Symbol.asyncDispose]()
  assert.match(indexing.error?.message ?? '', /EEXIST|ENOTDIR/)
  assert.equal(existsSync(join(dir, 'collection.json')), true)
})

test('a crawl that is given up does not wait for it', async (t) => {
  const { collection, grow } = await sample(t)
  await grow(50)
  const indexing = new Indexing(collection)
  await indexing[Symbol.asyncDispose]()
  assert.ok(indexing.report.pages <= 50)
})

test('a damaged index is said when it begins, and the crawl goes on without', async (t) => {
  const { dir, collection, grow } = await sample(t)
  mkdirSync(join(dir, 'index'), { recursive: true })
  writeFileSync(join(dir, 'index', 'index.json'), '{"format":1}\nsum 00000000\n')
  await grow(1)
  await using indexing = new Indexing(collection)
  indexing.follow()
  await indexing.room(0)
  await indexing.finish(true)
  assert.match(indexing.error?.message ?? '', /index\.json: it is not what was written.*comity index DIR --anew/)
})

/** Pages that the index has ranked already, then readers of page 1. */
async function readSample(t: TestContext, hitsEveryMs: number): Promise<Sample & { indexing: Indexing; read: Read }> {
  const made = await sample(t)
  const { dir, collection, grow, crawl } = made
  await grow(3)
  const indexing = new Indexing(collection, { hitsEveryMs })
  t.after(async () => await indexing[Symbol.asyncDispose]())
  await indexing.room(0)
  await untilSo(() => readPageValues(join(dir, 'index'), 'importance').length > 0)
  const read = async (people: number): Promise<void> => {
    countReading(collection, [[1, people, 0]], { at: AT, halfLifeMs: 3_600_000 })
    await crawl.commit()
    indexing.follow()
  }
  return { ...made, indexing, read }
}

type Read = (people: number) => Promise<void>

test('readers that were counted just before a crawl is broken off rank its pages', async (t) => {
  const { dir, read, indexing } = await readSample(t, 3_600_000)
  await read(7)
  await indexing.finish(false)
  assert.equal(readPageValues(join(dir, 'index'), 'hits')[1], 7)
})

test('readers that were counted rank pages after a while, though nothing else comes', async (t) => {
  const { dir, read, indexing } = await readSample(t, 50)
  for (const people of [7, 14, 21]) {
    await read(7)
    await untilSo(() => readPageValues(join(dir, 'index'), 'hits')[1] === people)
    assert.equal(indexing.error, undefined)
  }
})
