/** How large a crawl would be, from metadata alone: no page is fetched, whoever is asked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateSites } from '@comity/crawler'
import type { CheckEstimate } from '@comity/crawler'
import type { SiteScheme } from '@comity/site'
import { comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { SitePage } from '../watch/cooperating-site.ts'
import { newDirectory, quick, quickCrawl } from './quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'

const FILES: Readonly<Record<string, SitePage>> = {
  '/': page('Home', '/a.html', '/b.html'),
  '/a.html': page('A'),
  '/b.html': page('B'),
  '/a.png': { type: 'image/png', body: 'x'.repeat(1_000) },
  '/private/x.html': page('Private'),
}
const HTML_BYTES = ['/', '/a.html', '/b.html'].reduce((sum, path) => sum + Buffer.from(FILES[path] as string).length, 0)

const estimate = (seeds: readonly string[], into?: string): Promise<CheckEstimate> =>
  estimateSites({ options: { ...quick, seeds }, into })

const LISTINGS: readonly [listing: string, schemes: SiteScheme[]][] = [
  ['filter', ['robots', 'catalog', 'changes']],
  ['metadata-archive', ['robots', 'archives']],
  ['sitemap', ['robots', 'resourcesync']],
]
for (const [listing, schemes] of LISTINGS) {
  test(`${listing}: pages and bytes by type, and no page is fetched`, async (t) => {
    await using site = await createCooperatingSite(FILES, { schemes, robots: 'User-agent: *\nDisallow: /private/\n' })
    const { sites, types, pages, bytes, unknownSize, asked } = await estimate([`${site.origin}/`])
    assert.equal(sites[0]?.listing, listing)
    assert.deepEqual(types, [
      { type: 'text/html', pages: 3, bytes: HTML_BYTES, unknownSize: 0 },
      { type: 'image/png', pages: 1, bytes: 1_000, unknownSize: 0 },
    ])
    assert.deepEqual([pages, bytes, unknownSize], [4, HTML_BYTES + 1_000, 0])
    assert.ok(site.asked.every(({ path }) => !(path in FILES)))
    assert.equal(site.asked.length, asked.requests)
    assert.ok(asked.requests < 10, `${asked.requests} requests`)
    t.diagnostic(`${asked.requests} requests, ${asked.bytes} bytes`)
  })

  test(`${listing}: what has changed, is new and is gone since a collection's last visit`, async () => {
    await using site = await createCooperatingSite(FILES, { schemes })
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`], { kinds: ['page', 'image'], sitemaps: false })
    const before = await estimate([`${site.origin}/`], into)
    const { held, ...rest } = before.sites[0]!.held!
    assert.equal(held, 3)
    assert.deepEqual(rest, { unchanged: 3, changed: 0, unsure: 0, fresh: 2, gone: 0 })
    // Dates have whole seconds: a change is told apart from the visit before it when it is later than that.
    const later = Date.now() + 5_000
    await site.set('/a.html', page('A, another one'), later)
    await site.set('/b.html', undefined, later)
    await site.set('/new.html', page('New'), later)
    const after = (await estimate([`${site.origin}/`], into)).sites[0]!.held!
    assert.deepEqual(after, { held: 3, unchanged: 1, changed: 1, unsure: 0, fresh: 3, gone: 1 })
  })
}

test('a plain sitemap tells how many pages, and that nobody knows how large', async () => {
  let origin = ''
  const urls = ['/', '/one', '/two.pdf']
  await using site = await createSmallSite({
    '/robots.txt': () => ({ headers: { 'content-type': 'text/plain' }, body: `Sitemap: ${origin}/sitemap.xml` }),
    '/sitemap.xml': () => ({
      headers: { 'content-type': 'application/xml' },
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${origin}${url}</loc></url>`).join('')}</urlset>`,
    }),
  })
  origin = site.origin
  const { types, unknownSize, pages } = await estimate([`${origin}/`])
  assert.deepEqual(types.map(({ type }) => type).toSorted(), ['application/pdf', 'text/html', 'unknown'])
  assert.deepEqual([pages, unknownSize], [3, 3])
})

test('a site that offers nothing is named with what is missing, beside one that does', async () => {
  await using silent = await createSmallSite({ '/': page('Home') })
  await using telling = await createCooperatingSite(FILES, { schemes: ['robots', 'archives'] })
  const { sites, pages } = await estimate([`${silent.origin}/`, `${telling.origin}/`, `${telling.origin}/a.html`])
  assert.equal(sites.length, 2)
  assert.equal(sites[0]?.listing, undefined)
  assert.match(sites[0]?.problem ?? '', /offers no list/)
  assert.ok(!silent.paths.includes('/'))
  assert.equal(pages, 5)
})

test('a site that is not there, or whose robots.txt cannot be had, is asked for nothing more', async () => {
  await using broken = await createSmallSite({ '/robots.txt': { status: 500 } })
  const { sites } = await estimate([`${broken.origin}/`, 'http://127.0.50.9:1/'])
  assert.match(sites[0]?.problem ?? '', /robots\.txt is unreachable/)
  assert.match(sites[1]?.problem ?? '', /robots\.txt is unreachable/)
  assert.equal(broken.asked.length, 1)
})

test('a site that has moved is estimated where it is', async () => {
  await using telling = await createCooperatingSite(FILES, { schemes: ['robots', 'archives'] })
  await using moved = await createSmallSite({
    '/robots.txt': { status: 301, headers: { location: `${telling.origin}/robots.txt` } },
  })
  const { sites } = await estimate([`${moved.origin}/`])
  assert.equal(sites[0]?.origin, telling.origin)
  assert.equal(sites[0].pages, 5)
})

test('comity crawl --estimate prints it, and leaves with 1 when a site tells nothing', async () => {
  await using telling = await createCooperatingSite(FILES, { schemes: ['robots', 'archives'] })
  await using silent = await createSmallSite({ '/': page('Home') })
  const told = await comityHere(['crawl', `${telling.origin}/`, '--estimate', '--allow-private'])
  assert.equal(told.code, 0, told.stderr)
  assert.match(told.stdout, /by its metadata-archive/)
  assert.match(told.stdout, /text\/html\s+4\s/)
  assert.match(told.stdout, /image\/png\s+1\s+1 KB/)
  assert.match(told.stdout, /No page was fetched/)
  const into = newDirectory()
  const args = ['crawl', `${telling.origin}/`, `${silent.origin}/`, '--estimate', '--allow-private']
  const without = await comityHere([...args, '--into', into])
  assert.equal(without.code, 2)
  assert.match(without.stderr, /no collection to compare with/)
  await quickCrawl(into, [`${telling.origin}/`])
  const both = await comityHere([...args, '--into', into])
  assert.equal(both.code, 1, both.stderr)
  assert.match(both.stdout, /Of 4 pages held: 0 changed, 4 as they were, 0 gone; 1 new/)
  assert.match(both.stdout, /nothing to estimate from: it offers no list/)
  const json = lastJson(await comityHere([...args, '--json']))
  assert.equal(json['pages'], 5)
})
