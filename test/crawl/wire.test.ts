/** What goes over the wire: redirects, robots wishes, codings, HTTP/2, credentials, proxies, bytes per second. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import { test } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { Collection } from '@comity/collection'
import { createAuthority } from '@comity/testbed'
import { holdingsOf } from './holdings.ts'
import type { HeldPage } from './holdings.ts'
import { newDirectory, quickCrawl } from './quick-crawl.ts'
import { createSmallProxy } from './small-proxy.ts'
import { createSmallSite, page, serveSite } from '../sites/small-site.ts'
import type { Answer, SmallSite } from '../sites/small-site.ts'

const facts = (held: ReadonlyMap<string, HeldPage>, { origin }: SmallSite, path: string): unknown[] => {
  const one = held.get(origin + path)
  return [one?.state, one?.excludedFor ?? one?.row?.outcome]
}

test('redirects: a chain is followed page by page, a loop is named, and none leaves the scope', async () => {
  await using other = await createSmallSite({ '/': page('Elsewhere') }, '127.0.50.2')
  await using site = await createSmallSite({
    '/': page('Home', '/one', '/round', '/away', '/lost', '/umlaut'),
    '/one': { status: 301, headers: { location: '/two' } },
    '/two': { status: 307, headers: { location: '/three' } },
    '/three': page('The end of the chain'),
    '/round': { status: 302, headers: { location: '/about' } },
    '/about': { status: 302, headers: { location: '/round' } },
    '/away': { status: 301, headers: { location: `${other.origin}/` } },
    '/lost': { status: 301 },
    '/umlaut': { status: 301, headers: { location: Buffer.from('/m\u00fcller').toString('latin1') } },
    '/m%C3%BCller': page('Written in UTF-8'),
  })
  const into = newDirectory()
  const summary = await quickCrawl(into, [`${site.origin}/`])
  const held = await holdingsOf(into)
  assert.deepEqual(facts(held, site, '/one'), ['done', 'redirect'])
  assert.equal(held.get(`${site.origin}/one`)?.row?.redirectTo, `${site.origin}/two`)
  assert.equal(held.get(`${site.origin}/two`)?.row?.hops, 2)
  assert.deepEqual(facts(held, site, '/three'), ['done', 'ok'])
  assert.deepEqual(facts(held, site, '/round'), ['done', 'redirect'])
  assert.deepEqual(facts(held, site, '/about'), ['failed', 'redirect-loop'])
  assert.deepEqual(facts(held, site, '/away'), ['done', 'redirect-out-of-scope'])
  assert.deepEqual(facts(held, other, '/'), ['excluded', 'scope'])
  assert.deepEqual(facts(held, site, '/lost'), ['failed', 'redirect-nowhere'])
  assert.deepEqual(facts(held, site, '/m%C3%BCller'), ['done', 'ok'])
  assert.equal(other.asked.length, 0)
  assert.equal(summary.pages, 3)
})

test('redirects: where a start page has moved to is what its user meant', async () => {
  await using other = await createSmallSite(
    { '/': page('New home', '/inside'), '/inside': page('Inside') },
    '127.0.50.2',
  )
  await using site = await createSmallSite({ '/': { status: 301, headers: { location: `${other.origin}/` } } })
  const into = newDirectory()
  const summary = await quickCrawl(into, [`${site.origin}/`])
  assert.deepEqual(other.paths, ['/', '/inside'])
  assert.deepEqual(
    summary.seeds.map(({ url, done }) => [url, done]),
    [[`${site.origin}/`, true]],
  )
  // A later run knows of it too, and so follows what has come to the new place meanwhile.
  const again = await quickCrawl(into, [], { revisitAfterMs: 0 })
  assert.equal(again.outside['scope'], undefined)
})

test('nofollow is not followed, noindex and noarchive are remembered', async () => {
  await using site = await createSmallSite({
    '/': page('Home', '/header', '/meta', '/link', '/for-another'),
    '/header': { headers: { 'x-robots-tag': 'noindex, nofollow' }, body: page('Header', '/behind-header') },
    '/meta': `<meta name="robots" content="noarchive,nofollow">${page('Meta', '/behind-meta')}`,
    '/link': '<title>Link</title><a rel="nofollow" href="/behind-link">x</a>',
    '/for-another': { headers: { 'x-robots-tag': 'otherbot: noindex, nofollow' }, body: page('Other', '/open') },
    '/open': page('Open'),
  })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  const held = await holdingsOf(into)
  for (const path of ['/behind-header', '/behind-meta', '/behind-link']) {
    assert.deepEqual(facts(held, site, path), ['excluded', 'nofollow'])
  }
  assert.deepEqual(facts(held, site, '/open'), ['done', 'ok'])
  const flags = (path: string): unknown[] => {
    const { noindex, noarchive, nofollow } = held.get(site.origin + path)?.row ?? {}
    return [noindex ?? false, noarchive ?? false, nofollow ?? false]
  }
  assert.deepEqual(flags('/header'), [true, false, true])
  assert.deepEqual(flags('/meta'), [false, true, true])
  assert.deepEqual(flags('/for-another'), [false, false, false])
})

test('bodies and robots.txt are read in every coding that we say we take', async () => {
  const codings = {
    gzip: gzipSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
    deflate: deflateSync,
    raw: deflateRawSync,
  }
  const coded = Object.entries(codings).map(([name, pack]) => [
    `/${name}`,
    { headers: { 'content-encoding': name === 'raw' ? 'deflate' : name }, body: pack(page(name, `/from-${name}`)) },
  ])
  await using site = await createSmallSite({
    ...Object.fromEntries(coded),
    '/': page('Home', ...Object.keys(codings).map((name) => `/${name}`), '/secret'),
    '/robots.txt': {
      headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      body: gzipSync('User-agent: *\nDisallow: /secret\n'),
    },
  })
  const into = newDirectory()
  await quickCrawl(into, [`${site.origin}/`])
  assert.match(site.asked[0]?.headers['accept-encoding'] ?? '', /gzip, br, zstd, deflate/)
  const held = await holdingsOf(into)
  for (const name of Object.keys(codings)) {
    assert.equal(held.get(`${site.origin}/${name}`)?.row?.title, name)
    assert.deepEqual(facts(held, site, `/from-${name}`), ['done', 'client-error'])
  }
  assert.deepEqual(facts(held, site, '/secret'), ['excluded', 'robots'])
  assert.ok(!site.paths.includes('/secret'))
})

test('HTTP/2 over TLS: all pages of a visit on one connection, and only with a certificate that is trusted', async () => {
  const authority = createAuthority(Date.now())
  const certificate = authority.issue('127.0.50.3', 'none', Date.now())
  const routes = { '/': page('Home', '/a', '/b'), '/a': page('A'), '/b': { headers: { etag: '"b"' }, body: page('B') } }
  // Without HTTP/1.1 to fall back on.
  await using site = await serveSite(
    routes,
    (listen) => createSecureServer(certificate, listen as never),
    'https://127.0.50.3',
  )
  const into = newDirectory()
  const refused = await quickCrawl(newDirectory(), [`${site.origin}/`])
  assert.deepEqual(
    refused.givenUp.map(({ outcome }) => outcome),
    ['tls-error'],
  )
  const before = site.connections
  const summary = await quickCrawl(into, [`${site.origin}/`], { ca: authority.cert })
  assert.equal(summary.pages, 3)
  assert.equal(site.connections - before, 1)
  assert.equal((await holdingsOf(into)).get(`${site.origin}/b`)?.row?.etag, '"b"')
  const insecure = await quickCrawl(newDirectory(), [`${site.origin}/`], { insecureTls: true })
  assert.equal(insecure.pages, 3)
})

test('headers, cookies and passwords go to their origin alone, and not into the archive', async () => {
  const routes = { '/': page('Home') }
  await using ours = await createSmallSite(routes, '127.0.50.1')
  await using others = await createSmallSite(routes, '127.0.50.2')
  const into = newDirectory()
  const sites = [{ origin: ours.origin, headers: { 'x-key': 'k' }, cookie: 'session=s3cret', basicAuth: 'me:p4ss' }]
  await quickCrawl(into, [`${ours.origin}/`, `${others.origin}/`], { sites })
  for (const { headers } of ours.asked) {
    assert.deepEqual(
      [headers['x-key'], headers.cookie, headers.authorization],
      ['k', 'session=s3cret', 'Basic bWU6cDRzcw=='],
    )
  }
  for (const { headers } of others.asked) {
    assert.deepEqual([headers['x-key'], headers.cookie, headers.authorization], [undefined, undefined, undefined])
  }
  await using collection = Collection.openReadOnly(into)
  const archive = collection.warcPaths.map((path) => unpacked(path)).join('')
  assert.match(archive, /x-key: \(left out\)/)
  assert.doesNotMatch(archive, /s3cret|bWU6cDRzcw/)
})

test('an outgoing proxy is asked for plain pages, and for tunnels where TLS is wanted', async () => {
  const authority = createAuthority(Date.now())
  const certificate = authority.issue('127.0.50.3', 'none', Date.now())
  const routes = { '/': page('Home', '/a'), '/a': page('A') }
  await using plain = await createSmallSite(routes)
  await using secure = await serveSite(routes, (listen) => createTlsServer(certificate, listen), 'https://127.0.50.3')
  await using proxy = await createSmallProxy('Basic dXNlcjpwYXNz')
  const seeds = [`${plain.origin}/`, `${secure.origin}/`]
  const url = proxy.url.replace('://', '://user:pass@')
  const summary = await quickCrawl(newDirectory(), seeds, { proxy: url, ca: authority.cert })
  assert.equal(summary.pages, 4)
  assert.deepEqual(proxy.asked.toSorted(), [
    `CONNECT ${new URL(secure.origin).host}`,
    `GET ${plain.origin}/`,
    `GET ${plain.origin}/a`,
    `GET ${plain.origin}/robots.txt`,
  ])
  assert.equal(plain.asked[0]?.headers['proxy-authorization'], undefined)
  const refused = await quickCrawl(newDirectory(), seeds, { proxy: proxy.url, ca: authority.cert })
  assert.deepEqual(
    refused.givenUp.map(({ outcome }) => outcome),
    ['proxy-error', 'proxy-error'],
  )
})

test('bytes per second are kept to over all connections together', async () => {
  const body = `<title>Large</title>${'x'.repeat(60_000)}`
  const sites = await Promise.all(['127.0.50.1', '127.0.50.2'].map((at) => createSmallSite({ '/': body }, at)))
  const limits = { connectTimeoutMs: 1_000, headersTimeoutMs: 1_000, bodyTimeoutMs: 300, totalTimeoutMs: 400 }
  const began = performance.now()
  const summary = await quickCrawl(
    newDirectory(),
    sites.map(({ origin }) => `${origin}/`),
    {
      bytesPerSecond: 100_000,
      // Shorter than the bodies take at that rate: waiting that we impose is not held against the site.
      limits: { ...limits, maxBodyBytes: 1 << 20, maxHeaderBytes: 1 << 16 },
    },
  )
  const seconds = (performance.now() - began) / 1_000
  assert.equal(summary.pages, 2)
  // 120,000 bytes less the quarter of a second that may be saved up.
  assert.ok(seconds > 0.9, `${seconds} s`)
  await Promise.all(sites.map((site) => site[Symbol.asyncDispose]()))
})

const closing = (title: string): Answer => ({ headers: { connection: 'close' }, body: page(title) })

test('a server that closes early costs nothing but a new connection: no page is lost or blamed', async () => {
  const paths = Array.from({ length: 12 }, (_, n) => `/${n}`)
  await using site = await createSmallSite({
    ...Object.fromEntries(paths.map((path) => [path, () => closing(path)])),
    '/': page('Home', ...paths),
  })
  const summary = await quickCrawl(newDirectory(), [`${site.origin}/`])
  assert.deepEqual([summary.pages, summary.failed], [13, 0])
  assert.equal(new Set(site.paths).size, site.paths.length)
})

/** All records of a WARC file, unpacked. */
function unpacked(path: string): string {
  return gunzipSync(readFileSync(path)).toString('latin1')
}
