/** The first copy of a site from its own web archive, where it has no dump: few requests, and never a wrong page. */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { Collection, storedContent } from '@comity/collection'
import type { CooperationRow } from '@comity/follow'
import type { CrawlOptions, CrawlSummary } from '@comity/crawler'
import type { SiteScheme } from '@comity/site'
import type { Capture } from '@comity/protocol'
import { toldTruly } from './archive-records.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite } from '../watch/cooperating-site.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'
import { page } from '../sites/small-site.ts'

/** Nothing but the catalog says that there is an archive. */
const SCHEMES: readonly SiteScheme[] = ['robots', 'catalog', 'wacz']
const COUNT = 300
const paths = Array.from({ length: COUNT }, (_, n) => `/page-${n}.html`)
/** Words that do not pack well, so that the archive is larger than what is asked for first. */
const noise = (n: number): string =>
  Array.from({ length: 120 }, (_, i) => ((n * 7919 + i * 104_729) ** 2).toString(36)).join(' ')
const PAGES: Readonly<Record<string, string>> = {
  '/': page('Home', ...paths),
  ...Object.fromEntries(paths.map((path, n) => [path, `${page(`Page ${n}`, '/')}<p>${noise(n)}`])),
}

async function heldOf(into: string): Promise<Map<string, { text: string; sources: readonly string[] }>> {
  await using collection = Collection.openReadOnly(into)
  const held = new Map<string, { text: string; sources: readonly string[] }>()
  for (const { key, value } of collection.pages()) {
    if (value.body === undefined) continue
    const content = storedContent(collection, value.body)
    assert.equal(content.kind, 'ok')
    const sources = [...collection.captures(key)].map((capture) => capture.value.source)
    held.set(new URL(collection.url(key)!).pathname, { text: Buffer.from(content.bytes).toString(), sources })
  }
  return held
}

/** However it came, everything is held as it is served. */
async function assertWhole(into: string): Promise<number> {
  const held = await heldOf(into)
  assert.deepEqual([...held.keys()].toSorted(), Object.keys(PAGES).toSorted())
  for (const [path, { text }] of held) assert.equal(text, PAGES[path], path)
  return [...held.values()].filter(({ sources }) => sources[0] === 'dump').length
}

function copy(into: string, { origin }: CooperatingSite, options: Partial<CrawlOptions> = {}): Promise<CrawlSummary> {
  return quickCrawl(into, [`${origin}/`], { dumps: true, ...options })
}

const pagesAsked = ({ asked }: CooperatingSite): number => asked.filter(({ path }) => path in PAGES).length
const isArchive = ({ url = '' }: IncomingMessage): boolean => url.endsWith('.wacz')

test('a site that has an archive and no dump is copied with a few requests, in parts, and some pages are compared', async (t) => {
  await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES })
  const into = newDirectory()
  const seen: Capture[] = []
  const summary = await copy(into, site, { hooks: { onCapture: (capture) => void seen.push(capture) } })
  // The first page came before anybody knew; the rest is in the archive.
  assert.equal(await assertWhole(into), COUNT)
  const [report] = summary.dumps
  assert.deepEqual([report?.problem, report?.pages, report?.different], [undefined, COUNT, 0])
  assert.ok(report!.checked >= 1 && report!.checked < 30)
  assert.equal(pagesAsked(site), 1 + report!.checked)
  const parts = site.asked.filter(({ path }) => path.endsWith('.wacz')).map(({ status }) => status)
  assert.ok(parts.length >= 2 && parts.every((status) => status === 206), parts.join(' '))
  assert.equal(summary.waiting, 0)
  assert.deepEqual((await toldTruly(into, seen)).get('dump'), new Set(['response']))
  t.diagnostic(
    `${summary.requests} requests for ${summary.pages} pages, ${report!.bytes} bytes in ${parts.length} parts`,
  )
})

test('a server that knows no parts sends all of it, and it is taken', async () => {
  await using site = await createCooperatingSite(PAGES, {
    schemes: SCHEMES,
    before: (request) => {
      if (isArchive(request)) withoutRange(request)
      return false
    },
  })
  const into = newDirectory()
  const summary = await copy(into, site)
  assert.equal(await assertWhole(into), COUNT)
  assert.equal(summary.dumps[0]?.problem, undefined)
  assert.deepEqual(
    site.asked.filter(({ path }) => path.endsWith('.wacz')).map(({ status }) => status),
    [200],
  )
})

function withoutRange({ rawHeaders }: IncomingMessage): void {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'range')
  if (at !== -1) rawHeaders.splice(at, 2)
}

const answer = (response: ServerResponse, status: number, body: string | Uint8Array): true => {
  response.writeHead(status, status === 206 ? { 'content-range': `bytes 0-${body.length - 1}/${body.length}` } : {})
  response.end(body)
  return true
}
const FAULTS: readonly [sentence: string, before: (request: IncomingMessage, response: ServerResponse) => boolean][] = [
  ['an archive that is missing', (request, response) => isArchive(request) && answer(response, 404, '')],
  ['one that is no ZIP', (request, response) => isArchive(request) && answer(response, 200, 'nothing of the kind')],
  [
    'one whose parts are nonsense',
    (request, response) => isArchive(request) && answer(response, 206, 'PK and no more'),
  ],
  ['one that is never sent', (request, response) => isArchive(request) && Boolean(response.destroy())],
  [
    'one that says to be larger than is let in',
    (request, response) => {
      if (!isArchive(request)) return false
      response.writeHead(200, { 'content-length': String(1 << 30) })
      response.write('PK')
      return true
    },
  ],
]
for (const [sentence, before] of FAULTS) {
  test(`${sentence} costs nothing but itself: the pages are crawled`, async () => {
    await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES, before })
    const into = newDirectory()
    const summary = await copy(into, site)
    assert.equal(await assertWhole(into), 0)
    assert.match(summary.dumps[0]?.problem ?? '', /its archive/)
    await using collection = Collection.openReadOnly(into)
    const { offers } = collection.cooperation(0) as CooperationRow
    assert.equal(offers!.offers.find(({ kind }) => kind === 'wacz')?.failures, 1)
  })
}

test('an archive that changes while it is read is left, and nothing is lost', async () => {
  let isOther = false
  const before = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!isArchive(request) || !isOther) {
      isOther ||= isArchive(request)
      return false
    }
    return answer(response, 200, 'another file')
  }
  await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES, before })
  const into = newDirectory()
  const summary = await copy(into, site)
  assert.equal(await assertWhole(into), 0)
  assert.match(summary.dumps[0]?.problem ?? '', /another file/)
})

test('where a limit leaves no room for all pages the crawl goes by its own order', async () => {
  await using site = await createCooperatingSite(PAGES, { schemes: SCHEMES })
  const into = newDirectory()
  const summary = await copy(into, site, { maxPages: 5 })
  assert.equal(summary.pages, 5)
  assert.match(summary.dumps[0]?.problem ?? '', /no room/)
})

test('a site that archives other pages than it serves is not believed: all pages are fetched', async () => {
  const served = (path: string): string => PAGES[path]!.replace('<title>', '<title>Truly ')
  await using site = await createCooperatingSite(PAGES, {
    schemes: SCHEMES,
    before: ({ url = '' }, response) => {
      if (!(url in PAGES) || url === '/') return false
      response.writeHead(200, { 'content-type': 'text/html' }).end(served(url))
      return true
    },
  })
  const into = newDirectory()
  const summary = await copy(into, site)
  assert.match(summary.dumps[0]?.problem ?? '', /other pages than it serves/)
  for (const [path, { text }] of await heldOf(into)) assert.equal(text, path === '/' ? PAGES['/'] : served(path), path)
})
