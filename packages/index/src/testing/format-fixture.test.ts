import assert from 'node:assert/strict'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FIXTURE, fixturePages, writeFixtureIndex } from './format-fixture.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { testFolder } from './sample-index.ts'
import { samplePage } from './sample-pages.ts'
import { SearchEngine } from '../search-engine.ts'
import type { RankName } from '../search-types.ts'

const answers: [query: string, rank: RankName, keys: number[]][] = [
  ['polite', 'bm25', [1]],
  ['crawler', 'hf', [2, 1]],
  ['crawler', 'default', [2, 1]],
  ['"inverted files"', 'default', [2]],
  ['earlier', 'default', []],
  ['gone', 'default', []],
  ['sammler', 'default', [3]],
  ['title:bibliotheque', 'default', [4]],
  ['搜索引擎', 'default', [5]],
  ['craw* -inverted', 'idf', [1]],
  ['site:en.example', 'hf', [2, 1]],
  ['lang:de', 'default', [3]],
]

async function check(dir: string): Promise<void> {
  using engine = new SearchEngine(dir, { contentOf: async (key) => fixturePages[key - 1] })
  const { view } = engine
  assert.deepEqual([view.refused, view.position, view.documents], [[], 9, 6])
  for (const { segment } of view.segments) segment.verify()
  for (const [query, rank, keys] of answers) {
    const { results } = await engine.search({ query, rank })
    assert.deepEqual(
      results.map(({ key }) => key),
      keys,
      query,
    )
  }
  const [best] = (await engine.search({ query: '"two visits"' })).results
  assert.deepEqual([best?.url, best?.folded, best?.language], ['https://en.example/page/1', 1, 'en'])
  assert.equal(best?.at, fixturePages[0]?.at)
}

test('an index of the first format is read as on its first day', async (t) => {
  const dir = testFolder(t)
  for (const file of readdirSync(FIXTURE)) copyFileSync(join(FIXTURE, file), join(dir, file.replace(/\.bin$/, '')))
  await check(dir)
  using writer = new IndexWriter(dir)
  writer.put(samplePage(9, 'xylophone'))
  writer.mergeAll()
  writer.remove(9)
  writer.commit(9)
  await check(dir)
})

test('an index of the same pages written now gives the same answers', async (t) => {
  const dir = testFolder(t)
  writeFixtureIndex(dir)
  await check(dir)
})
