import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { answerOf } from './answer.ts'
import type { LivingAnswer, RequestHeaders } from './answer.ts'
import { reachable } from '../ground-truth.ts'
import { planWeb } from './plan.ts'
import { changedAt, versionOf } from './site.ts'
import type { LivingSite } from './site.ts'
import { specOf } from './site-specs.ts'

const epoch = Date.UTC(2026, 0, 1)
const sites = planWeb(
  42,
  Array.from({ length: 6 }, (_, rank) => ({ spec: specOf(rank), origin: `http://127.0.1.${rank + 1}` })),
  epoch,
)
const site = (rank: number): LivingSite => sites[rank]!
const ask = (rank: number, path: string, headers: RequestHeaders = {}, at = epoch): LivingAnswer =>
  answerOf(site(rank), path, headers, at)
const header = (answer: LivingAnswer, name: string): string | undefined =>
  answer.headers.find(([key]) => key === name)?.[1]
const text = (answer: LivingAnswer): string => Buffer.from(answer.body).toString()
const firstArticle = (rank: number): string =>
  [...site(rank).resources.values()].find((one) => one.kind === 'page' && one.path.endsWith('-1'))?.path ?? ''

// oxfmt-ignore
const cases: [sentence: string, rank: number, path: string, status: number, header: string, value: RegExp][] = [
  ['a home page is HTML', 0, '/', 200, 'Content-Type', /^text\/html/],
  ['an unknown path is not found', 0, '/nowhere', 404, 'Content-Type', /html/],
  ['a page may be gone for good', 0, '/lost/for-good', 410, 'Content-Type', /html/],
  ['a moved page names its place', 0, '/old/permanent', 301, 'Location', /^http:/],
  ['a redirect may be relative', 0, '/old/for-now', 302, 'Location', /^\//],
  ['a redirect may lead to another site', 0, '/partner', 301, 'Location', /127\.0\.1\.[2-6]/],
  ['a closed page says for how many seconds', 0, '/shaky/repairs', 503, 'Retry-After', /^3$/],
  ['or until when', 0, '/shaky/holiday', 503, 'Retry-After', /^Thu, 01 Jan 2026 00:00:03 GMT$/],
  ['a busy page answers 429', 0, '/shaky/queue', 429, 'Retry-After', /^3$/],
  ['a picture is a picture', 0, '/images/1.svg', 200, 'Content-Type', /svg/],
  ['robots.txt is plain text', 0, '/robots.txt', 200, 'Content-Type', /^text\/plain/],
  ['robots.txt may be missing', 3, '/robots.txt', 404, 'Content-Type', /html/],
  ['robots.txt may be broken', 4, '/robots.txt', 503, 'Content-Type', /html/],
  ['a sitemap is XML', 0, '/sitemap.xml', 200, 'Content-Type', /xml/],
  ['not every site has one', 1, '/sitemap.xml', 404, 'Content-Type', /html/],
]
for (const [sentence, rank, path, status, name, value] of cases) {
  test(sentence, () => {
    const answer = ask(rank, path)
    assert.equal(answer.status, status)
    assert.match(header(answer, name) ?? '', value)
    assert.equal(header(answer, 'Content-Length'), String(answer.body.length))
  })
}

test('robots.txt says what the habit is', () => {
  assert.match(text(ask(0, '/robots.txt')), /Disallow:\n\nSitemap: http:\/\/127\.0\.1\.1\/sitemap\.xml\n$/)
  assert.match(text(ask(1, '/robots.txt')), /^Disallow: \/drafts\/$/m)
  assert.match(text(ask(2, '/robots.txt')), /^Crawl-delay: 1$/m)
})

test('a page in trouble recovers by the time it named', () => {
  for (const path of ['/shaky/engine', '/shaky/repairs', '/shaky/holiday', '/shaky/queue']) {
    assert.notEqual(ask(0, path, {}, epoch + 2_999).status, 200)
    assert.equal(ask(0, path, {}, epoch + 3_000).status, 200)
  }
})

test('gzip is used where the site has it and the client takes it', () => {
  const plain = ask(0, '/')
  const coded = ask(0, '/', { 'accept-encoding': 'br, gzip' })
  assert.equal(header(plain, 'Content-Encoding'), undefined)
  assert.equal(header(coded, 'Content-Encoding'), 'gzip')
  assert.deepEqual(gunzipSync(coded.body), Buffer.from(plain.body))
  assert.notEqual(header(coded, 'ETag'), header(plain, 'ETag'))
  assert.equal(header(ask(5, '/', { 'accept-encoding': 'gzip' }), 'Content-Encoding'), undefined)
})

test('validators come as the site likes them, and each leads to 304 with an empty body', () => {
  const names = (rank: number): string[] => ask(rank, '/').headers.map(([name]) => name)
  assert.ok(names(1).includes('ETag') && !names(1).includes('Last-Modified'))
  assert.ok(names(2).includes('Last-Modified') && !names(2).includes('ETag'))
  assert.ok(!names(3).includes('Last-Modified') && !names(3).includes('ETag'))
  const tag = header(ask(1, '/'), 'ETag') ?? ''
  const since = header(ask(2, '/'), 'Last-Modified') ?? ''
  for (const again of [
    ask(1, '/', { 'if-none-match': `"x", W/${tag}` }),
    ask(2, '/', { 'if-modified-since': since }),
  ]) {
    assert.equal(again.status, 304)
    assert.equal(again.body.length, 0)
  }
  assert.equal(ask(3, '/', { 'if-modified-since': since }).status, 200)
  const wrongTag = { 'if-none-match': '"other"', 'if-modified-since': new Date(epoch).toUTCString() }
  assert.equal(ask(0, '/', wrongTag).status, 200, 'If-None-Match is asked first (RFC 9110 §13.2.2)')
})

test('a page that changed is sent again, and its bytes differ exactly when its version does', () => {
  const home = site(0).resources.get('/')
  assert.ok(home?.kind === 'page')
  const tag = header(ask(0, '/'), 'ETag') ?? ''
  for (let at = epoch; at < epoch + 100_000; at += 5_000) {
    const changed: boolean = versionOf(home, epoch, at) > 0
    assert.equal(ask(0, '/', { 'if-none-match': tag }, at).status, changed ? 200 : 304)
  }
  const later = epoch + 100_000
  const modified = Math.floor(changedAt(home, epoch, later) / 1_000) * 1_000
  assert.equal(Date.parse(header(ask(0, '/', {}, later), 'Last-Modified') ?? ''), modified)
})

test('a copy has the same bytes, a near copy nearly the same and a canonical link', () => {
  const path = firstArticle(0)
  const [original, copy, near] = [path, `${path}-copy`, `${path}-print`].map((one) => text(ask(0, one)))
  assert.equal(copy, original)
  assert.notEqual(near, original)
  assert.match(near ?? '', new RegExp(`rel="canonical" href="http://127.0.1.1${path}"`))
})

test('what the truth holds answers 200 after the trouble, and its links are those in the HTML', () => {
  const { urls, links } = reachable(sites)
  for (const url of urls) {
    const { host, pathname } = new URL(url)
    const answer = ask(Number(host.split('.')[3]) - 1, pathname, {}, epoch + 10_000)
    assert.equal(answer.status, 200, url)
    const html = text(answer)
    const found = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => new URL(href ?? '', url))
    for (const target of found) target.hash = ''
    const written = new Set(found.map(({ href }) => href).filter((href) => urls.has(href)))
    assert.deepEqual(written, new Set(links.filter(({ from }) => from === url).map(({ to }) => to)), url)
  }
})
