import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Collection, encodeLinks } from '@comity/collection'
import type { PageRow } from '@comity/collection'
import { Frontier, orderNamed, politeDefaults } from '@comity/frontier'
import { ImportanceSample } from './importance-sample.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-importance-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const createFrontier = (collection: Collection): Frontier =>
  new Frontier({
    order: orderNamed('fifo'),
    politenessOf: () => ({ ...politeDefaults, delayMs: 0, pagesPerConnection: Infinity }),
    budgetOf: () => ({ maxPages: Infinity, maxBytes: Infinity, maxKnown: Infinity }),
    maxTries: 1,
    random: () => 0.5,
    gates: false,
    textOf: (page) => collection.text(page),
  })

/** Numbers that look drawn, the same ones every time. */
function createDraw(): () => number {
  let state = 1
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

const row: PageRow = { site: 0, outcome: 'ok', status: 200, visitedAt: 1, visits: 1, changes: 0, bytes: 1, timings: {} }

/** Fetch the first `count` pages of the queue; page n links to the pages that `linksOf` names. */
async function fetchPages(
  collection: Collection,
  frontier: Frontier,
  count: number,
  linksOf: (page: number) => number[],
): Promise<number[]> {
  const fetched: number[] = []
  const lease = frontier.lease(0)
  assert.ok(lease)
  for (let task: typeof lease.task | undefined = lease.first; ; task = frontier.next(lease, 0)?.task) {
    assert.ok(task?.kind === 'page')
    const { page } = task
    collection.deposit({
      page,
      row,
      at: 1,
      capture: { source: 'crawl', outcome: 'ok', status: 200, bytes: 1 },
      links: encodeLinks(linksOf(page), new Uint8Array(0)),
    })
    frontier.settle(page, 'done')
    fetched.push(page)
    if (fetched.length === count) break
  }
  frontier.release(lease, 0)
  await collection.commit(frontier.drain())
  frontier.stored()
  return fetched
}

test('of the links seen, those that lead to pages fetched count', async () => {
  await using collection = await Collection.open(join(scratch, 'few'), 0)
  const frontier = createFrontier(collection)
  for (let n = 0; n < 8; n++) frontier.offer(`http://a.example/${n}`, { depth: 0, seed: 0 })
  const sample = new ImportanceSample(frontier, collection, createDraw())
  assert.equal(sample.share(), 0, 'nothing is known')
  // 0 links to 1 and 7, 1 links to 0 and 2: half of the four lead to the two that were fetched.
  const links = [
    [1, 7],
    [0, 2],
  ]
  for (const page of await fetchPages(collection, frontier, 2, (from) => links[from] ?? [])) sample.add(page)
  assert.equal(sample.share(), 0.5)
  const later = new ImportanceSample(frontier, collection, createDraw())
  later.restore()
  assert.equal(later.share(), 0.5, 'another run knows it too')
  later.isFrozen = true
  assert.equal(later.share(), 0.5, 'also while nothing can be read')
})

test('of many pages a sample is near the truth, early pages and late ones alike', async () => {
  await using collection = await Collection.open(join(scratch, 'many'), 0)
  const frontier = createFrontier(collection)
  const [known, fetched] = [6_000, 3_000]
  for (let n = 0; n < known; n++) frontier.offer(`http://a.example/${n}`, { depth: 0, seed: 0 })
  const draw = createDraw()
  // Early pages link to what was fetched, late ones to what was not: a sample of either alone would say 1 or 0.
  const linksOf = (page: number): number[] => {
    const [from, count] = page < fetched / 3 ? [0, fetched] : [fetched, known - fetched]
    return Array.from({ length: 10 }, () => from + Math.floor(draw() * count))
  }
  const sample = new ImportanceSample(frontier, collection, createDraw())
  for (const page of await fetchPages(collection, frontier, fetched, linksOf)) sample.add(page)
  assert.ok(Math.abs(sample.share() - 1 / 3) < 0.06, String(sample.share()))
  const later = new ImportanceSample(frontier, collection, createDraw())
  later.restore()
  assert.ok(Math.abs(later.share() - 1 / 3) < 0.06, String(later.share()))
})
