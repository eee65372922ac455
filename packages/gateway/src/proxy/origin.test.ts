import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { httpOrigin, openProxy, opened, say } from '../testing/proxy-fixture.ts'

const ask = (method: string, body = ''): string =>
  `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${body === '' ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`

/** Answers once on each connection, and ends it when it is asked again. */
const forgetful = (): ReturnType<typeof opened> =>
  opened(
    createServer((socket) => {
      let asked = 0
      socket.on('error', () => socket.destroy())
      socket.on('data', () => {
        if (++asked > 1) socket.destroy()
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      })
    }),
  )

const repeated: [sentence: string, asked: string, status: string][] = [
  ['what only reads is asked again on a new connection', ask('GET'), '200'],
  ['what can be done twice without harm is asked again', ask('DELETE'), '200'],
  ['what must not be done twice is not asked again', ask('POST'), '502'],
  ['what has a body is not asked again', ask('PUT', 'hello'), '502'],
]
for (const [sentence, asked, status] of repeated) {
  test(`when a kept connection turns out to be closed: ${sentence}`, async () => {
    await using origin = await forgetful()
    await using front = await openProxy({ origin: origin.url })
    assert.match(await say(front.port, ask('GET')), /200 OK/)
    assert.equal(front.proxy.open.origin, 1)
    assert.equal((await say(front.port, asked)).slice(9, 12), status)
  })
}

test('an origin that says more than it was asked for is not asked on that connection again', async () => {
  await using origin = await opened(
    createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.on('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong'),
      )
    }),
  )
  await using front = await openProxy({ origin: origin.url })
  for (let turn = 0; turn < 3; turn++) assert.match(await say(front.port, ask('GET')), /\r\n\r\nok$/)
})

test('no more connections than are allowed: others wait in line, and beyond the line are told so', async () => {
  const waiting: (() => void)[] = []
  await using origin = await httpOrigin((request, response) => void waiting.push(() => response.end(request.url)))
  await using front = await openProxy({ origin: origin.url, limits: { maxOriginConnections: 1, maxWaiting: 1 } })
  const first = fetch(`${front.url}/1`)
  while (waiting.length < 1) await new Promise(setImmediate)
  const second = fetch(`${front.url}/2`)
  while (front.proxy.open.waiting < 1) await new Promise(setImmediate)
  const third = await fetch(`${front.url}/3`)
  assert.deepEqual([third.status, third.headers.get('retry-after')], [503, '5'])
  waiting[0]!()
  assert.equal(await (await first).text(), '/1')
  while (waiting.length < 2) await new Promise(setImmediate)
  waiting[1]!()
  assert.equal(await (await second).text(), '/2')
})

test('who goes while waiting in line leaves it', async () => {
  await using origin = await httpOrigin((_request, response) => void response.write('begin'))
  await using front = await openProxy({ origin: origin.url, limits: { maxOriginConnections: 1 } })
  const first = await fetch(front.url)
  const away = new AbortController()
  const second = fetch(front.url, { signal: away.signal })
  while (front.proxy.open.waiting < 1) await new Promise(setImmediate)
  away.abort()
  await assert.rejects(second)
  while (front.proxy.open.waiting > 0) await new Promise(setImmediate)
  await first.body?.cancel()
})

test('connections that nobody needs are closed after a while', async () => {
  let at = 0
  await using origin = await httpOrigin((_request, response) => void response.end('hello'))
  await using front = await openProxy({ origin: origin.url }, { now: () => at })
  await say(front.port, ask('GET'))
  assert.equal(front.proxy.open.origin, 1)
  front.proxy.sweep((at += 3_000))
  assert.equal(front.proxy.open.origin, 1)
  front.proxy.sweep((at += 3_000))
  assert.equal(front.proxy.open.origin, 0)
})
