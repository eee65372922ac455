/** What a site check says of offers that are there and of no use, kind by kind: real servers, real requests. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import {
  API_CATALOG_PATH,
  changeLine,
  changesEndLine,
  OTHER_GROUP,
  writeApiCatalog,
  writeMetadataArchive,
  writeBatchPage,
  writeClosing,
  writeRobotsRdf,
} from '@comity/protocol'
import type { ApiCatalog } from '@comity/protocol'
import { checkSite } from './site-check.ts'
import type { Finding, FindingState } from './findings.ts'

const NOW = Date.UTC(2026, 10, 20)
const DAY = 86_400_000
const iso = (at: number): string => new Date(at).toISOString().slice(0, 19) + 'Z'
const PAGE = '<title>A page</title>words'

interface Document {
  readonly body: string | Uint8Array
  readonly status?: number
  readonly type?: string
  readonly fields?: Readonly<Record<string, string>>
}
type Documents = (url: string) => Readonly<Record<string, string | Uint8Array | Document>>

/** Two pages that changed a week ago, and whatever a case adds or replaces; all of it with dates and parts. */
async function serving(t: TestContext, documents: Documents): Promise<string> {
  const server = createServer((request, response) => answer(request, response, all)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const dated = { 'last-modified': new Date(NOW - 7 * DAY).toUTCString() }
  const all = new Map(
    Object.entries({ '/': { body: PAGE, fields: dated }, '/a': { body: PAGE, fields: dated }, ...documents(url) }),
  )
  t.after(() => server.close())
  return url
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  all: ReadonlyMap<string, string | Uint8Array | Document>,
): void {
  const found = all.get(request.url!.split('?', 1)[0]!)
  if (found === undefined) return void response.writeHead(404).end()
  const isBare = typeof found === 'string' || found instanceof Uint8Array
  const { body, status = 200, type, fields = {} }: Document = isBare ? { body: found } : found
  const whole = Buffer.from(body)
  if (type !== undefined) response.setHeader('content-type', type)
  for (const [name, value] of Object.entries(fields)) response.setHeader(name, value)
  if (fields['last-modified'] !== undefined && request.headers['if-modified-since'] === fields['last-modified'])
    return void response.writeHead(304).end()
  const last = Number(/^bytes=-(\d+)$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  if (last === 0 || fields['etag'] === undefined) return void response.writeHead(status).end(whole)
  response.setHeader('content-range', `bytes ${whole.length - last}-${whole.length - 1}/${whole.length}`)
  response.writeHead(206).end(whole.subarray(-last))
}

const XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"'
const md = (capability: string, more = ''): string => `<rs:md capability="${capability}" ${more}/>`
const urls = (locs: readonly string[], lastmod?: number, head = ''): string =>
  `<urlset ${XMLNS}>${head}${locs.map((loc) => `<url><loc>${loc}</loc>${lastmod === undefined ? '' : `<lastmod>${iso(lastmod)}</lastmod>`}</url>`).join('')}</urlset>`
const index = (locs: readonly string[], head = ''): string =>
  `<sitemapindex ${XMLNS}>${head}${locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`
const changes = (url: string, at: number | undefined, from = NOW - 400 * DAY): string =>
  `<urlset ${XMLNS}>${md('changelist', `from="${iso(from)}"`)}${at === undefined ? '' : `<url><loc>${url}a</loc><rs:md change="updated" datetime="${iso(at)}"/></url>`}</urlset>`

const sitemap =
  (body: (url: string) => string | Document, more: Documents = () => ({})): Documents =>
  (url) => ({ '/robots.txt': `Sitemap: ${url}s.xml\n`, '/s.xml': body(url), ...more(url) })
const archives =
  (list: string | Document, more: Documents = () => ({})): Documents =>
  (url) => ({ '/robots.txt': `Metadata: ${url}m/list.txt\n`, '/m/list.txt': list, ...more(url) })
/** By way of `.well-known/resourcesync` and a capability list. */
const capability =
  (name: string, body: (url: string) => string | Document, more: Documents = () => ({})): Documents =>
  (url) => ({
    '/.well-known/resourcesync': urls([], undefined, md('description')).replace(
      '</urlset>',
      `<url><loc>${url}c.xml</loc>${md('capabilitylist')}</url></urlset>`,
    ),
    '/c.xml': urls([], undefined, md('capabilitylist')).replace(
      '</urlset>',
      `<url><loc>${url}l.xml</loc>${md(name)}</url></urlset>`,
    ),
    '/l.xml': body(url),
    ...more(url),
  })
const catalog =
  (items: (url: string) => ApiCatalog, more: Documents = () => ({})): Documents =>
  (url) => ({
    [API_CATALOG_PATH]: { body: writeApiCatalog(url, items(url)), type: 'application/linkset+json' },
    ...more(url),
  })
const NAME = '20261101T000000Z-.0001.other.gz'
const archive = (url: string): Uint8Array =>
  writeMetadataArchive([{ url: `${url}a`, modifiedAt: NOW - 8 * DAY }], { site: url, group: OTHER_GROUP })
const NO_LINES = writeMetadataArchive([], { site: 'http://a.example/', group: OTHER_GROUP })
/** The first of its files, with so many pages in each. */
const rdf = (url: string, pages: readonly string[], partPages = 100): string =>
  writeRobotsRdf(
    pages.map((one) => ({ url: url + one, modifiedAt: NOW - 8 * DAY })),
    { base: url, firstPages: partPages, partPages },
  )[0]!.text
const zip = (entries: number): Uint8Array => {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries, 10)
  return Buffer.concat([Buffer.from('what is before'), end])
}
const zipped = (entries: number): Document => ({ body: zip(entries), fields: { etag: '"z"' } })
const packages = (kind: string, locs: readonly string[], length?: number): string =>
  `<urlset ${XMLNS}>${md(kind, `at="${iso(NOW)}"`)}${locs.map((loc) => `<url><loc>${loc}</loc><rs:md type="application/zip"${length === undefined ? '' : ` length="${length}"`}/></url>`).join('')}</urlset>`
const filterOf = (lines: readonly string[]): Documents =>
  catalog(
    (url) => ({ changes: `${url}f` }),
    () => ({ '/f': { body: lines.join(''), type: 'application/x-ndjson' } }),
  )
const batchOf = (body: (url: string) => Uint8Array | string): Documents =>
  catalog(
    (url) => ({ batch: `${url}b` }),
    (url) => ({ '/b': body(url) }),
  )
const closing = (url: string, sent: number): Uint8Array =>
  writeClosing({ sent, unchanged: 0, rest: [], refused: [] }, url, NOW)
const page = (url: string, status: number): Uint8Array =>
  writeBatchPage({ url, status, headers: [['Content-Type', 'text/html']], body: Buffer.from(PAGE) }, NOW)
const linked =
  (feed: string | Document | undefined): Documents =>
  () => ({
    '/': '<link rel="alternate" type="application/rss+xml" href="/feed.xml"><title>A</title>',
    ...(feed !== undefined && { '/feed.xml': feed }),
  })
const rss = (url: string, items: readonly string[]): string =>
  `<rss version="2.0"><channel><title>t</title>${items.map((item) => `<item><link>${url}${item}</link></item>`).join('')}</channel></rss>`
const hubbed = (more: Documents, topic = 'l.xml'): Documents =>
  catalog((url) => ({ hub: `${url}hub`, 'push-pages': `${url}${topic}` }), more)

type Case = readonly [sentence: string, about: string, state: FindingState, found: RegExp, documents: Documents]

// oxfmt-ignore
const CASES: readonly Case[] = [
  ['a sitemap that is right', 'sitemap', 'good', /^\/s\.xml: 1 page, /, sitemap((url) => urls([`${url}a`], NOW - 8 * DAY))],
  ['an empty sitemap', 'sitemap', 'wrong', /names no page/, sitemap(() => urls([]))],
  ['an index without parts', 'sitemap', 'wrong', /names no page/, sitemap(() => index([]))],
  ['an index whose part is missing', 'sitemap', 'wrong', /p\.xml: status 404/, sitemap((url) => index([`${url}p.xml`]))],
  ['an index of which more parts are missing than are asked for', 'sitemap', 'wrong', /status 404/, sitemap((url) => index(Array.from({ length: 20 }, (_, n) => `${url}${n}.xml`)))],
  ['an index whose parts stand elsewhere', 'sitemap', 'wrong', /names no page/, sitemap(() => index(['https://b.example/p.xml']))],
  ['a sitemap of the pages of another origin', 'sitemap', 'wrong', /names 2 pages, all of them of another origin/, sitemap(() => urls(['https://b.example/', 'https://b.example/a']))],
  ['a sitemap with some pages of others', 'sitemap', 'good', /1 page, 1 page of other origins, which crawlers leave out/, sitemap((url) => urls([`${url}a`, 'https://b.example/']))],
  ['a page where a sitemap should be', 'sitemap', 'wrong', /no list of pages/, sitemap(() => `<!doctype html>${PAGE}`)],
  ['a sitemap that is not there', 'sitemap', 'wrong', /status 404/, (url) => ({ '/robots.txt': `Sitemap: ${url}s.xml\n` })],
  ['a second sitemap that is not there', 'sitemap', 'wrong', /2\.xml: status 404/, (url) => ({ '/robots.txt': `Sitemap: ${url}1.xml\nSitemap: ${url}2.xml\n`, '/1.xml': urls([`${url}a`]) })],
  ['a sitemap that is not XML to its end', 'sitemap', 'wrong', /broke off/, sitemap((url) => `<urlset ${XMLNS}><url><loc>${url}a</loc></url>`)],
  ['a sitemap with addresses that are none', 'sitemap', 'wrong', /1 thing in it cannot be read: 1 bad-loc/, sitemap((url) => urls([`${url}a`, 'http://']))],
  ['a sitemap that robots.txt forbids', 'sitemap', 'wrong', /robots\.txt forbids/, (url) => ({ '/robots.txt': `User-agent: *\nDisallow: /s\nSitemap: ${url}s.xml\n`, '/s.xml': urls([`${url}a`]) })],
  ['a sitemap that is years older than the pages', 'sitemap', 'wrong', /no change after 2019-01-01, and a page has changed on 2026-11-13/, sitemap((url) => urls([`${url}a`], Date.UTC(2019, 0, 1)))],
  ['a sitemap that is as old as pages may be', 'sitemap', 'unknown', /no change after 2019-01-01: nothing here shows/, sitemap((url) => urls([`${url}a`], Date.UTC(2019, 0, 1)), () => ({ '/': PAGE, '/a': PAGE }))],
  ['a sitemap that is as old as the pages', 'sitemap', 'good', /1 page, /, sitemap((url) => urls([`${url}a`], Date.UTC(2019, 0, 1)), () => { const old = { body: PAGE, fields: { 'last-modified': new Date(Date.UTC(2018, 0, 1)).toUTCString() } }; return { '/': old, '/a': old } })],
  ['a sitemap of the future', 'sitemap', 'wrong', /still to come: 2030-01-01/, sitemap((url) => urls([`${url}a`], Date.UTC(2030, 0, 1)))],
  ['metadata archives that are right', 'metadata archives', 'good', /1 page, /, archives(NAME, (url) => ({ [`/m/${NAME}`]: archive(url) }))],
  ['metadata archives without a line', 'metadata archives', 'wrong', /names no page/, archives(NAME, () => ({ [`/m/${NAME}`]: NO_LINES }))],
  ['an archive that is not there', 'metadata archives', 'wrong', /0001\.other\.gz: status 404/, archives(NAME)],
  ['an archive that is none', 'metadata archives', 'wrong', /cut off|cannot be read/, archives(NAME, () => ({ [`/m/${NAME}`]: 'not gzip' }))],
  ['a list without archives', 'metadata archives', 'wrong', /no archive is listed/, archives('')],
  ['a list of archives that is not there', 'metadata archives', 'wrong', /status 404/, (url) => ({ '/robots.txt': `Metadata: ${url}m/list.txt\n` })],
  ['a change list that is right', 'change list', 'good', /1 page, /, capability('changelist', (url) => changes(url, NOW - 7 * DAY))],
  ['a change list that goes on where nothing is', 'change list', 'wrong', /l\.xml: its link rel="next" leads nowhere: \/n\.xml is answered with 404/, capability('changelist', (url) => changes(url, NOW - 7 * DAY).replace('<url>', `<rs:ln rel="next" href="${url}n.xml"/><url>`))],
  ['a change list that goes on where something is', 'change list', 'good', /1 page, /, capability('changelist', (url) => changes(url, NOW - 7 * DAY).replace('<url>', `<rs:ln rel="next" href="${url}n.xml"/><url>`), () => ({ '/n.xml': 'more' }))],
  ['a dump whose list of contents is not there', 'resource dump', 'wrong', /rel="contents" leads nowhere: \/1\.xml is answered with 404/, capability('resourcedump', (url) => packages('resourcedump', [`${url}1.zip`]).replace('</url>', `<rs:ln rel="contents" href="${url}1.xml"/></url>`), () => ({ '/1.zip': zipped(3) }))],
  ['a change list without a change, young', 'change list', 'good', /no change so far/, capability('changelist', (url) => changes(url, undefined, NOW - 8 * DAY))],
  ['a change list without a change for longer than a page is old', 'change list', 'wrong', /no change after 2025-10-16, and a page has changed/, capability('changelist', (url) => changes(url, undefined))],
  ['a change list that was given up years ago', 'change list', 'wrong', /no change after 2020-01-01, and a page has changed/, capability('changelist', (url) => changes(url, Date.UTC(2020, 0, 1)))],
  ['a page where a change list should be', 'change list', 'wrong', /no change list/, capability('changelist', () => PAGE)],
  ['a change list whose part is missing', 'change list', 'wrong', /status 404/, capability('changelist', (url) => index([`${url}p.xml`], md('changelist')))],
  ['a change list that is not there', 'change list', 'wrong', /status 404/, (url) => { const { '/l.xml': _, ...rest } = capability('changelist', () => '')(url); return rest }],
  ['a robots.rdf that is right', 'robots.rdf', 'good', /1 page, /, (url) => ({ '/robots.rdf': rdf(url, ['a.htm']) })],
  ['a robots.rdf without a page', 'robots.rdf', 'wrong', /names no page/, (url) => ({ '/robots.rdf': rdf(url, []) })],
  ['a robots.rdf whose part is missing', 'robots.rdf', 'wrong', /status 404/, (url) => ({ '/robots.rdf': rdf(url, ['a.htm', 'b.htm'], 1) })],
  ['a filter that is right', 'filter', 'good', /1 page, /, (url) => filterOf([changeLine({ url: `${url}a`, change: 'updated' }), changesEndLine({ token: '1', more: false })])(url)],
  ['a filter that tells of nothing', 'filter', 'wrong', /names no page/, filterOf([changesEndLine({ token: '1', more: false })])],
  ['a filter that answers with a page', 'filter', 'wrong', /broke off|cannot be read/, filterOf([PAGE])],
  ['a filter that is not there', 'filter', 'wrong', /status 404/, catalog((url) => ({ changes: `${url}f` }))],
  ['a batch that is right', 'batch', 'good', /1 page, /, batchOf((url) => Buffer.concat([page(url, 200), closing(url, 1)]))],
  ['a batch without the pages that were asked for', 'batch', 'wrong', /none of the pages/, batchOf((url) => closing(url, 0))],
  ['a batch of pages that are gone', 'batch', 'wrong', /none of the pages/, batchOf((url) => Buffer.concat([page(url, 410), closing(url, 1)]))],
  ['a batch that answers with a page', 'batch', 'wrong', /no end/, batchOf(() => PAGE)],
  ['a batch that is not there', 'batch', 'wrong', /status 404/, catalog((url) => ({ batch: `${url}b` }))],
  ['a dump that is right', 'resource dump', 'good', /bytes in 2 requests/, capability('resourcedump', (url) => packages('resourcedump', [`${url}1.zip`]), () => ({ '/1.zip': zipped(3) }))],
  ['a dump without a package', 'resource dump', 'wrong', /lists no package/, capability('resourcedump', () => packages('resourcedump', []))],
  ['a dump whose package is missing', 'resource dump', 'wrong', /1\.zip: status 404/, capability('resourcedump', (url) => packages('resourcedump', [`${url}1.zip`]))],
  ['a dump whose package is empty', 'resource dump', 'wrong', /nothing in it/, capability('resourcedump', (url) => packages('resourcedump', [`${url}1.zip`]), () => ({ '/1.zip': zipped(0) }))],
  ['a dump whose package has another length', 'resource dump', 'wrong', /36 bytes, and the list says 99/, capability('resourcedump', (url) => packages('resourcedump', [`${url}1.zip`], 99), () => ({ '/1.zip': zipped(3) }))],
  ['a dump with packages elsewhere', 'resource dump', 'wrong', /another origin/, capability('resourcedump', () => packages('resourcedump', ['https://b.example/1.zip']))],
  ['a change dump without a change', 'change dump', 'good', /no change so far/, capability('changedump', () => packages('changedump', []))],
  ['a page where a change dump should be', 'change dump', 'wrong', /no list of packages|unknown-root/, capability('changedump', () => PAGE)],
  ['a web archive that is right', 'web archive', 'good', /bytes in 1 request/, catalog((url) => ({ wacz: `${url}w.wacz` }), () => ({ '/w.wacz': zipped(4) }))],
  ['an empty web archive', 'web archive', 'wrong', /nothing in it/, catalog((url) => ({ wacz: `${url}w.wacz` }), () => ({ '/w.wacz': zipped(0) }))],
  ['a web archive that is not there', 'web archive', 'wrong', /status 404/, catalog((url) => ({ wacz: `${url}w.wacz` }))],
  ['a feed that is right', 'feed', 'good', /1 page, /, (url) => linked(rss(url, ['a']))(url)],
  ['a feed that robots.txt names is a feed, and no sitemap', 'feed', 'good', /1 page, /, sitemap((url) => rss(url, ['a']))],
  ['… and no sitemap', 'sitemap', 'missing', /not offered/, sitemap((url) => rss(url, ['a']))],
  ['a feed without an entry', 'feed', 'wrong', /names no page/, (url) => linked(rss(url, []))(url)],
  ['a feed that is not there', 'feed', 'wrong', /status 404/, linked(undefined)],
  ['a page where a feed should be', 'feed', 'wrong', /is no feed/, linked(PAGE)],
  ['no feed', 'feed', 'missing', /not offered/, () => ({})],
  ['a hub that can be subscribed to', 'push', 'good', /bytes in 2 requests/, hubbed(() => ({ '/hub': 'here', '/l.xml': 'a topic' }))],
  ['a hub that takes POST alone', 'push', 'good', /bytes in 2 requests/, hubbed(() => ({ '/hub': { body: '', status: 405 }, '/l.xml': 'a topic' }))],
  ['a hub that is not there', 'push', 'wrong', /status 404/, hubbed(() => ({ '/l.xml': 'a topic' }))],
  ['a hub whose topic is not there', 'push', 'wrong', /topic \/l\.xml: status 404/, hubbed(() => ({ '/hub': 'here' }))],
  ['a hub whose topic names another', 'push', 'wrong', /names another hub/, hubbed(() => ({ '/hub': 'here', '/l.xml': { body: 'a topic', fields: { link: '<https://b.example/hub>; rel="hub"' } } }))],
  ['a hub without a topic', 'push', 'wrong', /nothing that can be subscribed to/, catalog((url) => ({ hub: `${url}hub` }), () => ({ '/hub': 'here' }))],
  ['no hub', 'push', 'missing', /not offered/, () => ({})],
  ['a catalog that is none', 'lists of offers', 'wrong', /api-catalog: it is no set of links/, () => ({ [API_CATALOG_PATH]: { body: '{', type: 'application/linkset+json' } })],
  ['a capability list that is not there', 'lists of offers', 'wrong', /\/c\.xml: status 404/, (url) => { const { '/c.xml': _, ...rest } = capability('changelist', () => '')(url); return rest }],
  ['a description that leads nowhere', 'lists of offers', 'wrong', /leads to no offers/, () => ({ '/.well-known/resourcesync': { body: '<nothing/>', type: 'application/xml' } })],
]

for (const [sentence, about, state, found, documents] of CASES) {
  test(`${sentence}: ${about} is ${state}`, async (t) => {
    const url = await serving(t, documents)
    const { findings } = await checkSite(url, { allowPrivate: true, pauseMs: 0, now: () => NOW })
    const finding = findings.find((one) => one.about === about)
    assert.equal(finding?.state, state, told(findings))
    assert.match(finding.found, found)
    assert.equal(finding.advice === undefined, state === 'good', 'what is not good comes with what to do')
  })
}

const told = (findings: readonly Finding[]): string =>
  findings.map(({ about, state, found }) => `${state} ${about}: ${found}`).join('\n')

test('a site that answers everything with one page offers nothing, and nothing of that is wrong', async (t) => {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(PAGE)).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const { findings } = await checkSite(url, { allowPrivate: true, pauseMs: 0 })
  assert.deepEqual(
    findings.filter(({ state }) => state === 'wrong'),
    [],
    told(findings),
  )
})

test('what there was no request left for is neither good nor wrong', async (t) => {
  const url = await serving(
    t,
    sitemap((own) => urls([`${own}a`])),
  )
  const { findings } = await checkSite(url, { allowPrivate: true, pauseMs: 0, maxRequests: 5, now: () => NOW })
  assert.deepEqual(findings.find(({ about }) => about === 'sitemap')?.state, 'unknown', told(findings))
})
