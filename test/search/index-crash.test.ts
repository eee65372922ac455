// Runs alone: it kills by the clock.
/**
 * Index crash: a crawl that indexes and merges as it goes is killed with kill -9 again and again. In the end its index holds
 * the very postings of one that is made anew from the collection, and between two kills it can be read at any time.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Collection, contentVersion } from '@comity/collection'
import type { CrawlOptions } from '@comity/crawler'
import { readIndexManifest } from '@comity/index'
import { createLivingWeb, createRandom } from '@comity/testbed'
import { amount } from '@comity/protocol/testing'
import { comity } from '../../packages/cli/src/testing/spawned-comity.ts'
import { indexContents, pathsFound } from '../../packages/search/src/testing/index-fixture.ts'
import { startCrawl } from '../crawl/child-crawl.ts'

const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)
const kills = amount(4, 60)
/** As many pages as so many lives need. */
const pages = (count: number): number => Math.ceil(count * Math.max(0.4, kills / 20))

const scratch = mkdtempSync(join(tmpdir(), 'comity-index-crash-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const options: Partial<CrawlOptions> = {
  userAgent: 'comity-test/1.0 (+https://example.org/bot)',
  allowPrivate: true,
  privateDelayMs: 0,
  parallel: 8,
  maxTries: 1,
  index: true,
  // Many small commits make many small segments, so that something is always being merged.
  commitEveryMs: 10,
  politeness: {
    delayMs: 0,
    pagesPerConnection: 20,
    slowdown: 1,
    backoffMs: 10,
    maxBackoffMs: 20,
    maxRetryAfterMs: 10_000,
  },
}

const generationIn = (dir: string): number => readIndexManifest(join(dir, 'index')).generation

/** Until the index has a state that it did not have when we began to wait; a crawl that is over makes none. */
async function newState(dir: string): Promise<void> {
  const before = generationIn(dir)
  for (let tries = 0; tries < 1_000 && generationIn(dir) === before; tries++) await sleep(10)
}

/** Everything the index has is there, whole; and how many pages that is. */
function checkIndex(dir: string): number {
  if (!existsSync(join(dir, 'index', 'index.json'))) return 0
  return indexContents(dir).documents.size
}

test(`${kills} kills leave no trace in the index (seed ${seed}; COMITY_SEED=${seed} repeats it)`, async (t) => {
  // Slow and large enough that so many lives do not reach its end, also where each takes long to begin.
  const steady = { latencyMs: 200, bytesPerSecond: Infinity, changeEveryMs: Infinity, troubleMs: 0 }
  await using web = await createLivingWeb({
    seed,
    firstAddress: '127.0.41.1',
    sites: [
      { ...steady, pages: pages(260), robots: 'allow', sitemap: true },
      { ...steady, pages: pages(220), robots: 'missing', sitemap: false },
      { ...steady, pages: pages(180), robots: 'missing', sitemap: false },
    ],
  })
  const random = createRandom(seed)
  const into = join(scratch, 'killed')
  const call = { into: [into], options: { ...options, seeds: web.sites.map(({ origin }) => `${origin}/`) } }
  let [indexed, acknowledged, generations] = [0, 0, 0]
  for (let killed = 0; killed < kills; killed++) {
    const child = startCrawl(call)
    await child.ready
    // Some die before they have indexed anything, most while they write segments or merge them.
    if (killed % 5 > 0) await newState(into)
    await sleep(random.between(0, 250))
    await child.kill()
    assert.equal(await child.finished, undefined, `the crawl was over after ${killed} kills: the web is too small`)
    const now = checkIndex(into)
    assert.ok(now >= indexed, `life ${killed}: ${now} pages, and ${indexed} before`)
    indexed = now
    if (existsSync(join(into, 'collection.json'))) acknowledged = (await pagesToFind(into)).length
    generations = generationIn(into)
  }
  const report = await startCrawl(call).finished
  assert.equal(report?.summaries[0]?.index?.problem, undefined)

  const survived = indexContents(into)
  assert.deepEqual([...survived.documents.keys()], await pagesToFind(into))
  const files = readdirSync(join(into, 'index')).filter((name) => /\.(?:seg|gone)$/.test(name))
  const { segments } = readIndexManifest(join(into, 'index'))
  const named = segments.flatMap(({ name, gone }) => [`${name}.seg`, gone]).filter((name) => name !== undefined)
  assert.deepEqual(files.toSorted(), named.toSorted(), 'nothing is left over')
  const words = ['the', 'title:of OR heading:a', 'anchor:page OR anchor:more']
  const found = await Promise.all(words.map((query) => pathsFound(into, query)))

  const anew = await comity(['index', into, '--anew'])
  assert.equal(anew.code, 0, anew.stderr)
  const made = indexContents(into)
  assert.deepEqual(survived.documents, made.documents)
  assert.equal(survived.postings.length, made.postings.length)
  const others = survived.postings.filter((posting, i) => posting !== made.postings[i])
  assert.deepEqual(others, [])
  assert.deepEqual(await Promise.all(words.map((query) => pathsFound(into, query))), found)
  t.diagnostic(
    `${indexed} of ${acknowledged} pages after ${kills} kills and ${generations} states; ${made.documents.size} pages and ` +
      `${made.postings.length} postings in the end`,
  )
})

async function pagesToFind(dir: string): Promise<number[]> {
  await using collection = Collection.openReadOnly(dir)
  return [...collection.pages()].filter(({ value }) => contentVersion(value) !== undefined).map(({ key }) => key)
}
