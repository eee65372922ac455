/** Limits, streams and the end: what a server does when there is too much of something, and when it stops. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { AT, sampleOf } from '../testing/sample-repository.ts'
import { askRaw, sampleServer } from '../testing/sample-server.ts'

test('more searches than there is room for wait in line, and past that are turned away', async (t) => {
  const { ask, search } = await sampleServer(t, { searches: 1, waitingSearches: 1 })
  const answer = await search.search({ query: 'a' })
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  search.search = async () => {
    await opened
    return answer
  }
  const three = [ask('/api/v1/search?q=a'), ask('/api/v1/search?q=b'), ask('/api/v1/search?q=c')]
  const first = await Promise.race(three)
  assert.deepEqual([first.status, first.headers['retry-after']], [429, '1'])
  open()
  const statuses = (await Promise.all(three)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 2)
})

test('an answer that takes too long is given up, and the server goes on', async (t) => {
  const { ask, search } = await sampleServer(t, { answerTimeoutMs: 50 })
  search.search = () => new Promise(() => undefined)
  assert.equal((await ask('/api/v1/search?q=a')).status, 503)
  assert.equal((await ask('/healthz')).status, 200)
})

test('live samples come as events, those missed first, and the stream ends with the server', async (t) => {
  const { port, control: crawl, server } = await sampleServer(t)
  const listen = async (
    headers: Record<string, string> = {},
  ): Promise<{ response: IncomingMessage; text: () => string }> => {
    const [response] = (await once(get({ port, path: '/api/v1/live', headers, agent: false }), 'response')) as [
      IncomingMessage,
    ]
    let text = ''
    response.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return { response, text: () => text }
  }
  const first = await listen()
  assert.equal(first.response.headers['content-type'], 'text/event-stream; charset=utf-8')
  await untilSo(() => crawl.listeners === 1)
  for (const pages of [1, 2, 3]) crawl.push(sampleOf(pages))
  await untilSo(() => first.text().includes(`id: ${AT + 3}\n`))
  const second = await listen({ 'last-event-id': String(AT + 1) })
  await untilSo(() => second.text().includes(`id: ${AT + 3}\n`))
  assert.doesNotMatch(second.text(), new RegExp(`id: ${AT + 1}\n`))
  assert.equal(crawl.listeners, 1, 'one line to the crawl is enough')
  const ended = Promise.all([once(first.response, 'end'), once(second.response, 'end')])
  await server.stop()
  await ended
  await untilSo(() => crawl.listeners === 0)
})

test('only so many may listen at once', async (t) => {
  const { port, ask, server } = await sampleServer(t, { eventStreams: 1 })
  const [response] = (await once(get({ port, path: '/api/v1/live', agent: false }), 'response')) as [IncomingMessage]
  assert.equal((await ask('/api/v1/live')).status, 429)
  response.destroy()
  await server.stop()
})

for (const [sentence, proxies, expected] of [
  ['shared by those whom a proxy in front names, when it is to be believed', ['127.0.0.1'], [200, 200, 429, 200]],
  ['of the proxy itself, when it is not', [], [200, 200, 429, 429]],
] as const)
  test(`event streams are ${sentence}`, async (t) => {
    const { port, ask, server } = await sampleServer(t, { eventStreams: 5 }, undefined, proxies)
    const statuses: (number | undefined)[] = []
    for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2']) {
      const headers = { 'x-forwarded-for': `203.0.113.9, ${client}` }
      const asked = get({ port, path: '/api/v1/live', agent: false, headers }).on('error', () => undefined)
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      response.on('error', () => undefined)
      statuses.push(response.statusCode)
    }
    assert.deepEqual(statuses, expected)
    assert.match((await ask('/metrics')).text, /comity_http_refused_total\{reason="too-many-streams"\} [12]\n/)
    await server.stop()
  })

test('while a collection is counted for the first time the server is alive, not ready, and searches', async (t) => {
  const { ask, survey } = await sampleServer(t)
  survey.statistics = () => new Promise(() => undefined)
  const [health, ready, search] = await Promise.all([ask('/healthz'), ask('/readyz'), ask('/search?q=one')])
  assert.deepEqual([health.status, ready.status, search.status], [200, 503, 200])
  Reflect.deleteProperty(survey, 'statistics')
  assert.equal((await ask('/readyz')).status, 200)
})

test('stopping lets what runs finish and takes nothing new', async (t) => {
  const { ask, search, server, port } = await sampleServer(t)
  const answer = await search.search({ query: 'a' })
  const { promise: asked, resolve: begin } = Promise.withResolvers<void>()
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  search.search = async () => {
    begin()
    await opened
    return answer
  }
  const running = ask('/api/v1/search?q=a')
  await asked
  const stopped = server.stop()
  await assert.rejects(ask('/healthz'), /ECONNREFUSED/)
  open()
  assert.equal((await running).status, 200)
  await stopped
  assert.equal(await askRaw(port, 'GET / HTTP/1.1\r\n\r\n'), '')
})

test('stopping does not wait for what never ends', async (t) => {
  const { ask, search, server } = await sampleServer(t, { stopTimeoutMs: 50 })
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  search.search = () => {
    resolve()
    return new Promise(() => undefined)
  }
  const running = ask('/api/v1/search?q=a')
  const lost = assert.rejects(running)
  await asked
  await server.stop()
  await lost
})

test('a request that does not come whole is not waited for', async (t) => {
  const { port } = await sampleServer(t, { requestTimeoutMs: 100 })
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n'))
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  await once(socket, 'close')
  assert.match(text, /^HTTP\/1\.1 408 /)
})

test('headers past the limit are refused by name', async (t) => {
  const { port } = await sampleServer(t)
  assert.match(
    await askRaw(port, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    /^HTTP\/1\.1 431 /,
  )
})
