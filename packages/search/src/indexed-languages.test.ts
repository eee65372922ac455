import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import { indexedLanguages } from './indexed-languages.ts'
import { IndexUpdater } from './indexing/index-updater.ts'

const AT = Date.UTC(2026, 10, 14)
const german = '<p>Der Reiher wartet auf die Fische, und er hat es nicht eilig, denn sie sind nicht weit von ihm.'
const english = '<p>The heron waits for the fish, and it is in no hurry, for they are not far from where it stands.'

test('pages are in the language that the index took them for, and what nobody can tell is left out', async (t) => {
  const dir = testFolder(t)
  await using collection = await Collection.open(dir, AT)
  assert.deepEqual([...indexedLanguages(dir)], [], 'nothing is indexed')
  const crawl = new SampleCrawl(collection)
  const [one, other, number] = [crawl.offer('/de'), crawl.offer('/en'), crawl.offer('/42')]
  crawl.visit({ page: one, at: AT, body: german })
  crawl.visit({ page: other, at: AT, body: english })
  crawl.visit({ page: number, at: AT, body: '<p>42' })
  await crawl.commit()
  await using updater = new IndexUpdater(collection)
  await updater.catchUp()
  assert.deepEqual(
    new Map([...indexedLanguages(dir)].toSorted(([a], [b]) => a - b)),
    new Map([
      [one, 'de'],
      [other, 'en'],
    ]),
  )
})
