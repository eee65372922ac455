/**
 * A crawl for pages of a site that tells the types of its files: what is known not to be a page is not asked for, by whichever
 * document it is told. Requests are counted at the server.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlSummary } from '@comity/crawler'
import type { SiteScheme } from '@comity/site'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import type { CooperatingSite, SitePage } from '../watch/cooperating-site.ts'
import { keepFresh } from '../watch/kept-fresh.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'

const png: SitePage = { type: 'image/png', body: 'png' }
const zip: SitePage = { type: 'application/zip', body: 'zip' }
const pdf: SitePage = { type: 'application/pdf', body: 'pdf' }

/** Names and links say nothing of what most of these files are. */
const FILES: Readonly<Record<string, SitePage>> = {
  '/': page('Home', '/one', '/two', '/picture', '/bundle'),
  '/one': page('One', '/three.png', '/picture', '/paper', '/unlisted.png'),
  '/two': page('Two', '/bundle', '/paper'),
  '/three.png': page('Three', '/'),
  '/picture': png,
  '/bundle': zip,
  '/paper': pdf,
  '/listed-picture': png,
  '/listed-by-name.png': png,
}
const PAGES = ['/', '/one', '/three.png', '/two']
const UNWANTED = Object.keys(FILES).filter((path) => !PAGES.includes(path))

/** What was asked for of the site's own pages and files. */
function fetched({ asked }: Pick<CooperatingSite, 'asked'>): string[] {
  return [...new Set(asked.filter(({ method }) => method === 'GET').map(({ path }) => path))]
    .filter((path) => path in FILES)
    .toSorted()
}

const told = ({ outside }: CrawlSummary): number =>
  Object.entries(outside).find(([name]) => name === 'told-type')?.[1] ?? 0

const TELLING: readonly [sentence: string, schemes: SiteScheme[]][] = [
  ['metadata archives', ['robots', 'archives']],
  ['a resource list', ['robots', 'resourcesync']],
  ['a filter', ['robots', 'catalog', 'changes']],
  ['archives beside a sitemap without types', ['robots', 'archives', 'sitemap']],
  ['every document there is', ['robots', 'catalog', 'changes', 'archives', 'resourcesync', 'sitemap', 'robots-rdf']],
]
for (const [sentence, schemes] of TELLING) {
  for (const dumps of [true, false]) {
    test(`with ${sentence} a crawl for pages asks for pages alone${dumps ? '' : ', also where no dumps are taken'}`, async (t) => {
      await using site = await createCooperatingSite(FILES, { schemes })
      const summary = await quickCrawl(newDirectory(), [`${site.origin}/`], { dumps })
      assert.deepEqual(fetched(site), PAGES)
      assert.equal(told(summary), UNWANTED.length, 'each is counted by its reason')
      assert.equal(summary.outcomes['skipped-type'] ?? 0, 0)
      t.diagnostic(`${summary.requests} requests for ${summary.pages} pages`)
    })
  }
}

test('a watch hears the types of what is listed, and asks for pages alone', async () => {
  let isTelling = false
  await using site = await createCooperatingSite(FILES, {
    schemes: ['catalog', 'changes'],
    before: ({ url = '' }, response) => {
      if (!isTelling) response.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(page('Home'))
      return !isTelling
    },
  })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  isTelling = true
  await keepFresh(into, () => PAGES.every((path) => fetched(site).includes(path)))
  assert.deepEqual(fetched(site), PAGES)
})

test('whichever comes first, the link or the list, what the site lists as a page is fetched', async () => {
  // By its name one is a picture, the other a vote; the site lists both as pages.
  const listed = ['/three.png', '/poll/vote?id=3']
  const files = { '/': page('Home', ...listed) }
  await using site = await createCooperatingSite(files, { schemes: ['catalog', 'changes'] })
  const isAsked = (path: string): boolean => site.asked.some((one) => one.path === path)
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  assert.ok(!listed.some(isAsked))
  for (const path of listed) await site.set(path, page('Listed'))
  await keepFresh(into, () => listed.every(isAsked))
})

test('a page that its site calls a picture is lost alone, and comes when the site says something else of it', async () => {
  // It says of `/two` what it is not: what is said is what is sent as the type here.
  const lying = { ...FILES, '/two': { type: 'image/png', body: page('Two', '/four') }, '/four': page('Four') }
  await using site = await createCooperatingSite(lying, { schemes: ['robots', 'archives'] })
  const into = newDirectory()
  const first = await quickCrawl(into, [`${site.origin}/`])
  assert.deepEqual(fetched(site), ['/', '/one', '/three.png'])
  assert.equal(first.pages, 4, 'all but that one: /four is listed, too')
  await site.set('/two', page('Two', '/four'))
  await keepFresh(into, () => fetched(site).includes('/two'))
})

test('when more types are wanted, what the site says to be of them is fetched, and still nothing else', async () => {
  for (const schemes of [
    ['robots', 'archives'],
    ['robots', 'resourcesync'],
    ['robots', 'catalog', 'changes'],
  ] as const) {
    await using site = await createCooperatingSite(FILES, { schemes })
    const into = newDirectory()
    await quickCrawl(into, [`${site.origin}/`])
    assert.deepEqual(fetched(site), PAGES, schemes.join(' '))
    site.asked.length = 0
    const wider = await quickCrawl(into, [], { kinds: ['page', 'document'] })
    assert.deepEqual(fetched(site), ['/paper'], schemes.join(' '))
    assert.equal(told(wider), UNWANTED.length - 1)
    site.asked.length = 0
    await quickCrawl(into, [], { kinds: ['page', 'document'] })
    assert.deepEqual(fetched(site), [], 'nor is anybody asked again without need')
  }
})

test('a redirect to what is told to be no page is not followed', async () => {
  const home = page('Home', '/latest')
  await using site = await createCooperatingSite(
    { '/': home, '/bundle': zip },
    {
      schemes: ['robots', 'archives'],
      before: ({ url = '' }, response) => {
        if (url !== '/latest') return false
        response.writeHead(302, { location: '/bundle' }).end()
        return true
      },
    },
  )
  const summary = await quickCrawl(newDirectory(), [`${site.origin}/`])
  assert.deepEqual(fetched(site), ['/'])
  assert.equal(summary.outcomes['redirect-out-of-scope'], 1)
})

test('a start page that its site calls a picture is asked for all the same', async () => {
  await using site = await createCooperatingSite(
    { '/': page('Home'), '/picture': png },
    { schemes: ['robots', 'archives'] },
  )
  await quickCrawl(newDirectory(), [`${site.origin}/`, `${site.origin}/picture`])
  assert.deepEqual(fetched(site), ['/', '/picture'])
})

test('what a plain sitemap lists is judged by its name, as a link is', async () => {
  let origin = ''
  const list = (): string => ['/', '/a', '/b.png', '/c.html'].map((path) => `${origin}${path}`).join('\n')
  await using site = await createSmallSite({
    '/robots.txt': () => ({ headers: { 'content-type': 'text/plain' }, body: `Sitemap: ${origin}/list.txt` }),
    '/list.txt': () => ({ headers: { 'content-type': 'text/plain' }, body: list() }),
    '/': page('Home'),
  })
  origin = site.origin
  const summary = await quickCrawl(newDirectory(), [`${origin}/`])
  assert.deepEqual(site.paths.toSorted(), ['/', '/a', '/c.html', '/list.txt'])
  assert.equal(summary.outside['type'], 1)
})

test('a link may say what it leads to', async () => {
  await using site = await createSmallSite({
    '/': '<link rel="alternate" type="application/atom+xml" href="/news"><a type="application/zip" href="/z">z</a><a type="text/html" href="/p.png">p</a>',
    '/p.png': page('P'),
  })
  await quickCrawl(newDirectory(), [`${site.origin}/`])
  assert.deepEqual(site.paths.toSorted(), ['/', '/p.png'])
})
