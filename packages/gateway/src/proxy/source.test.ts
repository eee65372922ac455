import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createTlsOrigin, request as requestTls } from 'node:https'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { spawn, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { createAuthority } from '@comity/testbed'
import fc from 'fast-check'
import { missing } from '@comity/protocol/testing'
import { httpOrigin, openProxy, opened, rawOrigin, say } from '../testing/proxy-fixture.ts'
import { ProxySource } from './source.ts'

const now = Date.now()
const authority = createAuthority(now)
const { cert, key } = authority.issue('localhost', 'none', now)
const nothing = { observed: (): void => undefined }

test('with TLS, HTTP/2 or HTTP/1.1 is agreed on, and the origin may have TLS too', async () => {
  const server = createTlsOrigin({ cert, key }, (request, response) =>
    response.end(`${String(request.headers['x-forwarded-proto'])} ${request.httpVersion}`),
  )
  await using origin = await opened(server)
  const wishes = { origin: `https://localhost:${origin.port}`, host: 'localhost', tls: { cert, key } }
  await using front = await openProxy({ ...wishes, originTls: { ca: authority.cert } })
  const url = `https://localhost:${front.port}`
  const session = connectHttp2(url, { ca: authority.cert })
  const stream = session.request({ ':path': '/two' })
  let two = ''
  for await (const bytes of stream) two += String(bytes)
  session.destroy()
  const [response] = await once(requestTls(`${url}/one`, { ca: authority.cert, agent: false }).end(), 'response')
  let one = ''
  for await (const bytes of response) one += String(bytes)
  assert.deepEqual([one, two], ['https 1.1', 'https 1.1'])
  assert.deepEqual(
    front.passed.map((observed) => [observed.url, observed.request?.version, observed.verdict]),
    [
      [`${url}/two`, '2.0', 'whole'],
      [`${url}/one`, '1.1', 'whole'],
    ],
  )
})

test('a certificate can be renewed without a stop', async () => {
  await using origin = await httpOrigin((_request, response) => void response.end('hello'))
  await using front = await openProxy({ origin: origin.url, host: 'localhost', tls: { cert, key } })
  const shown = async (): Promise<string> => {
    const socket = connectTls({ port: front.port, host: 'localhost', ca: authority.cert })
    await once(socket, 'secureConnect')
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return fingerprint256
  }
  const before = await shown()
  assert.throws(() => front.proxy.renewTls({ cert: 'none', key }))
  assert.equal(await shown(), before)
  front.proxy.renewTls(authority.issue('localhost', 'none', now))
  assert.notEqual(await shown(), before)
})

test('curl sends and gets the same bytes by HTTP/1.0, HTTP/1.1 and HTTP/2', async (t) => {
  if (spawnSync('curl', ['--version']).error !== undefined) return missing(t, 'curl', 'apt-get install curl')
  await using origin = await httpOrigin((request, response) => void request.pipe(response))
  await using front = await openProxy({ origin: origin.url, host: 'localhost', tls: { cert, key } })
  const sent = Buffer.alloc(1 << 20, 'the bytes of a large body, again and again. ')
  for (const [flag, version] of [
    ['--http1.0', '1.0'],
    ['--http1.1', '1.1'],
    ['--http2', '2.0'],
  ] as const) {
    const url = `https://localhost:${front.port}/`
    const curl = spawn('curl', ['-sSk', flag, '--data-binary', '@-', url], { stdio: ['pipe', 'pipe', 'inherit'] })
    curl.stdin.end(sent)
    assert.ok((await bodyOf(curl.stdout)).equals(sent), flag)
    assert.equal(front.passed.at(-1)?.request?.version, version)
  }
})

test('an origin with a certificate that is not trusted is not believed', async () => {
  const server = createTlsOrigin({ cert, key }, (_request, response) => response.end('hello'))
  await using origin = await opened(server)
  await using front = await openProxy({ origin: `https://localhost:${origin.port}` })
  const answer = await fetch(front.url)
  assert.equal(answer.status, 502)
  assert.match(await answer.text(), /could not be reached/)
})

test('who speaks no TLS where TLS is spoken is turned away, and others are served', async () => {
  await using origin = await httpOrigin((_request, response) => void response.end('hello'))
  await using front = await openProxy({ origin: origin.url, host: 'localhost', tls: { cert, key } })
  const heard = await say(front.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n').catch(() => '')
  assert.ok(!heard.includes('hello'))
})

test('however an origin cuts its answer, clients get its bytes, and so does the copy', async () => {
  let said: { body: Buffer; cuts: readonly number[]; framing: string } = {
    body: Buffer.alloc(0),
    cuts: [],
    framing: '',
  }
  await using origin = await httpOrigin((_request, response) => {
    const { body, cuts, framing } = said
    if (framing === 'length') response.setHeader('content-length', body.length)
    if (framing === 'close') response.shouldKeepAlive = false
    let at = 0
    for (const cut of cuts) response.write(body.subarray(at, (at += cut + 1)))
    response.end(body.subarray(at))
  })
  await using front = await openProxy({ origin: origin.url })
  const session = connectHttp2(front.url)
  const body = fc.uint8Array({ maxLength: 100_000, size: 'max' }).map((bytes) => Buffer.from(bytes))
  const cuts = fc.array(fc.nat(30_000), { maxLength: 12 })
  const framing = fc.constantFrom('length', 'chunked', 'close')
  await fc.assert(
    fc.asyncProperty(body, cuts, framing, fc.boolean(), async (bytes, where, how, isHttp2) => {
      said = { body: bytes, cuts: where, framing: how }
      front.passed.length = 0
      const got = isHttp2
        ? await bodyOf(session.request({ ':path': '/' }))
        : Buffer.from(await (await fetch(front.url)).arrayBuffer())
      assert.ok(got.equals(bytes))
      assert.equal(front.passed[0]?.verdict, 'whole')
      assert.ok(bytes.equals(front.passed[0].body))
    }),
    { numRuns: 60 },
  )
  session.destroy()
})

async function bodyOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

test('a client that does not read stops the origin, nothing piles up here, and what waits for it is not written over', async () => {
  const total = 64 << 20
  let sent = 0
  let stalled: (() => void) | undefined
  const isStalled = new Promise<void>((resolve) => void (stalled = resolve))
  await using origin = await httpOrigin((request, response) => {
    if (request.url === '/other') {
      response.end('other'.repeat(8_000))
      return
    }
    response.setHeader('content-length', total)
    const piece = Buffer.alloc(1 << 20, 's')
    const more = (): void => {
      while (sent < total) {
        sent += piece.length
        if (!response.write(piece)) {
          // The first moment without progress: every buffer on the way is full.
          const [at, timer] = [sent, setTimeout(() => (sent === at ? stalled?.() : undefined), 150)]
          response.once('drain', () => (clearTimeout(timer), more()))
          return
        }
      }
      response.end()
    }
    more()
  })
  await using front = await openProxy({ origin: origin.url }, { wants: () => false })
  const socket = connect({ port: front.port, host: '127.0.0.1' })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  await isStalled
  assert.ok(sent < total / 2, `${sent} bytes were taken of an origin whose client reads none`)
  for (let other = 0; other < 8; other++)
    assert.equal(await (await fetch(`${front.url}/other`)).text(), 'other'.repeat(8_000))
  let [got, head] = [0, '']
  const own = Buffer.alloc(1 << 20, 's')
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    if (got === 0) head = bytes.toString('latin1', 0, bytes.indexOf('\r\n\r\n') + 4)
    const body = bytes.subarray(got === 0 ? head.length : 0)
    assert.ok(body.equals(own.subarray(0, body.length)))
    got += bytes.length
  }
  assert.equal(got, head.length + total)
})

test('a head whose body is late goes out alone', async () => {
  let finish: (() => void) | undefined
  await using origin = await httpOrigin((_request, response) => {
    response.setHeader('content-length', 3)
    response.flushHeaders()
    finish = (): void => void response.end('end')
  })
  await using front = await openProxy({ origin: origin.url })
  const answer = await fetch(front.url)
  assert.equal(answer.headers.get('content-length'), '3')
  finish?.()
  assert.equal(await answer.text(), 'end')
})

test('a stop lets answers end, takes nobody new, and leaves nothing open', async () => {
  let finish: (() => void) | undefined
  await using origin = await httpOrigin((_request, response) => {
    response.write('begin ')
    finish = (): void => void response.end('end')
  })
  const front = await openProxy({ origin: origin.url })
  const idle = connect({ port: front.port, host: '127.0.0.1' })
  await once(idle, 'connect')
  const answer = await fetch(front.url)
  const stopped = front.proxy.stop(60_000)
  await once(idle.resume(), 'end')
  await assert.rejects(fetch(front.url))
  finish?.()
  assert.equal(await answer.text(), 'begin end')
  await stopped
  assert.deepEqual(front.proxy.open, { clients: 0, origin: 0, waiting: 0, copyBytes: 0 })
})

test('a stop without grace cuts off what is under way, of all kinds', async () => {
  await using origin = await httpOrigin((_request, response) => void response.write('begin'))
  const front = await openProxy({ origin: origin.url })
  const session = connectHttp2(front.url)
  session.on('error', () => undefined)
  const stream = session.request({ ':path': '/' }).on('error', () => undefined)
  await once(stream, 'data')
  const answer = await fetch(front.url)
  await front.proxy.stop(0)
  await assert.rejects(answer.text())
  assert.deepEqual(front.proxy.open, { clients: 0, origin: 0, waiting: 0, copyBytes: 0 })
  assert.deepEqual(
    front.passed.map(({ verdict }) => verdict),
    ['cut-short', 'cut-short'],
  )
})

test('time ends what takes too long: a slow head, an idle client, a silent origin', async () => {
  let at = 1_000_000
  await using origin = await rawOrigin('')
  await using front = await openProxy({ origin: origin.url }, { now: () => at })
  const slow = say(front.port, 'GET / HTTP/1.1\r\nHost: ')
  const waiting = say(front.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  while (front.proxy.counters.connections < 2 || origin.heard.length < 1) await new Promise(setImmediate)
  front.proxy.sweep((at += 20_000))
  assert.match(await slow, /^HTTP\/1\.1 408 /)
  front.proxy.sweep((at += 61_000))
  assert.match(await waiting, /^HTTP\/1\.1 504 Gateway Timeout\r\n(?:.*\r\n)*\r\nThe site said nothing for 60 s/)
  assert.equal(front.passed[0]?.verdict, 'no-response')
  const idle = connect({ port: front.port, host: '127.0.0.1' })
  await once(idle, 'connect')
  while (front.proxy.counters.connections < 3) await new Promise(setImmediate)
  front.proxy.sweep((at += 100_000))
  await once(idle.resume(), 'end')
})

test('whatever bytes clients send, they are answered or cut off, others are served, and nothing stays open', async () => {
  await using origin = await httpOrigin((request, response) => void request.pipe(response))
  const front = await openProxy({ origin: origin.url })
  const good = 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'
  const piece = fc.constantFrom(
    good,
    'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    '\r\n',
    '\n',
    '\0',
    ':',
    '0\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  )
  const bytes = fc.tuple(
    fc.array(piece, { maxLength: 4 }),
    fc.nat(200),
    fc.string({ unit: 'binary-ascii', maxLength: 20 }),
  )
  await fc.assert(
    fc.asyncProperty(bytes, async ([pieces, at, odd]) => {
      const text = pieces.join('')
      const heard = await say(front.port, text.slice(0, at) + odd + text.slice(at), true)
      assert.match(heard, /^(?:HTTP\/1\.1 [1-5]\d\d |\0|$)/)
    }),
    { numRuns: 150 },
  )
  assert.equal(await (await fetch(front.url, { method: 'POST', body: 'hello' })).text(), 'hello')
  await front.proxy.stop(0)
  assert.deepEqual(front.proxy.open, { clients: 0, origin: 0, waiting: 0, copyBytes: 0 })
})

test('what is no origin is refused with what to write', () => {
  for (const origin of ['localhost:80', 'http://a/b', 'ftp://a', 'http://u@a', ''])
    assert.throws(() => new ProxySource({ origin }, { sink: nothing }), /write scheme, host and port only/)
  assert.throws(() => new ProxySource({ origin: 'http://a', limits: { maxFields: 0 } }, { sink: nothing }), RangeError)
})

test('a page has one host, by which its origin is asked and it is filed, however readers write it', async () => {
  const heard: (string | undefined)[] = []
  await using origin = await httpOrigin((request, response) => {
    heard.push(request.headers.host)
    // It knows that very name, and nothing by others.
    const isKnown = request.headers.host === 'www.uni.example' || request.headers.host === 'www.uni.example:8080'
    response.writeHead(isKnown ? 200 : 404, { 'Content-Type': 'text/html' }).end('<p>a page')
  })
  await using proxy = await openProxy({ origin: origin.url })
  const spellings = [
    'WWW.UNI.EXAMPLE',
    'www.uni.example:80',
    'www.uni.example.',
    'www.uni.example',
    'WWW.uni.example.:8080',
  ]
  for (const host of spellings) await say(proxy.port, `GET /a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  await proxy.whenPassed(spellings.length)
  const filed = ['', '', '', '', ':8080'].map((port) => `www.uni.example${port}`)
  assert.deepEqual(heard, filed)
  assert.deepEqual(
    proxy.passed.map(({ url, response }) => [url, response?.status]),
    filed.map((host) => [`http://${host}/a`, 200]),
  )
})

// oxfmt-ignore
const chains: [sentence: string, behind: readonly string[], forwarded: string, client: string][] = [
  ['a reader behind a proxy of ours is whom it names',          ['127.0.0.1'],               '6.6.6.6, 203.0.113.7',             '203.0.113.7'],
  ['one behind two of them is whom the first names',            ['::ffff:7f00:1', '10.0.0.2'], '6.6.6.6, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
  ['what somebody says who is no proxy of ours counts nothing', ['10.0.0.2'],                '203.0.113.7, 10.0.0.2',            '127.0.0.1'],
]
for (const [sentence, behind, forwarded, client] of chains)
  test(sentence, async () => {
    await using origin = await rawOrigin('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    await using proxy = await openProxy({ origin: origin.url, behind })
    const fields = `Host: a.example\r\nX-Forwarded-For: ${forwarded}\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n`
    await say(proxy.port, `GET /a HTTP/1.1\r\n${fields}\r\n`)
    await proxy.whenPassed(1)
    const isBelieved = client !== '127.0.0.1'
    assert.deepEqual(
      proxy.passed.map((one) => [one.client, one.url]),
      [[client, `${isBelieved ? 'https' : 'http'}://a.example/a`]],
    )
    assert.equal(origin.heard[0]!.includes('203.0.113.7'), isBelieved, origin.heard[0])
  })
