import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { applyDelta } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { askPort, HOST, listening, sampleHtml } from './adapter-sample.ts'
import type { Asking, Got } from './adapter-sample.ts'
import { AT, failsAs } from './journal-sample.ts'
import { MemoryJournal } from './memory-journal.ts'
import { etagOf } from './page-etag.ts'
import { createSiteProxy } from './site-proxy.ts'
import type { SiteProxy } from './site-proxy.ts'
import { digestOf } from './version-store.ts'

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
type Answer = (response: ServerResponse, asked: Asked) => void

/** An origin on loopback, and a proxy before it. */
class ProxySample {
  readonly journal = new MemoryJournal({ id: 'proxy' })
  readonly asked: Asked[] = []
  readonly answers: Map<string, Answer> = new Map()
  now: Instant = AT
  readonly #origin = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = {
        method: request.method!,
        url: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      this.asked.push(asked)
      const answer = this.answers.get(asked.url) ?? ((to: ServerResponse) => to.writeHead(404).end('not here'))
      answer(response, asked)
    })
  })
  proxy!: SiteProxy
  port = 0
  readonly #front = createServer((request, response) => this.proxy.handler(request, response))

  async start(): Promise<this> {
    const origin = `http://127.0.0.1:${await listening(this.#origin)}`
    this.proxy = createSiteProxy({
      origin,
      journal: this.journal,
      base: `http://${HOST}/`,
      now: () => this.now,
      timeoutMs: 5_000,
    })
    this.port = await listening(this.#front)
    return this
  }

  page(path: string, body: string | Buffer, headers: Record<string, string> = { 'content-type': 'text/html' }): void {
    this.answers.set(path, (response) => response.writeHead(200, headers).end(body))
  }

  async ask(path: string, asking: Asking = {}): Promise<Got> {
    const got = await askPort(this.port, path, asking)
    await this.proxy.front.settled()
    return got
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.proxy[Symbol.dispose]()
    for (const server of [this.#front, this.#origin]) {
      server.closeAllConnections()
      server.close()
    }
  }
}

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
  assert.equal(headers['x-forwarded-host'], undefined)
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

test('an origin that breaks off is broken off for the visitor too, and one that is gone is told of', async () => {
  await using sample = await new ProxySample().start()
  await sample.proxy.ready()
  sample.answers.set('/cut', (response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' })
    response.write('<p>half', () => response.destroy())
  })
  await assert.rejects(sample.ask('/cut'))
  assert.equal(sample.journal.pageCount, 0)
  sample.answers.set('/gone', (response) => response.destroy())
  const got = await sample.ask('/gone')
  assert.equal(got.status, 502)
  assert.match(got.body.toString(), /did not answer/)
})

test('an origin has a scheme, a host and maybe a port', () => {
  const options = { journal: new MemoryJournal(), base: `http://${HOST}/`, now: () => AT }
  for (const origin of ['', 'localhost:80', 'ftp://a.example', 'http://a.example/path'])
    assert.throws(() => createSiteProxy({ ...options, origin }), failsAs('PUBLISH_OPTION_INVALID', /is no origin/))
})
