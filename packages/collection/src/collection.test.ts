import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readWarc, warcField, warcTarget, warcType } from '@comity/protocol'
import { Collection } from './collection.ts'
import { SampleCrawl, testFolder } from './testing/sample-crawl.ts'
import { FACTS } from './rows/facts.ts'

const AT = Date.UTC(2026, 10, 14)

test('a visit can be read back with all that it brought, also after the collection was closed', async (t) => {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection)
  const home = crawl.offer('/')
  const child = crawl.offer('/child?x=1', 0, home)
  crawl.visit({ page: home, at: AT, body: '<p>home</p>', title: 'Home', links: [{ to: child, anchor: 'a child' }] })
  collection.putRobots(0, {
    fetchedAt: AT,
    expiresAt: AT + 1,
    status: 200,
    verdict: 'rules',
    body: Buffer.from('Allow: /'),
  })
  collection.putFact(FACTS.seeds, ['https://a.example/'])
  collection.putFreshness(home, Buffer.from('changes daily'))
  collection.putCooperation(0, { offers: ['batch'] })
  await crawl.commit()
  await collection.close()
  await collection.close()
  await using again = await Collection.open(dir, AT)
  assert.equal(again.wasClosed, true)
  assert.equal(again.page(home)?.title, 'Home')
  assert.deepEqual(again.links(home), [{ to: child, anchor: 'a child' }])
  assert.deepEqual([again.url(home), again.url(child)], ['https://a.example/', 'https://a.example/child?x=1'])
  assert.deepEqual(again.text(child), { site: 0, path: '/child?x=1', parent: home })
  assert.equal(Buffer.from(again.robots(0)?.body ?? []).toString(), 'Allow: /')
  assert.deepEqual(again.fact(FACTS.seeds), ['https://a.example/'])
  assert.equal(Buffer.from(again.freshness(home) ?? []).toString(), 'changes daily')
  assert.deepEqual([again.cooperation(0), again.cooperation(1)], [{ offers: ['batch'] }, undefined])
  assert.deepEqual([...again.pageLog()].map(String), ['journal 0'])
  assert.deepEqual([...again.addresses()], [['192.0.2.1', 0]])
  assert.equal(Buffer.from(again.readBody(again.page(home)!.body!)).toString(), '<p>home</p>')
  assert.throws(() => again.text(99), { code: 'COLLECTION_DAMAGED' })
})

test('what was deposited is found before it is committed, while it is, and after', async (t) => {
  await using collection = await Collection.open(testFolder(t), AT)
  const crawl = new SampleCrawl(collection)
  const page = crawl.offer('/')
  crawl.visit({ page, at: AT, body: WORDS, title: 'First' })
  collection.putFact(FACTS.inbox, 1)
  collection.putFreshness(page, Buffer.of(7))
  collection.putCooperation(0, 'a row')
  collection.putRobots(0, { fetchedAt: AT, expiresAt: AT, status: 404, verdict: 'allow-all', body: Buffer.of() })
  const { digest, simhash } = collection.page(page)!
  const look = (): unknown[] => [
    collection.page(page)?.title,
    collection.fact(FACTS.inbox),
    collection.robots(0)?.status,
    collection.body(digest!)?.url,
    collection.nearDuplicate(simhash!, 1),
    collection.freshness(page)?.[0],
    collection.cooperation(0),
  ]
  const seen = ['First', 1, 404, 'https://a.example/', page, 7, 'a row']
  assert.deepEqual(look(), seen)
  const committing = crawl.commit()
  assert.deepEqual(look(), seen)
  // A deposit made meanwhile is newer than the one on its way, and belongs to the next commit.
  crawl.visit({ page, at: AT + 1, body: WORDS, title: 'Second' })
  await committing
  assert.equal(collection.page(page)?.title, 'Second')
  await crawl.commit()
  assert.equal(collection.page(page)?.title, 'Second')
  assert.deepEqual(look().slice(1), seen.slice(1))
})

test('a page whose text has changed is no longer near to what it was near to', async (t) => {
  await using collection = await Collection.open(testFolder(t), AT)
  const crawl = new SampleCrawl(collection)
  const page = crawl.offer('/')
  crawl.visit({ page, at: AT, body: WORDS })
  const old = collection.page(page)!.simhash!
  await crawl.commit()
  assert.equal(collection.nearDuplicate(old, 1), page)
  crawl.visit({ page, at: AT + 1, body: 'altogether different words stand here now, and many of them '.repeat(5) })
  await crawl.commit()
  assert.equal(collection.nearDuplicate(old, 1), undefined)
})

test('identical bodies are stored once; the second page refers to the first', async (t) => {
  await using collection = await Collection.open(testFolder(t), AT)
  const crawl = new SampleCrawl(collection)
  const [one, two, three] = [crawl.offer('/1'), crawl.offer('/2'), crawl.offer('/3')]
  crawl.visit({ page: one, at: AT, body: WORDS })
  crawl.visit({ page: two, at: AT + 1, body: WORDS })
  await crawl.commit()
  crawl.visit({ page: three, at: AT + 2, body: WORDS })
  await crawl.commit()
  const records = [...readWarc(readFileSync(collection.warcPaths[0]!), 0, { verify: true })]
  const kinds = records.map((item) => (item.kind === 'record' ? warcType(item.record) : item.message))
  assert.deepEqual(kinds, ['warcinfo', 'response', 'request', 'revisit', 'request', 'revisit', 'request'])
  const revisit = records[5]!
  assert.ok(revisit.kind === 'record')
  assert.equal(warcTarget(revisit.record), 'https://a.example/3')
  assert.equal(warcField(revisit.record, 'WARC-Refers-To-Target-URI'), 'https://a.example/1')
  for (const page of [one, two, three]) {
    assert.equal(Buffer.from(collection.readBody(collection.page(page)!.body!)).toString(), WORDS)
  }
})

test('a reader beside a writer sees what is committed, also in WARC files begun since it opened', async (t) => {
  const dir = testFolder(t)
  await using collection = await Collection.open(dir, AT, { maxWarcBytes: 2_000 })
  const crawl = new SampleCrawl(collection)
  const reader = startReader(dir)
  for (let page = 0; page < 40; page++) {
    crawl.offer(`/${page}`)
    crawl.visit({ page, at: AT + page, body: `<p>${page} ${Math.random()}</p>`.repeat(20) })
    if (page % 4 === 3) await crawl.commit()
  }
  assert.ok(collection.warcPaths.length > 3)
  assert.deepEqual(reader(), { pages: 40, bodies: 40, closed: false })
  crawl.offer('/unfinished')
  crawl.visit({ page: 40, at: AT, body: 'not yet' })
  assert.deepEqual(reader(), { pages: 40, bodies: 40, closed: false })
})

/** Another process that opens the collection to look, reads every body and says what it saw. */
function startReader(dir: string): () => unknown {
  const script = `
    import { Collection } from ${JSON.stringify(new URL('./collection.ts', import.meta.url).href)}
    const collection = Collection.openReadOnly(process.argv[1])
    const bodies = [...collection.pages()].filter(({ value }) => collection.readBody(value.body).length > 0).length
    console.log(JSON.stringify({ pages: [...collection.pages()].length, bodies, closed: collection.wasClosed }))
    await collection.close()`
  const read = (): unknown =>
    JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script, dir], { encoding: 'utf8' }))
  return read
}

test('a second writer in the same process is refused, and a reader is not', async (t) => {
  const dir = testFolder(t)
  await using collection = await Collection.open(dir, AT)
  await assert.rejects(Collection.open(dir, AT), { code: 'COLLECTION_HELD' })
  const reader = Collection.openReadOnly(dir)
  assert.deepEqual([...reader.pages()], [])
  await reader.close()
  assert.equal(collection.wasClosed, true)
})

test('opening a folder of somebody else leaves no trace in it', async (t) => {
  const dir = testFolder(t)
  mkdirSync(dir)
  writeFileSync(join(dir, 'thesis.tex'), 'years of work')
  await assert.rejects(Collection.open(dir, AT), { code: 'NOT_A_COLLECTION' })
  assert.deepEqual(readdirSync(dir), ['thesis.tex'])
})

test('closing with visits that were never committed does not count as a clean stop', async (t) => {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection)
  crawl.visit({ page: crawl.offer('/'), at: AT, body: WORDS })
  await collection.close()
  await using again = await Collection.open(dir, AT)
  assert.equal(again.wasClosed, false)
  assert.equal(again.page(0), undefined)
})

test('a look by a writer that commits nothing does not make an unclean stop clean', async (t) => {
  const dir = testFolder(t)
  const killed = await Collection.open(dir, AT)
  new SampleCrawl(killed).offer('/')
  killed.putFact(FACTS.topic, 'never committed')
  await killed.close()
  await (await Collection.open(dir, AT)).close()
  const crawler = await Collection.open(dir, AT)
  assert.equal(crawler.wasClosed, false)
  await new SampleCrawl(crawler).commit()
  await crawler.close()
  await using again = await Collection.open(dir, AT)
  assert.equal(again.wasClosed, true)
})

test('a torn WARC tail is cut when the collection opens; a lost one stops it', async (t) => {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection)
  crawl.visit({ page: crawl.offer('/'), at: AT, body: WORDS })
  await crawl.commit()
  const [path] = collection.warcPaths
  await collection.close()
  appendFileSync(path!, Buffer.alloc(123, 7))
  const repaired = await Collection.open(dir, AT)
  assert.equal(repaired.repairedBytes, 123)
  await repaired.close()
  writeFileSync(path!, readFileSync(path!).subarray(0, 50))
  await assert.rejects(Collection.open(dir, AT), { code: 'COLLECTION_DAMAGED', message: /50 bytes of the/ })
  // The lock was given back: the next try is told the same, not that the collection is held.
  await assert.rejects(Collection.open(dir, AT), { code: 'COLLECTION_DAMAGED' })
})

test('a journal can be replaced by a shorter one', async (t) => {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  const crawl = new SampleCrawl(collection)
  for (const path of ['/1', '/2', '/3']) {
    crawl.offer(path)
    await crawl.commit()
  }
  await collection.replacePageLog([Buffer.from('all of it')])
  crawl.offer('/4')
  await crawl.commit()
  assert.deepEqual([...collection.pageLog()].map(String), ['all of it', 'journal 3'])
  await collection.close()
  await using again = await Collection.open(dir, AT)
  assert.deepEqual([...again.pageLog()].map(String), ['all of it', 'journal 3'])
})

test('texts are found in blocks of any size', async (t) => {
  await using collection = await Collection.open(testFolder(t), AT)
  const crawl = new SampleCrawl(collection)
  let page = 0
  for (const count of [1, 300, 2, 256, 1_000]) {
    for (let i = 0; i < count; i++) assert.equal(crawl.offer(`/page/${page}`), page++)
    await crawl.commit()
  }
  for (let i = 0; i < page; i += 13) assert.equal(collection.text(i).path, `/page/${i}`)
  assert.equal(collection.text(page - 1).path, `/page/${page - 1}`)
  assert.deepEqual(
    [...collection.texts()].map(([id]) => id),
    Array.from({ length: page }, (_, i) => i),
  )
})

const WORDS =
  'the quick brown fox jumps over the lazy dog and goes home to its den in the wood beyond the hill '.repeat(3)
