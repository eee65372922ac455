import assert from 'node:assert/strict'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection, deadLetters, retryLetters } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import type { SampleVisit } from '@comity/collection/testing'
import { IndexWriter, readPageValues } from '@comity/index'
import type { IndexDocument } from '@comity/index'
import { indexContents, pathsFound } from '../testing/index-fixture.ts'
import { IndexUpdater } from './index-updater.ts'
import type { IndexUpdaterReport } from './index-updater.ts'

const AT = Date.UTC(2026, 10, 14)

/** Each page links to three others, and has its own name for each. */
const linksOf = (page: number): { to: number; anchor: string }[] =>
  [1, 7, 11].map((step) => ({ to: (page + step) % 30, anchor: `name${(page + step) % 30} by${step}` }))

interface Sample {
  readonly dir: string
  readonly collection: Collection
  readonly crawl: SampleCrawl
  /** Visit and commit. */
  readonly put: (...visits: Omit<SampleVisit, 'at'>[]) => Promise<void>
}

/** A collection that knows some pages, /0, /1 …, and has visited none. */
async function sample(t: TestContext, pages = 10): Promise<Sample> {
  const dir = testFolder(t)
  const collection = await Collection.open(dir, AT)
  t.after(() => collection.close())
  const crawl = new SampleCrawl(collection)
  for (let page = 0; page < pages; page++) crawl.offer(`/${page}`)
  let at = AT
  const put = async (...visits: Omit<SampleVisit, 'at'>[]): Promise<void> => {
    for (const visit of visits) crawl.visit({ at: at++, ...visit })
    await crawl.commit()
  }
  return { dir, collection, crawl, put }
}

test('what was committed can be found, and the index remembers how far it has come', async (t) => {
  const { dir, collection, put } = await sample(t)
  await put({ page: 0, body: '<title>Otters</title><h1>Swimming</h1>in rivers' }, { page: 1, body: 'badgers dig' })
  {
    await using feed = new IndexUpdater(collection)
    assert.equal(await feed.catchUp(), true)
    assert.deepEqual(feed.report, { position: 1, pages: 2, searchable: 2, readBack: 2, unread: {} })
    assert.equal(await feed.catchUp(), false)
  }
  for (const query of ['otters', 'title:otters', 'heading:swimming', '"in rivers"'])
    assert.deepEqual(await pathsFound(dir, query), ['/0'], query)
  await put({ page: 2, body: 'foxes' })
  await using feed = new IndexUpdater(collection)
  assert.equal(feed.report.position, 1)
  await feed.catchUp()
  assert.deepEqual(feed.report, { position: 2, pages: 1, searchable: 1, readBack: 1, unread: {} })
  assert.deepEqual(await pathsFound(dir, 'foxes OR badgers'), ['/2', '/1'])
})

test('a page that changed has its new words only; one that is gone, moved or asks for it has none', async (t) => {
  const { dir, collection, put } = await sample(t)
  const old = 'antiquated words'
  await put(...[0, 1, 2, 3].map((page) => ({ page, body: `${old} of number${page}` })))
  await using feed = new IndexUpdater(collection)
  await feed.catchUp()
  assert.equal((await pathsFound(dir, 'antiquated')).length, 4)
  await put(
    { page: 0, body: 'novel words' },
    { page: 1, body: 'not here', extra: { status: 404, outcome: 'client-error' } },
    { page: 2, body: '', extra: { status: 301, redirectTo: 'https://a.example/0' } },
    { page: 3, body: 'hidden words', extra: { noindex: true } },
  )
  await feed.catchUp()
  assert.deepEqual(await pathsFound(dir, 'antiquated'), [])
  assert.deepEqual(await pathsFound(dir, 'words'), ['/0'])
  assert.deepEqual([...indexContents(dir).documents.keys()], [0])
  await put({ page: 3, body: 'hidden words' })
  await feed.catchUp()
  assert.deepEqual(await pathsFound(dir, 'hidden'), ['/3'], 'it may be found again')
})

test('a page is found by what links call it, also when they came later or after a restart', async (t) => {
  const { dir, collection, put } = await sample(t)
  await put({ page: 1, body: 'a page of few words' })
  {
    await using feed = new IndexUpdater(collection)
    await feed.catchUp()
    await put({ page: 0, body: 'linking', links: [{ to: 1, anchor: 'marmalade recipe' }] })
    await feed.catchUp()
    while (await feed.step()) continue
    await feed.catchUp()
    assert.deepEqual(await pathsFound(dir, 'anchor:marmalade'), ['/1'])
  }
  await put({ page: 2, body: 'linking too', links: [{ to: 1, anchor: 'preserved oranges' }] })
  await using feed = new IndexUpdater(collection)
  await feed.finish()
  assert.deepEqual(await pathsFound(dir, 'anchor:oranges'), ['/1'])
  assert.deepEqual(await pathsFound(dir, 'anchor:marmalade'), ['/1'])
  await put({ page: 0, body: 'changed its mind', links: [{ to: 1, anchor: 'jam' }] })
  await using later = new IndexUpdater(collection)
  await later.finish()
  assert.deepEqual([await pathsFound(dir, 'anchor:jam'), await pathsFound(dir, 'anchor:marmalade')], [['/1'], []])
})

test('whenever a feed is cut short, the next one makes the index that one made anew would be', async (t) => {
  const { dir, collection, put } = await sample(t, 30)
  for (let first = 0; first < 30; first += 3) {
    await put(...[0, 1, 2].map((i) => ({ page: first + i, body: `body${first + i}`, links: linksOf(first + i) })))
    // Every third is left as a kill would leave it; others end well, but before everything is in order.
    const feed = new IndexUpdater(collection, { commitEveryMs: 0 })
    await feed.catchUp()
    if (first % 2 === 0) await feed.step()
    if (first % 3 > 0) await feed[Symbol.asyncDispose]()
  }
  {
    await using feed = new IndexUpdater(collection)
    await feed.finish()
  }
  const grown = indexContents(dir)
  assert.equal(grown.documents.size, 30)
  for (const name of readdirSync(join(dir, 'index'))) rmSync(join(dir, 'index', name))
  await using anew = new IndexUpdater(collection)
  await anew.finish()
  anew.mergeAll()
  assert.deepEqual(indexContents(dir), grown)
})

test('a kill after importance was made leaves no page that is called otherwise', async (t) => {
  const { dir, collection, put } = await sample(t)
  await put({ page: 0, body: 'home' })
  {
    await using feed = new IndexUpdater(collection)
    await feed.finish()
  }
  // Commits take long, and so they are rare.
  let clock = 0
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the writer that it is of.
  const { commit } = IndexWriter.prototype
  t.mock.method(IndexWriter.prototype, 'commit', function slowly(this: IndexWriter, position: number) {
    clock += 1_000
    return commit.call(this, position)
  })
  const killed = new IndexUpdater(collection, { commitEveryMs: 1_000_000, now: () => clock })
  await put({ page: 1, body: 'one', links: [{ to: 0, anchor: 'jam' }] })
  await killed.catchUp()
  for (let steps = 0; steps < 10; steps++) await killed.step()
  await put({ page: 2, body: 'two' })
  await killed.takeIn()
  // Importance, as many pages are new; before what was indexed again is committed.
  await killed.step()
  await using feed = new IndexUpdater(collection)
  await feed.finish()
  assert.deepEqual(await pathsFound(dir, 'anchor:jam'), ['/0'])
})

test('a finish that has nothing to do writes no segment', async (t) => {
  const { dir, collection, put } = await sample(t)
  await put({ page: 0, body: 'home', links: [{ to: 1, anchor: 'one' }] }, { page: 1, body: 'child' })
  for (let time = 0; time < 2; time++) {
    await using feed = new IndexUpdater(collection)
    await feed.finish()
  }
  const before = readFileSync(join(dir, 'index', 'index.json'), 'utf8')
  await using feed = new IndexUpdater(collection)
  await feed.finish()
  assert.equal(readFileSync(join(dir, 'index', 'index.json'), 'utf8'), before)
})

test('what was read for longer than the limit becomes searchable before the rest is read', async (t) => {
  const { collection, put } = await sample(t)
  for (let page = 0; page < 6; page++) await put({ page, body: `page ${page}` })
  let now = 0
  await using feed = new IndexUpdater(collection, { commitEveryMs: 25, now: () => (now += 10) })
  const commits: IndexUpdaterReport[] = []
  await feed.catchUp((report) => commits.push(report))
  assert.ok(commits.length >= 2, `${commits.length} commits`)
  assert.deepEqual(
    commits.map(({ position, pages }) => position === pages),
    commits.map(() => true),
  )
  assert.equal(commits.at(-1)?.position, 6)
})

test('where much comes, pages wait for more, but not for long and never many of them', async (t) => {
  const { collection, put } = await sample(t)
  let now = 0
  await using feed = new IndexUpdater(collection, { commitEveryMs: 1_000, maxHeldPages: 3, now: () => now })
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the writer it was called on.
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the writer that it is of.
  const { commit } = IndexWriter.prototype
  const slow = t.mock.method(IndexWriter.prototype, 'commit', function (this: IndexWriter, position: number) {
    now += 40
    Reflect.apply(commit, this, [position])
  })
  await put({ page: 0, body: 'the first' })
  await feed.takeIn()
  assert.deepEqual([feed.report.searchable, feed.dueAt], [1, Infinity], 'nothing was written for long')
  await put({ page: 1, body: 'the second' })
  await feed.takeIn()
  assert.deepEqual([feed.report.searchable, feed.dueAt], [1, 440], 'ten times what the last commit took')
  await put({ page: 2, body: 'a third' }, { page: 3, body: 'a fourth' })
  await feed.takeIn()
  assert.deepEqual([feed.report.searchable, slow.mock.callCount()], [4, 2], 'three are enough')
  await put({ page: 4, body: 'a fifth' })
  await feed.takeIn()
  now = feed.dueAt
  while (await feed.step()) continue
  assert.equal(feed.report.searchable, 5, 'its time has come')
})

test('importance is made when there are many more pages, and at the end', async (t) => {
  const { dir, collection, put } = await sample(t)
  await put({ page: 0, body: 'home', links: [1, 2].map((to) => ({ to, anchor: 'x' })) })
  await using feed = new IndexUpdater(collection)
  await feed.catchUp()
  await feed.step()
  const folder = join(dir, 'index')
  assert.equal(readPageValues(folder, 'importance').length, 3)
  await put({ page: 1, body: 'one', links: [{ to: 5, anchor: 'five' }] })
  await feed.finish()
  assert.equal(readPageValues(folder, 'importance').length, 6)
})

/** One that links to one other. */
const linking = (number: number, to: number): Omit<SampleVisit, 'at'> => ({
  page: number,
  body: `page ${number} names ${to}`,
  links: [{ to, anchor: 'x' }],
})

test('importance is made again when many pages have changed, though none has come', async (t) => {
  const { dir, collection, put } = await sample(t)
  await put(...Array.from({ length: 10 }, (_, n) => linking(n, n === 1 ? 0 : 1)))
  // Whatever is done takes some of the time.
  let now = 0
  await using feed = new IndexUpdater(collection, { now: () => now++ })
  const settle = async (): Promise<Float32Array> => {
    await feed.catchUp()
    while (await feed.step()) continue
    return readPageValues(join(dir, 'index'), 'importance')
  }
  const before = await settle()
  await put(linking(0, 2), linking(3, 2))
  assert.deepEqual(await settle(), before, 'not for a few')
  await put(linking(4, 2), linking(5, 2), linking(6, 2), linking(7, 2))
  assert.deepEqual(await settle(), before, 'not so soon')
  assert.ok(feed.waitMs! > 0)
  now += feed.waitMs!
  const after = await settle()
  assert.ok(after[2]! > 3 * before[2]!, [before, after].join(' | '))
})

test('pages that are purged leave no word behind, and the rest is as it was', async (t) => {
  const { dir, collection, put } = await sample(t)
  await put({ page: 0, body: 'confidential matters' }, { page: 1, body: 'public matters' })
  await put({ page: 2, body: 'confidential too' })
  await using feed = new IndexUpdater(collection)
  await feed.catchUp()
  feed.purge([0, 2, 9])
  const left = indexContents(dir, { withGone: true })
  assert.deepEqual([...left.documents.keys()], [1])
  assert.ok(left.postings.every((posting) => !posting.startsWith('confid')))
  const segments = readdirSync(join(dir, 'index')).filter((name) => name.endsWith('.seg'))
  assert.equal(segments.length, 1)
  assert.deepEqual(await pathsFound(dir, 'matters'), ['/1'])
})

test('a segment that cannot be merged is named, and pages go on coming in', async (t) => {
  const { dir, collection, put } = await sample(t, 40)
  const folder = join(dir, 'index')
  {
    await using feed = new IndexUpdater(collection)
    for (let page = 0; page < 12; page++) {
      await put({ page, body: `page${page} ${'lorem ipsum dolor '.repeat(20)}` })
      await feed.catchUp()
    }
  }
  // The frames of the words stand in the middle.
  const name = readdirSync(folder).find((file) => file.endsWith('.seg')) ?? ''
  const bytes = readFileSync(join(folder, name))
  bytes[Math.floor(bytes.length / 2)]! ^= 0x10
  writeFileSync(join(folder, name), bytes)
  await using feed = new IndexUpdater(collection)
  while (await feed.step()) continue
  await put({ page: 30, body: 'a newcomer' })
  await feed.finish()
  assert.ok(Object.keys(feed.report.unread).some((why) => why.includes(name) && /merge given up/.test(why)))
  assert.deepEqual(await pathsFound(dir, 'newcomer'), ['/30'])
})

test('a page that makes the indexing fail is kept aside, all others are found, and it can be tried again', async (t) => {
  const { dir, collection, put } = await sample(t)
  const links = [{ to: 2, anchor: 'the wicked one' }]
  await put(...[0, 1, 2, 3].map((page) => ({ page, body: page === 2 ? 'wicked badgers' : 'gentle badgers', links })))
  {
    await using feed = new IndexUpdater(collection)
    // oxlint-disable-next-line typescript/unbound-method -- it is called as the method that it is.
    const whole = IndexWriter.prototype.put
    const failing = t.mock.method(IndexWriter.prototype, 'put', function (this: IndexWriter, document: IndexDocument) {
      if (document.key === 2) throw new TypeError('words is not iterable')
      Reflect.apply(whole, this, [document])
    })
    await feed.catchUp()
    await put({ page: 4, body: 'it calls it otherwise', links: [{ to: 2, anchor: 'a badger' }] })
    await feed.finish()
    failing.mock.restore()
    assert.deepEqual(feed.report, {
      position: 2,
      pages: 5,
      searchable: 5,
      readBack: 5,
      unread: { 'a fault of ours: kept aside as a dead letter': 1 },
    })
  }
  assert.deepEqual((await pathsFound(dir, 'badgers')).toSorted(), ['/0', '/1', '/3'])
  const [letter, ...more] = deadLetters(dir)
  assert.deepEqual([letter?.name, letter?.kind, letter?.page, more], ['index-1', 'document', 2, []])
  retryLetters(dir, () => true)
  await using feed = new IndexUpdater(collection)
  await feed.catchUp()
  assert.deepEqual((await pathsFound(dir, 'badgers')).toSorted(), ['/0', '/1', '/2', '/3'])
  assert.deepEqual(deadLetters(dir), [])
})
