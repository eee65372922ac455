import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { ByteBudget } from './byte-budget.ts'
import { Connection } from './connection.ts'
import type { ConnectionLimits, RequestOptions } from './connection.ts'
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
  readonly port: number
  readonly accepted: number
}

/** A server that does to each request, by its number from 0, what the test says. */
async function raw(
  act: (socket: Socket, request: number, bytes: Buffer) => unknown,
  given: Partial<ConnectionLimits> = {},
  bytesPerSecond = Infinity,
): Promise<RawSite> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    let request = 0
    socket.on('data', (bytes) => act(socket, request++, bytes))
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
    port,
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

// oxfmt-ignore
const unsendable: [sentence: string, path: string, headers: Record<string, string>][] = [
  ['a path with a line end',               '/a\nb',    {}],
  ['a path with a blank',                  '/a b',     {}],
  ['a path beyond Latin-1',                '/\u0416',  {}],
  ['a value with a line end',              '/',        { cookie: 'a\r\nx: y' }],
  ['a value beyond Latin-1',               '/',        { cookie: '\u0416' }],
  ['a name that is none',                  '/',        { 'a b': 'c' }],
  ['a field that frames the message anew', '/',        { 'Content-Length': '5' }],
]
for (const [sentence, path, headers] of unsendable) {
  test(`${sentence} cannot be written: a failure, not an exception, and nothing is sent`, async () => {
    let heard = 0
    await using site = await raw((socket) => {
      heard++
      socket.write(answer('x'))
    })
    assert.equal(failed(await site.connection.request(path, headers)).outcome, 'bad-response')
    assert.equal(heard, 0)
  })
}

// oxfmt-ignore
const written: [sentence: string, asked: RequestOptions, headers: Record<string, string>, lines: string][] = [
  ['a request for a page',       {},                                 { accept: '*/*', 'if-none-match': '"\xe9"' }, 'GET /p?q HTTP/1.1|host: name.test:PORT|connection: keep-alive|accept: */*|if-none-match: "\xe9"||'],
  ['a host that its owner names', {},                                { host: 'other.test' },                       'GET /p?q HTTP/1.1|host: other.test|connection: keep-alive||'],
  ['a question with a body',     { method: 'QUERY', body: '\u00e9' }, {},                                          'QUERY /p?q HTTP/1.1|host: name.test:PORT|connection: keep-alive|content-length: 2||\xc3\xa9'],
  ['a message without a body',   { method: 'POST' },                 {},                                          'POST /p?q HTTP/1.1|host: name.test:PORT|connection: keep-alive|content-length: 0||'],
]
for (const [sentence, asked, headers, lines] of written) {
  test(`${sentence} is written so, in one piece`, async () => {
    const heard: string[] = []
    await using site = await raw((socket, _, bytes) => {
      heard.push(bytes.toString('latin1'))
      socket.write(answer('x'))
    })
    answered(await site.connection.request('/p?q', headers, asked))
    assert.deepEqual(heard, [lines.replace('PORT', `${site.port}`).replaceAll('|', '\r\n')])
  })
}

const text = 'HTTP/1.1 200 OK\r\n'
// oxfmt-ignore
const read: [sentence: string, bytes: string, came: string, isOpen: boolean][] = [
  ['a body that goes on to the end',           `${text}\r\nabc`,                                                               'abc',          false],
  ['chunks with extensions and trailers',      `${text}transfer-encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nExpires: 0\r\n\r\n`, 'abc',          true],
  ['a trailer that frames the message anew',   `${text}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nContent-Length: 1\r\n\r\n`, 'disconnect', false],
  ['a coding below the chunks',                `${text}transfer-encoding: x, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,           'abc',          true],
  ['a coding above the chunks',                `${text}transfer-encoding: chunked, x\r\n\r\n3\r\nabc`,                        '3\r\nabc',     false],
  ['an answer before the answer',              `HTTP/1.1 103 Early\r\nlink: x\r\n\r\n${answer('abc')}`,                        'abc',          true],
  ['100 Continue, which nobody asked for',     `HTTP/1.1 100 Continue\r\n\r\n${answer('abc')}`,                               'bad-response', false],
  ['another protocol, which nobody asked for', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n',                               'bad-response', false],
  ['more than one answer',                     answer('abc') + answer('abc'),                                                 'abc',          false],
  ['a wish to close',                          answer('abc', 'connection: close\r\n'),                                         'abc',          false],
  ['the first HTTP, which closes',             answer('abc').replace('1.1', '1.0'),                                           'abc',          false],
  ['no body, whatever is said of its length',  answer('abc').replace('200 OK', '304 Not Modified').replace('abc', ''),        '',             true],
  ['a line feed alone at the end of a line',   `${text}x: y\ncontent-length: 3\r\n\r\nabc`,                                   'bad-response', false],
  ['a head of line feeds alone',               `HTTP/1.1 200 OK\ncontent-length: 3\n\nabc`,                                   'bad-response', false],
  ['a line that cannot end a chunk',           `${text}transfer-encoding: chunked\r\n\r\n3;${'x'.repeat(20_000)}`,            'length',       false],
]
for (const [sentence, bytes, came, isOpen] of read) {
  for (const [how, size] of [
    ['whole', bytes.length],
    ['byte for byte', 1],
  ] as const) {
    if (size === 1 && bytes.length > 1_000) continue
    test(`${sentence}, sent ${how}: ${JSON.stringify(came)}`, async () => {
      await using site = await raw((socket) => {
        socket.setNoDelay(true)
        for (let at = 0; at < bytes.length; at += size) socket.write(bytes.slice(at, at + size), 'latin1')
        if (!isOpen) socket.end()
      })
      const exchange = await ask(site)
      if (exchange.kind === 'failed') assert.equal(exchange.outcome, came)
      else assert.equal(exchange.truncated ?? Buffer.from(exchange.body).toString('latin1'), came)
      if (isOpen) assert.equal(site.connection.isOpen, true)
      else await untilSo(() => !site.connection.isOpen)
    })
  }
}

test('what comes before anything is asked ends the connection, and is no answer', async () => {
  await using site = await raw((socket, request) => {
    socket.write(answer('x'))
    if (request === 0) setTimeout(() => socket.write(answer('unasked')), 20)
  })
  assert.equal(Buffer.from(answered(await ask(site)).body).toString(), 'x')
  await untilSo(() => !site.connection.isOpen)
  assert.equal(failed(await ask(site)).stale, true)
})

test('a request that is given up by us was never made', async () => {
  await using site = await raw((socket) => socket.write('HTTP/1.1 200 OK\r\n'))
  const asked = ask(site)
  await untilSo(() => site.accepted === 1)
  site.connection.cut()
  const { stale, outcome } = failed(await asked)
  assert.deepEqual([stale, outcome, site.connection.isOpen], [true, 'connection-reset', false])
})

test('nobody there has a name of its own', async () => {
  const budget = new ByteBudget(Infinity)
  const origin = 'http://name.test:9'
  const nobody = new Connection({ origin, address: '127.0.60.2', limits, budget, now: Date.now, insecureTls: false })
  assert.equal(failed(await nobody.request('/', {})).outcome, 'connection-refused')
  await nobody.close()
})
