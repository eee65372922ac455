import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { ByteBudget } from './byte-budget.ts'
import { Connection } from './connection.ts'
import type { ConnectionLimits } from './connection.ts'
import type { AnsweredExchange, Exchange } from '@comity/ingest'
import type { FailedExchange } from '@comity/ingest/testing'

const limits: ConnectionLimits = {
  connectTimeoutMs: 300,
  headersTimeoutMs: 300,
  bodyTimeoutMs: 300,
  totalTimeoutMs: 600,
  maxBodyBytes: 10_000,
  maxHeaderBytes: 8_192,
}

interface RawSite extends AsyncDisposable {
  readonly connection: Connection
  readonly accepted: number
}

/** A server that does to each request, by its number from 0, what the test says. */
async function raw(
  act: (socket: Socket, request: number) => unknown,
  given: Partial<ConnectionLimits> = {},
  bytesPerSecond = Infinity,
): Promise<RawSite> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    let request = 0
    socket.on('data', () => act(socket, request++))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.60.1', resolve))
  const { port } = server.address() as AddressInfo
  const connection = new Connection({
    origin: `http://name.test:${port}`,
    address: '127.0.60.1',
    limits: { ...limits, ...given },
    budget: new ByteBudget(bytesPerSecond),
    now: () => Date.now(),
    insecureTls: false,
  })
  return {
    connection,
    get accepted() {
      return sockets.length
    },
    [Symbol.asyncDispose]: async () => {
      await connection.close()
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

const answer = (body: string, head = ''): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n${head}\r\n${body}`
const ask = ({ connection }: RawSite): Promise<Exchange> => connection.request('/', {})
const answered = (exchange: Exchange): AnsweredExchange => {
  assert.equal(exchange.kind, 'answered')
  return exchange
}
const failed = (exchange: Exchange): FailedExchange => {
  assert.equal(exchange.kind, 'failed')
  return exchange
}

test('requests follow each other on one connection, and only the first knows how long connecting took', async () => {
  await using site = await raw((socket, request) => socket.write(answer(`body ${request}`, 'X-Odd: M\xfcnchen\r\n')))
  const first = answered(await ask(site))
  const second = answered(await ask(site))
  assert.equal(Buffer.from(second.body).toString(), 'body 1')
  assert.ok(first.connectMs !== undefined && second.connectMs === undefined)
  assert.deepEqual(first.head.headers.at(-1), ['X-Odd', 'M\u00c3\u00bcnchen'])
  assert.ok(first.firstByteMs >= 0 && first.transferMs >= 0 && first.endedAt >= first.startedAt)
  assert.equal(site.accepted, 1)
})

test('a connection that was closed while it rested is stale, and is not opened again', async () => {
  await using site = await raw((socket, request) => {
    socket.write(answer('x'))
    if (request === 0) socket.end()
  })
  answered(await ask(site))
  await untilSo(() => !site.connection.isOpen)
  assert.equal(failed(await ask(site)).stale, true)
  assert.equal(site.accepted, 1)
})

test('a used connection that is closed upon our request, without a byte of answer, is stale', async () => {
  await using site = await raw((socket, request) => (request === 0 ? socket.write(answer('x')) : socket.destroy()))
  answered(await ask(site))
  const { stale, outcome } = failed(await ask(site))
  assert.deepEqual([stale, outcome], [true, 'connection-reset'])
})

test('a fresh connection that is closed, or a used one that breaks in its answer, is the server\u2019s fault', async () => {
  await using closing = await raw((socket) => socket.destroy())
  assert.equal(failed(await ask(closing)).stale, false)
  await using breaking = await raw((socket, request) => {
    socket.write(request === 0 ? answer('x') : 'HTTP/1.1 200')
    if (request === 1) setTimeout(() => socket.resetAndDestroy(), 10)
  })
  answered(await ask(breaking))
  const { stale, outcome } = failed(await ask(breaking))
  assert.deepEqual([stale, outcome], [false, 'connection-reset'])
})

// oxfmt-ignore
const heads: [sentence: string, first: string, forEver: string, outcome: string][] = [
  ['a reason phrase without end', 'HTTP/1.1 200 ', 'very '.repeat(1_000), 'headers-too-large'],
  ['header lines without end', 'HTTP/1.1 200 OK\r\n', 'x-more: and more\r\n'.repeat(100), 'headers-too-large'],
  ['early hints without end', '', 'HTTP/1.1 103 Early Hints\r\nx: y\r\n\r\n'.repeat(50), 'headers-too-large'],
]
for (const [sentence, first, forEver, outcome] of heads) {
  test(`${sentence}: cut off soon after the limit`, async () => {
    let sent = 0
    await using site = await raw((socket) => {
      socket.write(first)
      const pour = (): void => {
        if (socket.destroyed || sent > 50_000_000) return
        sent += forEver.length
        if (socket.write(forEver)) setImmediate(pour)
        else socket.once('drain', pour)
      }
      pour()
    })
    assert.equal(failed(await ask(site)).outcome, outcome)
    assert.ok(sent < 20_000_000, `${sent} bytes were taken`)
  })
}

test('a body is cut at its limit, and what came is kept', async () => {
  await using site = await raw((socket) => socket.write(answer('x'.repeat(50_000))))
  const { body, truncated } = answered(await ask(site))
  assert.deepEqual([body.length, truncated], [limits.maxBodyBytes, 'length'])
  assert.equal(site.connection.isOpen, false)
})

test('a limit can be given for one request alone', async () => {
  await using site = await raw((socket) => socket.write(answer('x'.repeat(50_000))))
  const large = answered(await site.connection.request('/', {}, { maxBodyBytes: 100_000 }))
  assert.deepEqual([large.body.length, large.truncated], [50_000, undefined])
  assert.equal(answered(await ask(site)).truncated, 'length')
})

test('a body that nobody wants is not read', async () => {
  await using site = await raw((socket) => socket.write(answer('x'.repeat(5_000))))
  const { body, declined, truncated, head } = answered(await site.connection.request('/', {}, { wants: () => false }))
  assert.deepEqual([body.length, declined, truncated, head.status], [0, true, undefined, 200])
})

// oxfmt-ignore
const times: [sentence: string, act: (socket: Socket) => unknown, expected: string][] = [
  ['no answer at all',            () => undefined,                                                        'timeout-headers'],
  ['half a head',                 (socket) => socket.write('HTTP/1.1 200 OK\r\nx'),                       'timeout-headers'],
  ['a head one byte at a time',   (socket) => setInterval(() => socket.write('H'), 50).unref(),           'bad-response'],
  ['a head and then nothing',     (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'), 'time'],
  ['half a body',                 (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'), 'time'],
  ['a body that breaks off',      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'), 'disconnect'],
  ['a head, and the end',         (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'), 'disconnect'],
  ['chunks that are none',        (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'), 'bad-response'],
]
for (const [sentence, act, expected] of times) {
  test(`${sentence} ends in ${expected}`, async () => {
    await using site = await raw(act)
    const exchange = await ask(site)
    assert.equal(exchange.kind === 'failed' ? exchange.outcome : exchange.truncated, expected)
  })
}

test('a body that drips is cut by the time for the whole request, however busy it is', async () => {
  await using site = await raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n')
    setInterval(() => socket.write('x'), 20).unref()
  })
  const { truncated, body } = answered(await ask(site))
  assert.equal(truncated, 'time')
  assert.ok(body.length > 5)
})

test('time in which we pause for the sake of the rate is not held against the server', async () => {
  await using site = await raw((socket) => socket.write(answer('x'.repeat(9_000))), {}, 9_000)
  const { truncated, body } = answered(await ask(site))
  assert.deepEqual([truncated, body.length], [undefined, 9_000])
})

test('a request that cannot be written is a failure, not an exception', async () => {
  await using site = await raw((socket) => socket.write(answer('x')))
  assert.equal(failed(await site.connection.request('/a\nb', {})).kind, 'failed')
})

test('nobody there has a name of its own', async () => {
  const budget = new ByteBudget(Infinity)
  const origin = 'http://name.test:9'
  const nobody = new Connection({ origin, address: '127.0.60.2', limits, budget, now: Date.now, insecureTls: false })
  assert.equal(failed(await nobody.request('/', {})).outcome, 'connection-refused')
  await nobody.close()
})
