/** Beside a crawl that is running: its pages appear, it can be steered, and when it ends the rest goes on. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { testFolder } from '@comity/collection/testing'
import { crawl } from '@comity/crawler'
import type { CrawlState, LiveSample, Statistics } from './model/models.ts'
import { openRepository } from './open-repository.ts'
import { samplePages, sampleRepository } from './testing/sample-repository.ts'
import { TOKEN, ask } from './testing/sample-server.ts'
import { RepositoryServer } from './http/server.ts'

/** A site without an end: every page leads to the next two. */
async function endlessSite(t: TestContext): Promise<string> {
  const site = createServer(({ url }, response) => {
    const number = Number(url?.slice(1) ?? 0)
    const isPage = /^\/\d*$/.test(url ?? '')
    response.writeHead(isPage ? 200 : 404, { 'Content-Type': 'text/html' })
    response.end(
      isPage ? `<title>${number}</title><a href="/${2 * number + 1}">l</a><a href="/${2 * number + 2}">r</a>` : '',
    )
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.after(() => {
    site.closeAllConnections()
    site.close()
  })
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

async function until<Value>(look: () => Promise<Value>, isIt: (value: Value) => boolean): Promise<Value> {
  const end = Date.now() + 20_000
  for (;;) {
    const value = await look()
    if (isIt(value)) return value
    assert.ok(Date.now() < end, `it never came: ${JSON.stringify(value)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('a repository serves a collection while a crawl writes it, and steers that crawl', async (t) => {
  const [dir, origin] = [testFolder(t), await endlessSite(t)]
  const interrupt = new AbortController()
  const started = Promise.withResolvers<void>()
  const options = {
    seeds: [`${origin}/`],
    userAgent: 'comity-test/1.0 (+https://example.org/bot)',
    allowPrivate: true,
    privateDelayMs: 5,
    threads: 0,
    commitEveryMs: 20,
  }
  const crawling = crawl({ into: dir, options, signal: interrupt.signal, onControl: () => started.resolve() })
  t.after(() => interrupt.abort())
  await started.promise

  const { search } = await sampleRepository(t)
  const opened = openRepository(dir, { search: () => search, now: () => Date.now() })
  const { repository } = opened
  const server = new RepositoryServer({ repository, pages: samplePages, token: TOKEN, now: () => Date.now() })
  const { port } = await server.listen()
  t.after(async () => {
    await server.stop()
    await opened[Symbol.asyncDispose]()
  })
  const statistics = async (): Promise<Statistics> => (await ask(port, '/api/v1/statistics')).value as Statistics
  const control = async (name: string, body = {}): Promise<CrawlState> => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const path = `/api/v1/crawl/${name}`
    const { status, value, text } = await ask(port, path, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(status, 200, text)
    return value as CrawlState
  }

  assert.equal((await statistics()).crawl.kind, 'running')
  await until(statistics, ({ pages }) => pages.held > 3)
  const page = await ask(port, `/api/v1/page?url=${encodeURIComponent(`${origin}/1`)}`)
  assert.deepEqual([page.status, (page.value as { title: string }).title], [200, '1'])

  const [stream] = (await once(get({ port, path: '/api/v1/live', agent: false }), 'response')) as [IncomingMessage]
  let events = ''
  stream.on('data', (chunk: Buffer) => (events += chunk.toString()))
  await until(
    async () => events,
    (text) => text.includes('event: sample'),
  )
  const { pages } = JSON.parse(/^data: (.*)$/m.exec(events)![1]!) as LiveSample
  assert.ok(pages >= 0)

  assert.equal((await control('pause')).kind, 'paused')
  await control('seeds', { url: `${origin}/seed` })
  await control('budget', { maxPages: 1_000_000 })
  assert.equal((await control('resume')).kind, 'running')
  await control('stop')
  await crawling
  await until(
    async () => events,
    (text) => text.includes('event: end'),
  )
  stream.destroy()
  assert.equal((await until(statistics, ({ crawl: state }) => state.kind === 'none')).crawl.kind, 'none')
})
