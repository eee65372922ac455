import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readPageValues } from '@comity/index'
import type { PageHits } from '@comity/protocol'
import { gatewayBench, newFolder } from '../testing/gateway-fixture.ts'
import { batchItem, DAY, NOON } from '@comity/ingest/testing'
import type { Passed } from '@comity/ingest/testing'
import { IndexUpdater, hitsOf, readingFact, readingOf } from '@comity/search'

const scratch = mkdtempSync(join(tmpdir(), 'comity-readership-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const [A, B] = ['http://a.example/', 'http://b.example/']

const passed = (url: string): Passed => ({ url, text: `a badger at ${url}`, at: NOON })
const hits = (url: string, readers: number): PageHits => ({ url, readers, robots: 9 })

test('hits of people become what the index ranks by, faded to one moment, and again when more were counted', async () => {
  const dir = newFolder(scratch)
  await using bench = await gatewayBench(dir)
  const { handler, collection, frontier } = bench
  await handler.take(batchItem('north', 1, { words: [passed(A), passed(B)], hits: [hits(A, 8)], to: NOON - 30 * DAY }))
  await handler.take(batchItem('north', 2, { hits: [hits(B, 6)], to: NOON }))
  await bench.commit(2)
  const [a, b] = [frontier.findUrl(A), frontier.findUrl(B)]
  const values = hitsOf(collection)
  assert.deepEqual([values[a], values[b]], [4, 6], 'half of what was read a half-life before')
  const fact = readingFact(collection)
  assert.deepEqual([fact?.version, fact?.at, fact?.halfLifeMs], [2, NOON, 30 * DAY])
  let clock = 0
  await using feed = new IndexUpdater(collection, { now: () => clock })
  await feed.catchUp()
  while (await feed.step()) clock++
  assert.equal(readPageValues(join(dir, 'index'), 'hits')[b], 6)
  await handler.take(batchItem('north', 3, { hits: [hits(B, 10)], to: NOON }))
  await bench.commit(3)
  await feed.step()
  assert.equal(readPageValues(join(dir, 'index'), 'hits')[b], 6, 'not at every step')
  clock += 20_000
  await feed.step()
  assert.equal(readPageValues(join(dir, 'index'), 'hits')[b], 16)
  assert.equal(readingOf(collection, b)?.robots, 18, 'robots are counted, and rank nothing')
})
