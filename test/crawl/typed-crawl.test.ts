/** A crawl for files of some types: with a list that tells types no HTML is fetched; without, pages are only a means. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Collection } from '@comity/collection'
import type { SiteScheme } from '@comity/site'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite, SitePage } from '../watch/cooperating-site.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { Route } from '../sites/small-site.ts'

const png = (name: string): SitePage => ({ type: 'image/png', body: `png ${name}` })
const pdf = (name: string): SitePage => ({ type: 'application/pdf', body: `pdf ${name}` })

const FILES: Readonly<Record<string, SitePage>> = {
  '/': page('Home', '/a.html', '/b'),
  '/a.html': page('A', '/a.png', '/paper.pdf'),
  '/b': page('B', '/b.png', '/old.doc'),
  '/a.png': png('a'),
  '/b.png': png('b'),
  '/hidden.png': png('linked from nowhere'),
  '/paper.pdf': pdf('paper'),
  '/old.doc': { type: 'application/msword', body: 'doc' },
}

const body = (file: SitePage): string => (typeof file === 'string' ? file : String(file.body))
const type = (file: SitePage): string => (typeof file === 'string' ? 'text/html' : file.type)

/** What was asked for of the site's own pages and files. */
function fetched({ asked }: Pick<CooperatingSite, 'asked'>): string[] {
  return [...new Set(asked.filter(({ method }) => method === 'GET').map(({ path }) => path))]
    .filter((path) => path in FILES)
    .toSorted()
}

async function heldOf(into: string): Promise<string[]> {
  await using collection = Collection.openReadOnly(into)
  const pages = [...collection.pages()].filter(({ value }) => value.body !== undefined)
  return pages.map(({ key }) => new URL(collection.url(key)!).pathname).toSorted()
}

const LISTINGS: readonly [sentence: string, schemes: SiteScheme[], listing: string][] = [
  ['a filter', ['robots', 'catalog', 'changes'], 'filter'],
  ['metadata archives', ['robots', 'archives'], 'metadata-archive'],
  ['a resource list', ['robots', 'resourcesync'], 'sitemap'],
  ['all schemes', ['robots', 'catalog', 'changes', 'archives', 'resourcesync', 'sitemap', 'robots-rdf'], 'filter'],
]
for (const [sentence, schemes, listing] of LISTINGS) {
  test(`with ${sentence} only files of the wanted types are fetched, and no HTML at all`, async (t) => {
    await using site = await createCooperatingSite(FILES, { schemes })
    const into = newDirectory()
    const summary = await quickCrawl(into, [`${site.origin}/`], { kinds: [], types: ['image/*', 'application/pdf'] })
    const wanted = ['/a.png', '/b.png', '/hidden.png', '/paper.pdf']
    assert.deepEqual(fetched(site), wanted)
    assert.deepEqual(await heldOf(into), wanted)
    assert.equal(summary.pages, 4)
    assert.equal(summary.waiting, 0)
    const { sites, means, files, wastedRequests } = summary.typed!
    assert.equal(sites[0]?.listing, listing)
    assert.equal(sites[0].wanted, 4)
    assert.deepEqual([means.requests, files.requests, wastedRequests], [0, 4, 0])
    t.diagnostic(`${summary.requests} requests for 4 files; asking took ${sites[0].asked.requests}`)
  })
}

test('kinds without page are looked for the same way', async () => {
  await using site = await createCooperatingSite(FILES, { schemes: ['robots', 'archives'] })
  const summary = await quickCrawl(newDirectory(), [`${site.origin}/`], { kinds: ['document'] })
  assert.deepEqual(fetched(site), ['/old.doc', '/paper.pdf'])
  assert.equal(summary.typed?.sites[0]?.listing, 'metadata-archive')
})

test('without metadata HTML is crawled to find files; it is not kept, and what it cost is told', async () => {
  await using site = await createSmallSite(
    Object.fromEntries(
      Object.entries(FILES).map(([path, file]) => [
        path,
        { headers: { 'content-type': type(file) }, body: body(file) },
      ]),
    ),
  )
  const into = newDirectory()
  const summary = await quickCrawl(into, [`${site.origin}/`], { kinds: [], types: ['image/*', 'application/pdf'] })
  const found = ['/a.png', '/b.png', '/paper.pdf']
  assert.deepEqual(await heldOf(into), found)
  assert.equal(summary.pages, 3)
  assert.ok(!site.paths.includes('/old.doc'), 'what its ending says is unwanted is not asked for')
  const typed = summary.typed!
  assert.equal(typed.sites[0]?.listing, undefined)
  const pages = ['/', '/a.html', '/b']
  const bytes = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + body(FILES[path]!).length, 0)
  assert.deepEqual(typed.means, { requests: 3, bytes: bytes(pages) })
  assert.deepEqual(typed.files, { requests: 3, bytes: bytes(found) })
  assert.equal(typed.wastedRequests, 3 / summary.requests)
  await using collection = Collection.openReadOnly(into)
  const row = [...collection.pages()].find(({ value }) => value.title === 'A')?.value
  assert.equal(row?.outcome, 'ok')
  assert.equal(row.body, undefined)
})

const route = (path: string): Route =>
  path.endsWith('.pdf') ? { headers: { 'content-type': 'application/pdf' }, body: 'pdf' } : page(path)

function sitemapOf(origin: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`)
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}

test('a plain sitemap counts when endings say what everything is, and something is wanted', async () => {
  for (const [paths, means] of [
    [['/', '/one.html', '/one.pdf'], 0],
    [['/one.html', '/two.html'], 2],
    [['/', '/one', '/one.pdf'], 2],
  ] as const) {
    let origin = ''
    await using site = await createSmallSite({
      '/robots.txt': () => ({ headers: { 'content-type': 'text/plain' }, body: `Sitemap: ${origin}/sitemap.xml` }),
      '/sitemap.xml': () => ({ headers: { 'content-type': 'application/xml' }, body: sitemapOf(origin, paths) }),
      ...Object.fromEntries(paths.map((path) => [path, route(path)])),
    })
    origin = site.origin
    const summary = await quickCrawl(newDirectory(), [`${origin}${paths[0]}`], {
      kinds: [],
      types: ['application/pdf'],
    })
    assert.equal(summary.typed?.means.requests, means, paths.join(' '))
    assert.equal(summary.pages, (paths as readonly string[]).includes('/one.pdf') ? 1 : 0)
    assert.equal(site.paths.filter((path) => path === '/sitemap.xml').length, 1, 'it is read once')
  }
})

test('a crawl for pages goes on where a crawl for pictures has left them alone, and the other way round', async () => {
  await using site = await createCooperatingSite(FILES, { schemes: ['robots', 'archives'] })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`], { kinds: ['image'] })
  assert.deepEqual(await heldOf(into), ['/a.png', '/b.png', '/hidden.png'])
  await quickCrawl(into, [], { kinds: ['page'] })
  assert.deepEqual(await heldOf(into), ['/', '/a.html', '/a.png', '/b', '/b.png', '/hidden.png'])
  await quickCrawl(into, [], { kinds: ['page', 'document'] })
  assert.ok((await heldOf(into)).includes('/paper.pdf'), 'what was found and left alone by type is fetched now')
})

test('a list that breaks off is no list: pages are crawled', async () => {
  await using site = await createCooperatingSite(FILES, {
    schemes: ['robots', 'archives'],
    before: ({ url = '' }, response) => {
      if (!url.endsWith('.gz')) return false
      response.writeHead(200, { 'content-type': 'application/gzip' })
      response.end('no archive')
      return true
    },
  })
  const into = newDirectory()
  const summary = await quickCrawl(into, [`${site.origin}/`], { kinds: ['image'] })
  assert.equal(summary.typed?.sites[0]?.listing, undefined)
  assert.deepEqual(await heldOf(into), ['/a.png', '/b.png'])
})

test('comity crawl --types tells what finding the files has cost', async () => {
  await using site = await createSmallSite({
    '/': page('Home', '/a.pdf', '/b'),
    '/b': page('B'),
    '/a.pdf': { headers: { 'content-type': 'application/pdf' }, body: 'pdf' },
  })
  const flags = ['--types', 'application/pdf', '--allow-private', '--delay', '0', '--threads', '0', '--no-index']
  const told = await comityHere(['crawl', `${site.origin}/`, '--into', newDirectory(), ...flags])
  assert.equal(told.code, 0, told.stderr)
  assert.match(told.stdout, /no list that tells types: its pages were crawled/)
  assert.match(
    told.stdout,
    /pages that were only a means: 2 requests \(\d+ % of all\), .* \(\d+ %\); they are not kept/,
  )
  const json = lastJson(await comityHere(['crawl', `${site.origin}/`, '--into', newDirectory(), ...flags, '--json']))
  assert.equal((json['typed'] as { means: { requests: number } }).means.requests, 2)
})
