/** Found again: what a crawl fetches can be searched while it runs, changes with its pages, and survives damage. */
import assert from 'node:assert/strict'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Collection } from '@comity/collection'
import { crawl } from '@comity/crawler'
import type { CrawlControl } from '@comity/crawler'
import { IndexReader } from '@comity/index'
import { IndexUpdater } from '@comity/search'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { indexContents, pathsFound } from '../../packages/search/src/testing/index-fixture.ts'
import { newDirectory, quick, quickCrawl } from '../crawl/quick-crawl.ts'
import { smallPdf } from './small-pdf.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { Answer, Route } from '../sites/small-site.ts'

/** A site of so many pages, each with a word of its own, all linked from the first. */
function manyPages(count: number): Record<string, Route> {
  const filler = Array.from({ length: 150 }, (_, i) => `filler${i}`).join(' ')
  const paths = Array.from({ length: count }, (_, i) => `/p${i}`)
  const body = (i: number): string => `<title>Page ${i}</title><p>unique${i} ${filler} variant${(i * 7919) % 1_000}`
  return { '/': page('Home', ...paths), ...Object.fromEntries(paths.map((path, i) => [path, body(i)])) }
}

test('every acknowledged page becomes searchable while the crawl goes on, for readers in any process', async (t) => {
  const count = 1_500
  await using site = await createSmallSite(manyPages(count), '127.0.51.1')
  const into = newDirectory()
  const { promise: begun, resolve: onControl } = Promise.withResolvers<CrawlControl>()
  const options = { ...quick, seeds: [`${site.origin}/`], index: true, parallel: 16 }
  const running = crawl({ into, options, onControl })
  const control = await begun
  let isOver = false
  const ended = running.finally(() => (isOver = true))
  const searched = comityHere(['search', into, 'filler7', '--json'])
  const { latencies, mostUnindexed } = await watchIndex(into, control, () => isOver)
  const summary = await ended
  assert.equal(summary.pages, count + 1)
  assert.equal(summary.index?.problem, undefined)
  // One that is read is not read again, also when what others call it changes.
  assert.equal(summary.index?.readBack, 0)
  assert.equal(indexContents(into).documents.size, count + 1)
  for (const i of [0, 1, 77, 749, count - 1]) assert.deepEqual(await pathsFound(into, `unique${i}`), [`/p${i}`])
  const beside = await searched
  assert.ok(beside.code === 0 || /has no index yet|no collection/.test(beside.stderr), beside.stderr)
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  t.diagnostic(
    `searchable ${at(0.5)} ms after the acknowledgement (median of ${sorted.length} commits), ${at(1)} ms at most; ` +
      `at most ${mostUnindexed} pages unindexed; ${Math.round(summary.pagesPerSecond)} pages/s`,
  )
})

/** Look again and again as a reader would: when was each change committed, and when could it be found? */
async function watchIndex(
  dir: string,
  control: CrawlControl,
  isOver: () => boolean,
): Promise<{ latencies: number[]; mostUnindexed: number }> {
  await using collection = Collection.openReadOnly(dir)
  using reader = new IndexReader(join(dir, 'index'))
  const latencies: number[] = []
  const waiting: { number: number; at: number }[] = []
  let [seen, mostUnindexed] = [0, 0]
  for (let last = false; !last;) {
    last = isOver()
    for (const { number } of collection.changes(seen)) waiting.push({ number: (seen = number), at: performance.now() })
    reader.refresh()
    while (waiting.length > 0 && waiting[0]!.number <= reader.view.position)
      latencies.push(performance.now() - waiting.shift()!.at)
    if (!last) mostUnindexed = Math.max(mostUnindexed, control.status().sample.unindexed)
    await sleep(5)
  }
  assert.deepEqual(waiting, [], 'nothing is left unindexed')
  return { latencies, mostUnindexed }
}

const text = (words: string): string => `<title>${words}</title><p>${words} ${words}`

test('a page that changed is found by its new words alone; one gone, moved, or marked noindex is not found', async () => {
  let isLater = false
  const later =
    (before: string, after: string | Answer): Route =>
    () =>
      isLater ? after : before
  await using site = await createSmallSite(
    {
      '/': page('Home', '/same', '/changed', '/gone', '/absent', '/moved', '/shy', '/header', '/trouble'),
      '/same': text('steadfast'),
      '/changed': later(text('yesterday weather'), text('tomorrow weather')),
      '/gone': later(text('vanishing'), { status: 410 }),
      '/absent': later(text('vanishing'), { status: 404, body: text('vanishing') }),
      '/moved': later(text('wandering'), { status: 301, headers: { location: '/elsewhere' } }),
      '/elsewhere': text('wandering'),
      '/shy': later(text('shyness'), `<meta name=robots content=noindex>${text('shyness')}`),
      '/header': later(text('shyness'), { headers: { 'x-robots-tag': 'noindex' }, body: text('shyness again') }),
      '/trouble': later(text('resilience'), { status: 503 }),
    },
    '127.0.52.1',
  )
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { index: true })
  const found = async (word: string): Promise<string[]> => (await pathsFound(into, word)).toSorted()
  assert.deepEqual(await found('yesterday'), ['/changed'])
  assert.deepEqual(await found('vanishing'), ['/absent', '/gone'])
  assert.deepEqual(await found('wandering'), ['/moved'])
  assert.deepEqual(await found('shyness'), ['/header', '/shy'])
  isLater = true
  await quickCrawl(into, [], { index: true, revisitAfterMs: 0, maxTries: 1, patienceMs: 2_000 })
  assert.deepEqual(await found('tomorrow'), ['/changed'])
  assert.deepEqual(await found('yesterday'), [])
  assert.deepEqual(await found('vanishing'), [])
  assert.deepEqual(await found('wandering'), ['/elsewhere'])
  assert.deepEqual(await found('shyness'), [])
  assert.deepEqual(await found('steadfast'), ['/same'])
  assert.deepEqual(await found('resilience'), ['/trouble'], 'a site in trouble loses nothing')
  const before = indexContents(into)
  const anew = await comityHere(['index', into, '--anew'])
  assert.equal(anew.code, 0, anew.stderr)
  assert.deepEqual(indexContents(into), before)
})

test('of a crawl that keeps some pages only those are found, and what it let go is not', async () => {
  await using site = await createSmallSite(manyPages(60), '127.0.53.1')
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { index: true, keep: 20 })
  await using collection = Collection.openReadOnly(into)
  const held = [...collection.pages()].filter(({ value }) => value.body !== undefined).map(({ key }) => key)
  assert.equal(held.length, 20)
  const { documents, postings } = indexContents(into)
  assert.deepEqual([...documents.keys()], held)
  assert.equal(postings.filter((posting) => /^unique\d+ /.test(posting)).length, held.length - 1)
})

test('a PDF is found by its words and its title, and a broken one is counted', async () => {
  await using site = await createSmallSite(
    {
      '/': page('Papers', '/paper.pdf', '/broken.pdf'),
      '/paper.pdf': {
        headers: { 'content-type': 'application/pdf' },
        body: smallPdf('Efficient crawling', ['Ordering URLs', 'by importance metrics']),
      },
      '/broken.pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7\nnothing behind it' },
    },
    '127.0.54.1',
  )
  const into = newDirectory()
  const words = ['--allow-private', '--delay', '0', '--types', 'page,document', '--threads', '0', '--json']
  const crawled = await comityHere(['crawl', `${site.origin}/`, '--into', into, ...words])
  assert.equal(crawled.code, 0, crawled.stderr)
  assert.deepEqual((lastJson(crawled)['index'] as { unread: object }).unread, { 'unreadable PDF': 1 })
  const searched = await comityHere(['search', into, 'importance metrics type:pdf', '--json'])
  assert.equal(searched.code, 0, searched.stderr)
  const { results } = lastJson(searched) as { results: { url: string; title: string; snippet: string; type: string }[] }
  const shown = results.map(({ url, title, type }) => [url, title, type])
  assert.deepEqual(shown, [[`${site.origin}/paper.pdf`, 'Efficient crawling', 'application/pdf']])
  assert.match(results[0]?.snippet ?? '', /importance metrics/)
})

test('a damaged segment is refused by name, the rest answers, the crawl goes on, and --anew mends it', async () => {
  await using site = await createSmallSite(manyPages(200), '127.0.55.1')
  await using second = await createSmallSite({ '/': page('Second', '/b'), '/b': '<p>latecomer' }, '127.0.56.1')
  await using third = await createSmallSite({ '/': page('Third', '/c'), '/c': '<p>newcomer' }, '127.0.57.1')
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { index: true })
  assert.equal((await comityHere(['index', into])).code, 0)
  await quickCrawl(into, [`${second.origin}/`], { index: false })
  {
    await using collection = await Collection.open(into, Date.now())
    await using updater = new IndexUpdater(collection)
    await updater.catchUp()
  }
  const folder = join(into, 'index')
  const sizeOf = (name: string): number => statSync(join(folder, name)).size
  const segments = readdirSync(folder).filter((name) => name.endsWith('.seg'))
  const [largest = ''] = segments.toSorted((a, b) => sizeOf(b) - sizeOf(a))
  assert.ok(segments.length > 1, 'the second crawl has a segment of its own until all is put in order')
  const whole = readFileSync(join(folder, largest))
  // Wherever it is hit, an answer is right or the file is named.
  for (let place = 0; place < 10; place++) {
    const damaged = Buffer.from(whole)
    damaged[Math.floor(((place + 0.5) / 10) * whole.length)]! ^= 1 << (place % 8)
    writeFileSync(join(folder, largest), damaged)
    assert.deepEqual(await pathsFound(into, 'latecomer'), ['/b'])
    for (const path of await pathsFound(into, 'filler3')) assert.match(path, /^\/p\d+$/)
  }
  const damaged = Buffer.from(whole)
  damaged[whole.length - 20]! ^= 4
  writeFileSync(join(folder, largest), damaged)
  const searched = await comityHere(['search', into, 'latecomer OR unique3'])
  assert.equal(searched.code, 0)
  assert.match(searched.stdout, /127\.0\.56\.1:\d+\/b/)
  assert.match(searched.stderr, new RegExp(`${largest}: .*the rest still answers.*comity index DIR --anew`))
  const crawled = await comityHere(['crawl', `${third.origin}/`, '--into', into, '--allow-private', '--delay', '0'])
  assert.equal(crawled.code, 0, crawled.stderr)
  assert.match(crawled.stdout, new RegExp(`indexing stopped.*${largest}`))
  const mended = await comityHere(['index', into, '--anew'])
  assert.equal(mended.code, 0, mended.stderr)
  const after = await comityHere(['search', into, 'latecomer OR unique3 OR newcomer', '--json'])
  assert.deepEqual([lastJson(after)['matches'], after.stderr], [3, ''])
})
