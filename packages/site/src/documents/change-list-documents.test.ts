import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSync } from '@comity/protocol'
import type { SyncEntry, SyncSummary } from '@comity/protocol'
import { BASE, SampleSite, requestOf } from '../testing/site-sample.ts'

async function sync(
  sample: SampleSite,
  path: string,
): Promise<{ entries: readonly SyncEntry[]; summary: SyncSummary }> {
  const read = readSync((await sample.ask(path)).body, `https://a.example${path}`)
  assert.deepEqual(read.summary.problems, {}, path)
  return read
}

test('the change list tells every change, oldest first', async () => {
  const sample = new SampleSite()
  await sample.put({ '/a.html': 'page a', '/b.html': 'page b' })
  await sample.put({ '/a.html': 'page a, again', '/b.html': null })
  const { entries, summary } = await sync(sample, '/metadata/changelist.xml')
  assert.deepEqual([summary.format, summary.until], ['urlset', undefined])
  assert.deepEqual(
    entries.map((entry) => [new URL(entry.url).pathname, 'change' in entry && entry.change]),
    [
      ['/a.html', 'created'],
      ['/b.html', 'created'],
      ['/a.html', 'updated'],
      ['/b.html', 'deleted'],
    ],
  )
})

test('whoever reads all parts of a change list has every change once, and only the last part is open', async () => {
  const sample = new SampleSite()
  for (let i = 1; i <= 602; i++) await sample.put({ [`/page-${i % 50}`]: `version ${i}` })
  const index = await sync(sample, '/metadata/changelist.xml')
  assert.equal(index.summary.format, 'sitemapindex')
  let told = 0
  let until: number | undefined
  for (const [i, part] of index.entries.entries()) {
    const { entries, summary } = await sync(sample, new URL(part.url).pathname)
    assert.equal(summary.until === undefined, i === index.entries.length - 1)
    if (i > 0) assert.equal(summary.from, until)
    assert.ok('from' in part && part.from === summary.from && part.until === summary.until)
    until = summary.until
    told += entries.length
  }
  assert.equal(told, 602)
  assert.ok(index.entries.length < 50, `${index.entries.length} parts`)
  const open = new URL(index.entries.at(-1)!.url).pathname
  const polled = await sample.ask(open)
  await sample.put({ '/page-1': 'newest' })
  const changed = await sample.ask(open, { headers: [['If-None-Match', polled.header('etag')!]] })
  assert.equal(changed.status, 200)
  assert.equal(readSync(changed.body, BASE).entries.length, readSync(polled.body, BASE).entries.length + 1)
})

test('a journal that forgot changes lists those it still has', async () => {
  const sample = new SampleSite({}, { limits: { changes: 40 } })
  for (let i = 1; i <= 200; i++) await sample.put({ '/a': `version ${i}` })
  sample.journal.compact(sample.now)
  const { entries } = await sync(sample, '/metadata/changelist.xml')
  const counts = await Promise.all(
    entries.map(async ({ url }) => (await sync(sample, new URL(url).pathname)).entries.length),
  )
  assert.deepEqual(counts, Array(10).fill(4))
  assert.equal(await sample.site.answer(requestOf('/metadata/changelist-1.xml')), undefined)
})

test('whoever follows from part to part by its link meets every change', async () => {
  const sample = new SampleSite()
  await sample.put({ '/a': 'version 0' })
  let told = 0
  let path = '/metadata/changelist-1.xml'
  for (let i = 1; i <= 30; i++) {
    await sample.put({ '/a': `version ${i}` })
    const { summary, entries } = await sync(sample, path)
    const next = summary.links.find(({ rel }) => rel === 'next')?.href
    assert.equal(next === undefined, summary.until === undefined)
    if (next === undefined) continue
    told += entries.length
    path = new URL(next).pathname
  }
  assert.equal(told + (await sync(sample, path)).entries.length, 31)
})
