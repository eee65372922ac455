import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { httpOrigin, openProxy, opened, rawOrigin, say } from '../testing/proxy-fixture.ts'
import { createServer as createHttpServer } from 'node:http'

const GET = 'GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n'

/** What an origin says, and what a client of the proxy hears. */
const passed: [sentence: string, asked: string, said: string, heard: RegExp, endsThen?: boolean][] = [
  [
    'a body with a length passes with its length',
    GET,
    'HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nX-A: 1\r\nKeep-Alive: 5\r\n\r\nhello',
    /^HTTP\/1\.1 200 Fine\r\nX-A: 1\r\nContent-Length: 5\r\nVia: 1\.1 comity\r\nConnection: close\r\n\r\nhello$/,
  ],
  [
    'chunks are cut anew, without their extensions and with their trailers',
    GET,
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3;a=b\r\nabc\r\n02\r\nde\r\n0\r\nX-Sum: 1\r\n\r\n',
    /Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n(?:.*\r\n)*\r\n5\r\nabcde\r\n0\r\nX-Sum: 1\r\n\r\n$/,
  ],
  [
    'a body that ends with the connection becomes chunks',
    GET,
    'HTTP/1.1 200 OK\r\n\r\nhello',
    /Transfer-Encoding: chunked\r\n(?:.*\r\n)*\r\n5\r\nhello\r\n0\r\n\r\n$/,
    true,
  ],
  [
    'a client of HTTP/1.0 gets chunks joined, and the end of the connection as their end',
    'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    /^HTTP\/1\.1 200 OK\r\nVia: 1\.1 comity\r\nConnection: close\r\n\r\nabcde$/,
  ],
  [
    'interim answers come before the answer',
    GET,
    'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a\.css>\r\n\r\nHTTP\/1\.1 200 OK\r\n/,
  ],
  [
    'a client of HTTP/1.0 gets no interim answer',
    'GET / HTTP/1.0\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    /^HTTP\/1\.1 200 OK\r\n/,
  ],
  [
    'an answer to HEAD has its length and no body',
    GET.replace('GET', 'HEAD'),
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n',
    /Content-Length: 5\r\n(?:.*\r\n)*\r\n$/,
  ],
  [
    '204 has no length',
    GET,
    'HTTP/1.1 204 No Content\r\n\r\n',
    /^HTTP\/1\.1 204 No Content\r\nVia: .*\r\nConnection: close\r\n\r\n$/,
  ],
  [
    '304 has no body',
    GET,
    'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 5\r\n\r\n',
    /^HTTP\/1\.1 304 Not Modified\r\nETag: "a"\r\nContent-Length: 5\r\n(?:.*\r\n)*\r\n$/,
  ],
  [
    'a range passes',
    GET,
    'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-2/5\r\nContent-Length: 2\r\n\r\nel',
    /^HTTP\/1\.1 206 .*\r\nContent-Range: bytes 1-2\/5\r\n(?:.*\r\n)*\r\nel$/,
  ],
  [
    'an answer that is ambiguous becomes 502 with words',
    GET,
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    /^HTTP\/1\.1 502 Bad Gateway\r\n(?:.*\r\n)*\r\n.*both Content-Length and Transfer-Encoding/,
  ],
  ['an answer that is no HTTP becomes 502', GET, 'SSH-2.0-OpenSSH\r\n\r\n', /^HTTP\/1\.1 502 /],
  [
    'an origin that says nothing and goes becomes 502',
    GET,
    '',
    /^HTTP\/1\.1 502 (?:.*\r\n)*\r\n.*ended the connection/,
    true,
  ],
  ['101 that nobody asked for becomes 502', GET, 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n', /^HTTP\/1\.1 502 /],
  ['interim answers without end become 502', GET, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50), /HTTP\/1\.1 502 /],
  ['a head without end becomes 502', GET, `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(10_000)}`, /^HTTP\/1\.1 502 /],
]
for (const [sentence, asked, said, heard, endsThen = false] of passed) {
  test(sentence, async () => {
    await using origin = await rawOrigin(said, endsThen)
    await using front = await openProxy({ origin: origin.url })
    assert.match(await say(front.port, asked), heard)
  })
}

const refused: [sentence: string, asked: string | readonly string[], status: number][] = [
  [
    'length and coding together',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['lines that end with a line feed alone', 'GET / HTTP/1.1\nHost: a\n\n', 400],
  ['a folded line', 'GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n', 400],
  ['too large a head', `GET / HTTP/1.1\r\nHost: a\r\nA: ${'b'.repeat(40_000)}\r\n\r\n`, 431],
  ['too many fields', `GET / HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(300)}\r\n`, 400],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ['another version', 'GET / HTTP/3.0\r\nHost: a\r\n\r\n', 505],
  ['what is TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
  ['a head that comes in pieces and is odd', ['GET / HT', 'TP/1.1\r\nHo', 'st : a\r\n\r', '\n'], 400],
]
for (const [what, asked, status] of refused) {
  test(`${what}: refused with ${status}, and nothing of it reaches the origin`, async () => {
    await using origin = await rawOrigin('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    await using front = await openProxy({ origin: origin.url })
    const heard = await say(front.port, asked)
    assert.match(heard, new RegExp(`^HTTP/1\\.1 ${status} (?:.*\\r\\n)*Connection: close\\r\\n\\r\\n\\S`))
    assert.deepEqual(origin.heard, [])
  })
}

test('a chunked request that turns odd is not finished at the origin', async () => {
  await using origin = await rawOrigin('')
  await using front = await openProxy({ origin: origin.url })
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  const heard = await say(front.port, `${head}3\r\nabc\r\n0;\x01\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`)
  assert.match(heard, /^HTTP\/1\.1 400 /)
  assert.ok(!origin.heard.join('').includes('smuggled'))
})

test('the origin is told who asks, for which host, and by way of whom', async () => {
  await using origin = await rawOrigin('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  await using front = await openProxy({ origin: origin.url })
  await say(
    front.port,
    'GET /a?b HTTP/1.1\r\nHost: a.example:81\r\nX-Forwarded-For: 6.6.6.6\r\nVia: 1.0 x\r\nConnection: close\r\n\r\n',
  )
  assert.equal(
    origin.heard[0],
    'GET /a?b HTTP/1.1\r\nHost: a.example:81\r\nVia: 1.0 x\r\nVia: 1.1 comity\r\n' +
      'Forwarded: for=127.0.0.1;host="a.example:81";proto=http\r\nX-Forwarded-For: 127.0.0.1\r\n' +
      'X-Forwarded-Host: a.example:81\r\nX-Forwarded-Proto: http\r\n\r\n',
  )
})

test('where a proxy of ours stands in front, its last word on the client counts, and ours is added', async () => {
  await using origin = await rawOrigin('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  await using front = await openProxy({ origin: origin.url, isBehindProxy: true })
  const said = 'X-Forwarded-For: 6.6.6.6, 192.0.2.7\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: b.example\r\n'
  await say(front.port, `GET / HTTP/1.1\r\nHost: a.example\r\n${said}Connection: close\r\n\r\n`)
  assert.match(
    origin.heard[0] ?? '',
    /X-Forwarded-For: 6\.6\.6\.6, 192\.0\.2\.7\r\n(?:.*\r\n)*X-Forwarded-For: 127\.0\.0\.1\r\nX-Forwarded-Host: b\.example\r\nX-Forwarded-Proto: https\r\n\r\n$/,
  )
  assert.deepEqual([front.passed[0]?.client, front.passed[0]?.url], ['192.0.2.7', 'https://a.example/'])
})

test('requests that come together are answered in their order, on one connection', async () => {
  await using origin = await httpOrigin((request, response) => void response.end(`<${request.url}>`))
  await using front = await openProxy({ origin: origin.url })
  const asked = ['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')
  const heard = await say(front.port, `${asked}GET /4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  assert.deepEqual(heard.match(/<\/\d>/g), ['</1>', '</2>', '</3>', '</4>'])
  assert.equal(front.proxy.open.origin, 1)
})

test('100-continue comes from the origin, and the body goes after it', async () => {
  const server = createHttpServer((request, response) => void request.pipe(response))
  server.on('checkContinue', (request, response) => {
    response.writeContinue()
    request.pipe(response)
  })
  await using origin = await opened(server)
  await using front = await openProxy({ origin: origin.url })
  const socket = connect({ port: front.port, host: '127.0.0.1' })
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n')
  const [first] = (await once(socket, 'data')) as [Buffer]
  assert.equal(first.toString(), 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('hello')
  let rest = ''
  for await (const bytes of socket) rest += String(bytes)
  assert.match(rest, /^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*\r\n5\r\nhello\r\n0\r\n\r\n$/)
})

test('who is answered before all of it was read hears the answer, and the connection ends', async () => {
  await using origin = await rawOrigin('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nno!')
  await using front = await openProxy({ origin: origin.url })
  const heard = await say(front.port, `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n${'a'.repeat(2_000)}`)
  assert.match(heard, /^HTTP\/1\.1 413 Too Large\r\n(?:.*\r\n)*Connection: close\r\n\r\nno!$/)
  assert.equal(front.proxy.open.origin, 0)
})

test('who goes while it is answered is not asked for any more at the origin', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  await using origin = await httpOrigin((_request, response) => {
    response.on('close', close)
    ask()
  })
  await using front = await openProxy({ origin: origin.url })
  const socket = connect({ port: front.port, host: '127.0.0.1' })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await asked
  socket.end()
  await closed
  assert.equal(front.passed[0]?.verdict, 'no-response')
})

test('after 101 bytes pass untouched both ways, those that came along with the heads too', async () => {
  const echo = createServer((socket: Socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (bytes: Buffer) => {
      const at = bytes.indexOf('\r\n\r\n') + 4
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-A: 1\r\n\r\nfirst ')
      socket.write(bytes.subarray(at))
      socket.pipe(socket)
    })
  })
  await using origin = await opened(echo)
  await using front = await openProxy({ origin: origin.url })
  const odd = 'GET / HTTP/1.1\r\n\r\n\0\xff'
  const asked = `GET /chat HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n`
  const socket = connect({ port: front.port, host: '127.0.0.1' })
  socket.write(asked + odd, 'latin1')
  let heard = ''
  for await (const bytes of socket) {
    heard += (bytes as Buffer).toString('latin1')
    if (heard.endsWith(odd)) socket.end()
  }
  assert.equal(
    heard,
    `HTTP/1.1 101 Switching Protocols\r\nX-A: 1\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\nfirst ${odd}`,
  )
  assert.equal(front.passed[0]?.verdict, 'switched')
  assert.equal(front.proxy.counters.upgrades, 1)
})

test('an answer that breaks off is cut off for the client too, and is no whole copy', async () => {
  await using origin = await rawOrigin('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello', true)
  await using front = await openProxy({ origin: origin.url })
  const heard = await say(front.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  assert.ok(!heard.includes('502'))
  await front.whenPassed(1)
  assert.deepEqual(
    front.passed.map(({ verdict, body }) => [verdict, body.length]),
    [['cut-short', 0]],
  )
})
