import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { Collection } from '@comity/collection'
import type { PageRow } from '@comity/collection'
import { SampleCrawl, testFolder } from '@comity/collection/testing'
import { historyOf } from './history.ts'
import { advise } from './advise.ts'
import { webOfCollection } from '../webs/graph/collection.ts'
import { reportFiles } from '../report/files.ts'

interface SamplePage {
  readonly site?: number
  /** Undefined for a start page. */
  readonly parent?: number
  readonly links?: readonly number[]
  /** When it came; pages come a second after each other when not given. `false`: it was heard of only. */
  readonly at?: number | false
  readonly extra?: Partial<PageRow>
}

const timings = { firstByteMs: 100, transferMs: 100 }
const SECOND = 1_000

async function collectionOf(t: TestContext, pages: readonly SamplePage[]): Promise<string> {
  const dir = testFolder(t)
  const sites = 1 + Math.max(0, ...pages.map(({ site = 0 }) => site))
  await using collection = await Collection.open(dir, 0)
  const crawl = new SampleCrawl(
    collection,
    Array.from({ length: sites }, (_, n) => `http://s${n}.example`),
  )
  for (const [page, { site, parent }] of pages.entries()) crawl.offer(`/${page}`, site, parent)
  for (const [page, { at = page * SECOND, links = [], extra }] of pages.entries()) {
    if (at === false) continue
    crawl.visit({
      page,
      at,
      body: `page ${page}`,
      links: links.map((to) => ({ to, anchor: '' })),
      extra: { timings, ...extra },
    })
  }
  await crawl.commit()
  return dir
}

const LEAVES = 24
const STAR = LEAVES + 1
/** A home page that links to many, the last of which all the others link to. */
const starSite: readonly SamplePage[] = [
  { links: Array.from({ length: LEAVES + 1 }, (_, n) => n + 1) },
  ...Array.from({ length: LEAVES }, () => ({ parent: 0, links: [STAR] })),
  { parent: 0, links: [0] },
]
/** A portal that links to the home pages of other sites, and those to three pages each. */
const manySites = (sites: number): SamplePage[] => [
  { links: Array.from({ length: sites - 1 }, (_, n) => 1 + 4 * n) },
  ...Array.from({ length: sites - 1 }, (_, n) => {
    const [site, home] = [n + 1, 1 + 4 * n]
    const leaf = { site, parent: home, links: [0] }
    return [{ site, parent: 0, links: [home + 1, home + 2, home + 3] }, leaf, leaf, leaf]
  }).flat(),
]

const plain = (sentences: readonly string[]): string => sentences.join('\n').replaceAll('\u00a0', ' ')

test('an order that sees whom everybody links to is advised where that pays', async (t) => {
  const { settings, sentences, result } = await advise(await collectionOf(t, starSite), { waitMs: 15_000 })
  assert.match(settings.order, /^(?:backlink|pagerank|partial)/)
  assert.match(plain(sentences), /With --order \w.* half of the importance would have been there after .* instead of /)
  assert.match(plain(sentences), /26 pages on 1 site came within 25 s/)
  assert.equal(result.figures.length, 1)
  assert.equal(result.tables.length, 1)
})

test('on one site a second visitor is of no use, and the words say why', async (t) => {
  const { settings, sentences } = await advise(await collectionOf(t, starSite), { waitMs: 15_000 })
  assert.equal(settings.robots, 1)
  assert.match(plain(sentences), /More than 1 visit at once brings nothing: there is only 1 site/)
  assert.match(plain(sentences), /What limits such a crawl is politeness/)
})

test('more visits at once than there are sites are never advised', async (t) => {
  const { settings, result } = await advise(await collectionOf(t, manySites(18)), { waitMs: 15_000 })
  assert.ok(settings.robots > 1 && settings.robots <= 18)
  const [table] = result.tables
  const visits = table!.columns.findIndex(({ label }) => label === 'r')
  assert.deepEqual(
    table!.rows.filter(([tried]) => tried === 'visits at once').map((row) => row[visits]),
    [1, 4, 16, 18],
  )
})

test('where no order is clearly better, the crawl keeps its own', async (t) => {
  const chain = Array.from({ length: 6 }, (_, n) => ({ ...(n > 0 && { parent: n - 1 }), links: n < 5 ? [n + 1] : [] }))
  const { settings, sentences } = await advise(await collectionOf(t, chain), { order: 'fifo', waitMs: 60_000 })
  assert.equal(settings.order, 'fifo')
  assert.match(plain(sentences), /Of the orders none is clearly better than the one it had/)
})

const rests: [sentence: string, waitMs: number, most: number][] = [
  ['pages a connection stay one where w leaves a site less than a second for each', 500, 1],
  ['they grow while a site still has a second for each', 15_000, 10],
  ['a long rest makes room for more', 100_000, 100],
  ['one’s own server, which needs no rest, may get as many as help', 0, 100],
]
for (const [sentence, waitMs, most] of rests) {
  test(`the rest of a site is never shortened: ${sentence}`, async (t) => {
    const { settings } = await advise(await collectionOf(t, starSite), { waitMs })
    assert.equal(settings.waitMs, waitMs)
    assert.ok(settings.pagesPerConnection <= most, `${settings.pagesPerConnection}`)
  })
}

const tiny: [sentence: string, pages: readonly SamplePage[], words: RegExp][] = [
  ['a collection of one page', [{}], /Only one page of collection has been visited/],
  ['one that knows pages and has none', [{ at: false }], /Nothing of collection has been visited yet/],
]
for (const [sentence, pages, words] of tiny) {
  test(`${sentence} gets a sensible sentence and a report without a plot`, async (t) => {
    const { sentences, settings, result } = await advise(await collectionOf(t, pages))
    assert.match(plain(sentences), words)
    assert.deepEqual(settings, { order: 'depth', waitMs: 15_000, pagesPerConnection: 1, robots: 1 })
    assert.equal(result.figures.length, 0)
    assert.ok(reportFiles([result]).has('report.html'))
  })
}

const small: [sentence: string, pages: readonly SamplePage[]][] = [
  ['two pages without a link', [{}, {}]],
  [
    'pages that all came at the same moment',
    [
      { at: 0, links: [1] },
      { at: 0, parent: 0 },
    ],
  ],
  ['nothing but redirects and errors', [{ links: [1], extra: { body: undefined } }, { extra: { body: undefined } }]],
  [
    'no timings',
    [
      { links: [1], extra: { timings: {} } },
      { parent: 0, extra: { timings: {} } },
    ],
  ],
]
for (const [sentence, pages] of small) {
  test(`${sentence}: advice in finite numbers, and a report`, async (t) => {
    const { sentences, result } = await advise(await collectionOf(t, pages))
    assert.doesNotMatch(plain(sentences), /NaN|∞|–|undefined/)
    for (const row of result.tables[0]!.rows)
      for (const cell of row) assert.ok(typeof cell !== 'number' || Number.isFinite(cell))
    assert.ok(reportFiles([result]).has('data/advice-importance.csv'))
  })
}

test('the plot begins with the crawl as it was', async (t) => {
  const dir = await collectionOf(t, [{ links: [1, 2] }, { parent: 0, at: 4 * SECOND }, { parent: 0, at: 9 * SECOND }])
  const [figure] = (await advise(dir)).result.figures
  const [real] = figure!.series
  assert.equal(real!.name, 'the crawl as it was')
  const perSecond = figure!.x.unit === 's' ? 1 : 60
  assert.deepEqual(
    real!.points.map(({ x }) => Math.round(x * perSecond)),
    [0, 0, 4, 9],
  )
  assert.ok(Math.abs(real!.points.at(-1)!.y - 1) < 1e-9)
})

test('the same collection gives the same advice', async (t) => {
  const dir = await collectionOf(t, manySites(5))
  assert.deepEqual(await advise(dir), await advise(dir))
})

test('progress is told, each replay once, and an abort ends the work', async (t) => {
  const dir = await collectionOf(t, manySites(5))
  const told: string[] = []
  await advise(dir, {}, { onPart: (what) => void told.push(what) })
  assert.equal(new Set(told).size, told.length)
  const signal = AbortSignal.abort()
  await assert.rejects(advise(dir, {}, { signal }), { name: 'AbortError' })
})

test('a history has the first visit of each page, without its pauses, and how visits followed each other', async (t) => {
  const day = 86_400 * SECOND
  const dir = await collectionOf(t, [
    { links: [1] },
    { parent: 0, at: 2 * SECOND },
    { parent: 1, at: day },
    { site: 1, at: day + 6 * SECOND, extra: { body: undefined, status: 404 } },
  ])
  const { cameAt, hasContent, pauses, paceMs } = await historyOf(dir, await webOfCollection(dir))
  assert.deepEqual([...cameAt], [0, 2 * SECOND, 2 * SECOND, 8 * SECOND])
  assert.deepEqual([...hasContent], [1, 1, 1, 0])
  assert.deepEqual([pauses, paceMs], [1, SECOND])
})

test('what is left out or cut out stands in the notes', async (t) => {
  const day = 86_400 * SECOND
  const dir = await collectionOf(t, [
    { links: [1] },
    { parent: 0, extra: { body: undefined, status: 404 } },
    { parent: 0, at: day },
  ])
  const notes = plain((await advise(dir)).result.notes)
  assert.match(notes, /1 address brought no page/)
  assert.match(notes, /1 page counted as known from the start/)
  assert.match(notes, /1 pause of more than 60 min left out/)
})

const senseless: [name: string, settings: Parameters<typeof advise>[1], words: RegExp][] = [
  ['an order that is none', { order: 'fastest' }, /there is no order "fastest"/],
  ['no visits', { robots: 0 }, /robots is 0; 1 is the least/],
  ['half a page', { pagesPerConnection: 0.5 }, /pagesPerConnection is 0.5/],
  ['a rest below nothing', { waitMs: -1 }, /waitMs is -1/],
  ['no link', { bandwidth: 0 }, /is no link/],
]
for (const [name, settings, words] of senseless) {
  test(`${name} is refused before anything is read`, () => assert.rejects(advise('/nowhere', settings), words))
}

test('where there is no collection the error says so', () =>
  assert.rejects(advise('/nowhere/at/all'), { code: 'COLLECTION_MISSING' }))
