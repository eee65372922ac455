/** A page that ends the thread that indexes: a real thread dies, another goes on, and every other page can be found. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection, deadLetters, retryLetters } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import { pathsFound } from '../testing/index-fixture.ts'
import { Indexing } from './indexing.ts'

const AT = Date.UTC(2026, 10, 14)
const LIMIT = { timeout: 120_000 }
/** Ends the thread at a page with this word; see the file. */
const MORTAL = new URL('../testing/indexing-mortal-worker.ts', import.meta.url)

interface Sample {
  readonly dir: string
  readonly collection: Collection
  /** Visits pages /0, /1 … with these texts, in one commit, and says which page each is. */
  readonly put: (...texts: readonly string[]) => Promise<void>
}

async function sample(t: TestContext): Promise<Sample> {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  t.after(() => collection.close())
  const crawl = new SampleCrawl(collection)
  let next = 0
  const put = async (...texts: readonly string[]): Promise<void> => {
    for (const body of texts) crawl.visit({ page: crawl.offer(`/${next++}`), at: AT, body })
    await crawl.commit()
  }
  return { dir, collection, put }
}

const kept = (dir: string): (string | undefined)[] => deadLetters(dir).map(({ url }) => url?.replace(/.*example/, ''))

test(
  'it is kept aside within the run, with its neighbours found, and is tried again when somebody asks',
  LIMIT,
  async (t) => {
    const { dir, collection, put } = await sample(t)
    await put('badgers before', 'mortal badgers', 'badgers between', 'mortal badgers too', 'badgers behind')
    await using indexing = new Indexing(collection, {}, undefined, { program: MORTAL })
    await put('badgers of another commit')
    indexing.follow()
    await indexing.room(0)
    await put('mortal badgers again')
    indexing.follow()
    await put('badgers at the end')
    indexing.follow()
    await indexing.rest()
    await indexing.finish(true)
    assert.equal(indexing.error, undefined)
    assert.deepEqual([indexing.unindexed, indexing.report.pages], [0, 8])
    assert.deepEqual(indexing.report.unread, { 'a fault of ours: kept aside as a dead letter': 3 })
    assert.deepEqual((await pathsFound(dir, 'badgers')).toSorted(), ['/0', '/2', '/4', '/5', '/7'])
    assert.deepEqual(kept(dir), ['/1', '/3', '/6'], 'each once, whatever ended later')
    assert.match(deadLetters(dir)[0]?.reason ?? '', /the thread ended 2 times while it was worked on/)
    {
      await using again = new Indexing(collection, {}, undefined, { program: MORTAL })
      await again.finish(true)
      assert.deepEqual([again.error, deadLetters(dir).length], [undefined, 3], 'a restart does not meet it again')
    }
    retryLetters(dir, () => true)
    await using mended = new Indexing(collection)
    await mended.finish(true)
    assert.equal((await pathsFound(dir, 'badgers')).length, 8)
    assert.deepEqual(kept(dir), [])
  },
)

test('a thread that ends while no page is worked on is not started again, and says so', LIMIT, async (t) => {
  const { collection, put } = await sample(t)
  await put('fatal badgers')
  await using indexing = new Indexing(collection, {}, undefined, { program: MORTAL })
  await indexing.finish(true)
  assert.match(indexing.error?.message ?? '', /the indexing thread ended by itself/)
})

test(
  'a collection in which page after page ends the thread stops being indexed at last, and the next run goes on',
  LIMIT,
  async (t) => {
    const { dir, collection, put } = await sample(t)
    await put('badgers before', 'mortal badgers', 'mortal badgers too', 'badgers behind')
    {
      await using indexing = new Indexing(collection, {}, undefined, { program: MORTAL, mostDeaths: 3 })
      await indexing.finish(true)
      assert.match(indexing.error?.message ?? '', /ended by itself, 3 times while it worked on a page/)
    }
    await using later = new Indexing(collection, {}, undefined, { program: MORTAL })
    await later.finish(true)
    assert.equal(later.error, undefined)
    assert.deepEqual((await pathsFound(dir, 'badgers')).toSorted(), ['/0', '/3'])
    assert.deepEqual(kept(dir), ['/1', '/2'])
  },
)
