import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { applyDelta } from '@comity/protocol'
import { HOST, sampleHtml } from '../testing/adapter-sample.ts'
import { AT, failsAs } from '../testing/journal-sample.ts'
import { MemoryJournal } from '../journal/memory-journal.ts'
import { etagOf } from '../page-etag.ts'
import { createSiteProxy } from './site-proxy.ts'
import { ProxySample } from '../testing/site-proxy-fixture.ts'
import type { Answer } from '../testing/site-proxy-fixture.ts'
import { digestOf } from '../journal/version-store.ts'

const OLD = sampleHtml('Bread', 1)
const NEW = sampleHtml('Bread', 2)
const tagOf = (text: string): string => etagOf(digestOf(Buffer.from(text)))

test('pages are learnt as they pass, and only what changed is sent', async () => {
  await using sample = await new ProxySample().start()
  await sample.proxy.ready()
  sample.page('/bread', gzipSync(OLD), { 'content-type': 'text/html', 'content-encoding': 'gzip', etag: 'W/"own"' })
  const first = await sample.ask('/bread')
  assert.equal(first.headers.etag, tagOf(OLD))
  assert.equal(first.body.toString(), OLD)
  sample.now += 60_000
  assert.equal((await sample.ask('/bread', { headers: { 'if-none-match': tagOf(OLD) } })).status, 304)
  sample.page('/bread', NEW)
  const changed = await sample.ask('/bread', { headers: { 'if-none-match': tagOf(OLD), 'a-im': 'vcdiff' } })
  assert.equal(changed.status, 226)
  const base = new Map([[tagOf(OLD), Buffer.from(OLD)]])
  const applied = applyDelta({ status: 226, headers: changed.fields, body: changed.body }, base, { maxBytes: 1 << 20 })
  assert.ok(applied.kind === 'ok' && Buffer.from(applied.body).toString() === NEW)
  assert.match((await sample.ask('/sitemap.xml')).body.toString(), /a\.example\/bread/)
  assert.equal((await sample.ask('/bread', { method: 'HEAD' })).headers.etag, tagOf(NEW))
})

const echo: Answer = (response, { body, headers }) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${body}, as ${headers['x-host'] as string} has it`)

test('what one visitor sends along chooses nothing of what others are told, by HTTP/1 or HTTP/2', async () => {
  await using sample = await new ProxySample().start()
  await sample.proxy.ready()
  sample.answers.set('/bread', echo)
  await sample.ask('/bread', { headers: { 'x-host': 'evil.example' } })
  await sample.ask('/bread', { headers: { 'content-length': '6' }, body: 'q=evil' })
  await sample.ask('/bread', { headers: { 'transfer-encoding': 'chunked' }, body: 'q=evil' })
  const session = connectHttp2(`http://127.0.0.1:${sample.port}`)
  const stream = session.request({ ':path': '/bread', ':authority': HOST }, { endStream: false })
  stream.end('q=evil')
  stream.resume()
  await once(stream, 'close')
  session.close()
  await sample.proxy.front.settled()
  assert.equal(sample.asked.filter(({ body }) => body === 'q=evil').length, 3, 'the origin was asked')
  assert.equal(sample.journal.page('/bread'), undefined)
  await sample.ask('/bread')
  assert.ok(sample.journal.page('/bread'))
})

test("the origin is asked for the site's own host, and hears nothing that was for us", async () => {
  await using sample = await new ProxySample().start()
  await sample.proxy.ready()
  sample.page('/bread', OLD)
  await sample.ask('/bread', {
    headers: {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      connection: 'close, x-hop',
      'x-hop': '1',
      'x-own': '2',
      'accept-encoding': 'dcz, br;q=0.5, gzip',
    },
  })
  const { headers } = sample.asked.at(-1)!
  assert.equal(headers.host, HOST)
  assert.equal(headers['x-forwarded-host'], HOST)
  assert.equal(headers['x-forwarded-proto'], 'http')
  assert.equal(headers['x-hop'], undefined)
  assert.equal(headers['x-own'], '2')
  assert.equal(headers['accept-encoding'], 'br;q=0.5, gzip')
  assert.equal(headers['x-forwarded-for'], '127.0.0.1')
  assert.equal(sample.journal.pageCount, 1)
  await sample.ask('/bread', { headers: { 'if-none-match': '"x"', range: 'bytes=0-3' } })
  assert.equal(sample.asked.at(-1)!.headers['if-none-match'], undefined)
  await sample.ask('/picture', { headers: { 'if-none-match': '"x"' } })
  assert.equal(sample.asked.at(-1)!.headers['if-none-match'], '"x"', 'what is not known is between the two of them')
})

test('other methods go through with their bodies, and their answers come back as they are', async () => {
  await using sample = await new ProxySample().start()
  await sample.proxy.ready()
  sample.answers.set('/form', (response, { body }) =>
    response.writeHead(201, { 'set-cookie': ['a=1', 'b=2'] }).end(`got ${body}`),
  )
  const got = await sample.ask('/form', { method: 'POST', body: 'x=1' })
  assert.equal(got.status, 201)
  assert.deepEqual(got.headers['set-cookie'], ['a=1', 'b=2'])
  assert.equal(got.body.toString(), 'got x=1')
})

test('what robots.txt of the origin disallows is not learnt, and nothing is before it is known', async () => {
  await using sample = await new ProxySample().start()
  sample.answers.set('/robots.txt', (response) => response.writeHead(503).end())
  sample.page('/bread', OLD)
  sample.page('/staff/list', OLD)
  await sample.proxy.ready()
  await sample.ask('/bread')
  assert.equal(sample.journal.pageCount, 0)
  assert.equal((await sample.ask('/robots.txt')).status, 503)
  sample.page('/robots.txt', 'User-agent: *\nDisallow: /staff/\n', { 'content-type': 'text/plain' })
  sample.now += 60_000
  await sample.proxy.ready()
  await sample.ask('/bread')
  await sample.ask('/staff/list')
  assert.deepEqual(
    [...sample.journal.pages()].map(({ path }) => path),
    ['/bread'],
  )
  const robots = (await sample.ask('/robots.txt')).body.toString()
  assert.match(robots, /Disallow: \/staff\//)
  assert.match(robots, /Sitemap: /)
})

const cut =
  (type: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': '1000' })
    response.write('<p>half', () => response.destroy())
  }

test('an origin that breaks off is broken off for the visitor too, and one that is gone is told of', async () => {
  await using sample = await new ProxySample().start()
  await sample.proxy.ready()
  sample.answers.set('/cut', cut('application/pdf'))
  await assert.rejects(async () => await (await fetch(`http://127.0.0.1:${sample.port}/cut`)).arrayBuffer())
  sample.answers.set('/cut.html', cut('text/html'))
  assert.equal((await sample.ask('/cut.html')).status, 502, 'nothing of a page has gone out before it is whole')
  assert.equal(sample.journal.pageCount, 0)
  sample.answers.set('/gone', (response) => response.destroy())
  const got = await sample.ask('/gone')
  assert.equal(got.status, 502)
  assert.match(got.body.toString(), /ended the connection before its answer was whole/)
})

test('an origin has a scheme, a host and maybe a port', () => {
  const options = { journal: new MemoryJournal(), base: `http://${HOST}/`, now: () => AT }
  for (const origin of ['', 'localhost:80', 'ftp://a.example', 'http://a.example/path'])
    assert.throws(() => createSiteProxy({ ...options, origin }), failsAs('PUBLISH_OPTION_INVALID', /is no origin/))
})

test('an address has one name: neither slashes nor a host in the target make another page of it', async () => {
  await using sample = await new ProxySample().start()
  await sample.proxy.ready()
  for (const path of ['/bread', '/other.example/bread']) sample.page(path, OLD)
  const lines = ['//other.example/bread', '///bread', `http://${HOST}/bread`, `HTTP://${HOST.toUpperCase()}//bread`]
  for (const target of lines) assert.equal((await sample.ask(target)).status, 200, target)
  for (const target of ['http://other.example/bread', '/\\other.example/bread', '/bread#x'])
    assert.equal((await sample.ask(target)).status, 400, target)
  const elsewhere = { headers: { host: 'other.example' } }
  assert.equal((await sample.ask('http://other.example/bread', elsewhere)).status, 421)
  assert.deepEqual([...sample.journal.pages()].map(({ path }) => path).toSorted(), ['/bread', '/other.example/bread'])
  const told = (await sample.ask('/sitemap.xml')).body.toString()
  assert.deepEqual(
    [...told.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url!).host),
    [HOST, HOST],
  )
  assert.equal(sample.proxy.counters.refused.misdirected, 1)
})

test('a page that takes its time goes out as it comes, and one that is too much at a time is not held', async () => {
  await using sample = await new ProxySample().start({ patienceMs: 20, proxyLimits: { copyBytes: 1_000 } })
  await sample.proxy.ready()
  const { promise: seen, resolve: see } = Promise.withResolvers<void>()
  sample.answers.set('/slow', (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.write('<p>first')
    void seen.then(() => response.end(' and last'))
  })
  assert.equal((await sample.ask('/slow', { onChunk: see })).body.toString(), '<p>first and last')
  sample.page('/large', OLD)
  assert.equal((await sample.ask('/large')).body.toString(), OLD)
  assert.equal((await sample.ask('/large')).headers.etag, undefined)
  assert.equal(sample.journal.pageCount, 0)
})

test('HEAD for a page that became too long to hold ends its connection to the origin, and nobody else is asked on it', async () => {
  await using sample = await new ProxySample().start({ maxPageBytes: OLD.length })
  await sample.proxy.ready()
  sample.page('/bread', OLD)
  await sample.ask('/bread')
  sample.answers.set('/bread', (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(OLD + NEW)
  })
  sample.answers.set('/form', (response, { body }) => response.end(`got ${body}`))
  for (let turn = 0; turn < 3; turn++) {
    const { status, body } = await sample.ask('/bread', { method: 'HEAD' })
    assert.deepEqual([status, body.length], [200, 0])
    assert.equal((await sample.ask('/form', { method: 'POST', body: 'x=1' })).body.toString(), 'got x=1')
  }
})
