import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { connect, createServer as createServer2 } from 'node:http2'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { once } from 'node:events'
import { test } from 'node:test'
import { askPort, HOST, listening, sampleHtml, AdapterSample } from '../testing/adapter-sample.ts'
import { holdResponse } from './held-response.ts'
import type { Holding } from './held-response.ts'
import { nodeMiddleware } from './node-middleware.ts'

/** Holds everything, and sends it in capitals. */
const capitals: Holding = {
  maxBytes: 100,
  patienceMs: 60_000,
  holds: (status) => status === 200,
  whole: (_, headers, body) => ({
    status: 203,
    headers: [...headers.filter(([name]) => name.startsWith('x-')), ['X-Held', 'yes']],
    body: Buffer.from(
      Buffer.from(body as string)
        .toString()
        .toUpperCase(),
    ),
    isAsMade: false,
  }),
}

async function answered(
  act: (response: ServerResponse) => void,
  holding = capitals,
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  const server = createServer((_, response) => {
    holdResponse(response, holding)
    act(response)
  })
  const got = await askPort(await listening(server), '/')
  server.close()
  return { status: got.status, headers: got.headers, body: got.body.toString() }
}

const ways: [sentence: string, act: (response: ServerResponse) => void][] = [
  ['in one piece', (response) => response.setHeader('x-a', '1').end('page')],
  ['with a head before', (response) => response.writeHead(200, { 'x-a': '1' }).end('page')],
  ['with a reason', (response) => response.writeHead(200, 'Fine', { 'x-a': '1' }).end('page')],
  ['with a head in turns', (response) => response.writeHead(200, ['x-a', '1']).end('page')],
  [
    'in pieces',
    (response) => {
      response.setHeader('x-a', '1')
      response.write('pa')
      response.end(Buffer.from('ge'))
    },
  ],
  ['in another coding', (response) => response.setHeader('x-a', '1').end('70616765', 'hex')],
  [
    'with an end alone',
    (response) => {
      response.setHeader('x-a', '1')
      response.write('page', () => response.end())
    },
  ],
]
for (const [sentence, act] of ways) {
  test(`an answer ${sentence} is held and sent in another form`, async () => {
    const { status, headers, body } = await answered(act)
    assert.equal(status, 203)
    assert.equal(body, 'PAGE')
    assert.equal(headers['x-a'], '1')
    assert.equal(headers['x-held'], 'yes')
  })
}

const free: [sentence: string, act: (response: ServerResponse) => void, body: string][] = [
  ['one that is not wanted', (response) => response.writeHead(201).end('page'), 'page'],
  ['one that is too long', (response) => response.end('x'.repeat(101)), 'x'.repeat(101)],
  [
    'one that gets too long',
    (response) => {
      for (let i = 0; i < 3; i++) response.write('x'.repeat(50))
      response.end('end')
    },
    `${'x'.repeat(150)}end`,
  ],
  [
    'one whose head has left',
    (response) => {
      response.flushHeaders()
      response.end('page')
    },
    'page',
  ],
]
for (const [sentence, act, expected] of free) {
  test(`${sentence} goes out as it comes`, async () => {
    const { headers, body } = await answered(act)
    assert.equal(body, expected)
    assert.equal(headers['x-held'], undefined)
  })
}

test('while it is held, everybody believes that it has begun', async () => {
  const seen: boolean[] = []
  await answered((response) => {
    seen.push(response.headersSent)
    response.write('a')
    seen.push(response.headersSent)
    response.end()
    seen.push(response.headersSent)
  })
  assert.deepEqual(seen, [false, true, true])
})

test('HTTP/2 is held as well', async () => {
  const sample = new AdapterSample()
  const middleware = nodeMiddleware(sample.front)
  const body = sampleHtml('Bread')
  const server = createServer2((request: Http2ServerRequest, response: Http2ServerResponse) => {
    middleware(request as never, response as never, () => {
      response.setHeader('content-type', 'text/html')
      response.end(body)
    })
  })
  const session = connect(`http://127.0.0.1:${await listening(server)}`)
  const ask = async (
    more: Record<string, string> = {},
  ): Promise<{ status: unknown; etag: unknown; length: number }> => {
    const stream = session.request({ ':path': '/bread', ':authority': HOST, ...more })
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    let length = 0
    for await (const chunk of stream) length += (chunk as Buffer).length
    return { status: headers[':status'], etag: headers['etag'], length }
  }
  try {
    const first = await ask()
    assert.equal(first.length, Buffer.byteLength(body))
    await sample.front.settled()
    assert.equal(sample.journal.pageCount, 1)
    const second = await ask({ 'if-none-match': String(first.etag) })
    assert.deepEqual([second.status, second.length], [304, 0])
  } finally {
    session.close()
    server.close()
  }
})
