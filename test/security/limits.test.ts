/** Where a crawl ends and what steers it: limits, kinds, sitemaps, hooks, orders, stopping, and what it says of itself. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { siteGivenUp, visited } from '@comity/ingest'
import type { SiteGivenUpEvent, VisitEvent } from '@comity/ingest'
import { simpleOrder } from '@comity/frontier'
import type { Capture } from '@comity/protocol'
import { holdingsOf } from '../crawl/holdings.ts'
import { newDirectory, quick, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { Answer } from '../sites/small-site.ts'

/** A tree: every page links to two more. Each level has names of its own, as paths that repeat are taken for a trap. */
const tree = (depth: number, path = '/'): Record<string, string> => {
  const children = depth === 0 ? [] : ['a', 'b'].map((name) => `${path}${name}${depth}/`)
  return Object.assign({ [path]: page(path, ...children) }, ...children.map((child) => tree(depth - 1, child)))
}

test('as many pages are fetched as were asked for, not one more, also over several runs', async () => {
  await using site = await createSmallSite(tree(6))
  const into = newDirectory()
  for (const maxPages of [1, 7, 20]) {
    const summary = await quickCrawl(into, [`${site.origin}/`], { maxPages, threads: 1 })
    assert.equal(summary.pages, maxPages)
    assert.equal(site.paths.length, maxPages)
    assert.equal(summary.seeds[0]?.done, false)
    assert.ok(summary.waiting > 0)
  }
})

test('no page deeper than the greatest depth is fetched, and those beyond it are known with their reason', async () => {
  await using site = await createSmallSite(tree(5))
  const summary = await quickCrawl(newDirectory(), [`${site.origin}/`], { maxDepth: 2 })
  assert.equal(summary.pages, 1 + 2 + 4)
  assert.deepEqual(summary.outside, { depth: 8 })
  assert.deepEqual(summary.seeds, [{ url: `${site.origin}/`, done: true, waiting: 0 }])
})

const body = (path: string): string => `${page(path, '/b', '/c', '/d', '/e')}${'x'.repeat(10_000)}`

test('after the page that passes the limit of bytes, none is asked for', async () => {
  const routes = Object.fromEntries(['/', '/b', '/c', '/d', '/e'].map((path) => [path, body(path)]))
  await using site = await createSmallSite(routes)
  const size = Buffer.byteLength(body('/b'))
  const into = newDirectory()
  const summary = await quickCrawl(into, [`${site.origin}/`], { maxBytes: size * 2 + 5_000, threads: 1 })
  assert.equal(site.paths.length, 3)
  assert.ok(summary.bytes >= size * 2 + 5_000 && summary.bytes < size * 4)
  const more = await quickCrawl(into, [`${site.origin}/`])
  assert.deepEqual([more.pages, new Set(site.paths).size, site.paths.length], [5, 5, 5])
})

test('budgets of a site leave the rest of it waiting, and other sites alone', async () => {
  await using small = await createSmallSite(tree(4), '127.0.50.1')
  await using free = await createSmallSite(tree(4), '127.0.50.2')
  const sites = [{ host: '127.0.50.1', maxPages: 5 }]
  const summary = await quickCrawl(newDirectory(), [`${small.origin}/`, `${free.origin}/`], { sites })
  assert.deepEqual([small.paths.length, free.paths.length], [5, 31])
  assert.deepEqual(
    summary.seeds.map(({ done }) => done),
    [false, true],
  )
  assert.equal(summary.unfinishedSites, 1)
})

test('kinds: what is not wanted is not asked for when its link says so, and not read when its type does', async () => {
  const routes = {
    '/': '<title>Home</title><img src="/p.png"><a href="/doc.pdf">d</a><a href="/hidden">h</a><link rel="stylesheet" href="/s.css">',
    '/p.png': { headers: { 'content-type': 'image/png' }, body: 'png' },
    '/doc.pdf': { headers: { 'content-type': 'application/pdf' }, body: 'pdf' },
    '/hidden': { headers: { 'content-type': 'video/mp4' }, body: 'film' },
    '/s.css': { headers: { 'content-type': 'text/css' }, body: 'css' },
  }
  await using site = await createSmallSite(routes)
  const pages = await quickCrawl(newDirectory(), [`${site.origin}/`])
  assert.deepEqual(site.paths, ['/', '/hidden'])
  assert.deepEqual(pages.outcomes, { ok: 1, 'skipped-type': 1 })
  assert.deepEqual(pages.outside, { type: 3 })
  await using again = await createSmallSite(routes)
  const more = await quickCrawl(newDirectory(), [`${again.origin}/`], { kinds: ['page', 'image', 'document'] })
  assert.deepEqual(again.paths.toSorted(), ['/', '/doc.pdf', '/hidden', '/p.png'])
  assert.equal(more.pages, 3)
})

const xml = (text: string): Answer => ({ headers: { 'content-type': 'application/xml' }, body: text })

test('sitemaps are found through robots.txt, indexes are followed, and what they list is fetched', async () => {
  const origin = { value: '' }
  const routes = {
    '/robots.txt': () => ({ headers: { 'content-type': 'text/plain' }, body: `Sitemap: ${origin.value}/index.xml\n` }),
    '/index.xml': () =>
      xml(`<sitemapindex><sitemap><loc>${origin.value}/pages.xml</loc></sitemap>
        <sitemap><loc>${origin.value}/moved.xml</loc></sitemap></sitemapindex>`),
    '/pages.xml': () =>
      xml(
        `<urlset><url><loc>${origin.value}/orphan</loc></url><url><loc>http://127.0.50.9/foreign</loc></url></urlset>`,
      ),
    '/moved.xml': { status: 301, headers: { location: '/new.txt' } },
    '/new.txt': () => ({ headers: { 'content-type': 'text/plain' }, body: `${origin.value}/listed\n` }),
    '/': page('Home'),
    '/orphan': page('Orphan'),
    '/listed': page('Listed'),
  }
  await using site = await createSmallSite(routes)
  origin.value = site.origin
  const into = newDirectory()
  const summary = await quickCrawl(into, [`${site.origin}/`])
  assert.equal(summary.pages, 3)
  assert.equal((await holdingsOf(into)).has('http://127.0.50.9/foreign'), false, 'a sitemap speaks for its own site')
  await using plain = await createSmallSite(routes)
  origin.value = plain.origin
  const without = await quickCrawl(newDirectory(), [`${plain.origin}/`], { sitemaps: false })
  assert.deepEqual([without.pages, plain.paths], [1, ['/']])
})

test('hooks see every capture, and a scope plug-in leaves out what it does not like', async () => {
  await using site = await createSmallSite(tree(3))
  const captures: Capture[] = []
  const into = newDirectory()
  const summary = await quickCrawl(into, [`${site.origin}/`], {
    hooks: { onCapture: (capture) => captures.push(capture), scope: (url) => !/\/b\d/.test(url) },
  })
  assert.deepEqual(
    captures.map(({ url }) => new URL(url).pathname),
    ['/', '/a3/', '/a3/a2/', '/a3/a2/a1/'],
  )
  assert.equal(summary.outside['plug-in'], 3)
  const { row } = (await holdingsOf(into)).get(`${site.origin}/`)!
  assert.deepEqual([captures[0]?.digest, captures[0]?.status, captures[0]?.source], [row?.digest, 200, 'crawl'])
})

test('an order plug-in decides which page is next', async () => {
  await using site = await createSmallSite(tree(3))
  const deepFirst = simpleOrder({
    name: 'deep-first',
    description: 'the deepest page first',
    rankPage: ({ depth }) => -depth,
  })
  await quickCrawl(newDirectory(), [`${site.origin}/`], {
    order: deepFirst,
    politeness: { ...quick.politeness!, pagesPerConnection: 1 },
  })
  assert.deepEqual(site.paths.slice(0, 4), ['/', '/a3/', '/a3/a2/', '/a3/a2/a1/'])
})

test('events name every visit, and why a site is given up', async () => {
  await using site = await createSmallSite({ '/': page('Home', '/gone') })
  const [visits, sites]: [VisitEvent[], SiteGivenUpEvent[]] = [[], []]
  const onVisit = (event: VisitEvent): void => void visits.push(event)
  const onGivenUp = (event: SiteGivenUpEvent): void => void sites.push(event)
  visited.subscribe(onVisit as never)
  siteGivenUp.subscribe(onGivenUp as never)
  const nobody = await deadOrigin()
  const summary = await quickCrawl(newDirectory(), [`${site.origin}/`, `${nobody}/`])
  visited.unsubscribe(onVisit as never)
  siteGivenUp.unsubscribe(onGivenUp as never)
  assert.deepEqual(
    visits.map(({ url, outcome, status }) => [url, outcome, status]),
    [
      [`${site.origin}/`, 'ok', 200],
      [`${site.origin}/gone`, 'client-error', 404],
    ],
  )
  assert.deepEqual(
    sites.map(({ origin, outcome }) => [origin, outcome]),
    [[nobody, 'connection-refused']],
  )
  assert.deepEqual(
    summary.seeds.map(({ done }) => done),
    [true, false],
  )
  assert.equal(summary.failed, 1)
})

/** An origin where nobody listens. */
async function deadOrigin(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.50.8', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => void server.close(() => resolve()))
  return `http://127.0.50.8:${port}`
}

test('stopping is polite and quick: nothing more is asked for, and the next run goes on', async () => {
  await using site = await createSmallSite({
    ...tree(6),
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nCrawl-delay: 1.5\n' },
  })
  const into = newDirectory()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 2_000)
  const began = performance.now()
  const summary = await quickCrawl(into, [`${site.origin}/`], {}, stop.signal)
  const seconds = (performance.now() - began) / 1_000
  // In the middle of the rest before the second page.
  assert.ok(seconds < 2.5, `${seconds} s`)
  assert.deepEqual([summary.interrupted, summary.pages, site.paths.length], [true, 1, 1])
  await sleep(1_500)
  const rest = await quickCrawl(into, [], { maxPages: 2 })
  assert.deepEqual([rest.interrupted, rest.pages], [false, 2])
  assert.deepEqual(site.asked.map(({ path }) => path).slice(0, 2), ['/robots.txt', '/'])
})

test('a site that asks for a longer rest than we have patience for is left for the next run', async () => {
  await using site = await createSmallSite({
    '/': { status: 503, headers: { 'retry-after': '3600' }, body: 'later' },
  })
  const politeness = { ...quick.politeness!, maxRetryAfterMs: 86_400_000 }
  const summary = await quickCrawl(newDirectory(), [`${site.origin}/`], { politeness, patienceMs: 60_000 })
  assert.deepEqual(
    summary.givenUp.map(({ outcome }) => outcome),
    ['rests-too-long'],
  )
  assert.deepEqual([site.paths, summary.waiting, summary.outcomes], [['/'], 1, { busy: 1 }])
})

const onCapture = ({ url }: Capture): void => {
  if (url.endsWith('/b3/')) throw new TypeError('the hook is broken')
}

test('an exception in a hook stops the crawl with that very error, and what was fetched before is kept', async () => {
  await using site = await createSmallSite(tree(3))
  const into = newDirectory()
  await assert.rejects(quickCrawl(into, [`${site.origin}/`], { hooks: { onCapture } }), /the hook is broken/)
  const after = await quickCrawl(into, [])
  assert.equal(after.pages, 15)
})
