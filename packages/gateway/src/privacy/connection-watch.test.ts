import assert from 'node:assert/strict'
import { createServer, Agent, request } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ConnectionWatch } from './connection-watch.ts'
import type { ObservedExchange } from '../http/observed-exchange.ts'
import { ProxySource } from '../proxy/source.ts'

test('who was asked for a password, or gave one, is known from then on', () => {
  for (const status of [200, 301, 403, 404, 500]) {
    const watch = new ConnectionWatch()
    watch.asks([['Cookie', 'a=1']])
    watch.answers(status)
    assert.equal(watch.isKnown, false)
  }
  for (const status of [401, 407]) {
    const watch = new ConnectionWatch()
    watch.answers(status)
    watch.answers(200)
    assert.ok(watch.isKnown)
  }
  for (const name of ['AUTHORIZATION', 'proxy-authorization']) {
    const watch = new ConnectionWatch()
    watch.asks([[name, 'NTLM x']])
    watch.asks([])
    assert.ok(watch.isKnown)
  }
})

interface Front extends AsyncDisposable {
  readonly url: string
  readonly passed: ObservedExchange[]
  /** Connections of the origin that each request came on, by number. */
  readonly lines: number[]
}

/** A proxy before an origin that signs in connections, and denies nothing else. */
async function front(): Promise<Front> {
  const [passed, lines, sockets]: [ObservedExchange[], number[], object[]] = [[], [], []]
  const origin = createServer((asked, answer) => {
    if (!sockets.includes(asked.socket)) sockets.push(asked.socket)
    lines.push(sockets.indexOf(asked.socket))
    answer.setHeader('Content-Type', 'text/html')
    if (asked.url === '/denied') answer.writeHead(401, { 'WWW-Authenticate': 'Basic realm="a"' })
    if (asked.url === '/ntlm') answer.writeHead(401, { 'WWW-Authenticate': 'NTLM' })
    answer.end('<p>hello')
  }).listen(0, '127.0.0.1')
  await once(origin, 'listening')
  const { port } = origin.address() as AddressInfo
  const sink = { observed: (observed: ObservedExchange): void => void passed.push(observed) }
  const proxy = new ProxySource({ origin: `http://127.0.0.1:${port}`, host: '127.0.0.1', port: 0 }, { sink })
  const { url } = await proxy.listen()
  return {
    url,
    passed,
    lines,
    [Symbol.asyncDispose]: async () => {
      await proxy.stop(0)
      origin.closeAllConnections()
      origin.close()
    },
  }
}

const told = ({ passed }: Front): unknown[] =>
  passed.map(({ request: asked, authentication }) => [asked!.target, authentication])

async function read(url: string, agent: Agent, headers: Record<string, string> = {}): Promise<void> {
  const [answer] = await once(request(url, { agent, headers }).end(), 'response')
  for await (const _ of answer);
}

test('in a proxy the connection of a client is tainted, and no other', { timeout: 30_000 }, async () => {
  await using open = await front()
  const [one, other] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
  await read(`${open.url}/before`, one)
  await read(`${open.url}/denied`, one)
  await read(`${open.url}/after`, one)
  await read(`${open.url}/else`, other)
  await read(`${open.url}/given`, other, { Authorization: 'Basic YTpi' })
  await read(`${open.url}/later`, other)
  one.destroy()
  other.destroy()
  // A request with a password is left out for that already.
  const expected = ['none', 'none', 'known', 'none', 'known', 'known']
  const paths = ['/before', '/denied', '/after', '/else', '/given', '/later']
  assert.deepEqual(
    told(open),
    paths.map((path, i) => [path, expected[i]]),
  )
})

test('a session of HTTP/2 is one connection', { timeout: 30_000 }, async () => {
  await using open = await front()
  const session = connectHttp2(open.url)
  for (const path of ['/before', '/denied', '/after']) {
    const stream = session.request({ ':path': path })
    for await (const _ of stream);
  }
  session.destroy()
  assert.deepEqual(told(open), [
    ['/before', 'none'],
    ['/denied', 'none'],
    ['/after', 'known'],
  ])
})

test('a connection of the origin that was signed in serves nobody else', { timeout: 30_000 }, async () => {
  await using open = await front()
  const [one, other] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
  await read(`${open.url}/plain`, one)
  await read(`${open.url}/kept`, other)
  await read(`${open.url}/basic`, one, { Authorization: 'Basic YTpi' })
  await read(`${open.url}/negotiate`, one, { Authorization: 'Negotiate YIIZ' })
  await read(`${open.url}/ntlm`, other)
  await read(`${open.url}/other`, other)
  one.destroy()
  other.destroy()
  assert.deepEqual(open.lines, [0, 0, 0, 0, 1, 2])
})
