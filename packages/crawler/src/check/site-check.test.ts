import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { encodeWithDictionary } from '@comity/protocol'
import { checkSite } from './site-check.ts'
import type { SiteCheck, SiteCheckOptions } from './site-check.ts'
import type { FindingState } from './findings.ts'

type Handler = (request: IncomingMessage, response: ServerResponse, url: string) => void

async function serving(t: TestContext, handler: Handler): Promise<string> {
  const server = createServer((request, response) => handler(request, response, url)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  t.after(() => server.close())
  return url
}

const check = (url: string, options: SiteCheckOptions = {}): Promise<SiteCheck> =>
  checkSite(url, { allowPrivate: true, pauseMs: 0, ...options })

const PAGE = `<title>A page</title><a href="/other.html">other</a>${'<p>words</p>'.repeat(200)}`

/** A site of two pages whose answers a test can change. */
const site =
  (
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    more: Readonly<Record<string, string>> = {},
  ): Handler =>
  (request, response) => {
    const path = request.url!
    const text = more[path]
    if (text !== undefined) response.end(text)
    else if (path === '/' || path === '/other.html') answer(request, response)
    else response.writeHead(404).end()
  }

const stateOf = (found: SiteCheck, about: string): FindingState | undefined =>
  found.findings.find((finding) => finding.about === about)?.state

test('a site that does nothing for crawlers is not wrong, and is told what it lacks', async (t) => {
  const found = await check(
    await serving(
      t,
      site((_, response) => response.end(PAGE)),
    ),
  )
  assert.deepEqual(
    found.findings.filter(({ state }) => state === 'wrong'),
    [],
  )
  assert.deepEqual(
    [stateOf(found, 'robots.txt'), stateOf(found, 'ETag'), stateOf(found, 'content coding')],
    ['missing', 'missing', 'missing'],
  )
  for (const about of [
    'sitemap',
    'change list',
    'metadata archives',
    'robots.rdf',
    'filter',
    'batch',
    'resource dump',
    'web archive',
  ]) {
    const finding = found.findings.find((one) => one.about === about)
    assert.equal(finding?.state, 'missing', about)
    assert.match(finding.advice ?? '', /comity publish/, about)
  }
  assert.deepEqual(
    found.pages.map(({ url }) => new URL(url).pathname),
    ['/', '/other.html'],
  )
  assert.equal(found.requests.length, 6, 'robots.txt, two pages, catalog, ResourceSync, robots.rdf')
})

// oxfmt-ignore
const validators: [sentence: string, about: 'ETag' | 'Last-Modified', state: FindingState, words: RegExp, answer: (request: IncomingMessage, response: ServerResponse) => void][] = [
  ['a tag that is heeded is right', 'ETag', 'good', /right on 2 of 2/, (request, response) => {
    response.setHeader('etag', '"1"')
    response.writeHead(request.headers['if-none-match'] === '"1"' ? 304 : 200).end(PAGE)
  }],
  ['a tag that is not heeded is wrong', 'ETag', 'wrong', /not heeded/, (_, response) => response.setHeader('etag', '"1"').end(PAGE)],
  ['another tag for the same page is wrong', 'ETag', 'wrong', /another one for the same page/, (_, response) => response.setHeader('etag', `"${Math.random()}"`).end(PAGE)],
  ['a 304 for a tag that was never given is wrong', 'ETag', 'wrong', /never given/, (request, response) => {
    response.setHeader('etag', '"1"')
    response.writeHead(request.headers['if-none-match'] === undefined ? 200 : 304).end(PAGE)
  }],
  ['a page that differs each time cannot be told', 'ETag', 'missing', /differs in every answer/, (_, response) => response.setHeader('etag', '"1"').end(`${PAGE}${Math.random()}`)],
  ['a date that is heeded is right', 'Last-Modified', 'good', /right on 2 of 2/, (request, response) => {
    response.setHeader('last-modified', 'Sun, 01 Nov 2026 00:00:00 GMT')
    response.writeHead(request.headers['if-modified-since'] === undefined ? 200 : 304).end(PAGE)
  }],
  ['a date that is not heeded is wrong', 'Last-Modified', 'wrong', /not heeded/, (_, response) => response.setHeader('last-modified', 'Sun, 01 Nov 2026 00:00:00 GMT').end(PAGE)],
]
for (const [sentence, about, state, words, answer] of validators) {
  test(sentence, async (t) => {
    const found = await check(await serving(t, site(answer)))
    const finding = found.findings.find((one) => one.about === about)
    assert.equal(finding?.state, state)
    assert.match(finding.found, words)
  })
}

const packedWithCookie = (_: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('content-encoding', 'gzip').setHeader('set-cookie', 'id=1').end(gzipSync(PAGE))
}

test('content codings and cookies are seen', async (t) => {
  const found = await check(await serving(t, site(packedWithCookie)))
  assert.match(
    found.findings.find(({ about }) => about === 'content coding')?.found ?? '',
    /^gzip: \d+ % of the bytes$/,
  )
  assert.match(found.findings.find(({ about }) => about === 'cookies')?.found ?? '', /^2 of 2 pages set one$/)
})

// oxfmt-ignore
const differences: [sentence: string, state: FindingState, sent: (page: Buffer) => Uint8Array, vary: string][] = [
  ['a difference by dictionary is decoded and compared', 'good', (page) => encodeWithDictionary('dcz', page, page)!, 'accept-encoding, available-dictionary'],
  ['one that decodes to another page is wrong', 'wrong', (page) => encodeWithDictionary('dcz', Buffer.from('other'), page)!, 'available-dictionary'],
  ['one that cannot be decoded is wrong', 'wrong', () => Buffer.from('nonsense'), 'available-dictionary'],
  ['one that caches would mix up is wrong', 'wrong', (page) => encodeWithDictionary('dcz', page, page)!, 'accept-encoding'],
]
for (const [sentence, state, sent, vary] of differences) {
  test(sentence, async (t) => {
    const page = Buffer.from(PAGE)
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      const isAsked = request.headers['available-dictionary'] !== undefined
      response.setHeader('use-as-dictionary', 'match="/*", id="1"')
      if (isAsked) response.setHeader('content-encoding', 'dcz').setHeader('vary', vary).end(sent(page))
      else response.end(page)
    }
    assert.equal(stateOf(await check(await serving(t, site(answer))), 'differences'), state)
  })
}

const listing: Handler = (request, response, url) => {
  if (request.url === '/robots.txt') response.end(`Sitemap: ${url}sitemap.xml\n`)
  else if (request.url === '/sitemap.xml') {
    response.setHeader('etag', '"s"')
    if (request.headers['if-none-match'] === '"s"') response.writeHead(304).end()
    else
      response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}listed.html</loc></url></urlset>`,
      )
  } else if (request.url === '/' || request.url === '/listed.html') response.end(PAGE)
  else response.writeHead(404).end()
}

test('a sitemap is read twice: what it tells, and what a second poll costs', async (t) => {
  const found = await check(await serving(t, listing), { pages: 2 })
  const [sitemap] = found.offers
  assert.deepEqual([sitemap?.kind, sitemap?.pages, sitemap?.poll], ['sitemap', 1, { requests: 1, bytes: 0 }])
  assert.equal(stateOf(found, 'robots.txt'), 'good')
  assert.deepEqual(
    found.pages.map(({ url }) => new URL(url).pathname),
    ['/', '/listed.html'],
  )
})

const breakingOff: Handler = (request, response, url) => {
  if (request.url === '/robots.txt') response.end(`Sitemap: ${url}sitemap.xml\n`)
  else if (request.url === '/sitemap.xml')
    response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}a</lo`)
  else site((_, page) => page.end(PAGE))(request, response, url)
}

test('a sitemap that breaks off is wrong', async (t) => {
  assert.equal(stateOf(await check(await serving(t, breakingOff)), 'sitemap'), 'wrong')
})

test('documents of another origin are no offers of this one, and that is said', async (t) => {
  const more = { '/robots.txt': 'Sitemap: https://elsewhere.example/sitemap.xml\n' }
  const found = await check(
    await serving(
      t,
      site((_, response) => response.end(PAGE), more),
    ),
  )
  assert.deepEqual(
    [found.elsewhere, stateOf(found, 'robots.txt'), stateOf(found, 'sitemap')],
    [['https://elsewhere.example'], 'wrong', 'missing'],
  )
})

test('what robots.txt forbids is not asked for', async (t) => {
  const asked: string[] = []
  const rules = 'User-agent: *\nDisallow: /other\nDisallow: /.well-known/\n'
  const url = await serving(t, (request, response, base) => {
    asked.push(request.url!)
    site((_, page) => page.end(PAGE), { '/robots.txt': rules })(request, response, base)
  })
  await check(url)
  assert.deepEqual(asked.toSorted(), ['/', '/robots.rdf', '/robots.txt'])
  const all = await check(
    await serving(
      t,
      site((_, response) => response.end(PAGE), { '/robots.txt': 'User-agent: *\nDisallow: /\n' }),
    ),
  )
  assert.deepEqual([all.start.problem, all.requests.length], ['robots.txt does not let us ask for it', 1])
})

test('a site that asks to be left alone is left alone', async (t) => {
  let asked = 0
  const url = await serving(t, (request, response) => {
    asked++
    response.writeHead(request.url === '/robots.txt' ? 404 : 429).end()
  })
  const found = await check(url)
  assert.equal(asked, 2)
  assert.match(found.stopped ?? '', /429: it asks to be left alone/)
})

test('no more is asked than was allowed, and the site may ask for longer rests', async (t) => {
  const url = await serving(
    t,
    site((_, response) => response.setHeader('etag', '"1"').end(PAGE)),
  )
  const found = await check(url, { maxRequests: 5 })
  assert.equal(found.requests.length, 5)
  assert.match(found.stopped ?? '', /5 requests were made/)
})

test('where the start page leads is where the check goes', async (t) => {
  const there = await serving(
    t,
    site((_, response) => response.end(PAGE)),
  )
  const here = await serving(t, (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else if (request.url === '/') response.writeHead(302, { location: '/moved' }).end()
    else response.writeHead(301, { location: there }).end()
  })
  const found = await check(here)
  assert.equal(found.url, there)
  assert.equal(found.requests.filter(({ url }) => url.startsWith(here)).length, 3)
  const circle = await serving(t, (request, response) =>
    response.writeHead(302, { location: request.url === '/' ? '/a' : '/' }).end(),
  )
  assert.match((await check(circle)).start.problem ?? '', /on and on/)
})

test('a server that is not there, or at an address that is private, is told as such', async (t) => {
  const url = await serving(t, () => undefined)
  const found = await checkSite(url, { pauseMs: 0 })
  assert.match(`${found.robots.reason} ${found.stopped}`, /private or reserved address.*--allow-private/)
  assert.equal(
    found.findings.some(({ state }) => state === 'wrong'),
    true,
  )
  const refused = await check('http://127.0.0.1:1/')
  assert.equal(refused.robots.state, 'unreachable')
  await assert.rejects(checkSite('ftp://a.example/'), /is not a URL to start from/)
  await assert.rejects(checkSite('https://a.example/'), /names nobody/)
})

test('what a site keeps for crawlers that prove who they are is no fault of it', async (t) => {
  const url = await serving(t, (request, response, own) => {
    if (request.url === '/robots.txt') response.end(`User-agent: *\nAllow: /\n\nSitemap: ${own}sitemap.xml\n`)
    else if (request.url === '/sitemap.xml')
      response.writeHead(403, { 'accept-signature': 'sig1=("@authority");tag="web-bot-auth"' }).end('sign')
    else response.end(PAGE)
  })
  const found = await check(url)
  assert.equal(stateOf(found, 'sitemap'), 'unknown')
  assert.match(found.findings.find(({ about }) => about === 'sitemap')?.advice ?? '', /--identity FILE/)
})

test('a site whose pages are drawn by scripts is told so, with one of them', async (t) => {
  const shell = '<title>Shop</title><div id="root"></div><script src="/app.js"></script>'
  const url = await serving(
    t,
    site((_, response) => response.setHeader('content-type', 'text/html').end(shell)),
  )
  const finding = (await check(url)).findings.find(({ about }) => about === 'scripts')
  assert.equal(finding?.state, 'wrong')
  assert.equal(finding.found, `1 of 1 pages show next to nothing without scripts, such as ${url}`)
})
