import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, createReadStream, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readWarc, warcField, warcTarget, warcType } from '@comity/protocol'
import { WARCParser } from 'warcio'
import { Collection } from '../collection.ts'
import { forgetPages, forgetSite, forgottenSites } from './forget.ts'
import {
  AT,
  COPY,
  GONE,
  HOME,
  JOHN,
  MIRROR,
  MIRROR2,
  MOVED,
  NEEDLES,
  ORIGINAL,
  OTHER_PAGE,
  OTHER_SITE,
  PATHS,
  SHARED,
  bodyOf,
  filesWith,
  makeSample,
} from '../testing/forget-sample.ts'
import { SampleCrawl, testFolder } from '../testing/sample-crawl.ts'
import { FACTS } from '../rows/facts.ts'

const KEPT = [...PATHS.keys()].filter((page) => !GONE.includes(page))
const textOf = (collection: Collection, page: number): string =>
  Buffer.from(collection.readBody(collection.page(page)!.body!)).toString()

/** Everything is as it was, or everything is forgotten: nothing between. */
function stateOf(collection: Collection): 'old' | 'new' {
  const isOld = collection.page(JOHN) !== undefined
  for (const page of isOld ? PATHS.keys() : KEPT) {
    assert.equal(textOf(collection, page), page === JOHN ? '<p>what john said later</p>' : bodyOf(page))
    for (const { value } of collection.captures(page))
      assert.ok(collection.readMessage(value.record!).startLine.includes('200'))
  }
  assert.equal(collection.url(JOHN) !== undefined, isOld)
  assert.equal([...collection.captures(JOHN)].length > 0, isOld)
  return isOld ? 'old' : 'new'
}

async function readClean(collection: Collection): Promise<void> {
  for (const path of collection.warcPaths) {
    for (const item of readWarc(readFileSync(path), 0, { verify: true }))
      assert.equal(item.kind, 'record', JSON.stringify(item))
    for await (const record of new WARCParser(createReadStream(path))) {
      if (record.warcType === 'warcinfo')
        assert.ok(path.endsWith(record.warcHeaders.headers.get('WARC-Filename') ?? '?'))
      await record.readFully(false)
    }
  }
}

test('forgotten pages are nowhere in any file; all others read as before', async (t) => {
  const dir = testFolder(t)
  await makeSample(dir)
  for (const words of NEEDLES) assert.notDeepEqual(filesWith(dir, words), [], `${words} is there to be forgotten`)
  const collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  const before = collection.warcPaths.length
  const { pages, warcFiles } = await forgetPages(collection, GONE, AT + 1_000)
  assert.equal(pages, 2)
  assert.ok(warcFiles > 1 && warcFiles <= before)
  assert.equal(stateOf(collection), 'new')
  await readClean(collection)
  for (const words of NEEDLES) assert.deepEqual(filesWith(dir, words), [], words)
  assert.deepEqual(readdirSync(join(dir, 'state')).toSorted(), ['data-2.mdb', 'data-2.mdb-lock', 'known'])
  await collection.close()
  for (const words of NEEDLES) assert.deepEqual(filesWith(dir, words), [], `${words}, after closing`)
  await using again = await Collection.open(dir, AT)
  assert.equal(again.wasClosed, true)
  assert.equal(stateOf(again), 'new')
})

test('rows of other pages lose what they said about a forgotten one', async (t) => {
  const dir = testFolder(t)
  await makeSample(dir)
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  const { simhash } = collection.page(JOHN)!
  await forgetPages(collection, GONE, AT + 1_000)
  const { redirectTo, canonical, nearDuplicateOf } = collection.page(MOVED)!
  assert.deepEqual([redirectTo, canonical, nearDuplicateOf], [undefined, undefined, undefined])
  assert.deepEqual(collection.links(HOME), [{ to: COPY, anchor: 'page 2' }])
  assert.deepEqual(collection.links(JOHN), [])
  assert.deepEqual([...collection.linksIn(JOHN)], [])
  assert.equal(collection.nearDuplicate(simhash!, HOME), undefined)
  assert.deepEqual(collection.fact(FACTS.seeds), ['https://a.example/', 'forgotten:1', 'https://b.example/other-home'])
  assert.deepEqual(collection.fact(FACTS.moved), ['https://a.example/copy'])
  assert.deepEqual(collection.fact(FACTS.forgettings), [{ at: AT + 1_000, pages: 2, sites: 0 }])
  // The id stays taken, and says whose it was no more.
  assert.deepEqual(collection.text(JOHN), { site: 0, path: '', parent: HOME })
  assert.equal(collection.text(JOHN + 1).path, PATHS[JOHN + 1])
})

test('a body that others refer to goes to the first of them, and the rest refer to that one', async (t) => {
  const dir = testFolder(t)
  await makeSample(dir)
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  const { digest } = collection.page(ORIGINAL)!
  await forgetPages(collection, [ORIGINAL], AT + 1_000)
  const records = collection.warcPaths.flatMap((path) => [...readWarc(readFileSync(path), 0, { verify: true })])
  const story = records.flatMap((item) => {
    if (item.kind !== 'record' || warcField(item.record, 'WARC-Payload-Digest') !== digest) return []
    const refersTo = warcField(item.record, 'WARC-Refers-To-Target-URI')
    return [[warcType(item.record), warcTarget(item.record), refersTo, warcField(item.record, 'WARC-Refers-To-Date')]]
  })
  const date = new Date(AT + MIRROR).toISOString()
  assert.deepEqual(story, [
    ['response', 'https://a.example/mirror/1', undefined, undefined],
    ['revisit', 'https://a.example/mirror/2', 'https://a.example/mirror/1', date],
    ['revisit', 'https://b.example/other-page', 'https://a.example/mirror/1', date],
  ])
  for (const page of [MIRROR, MIRROR2, OTHER_PAGE]) assert.equal(textOf(collection, page), SHARED)
  const { url, at, ...place } = collection.body(digest!)!
  assert.deepEqual([url, at], ['https://a.example/mirror/1', AT + MIRROR])
  assert.deepEqual(place, collection.page(MIRROR2)!.body)
  // Forgetting the heir as well passes the body on once more, and forgetting all of them ends it.
  await forgetPages(collection, [MIRROR], AT + 2_000)
  assert.equal(textOf(collection, MIRROR2), SHARED)
  await forgetPages(collection, [MIRROR2, OTHER_PAGE], AT + 3_000)
  assert.equal(collection.body(digest!), undefined)
  assert.deepEqual(filesWith(dir, SHARED), [])
  await readClean(collection)
})

test('crawling goes on after forgetting: the same file grows on, and what was forgotten stays so', async (t) => {
  const dir = testFolder(t)
  await makeSample(dir)
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  await forgetPages(collection, GONE, AT + 1_000)
  const crawl = new SampleCrawl(collection, ['https://a.example', 'https://b.example'], PATHS.length)
  const page = crawl.offer('/new')
  crawl.visit({ page, at: AT + 2_000, body: '<p>new</p>' })
  crawl.visit({ page: crawl.offer('/new/mirror'), at: AT + 2_001, body: SHARED })
  await crawl.commit()
  assert.equal(textOf(collection, page), '<p>new</p>')
  assert.equal(textOf(collection, page + 1), SHARED)
  assert.equal(stateOf(collection), 'new')
  await readClean(collection)
})

test('a site is forgotten with all its pages and its robots.txt, and is named as one to stay away from', async (t) => {
  const dir = testFolder(t)
  await makeSample(dir)
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  const site = collection.findSite('https://b.example')!
  assert.equal((await forgetSite(collection, site, AT + 1_000)).pages, 2)
  for (const words of ['/other-home', '/other-page', '/other-admin', 'another site'])
    assert.deepEqual(filesWith(dir, words), [], words)
  assert.deepEqual([collection.page(OTHER_SITE), collection.page(OTHER_PAGE)], [undefined, undefined])
  assert.deepEqual([...forgottenSites(collection)], ['https://b.example'])
  assert.equal(collection.robots(site), undefined)
  assert.deepEqual([collection.cooperation(site), collection.cooperation(0)], [undefined, { site: 0 }])
  assert.deepEqual([collection.freshness(OTHER_PAGE), collection.freshness(HOME)?.[0]], [undefined, HOME])
  assert.equal(Buffer.from(collection.robots(0)!.body).toString(), 'User-agent: *')
  assert.deepEqual(collection.fact(FACTS.seeds), [
    'https://a.example/',
    'https://a.example/secret/john-doe',
    'forgotten:2',
  ])
  assert.equal(textOf(collection, MIRROR), SHARED)
  // Twice is harmless, and keeps the first one's word.
  await forgetSite(collection, 0, AT + 2_000)
  await forgetSite(collection, site, AT + 3_000)
  assert.deepEqual([...forgottenSites(collection)], ['https://b.example', 'https://a.example'])
  assert.deepEqual([...collection.pages()], [])
})

test('what the frontier says takes effect in the same step, and a URL never seen before leaves no trace of itself', async (t) => {
  const dir = testFolder(t)
  await makeSample(dir)
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  const crawl = new SampleCrawl(collection, ['https://a.example', 'https://b.example'], PATHS.length)
  const page = crawl.offer('/never/fetch/this')
  const before = [...collection.pageLog()].length
  await forgetPages(collection, [page], AT, { frontier: crawl.drain() })
  assert.equal([...collection.pageLog()].length, before + 1)
  // What is committed afterwards comes behind it, and not in its place.
  const told = [...collection.pageLog()].map(String)
  await collection.commit(crawl.drain())
  assert.deepEqual([...collection.pageLog()].map(String).slice(0, -1), told)
  assert.deepEqual(collection.text(page), { site: 0, path: '', parent: 0xffffffff })
  assert.deepEqual(filesWith(dir, '/never/fetch/this'), [])
})

test('visits that are not committed yet must be, before anything is forgotten', async (t) => {
  await using collection = await Collection.open(testFolder(t), AT, { minFreeBytes: 0 })
  const crawl = new SampleCrawl(collection)
  const page = crawl.offer('/')
  await crawl.commit()
  crawl.visit({ page, at: AT, body: 'x' })
  await assert.rejects(forgetPages(collection, [0], AT), /commit before/)
  await crawl.commit()
  await forgetPages(collection, [0], AT)
  assert.equal(collection.page(0), undefined)
})

test('too little room for the copy is said before anything is written', async (t) => {
  const dir = testFolder(t)
  await makeSample(dir)
  await using collection = await Collection.open(dir, AT, { minFreeBytes: 2 ** 60 })
  const before = readdirSync(dir, { recursive: true }).map(String).toSorted()
  await assert.rejects(forgetPages(collection, GONE, AT), { code: 'DISK_FULL' })
  assert.deepEqual(readdirSync(dir, { recursive: true }).map(String).toSorted(), before)
})

test('a WARC file that cannot be read is not rewritten', async (t) => {
  const dir = testFolder(t)
  await makeSample(dir)
  const collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
  const { file, offset } = [...collection.captures(JOHN)][0]!.value.record!
  const path = collection.warcPaths[file]!
  const bytes = readFileSync(path)
  bytes.fill(0, offset + 20, offset + 40)
  writeFileSync(path, bytes)
  await assert.rejects(forgetPages(collection, GONE, AT), {
    code: 'COLLECTION_DAMAGED',
    message: /nothing in it can be forgotten/,
  })
  await collection.close()
  assert.ok(!readdirSync(join(dir, 'warc')).some((name) => name.includes('-r')))
})

test('killed before any step, the collection is the old one or the new one, and forgetting again completes it', async (t) => {
  const template = testFolder(t)
  await makeSample(template)
  const seen: string[] = []
  for (let step = 0; ; step++) {
    const dir = testFolder(t)
    cpSync(template, dir, { recursive: true })
    const script = join(import.meta.dirname, '../testing/forget-sample.ts')
    const { signal, status } = spawnSync(process.execPath, [script, dir, String(step)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status === 0) break
    assert.equal(signal, 'SIGKILL')
    const reader = Collection.openReadOnly(dir)
    const asLeft = stateOf(reader)
    await reader.close()
    await using collection = await Collection.open(dir, AT, { minFreeBytes: 0 })
    assert.equal(stateOf(collection), asLeft)
    const warcFiles = readdirSync(join(dir, 'warc')).length
    assert.equal(warcFiles, collection.warcPaths.length, 'the files of the other state are gone')
    assert.equal(readdirSync(join(dir, 'state')).length, 3)
    await readClean(collection)
    if (asLeft === 'new') for (const words of NEEDLES) assert.deepEqual(filesWith(dir, words), [], words)
    await forgetPages(collection, GONE, AT + 2_000)
    assert.equal(stateOf(collection), 'new')
    for (const words of NEEDLES) assert.deepEqual(filesWith(dir, words), [], words)
    seen.push(asLeft)
  }
  assert.ok(seen.length > 12, `${seen.length} steps`)
  assert.deepEqual([seen.at(0), seen.at(-1)], ['old', 'new'])
  t.diagnostic(`${seen.length} steps: ${seen.join(' ')}`)
})
