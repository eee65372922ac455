import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import {
  EXCLUSION_REASONS,
  Frontier,
  WAITING,
  orderNamed,
  politeDefaults,
  reasonCode,
  reasonNamed,
} from '@comity/frontier'
import type { Prerequisite, BatchPageText } from '@comity/frontier'
import { defaultUrlRules } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { DOCUMENT_WORK } from '@comity/ingest/testing'
import { SitemapHandler } from './sitemap-handler.ts'

const origin = 'http://a.example'
const url = `${origin}/sitemap.xml`
const prerequisite: Prerequisite = { kind: 'sitemap', onBehalfOf: 0, path: '/sitemap.xml', hops: 0 }

function bench(maxKnown = 1_000): { frontier: Frontier; handler: SitemapHandler } {
  const frontier = new Frontier({
    order: orderNamed('depth'),
    politenessOf: () => politeDefaults,
    budgetOf: () => ({ maxPages: 100, maxBytes: 1e9, maxKnown }),
    maxTries: 1,
    random: () => 0,
    gates: true,
    textOf: (): BatchPageText => assert.fail('nothing is stored here'),
  })
  frontier.site(origin)
  const handler = new SitemapHandler(frontier, {
    scope: (one) => (one.includes('/out/') ? 'excluded' : undefined),
    urlRules: defaultUrlRules,
    seedOf: () => 3,
    wish: { kinds: ['page'], types: [] },
  })
  return { frontier, handler }
}
const answer = (
  body: string | Uint8Array,
  headers: HeaderList = [],
): { head: { status: number; statusText: string; headers: HeaderList }; body: Uint8Array } => ({
  head: { status: 200, statusText: 'OK', headers },
  body: Buffer.from(body),
})
const urlset = (...locs: string[]): string =>
  `<urlset>${locs.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`
const index = (...locs: string[]): string =>
  `<sitemapindex>${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`

type Came = Parameters<SitemapHandler['workOf']>[1]
const readBy = async (handler: SitemapHandler, about: Prerequisite, at: string, came: Came): Promise<number> =>
  handler.take(about, await DOCUMENT_WORK.sitemap(handler.workOf(at, came)))

test('what a sitemap lists is offered, in its own site and scope alone', async () => {
  const { frontier, handler } = bench()
  const listed = urlset(
    `${origin}/1`,
    '/2',
    `${origin}/out/3`,
    'http://b.example/4',
    'ftp://a.example/5',
    `${origin}/1`,
  )
  assert.equal(
    await readBy(handler, prerequisite, url, answer(listed)),
    3,
    'the first twice: offering again is harmless',
  )
  assert.deepEqual([frontier.count('waiting'), frontier.count('excluded'), frontier.pages.count], [2, 1, 3])
  assert.equal(frontier.findUrl('http://b.example/4'), -1)
  assert.equal(frontier.openOf(3), 2, 'they count for the start page of their site')
})

test('content codings are undone, and what a broken one still gave is read', async () => {
  const { frontier, handler } = bench()
  const packed = gzipSync(urlset(...Array.from({ length: 200 }, (_, n) => `${origin}/${n}`)))
  await readBy(handler, prerequisite, url, answer(packed, [['Content-Encoding', 'gzip']]))
  assert.equal(frontier.count('waiting'), 200)
  const { frontier: other, handler: second } = bench()
  await readBy(
    second,
    prerequisite,
    url,
    answer(packed.subarray(0, packed.length - 12), [['Content-Encoding', 'gzip']]),
  )
  assert.ok(other.count('waiting') > 0)
})

test('an index is followed, an index of indexes once more, and then no further', async () => {
  const { frontier, handler } = bench()
  await readBy(handler, prerequisite, url, answer(index(`${origin}/1.xml`)))
  await readBy(handler, { ...prerequisite, hops: 1 }, url, answer(index(`${origin}/2.xml`)))
  await readBy(handler, { ...prerequisite, hops: 2 }, url, answer(index(`${origin}/3.xml`)))
  assert.deepEqual(
    frontier.sites[0]?.prerequisites.map(({ path, hops }) => [path, hops]),
    [
      ['/1.xml', 1],
      ['/2.xml', 2],
    ],
  )
})

test('an index that names itself, or everybody, comes to an end', async () => {
  const { frontier, handler } = bench()
  for (let time = 0; time < 5; time++)
    await readBy(handler, prerequisite, url, answer(index(url, url, `${origin}/1.xml`)))
  assert.equal(frontier.sites[0]?.prerequisites.length, 2)
  await readBy(
    handler,
    prerequisite,
    url,
    answer(index(...Array.from({ length: 5_000 }, (_, n) => `${origin}/x${n}.xml`))),
  )
  assert.equal(frontier.sites[0]?.prerequisites.length, 2_000)
})

test('a site has no more URLs than its budget, however long its sitemap', async () => {
  const { frontier, handler } = bench(50)
  await readBy(handler, prerequisite, url, answer(urlset(...Array.from({ length: 500 }, (_, n) => `${origin}/${n}`))))
  assert.equal(frontier.pages.count, 50)
})

const LISTED: [sentence: string, path: string, type: string | undefined, before: string | undefined, after: string][] =
  [
    ['what is said to be a page is to be fetched', '/x', 'text/html', undefined, 'waiting'],
    ['what is said to be something else is excluded', '/x', 'image/png', undefined, 'told-type'],
    ['what is not said is taken for a page', '/x', undefined, undefined, 'waiting'],
    ['an empty type says nothing', '/x', '', undefined, 'waiting'],
    ['a name says what a list does not', '/x.png', undefined, undefined, 'type'],
    ['a list says more than a name', '/x.png', 'text/html', undefined, 'waiting'],
    ['what is out of scope stays so', '/out/x', 'image/png', undefined, 'excluded'],
    ['what waits is excluded when it is said to be something else', '/x', 'image/png', 'waiting', 'told-type'],
    ['what was excluded for its link is so for its type now', '/x', 'image/png', 'type', 'told-type'],
    ['what robots.txt forbids stays forbidden', '/x', 'image/png', 'robots', 'robots'],
    ['a site may take back what it said', '/x', 'text/html', 'told-type', 'waiting'],
    ['a list without types takes nothing back', '/x', undefined, 'told-type', 'told-type'],
    ['a start page is meant, whatever is said of it', '/x', 'image/png', 'start', 'waiting'],
  ]
for (const [sentence, path, type, before, after] of LISTED) {
  test(sentence, () => {
    const { frontier, handler } = bench()
    const found = { depth: before === 'start' ? 0 : 2, seed: 0 }
    const reason = EXCLUSION_REASONS.find((name) => name === before)
    const excluded = reason === undefined ? {} : { excluded: reasonCode(reason) }
    if (before !== undefined) frontier.offer(origin + path, { ...found, ...excluded })
    const mayVisit = handler.list(origin + path, type)
    const page = frontier.findUrl(origin + path)
    const state = frontier.pages.stateOf(page)
    assert.equal(state === WAITING ? 'waiting' : reasonNamed(frontier.pages.exclusionOf(page)), after)
    assert.equal(mayVisit, after === 'waiting' ? 1 : 0)
    assert.equal(frontier.count('waiting'), after === 'waiting' ? 1 : 0)
  })
}

test('a resource list says the type of each page', async () => {
  const { frontier, handler } = bench()
  const entry = (path: string, type: string): string =>
    `<url><loc>${origin}${path}</loc><rs:md type="${type}" length="3"/></url>`
  const list = `<urlset xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcelist"/>${[
    entry('/page', 'text/html; charset=utf-8'),
    entry('/picture', 'IMAGE/PNG'),
    entry('/nonsense', 'nonsense'),
  ].join('')}</urlset>`
  assert.equal(await readBy(handler, prerequisite, url, answer(list)), 2)
  const picture = frontier.findUrl(`${origin}/picture`)
  assert.equal(reasonNamed(frontier.pages.exclusionOf(picture)), 'told-type')
})
