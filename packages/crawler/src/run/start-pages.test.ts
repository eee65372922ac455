import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Collection, FACTS, FORGOTTEN_SEED_MARK } from '@comity/collection'
import { RunBudget } from '../control/crawl-budget.ts'
import { crawlOptions } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import { runFrontier } from './run-frontier.ts'
import { StartPages } from './start-pages.ts'
import type { Facts } from '@comity/collection'

const scratch = mkdtempSync(join(tmpdir(), 'comity-start-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const a = 'https://a.example/'
const b = 'https://b.example/'
const found = { depth: 1, listed: false }

async function open({ seeds, moved }: Partial<Facts>, given: Partial<CrawlOptions>): Promise<[StartPages, Collection]> {
  const collection = await Collection.open(mkdtempSync(join(scratch, 'c-')), 0)
  if (seeds !== undefined) collection.putFact(FACTS.seeds, seeds)
  if (moved !== undefined) collection.putFact(FACTS.moved, moved)
  return [new StartPages(crawlOptions(given), collection, 0), collection]
}

test('start pages of earlier runs come first and keep their numbers', async () => {
  const [start, collection] = await open(
    { seeds: [a, `${FORGOTTEN_SEED_MARK}1`], moved: ['https://c.example/'] },
    { seeds: [b, a] },
  )
  await using _ = collection
  assert.deepEqual(start.urls, [a, `${FORGOTTEN_SEED_MARK}1`, b])
  assert.deepEqual([start.ofSite('https://b.example'), start.ofSite('https://nowhere.example')], [2, 0])
  for (const [origin, reason] of [
    ['https://a.example', undefined],
    ['https://c.example', undefined],
    ['https://d.example', 'scope'],
  ] as const) {
    assert.equal(start.reasonFor(`${origin}/x`, found), reason)
  }
})

test('what was forgotten is not offered again, nor what it counted for given to another', async () => {
  const options = { seeds: [b] }
  const [start, collection] = await open({ seeds: [`${FORGOTTEN_SEED_MARK}0`] }, options)
  await using _ = collection
  const all = crawlOptions(options)
  const frontier = runFrontier(all, new RunBudget(all), collection, { random: () => 0, lag: () => 0 })
  start.offerAll(frontier)
  assert.equal(frontier.count('waiting'), 1)
  assert.equal(frontier.pages.seedOf(frontier.findUrl(b)), 1)
  assert.deepEqual(collection.fact(FACTS.seeds), [`${FORGOTTEN_SEED_MARK}0`, b])
})

test('a start page that has moved takes the scope along, once', async () => {
  const [start, collection] = await open({}, { seeds: [a] })
  await using _ = collection
  for (const url of [b, b, a]) start.move(url)
  assert.deepEqual(collection.fact(FACTS.moved), [b])
  assert.equal(start.reasonFor(`${b}x`, found), undefined)
})
