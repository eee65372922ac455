/** The first copy of a site from its own dump: few requests, the same pages, and never a wrong one, whatever the dump holds. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { Collection, storedContent } from '@comity/collection'
import type { CrawlOptions, CrawlSummary } from '@comity/crawler'
import type { Capture } from '@comity/protocol'
import type { SiteScheme } from '@comity/site'
import { toldTruly } from './archive-records.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite, CooperatingSiteOptions } from '../watch/cooperating-site.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'
import { ZIP, createDumpingSite, manifestOf, zipOf } from './dumping-site.ts'
import type { Dumped } from './dumping-site.ts'
import { createSmallSite, page } from '../sites/small-site.ts'

const SCHEMES: readonly SiteScheme[] = ['robots', 'archives', 'resourcesync', 'dump', 'sitemap']
const COUNT = 40
const paths = Array.from({ length: COUNT }, (_, n) => `/page-${n}.html`)
const textOf = (path: string): string => `${page(`Page ${path}`, '/')}<p>${`words of ${path} `.repeat(50)}`
const PAGES: Readonly<Record<string, string>> = {
  '/': page('Home', ...paths),
  ...Object.fromEntries(paths.map((path) => [path, textOf(path)])),
}

interface Held {
  readonly text: string
  readonly captures: readonly string[]
}

async function heldOf(into: string): Promise<Map<string, Held>> {
  await using collection = Collection.openReadOnly(into)
  const held = new Map<string, Held>()
  for (const { key, value } of collection.pages()) {
    if (value.body === undefined) continue
    const content = storedContent(collection, value.body)
    assert.equal(content.kind, 'ok')
    const captures = [...collection.captures(key)].map(({ value: { source, scheme } }) =>
      `${source} ${scheme ?? ''}`.trim(),
    )
    held.set(new URL(collection.url(key)!).pathname, { text: Buffer.from(content.bytes).toString(), captures })
  }
  return held
}

/** However it came, everything is held as it is served. */
async function assertWhole(into: string, pages: Readonly<Record<string, string>> = PAGES): Promise<Map<string, Held>> {
  const held = await heldOf(into)
  assert.deepEqual([...held.keys()].toSorted(), Object.keys(pages).toSorted())
  for (const [path, { text }] of held) assert.equal(text, pages[path], path)
  return held
}

function crawlDump(into: string, origin: string, options: Partial<CrawlOptions> = {}): Promise<CrawlSummary> {
  return quickCrawl(into, [`${origin}/`], { dumps: true, ...options })
}

const pagesAsked = ({ asked }: Pick<CooperatingSite, 'asked'>): string[] =>
  asked.map(({ path }) => path).filter((path) => path in PAGES)

test('a site that offers a dump is copied with a few requests; three in a hundred pages are fetched to be compared', async (t) => {
  await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES })
  const into = newDirectory()
  const seen: Capture[] = []
  const summary = await crawlDump(into, site.origin, { hooks: { onCapture: (capture) => void seen.push(capture) } })
  const held = await assertWhole(into)
  const [report] = summary.dumps
  assert.equal(report?.problem, undefined)
  assert.equal(report?.pages, COUNT + 1)
  assert.ok(report.checked >= 1 && report.checked < 10)
  assert.equal(report.different, 0)
  assert.equal(pagesAsked(site).length, report.checked)
  assert.ok([...held.values()].every(({ captures }) => captures[0] === 'dump dump'))
  assert.equal(seen.filter(({ source }) => source === 'dump').length, COUNT + 1)
  assert.equal(summary.waiting, 0)
  assert.deepEqual((await toldTruly(into, seen)).get('dump'), new Set(['resource']))
  t.diagnostic(`${summary.requests} requests for ${summary.pages} pages, ${report.bytes} bytes`)
})

test('pages that are held are not taken again, and a site that is held is not asked for its dump', async () => {
  await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const before = site.asked.length
  await crawlDump(into, site.origin)
  assert.equal(site.asked.length, before)
})

test('links out of a dump are followed, and what robots.txt or the scope leaves out is not taken', async () => {
  await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES })
  const into = newDirectory()
  const summary = await crawlDump(into, site.origin, { exclude: ['*/page-1*'] })
  const kept = Object.fromEntries(Object.entries(PAGES).filter(([path]) => !path.startsWith('/page-1')))
  await assertWhole(into, kept)
  assert.equal(summary.outside['excluded'] ?? summary.outside['exclude'], 11)
})

test('where a limit leaves no room for all pages the crawl goes by its own order', async () => {
  await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES })
  const into = newDirectory()
  const summary = await crawlDump(into, site.origin, { maxPages: 5 })
  assert.equal(summary.pages, 5)
  assert.match(summary.dumps[0]?.problem ?? '', /no room/)
  assert.ok((await heldOf(into)).has('/'))
})

test('a site that shows no sign of offering anything is asked for nothing but its pages', async () => {
  await using site = await createSmallSite({ '/': page('Home', '/a'), '/a': page('A') })
  await quickCrawl(newDirectory(), [`${site.origin}/`], { dumps: true })
  assert.deepEqual(site.paths, ['/', '/a'])
})

// ── faults ───────────────────────────────────────────────────────────────────────────────────────────────────

const FAULTS: readonly [sentence: string, spoil: NonNullable<CooperatingSiteOptions['before']>][] = [
  ['a package that is missing', ({ url = '' }, response) => url.endsWith('.zip') && gone(response)],
  ['a list that is missing', ({ url = '' }, response) => url === '/metadata/resourcedump.xml' && gone(response)],
  [
    'a package that is no ZIP',
    ({ url = '' }, response) => url.endsWith('.zip') && sent(response, Buffer.from('PK but no more')),
  ],
]
function gone(response: { writeHead(status: number): { end(): unknown } }): true {
  response.writeHead(404).end()
  return true
}
function sent(response: { end(body: Uint8Array): unknown }, body: Uint8Array): true {
  response.end(body)
  return true
}
for (const [sentence, before] of FAULTS) {
  test(`${sentence} costs nothing but itself: the pages are crawled`, async () => {
    await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES, before })
    const into = newDirectory()
    const summary = await crawlDump(into, site.origin)
    await assertWhole(into)
    assert.equal(summary.dumps[0]?.pages ?? 0, 0)
  })
}

test('a site that dumps other pages than it serves is not believed: all pages are fetched', async () => {
  const before: CooperatingSiteOptions['before'] = ({ url = '' }, response) => {
    if (!(url in PAGES)) return false
    response.writeHead(200, { 'content-type': 'text/html', 'last-modified': new Date(0).toUTCString() })
    response.end(served(url))
    return true
  }
  const served = (path: string): string => PAGES[path]!.replace('<title>', '<title>Truly ')
  await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES, before })
  const into = newDirectory()
  const summary = await crawlDump(into, site.origin)
  assert.match(summary.dumps[0]?.problem ?? '', /other pages than it serves/)
  await assertWhole(into, Object.fromEntries(Object.keys(PAGES).map((path) => [path, served(path)])))
  // Not even the next time somebody begins anew with this collection.
  await using collection = Collection.openReadOnly(into)
  const offers = (collection.cooperation(0) as { offers: { offers: { kind: string; failures: number }[] } }).offers
  assert.equal(offers.offers.find(({ kind }) => kind === 'dump')?.failures, 1)
})

// ── dumps of strangers ───────────────────────────────────────────────────────────────────────────────────────

/** All pages as they are, but for those given. */
function everything(...instead: readonly Dumped[]): Dumped[] {
  const pages = Object.entries(PAGES).map(([path, body]): Dumped => ({ path, body }))
  return pages.map((one) => instead.find(({ path }) => path === one.path) ?? one)
}

test('a dump of a stranger is taken as ours is', async () => {
  await using site = await createDumpingSite(PAGES, () => everything())
  const into = newDirectory()
  const summary = await crawlDump(into, site.origin)
  await assertWhole(into)
  assert.equal(summary.dumps[0]?.pages, COUNT + 1)
})

test('a page that is not what its digest says is not taken, but fetched', async () => {
  const wrong = { digest: `sha-256:${hash('sha256', 'something else')}` }
  await using site = await createDumpingSite(PAGES, () =>
    everything({ path: '/page-7.html', body: textOf('/page-8.html'), facts: wrong }),
  )
  const into = newDirectory()
  const summary = await crawlDump(into, site.origin)
  const held = await assertWhole(into)
  assert.deepEqual(held.get('/page-7.html')?.captures, ['crawl'])
  assert.equal(summary.dumps[0]?.pages, COUNT)
  assert.match(summary.dumps[0]?.problem ?? '', /1 of its pages/)
})

test('pages of other sites are not taken from a dump', async () => {
  await using other = await createSmallSite({ '/': page('Other'), '/page-1.html': page('Truly other') }, '127.0.50.2')
  await using site = await createDumpingSite(PAGES, () => [
    ...everything(),
    { path: '/x', body: page('Planted'), facts: { url: `${other.origin}/page-1.html` } },
    { path: '/y', body: page('Planted'), facts: { url: 'https://bank.example/' } },
  ])
  const into = newDirectory()
  const summary = await crawlDump(into, site.origin, { scope: 'any', doNotCrawl: ['bank.example'] })
  await assertWhole(into)
  assert.equal(summary.dumps[0]?.pages, COUNT + 1)
  assert.equal(summary.known, COUNT + 1)
})

test('a package that unpacks to far more than it says, or says more than is let in, is left packed', async () => {
  const bomb = deflateRawSync(Buffer.alloc(64 << 20), { level: 9 })
  const [said, honest] = [2_000, 64 << 20]
  for (const bytes of [said, honest]) {
    await using site = await createDumpingSite(PAGES, () =>
      everything({
        path: '/page-3.html',
        body: PAGES['/page-3.html']!,
        packed: { data: bomb, bytes },
        facts: { bytes },
      }),
    )
    const into = newDirectory()
    const summary = await crawlDump(into, site.origin)
    await assertWhole(into)
    assert.equal(summary.dumps[0]?.pages, COUNT)
  }
})

test('a package that breaks off is gone on with; one that always does is given up for its pages', async () => {
  for (const isHopeless of [false, true]) {
    const ranges: string[] = []
    await using site = await createDumpingSite(PAGES, () => everything(), {
      '/dump.zip': ({ headers }, origin) => {
        const whole = zipOf(everything(), manifestOf(origin, everything()))
        const from = Number(/bytes=(\d+)-/.exec(String(headers['range']))?.[1] ?? 0)
        ranges.push(headers['range'] ?? 'all')
        const isCut = isHopeless || from < 20_000
        const body = isCut ? whole.subarray(from, from + 15_000) : whole.subarray(from)
        const range = `bytes ${from}-${whole.length - 1}/${whole.length}`
        const length = String(whole.length - from)
        return {
          status: from === 0 ? 200 : 206,
          headers: {
            ...ZIP,
            'content-length': length,
            connection: 'close',
            ...(from === 0 ? {} : { 'content-range': range }),
          },
          body: isHopeless && from > 0 ? '' : body,
        }
      },
    })
    const into = newDirectory()
    const summary = await crawlDump(into, site.origin)
    await assertWhole(into)
    assert.equal(summary.dumps[0]?.pages, isHopeless ? 0 : COUNT + 1)
    if (!isHopeless) assert.deepEqual(ranges.slice(0, 3), ['all', 'bytes=15000-', 'bytes=30000-'])
  }
})
