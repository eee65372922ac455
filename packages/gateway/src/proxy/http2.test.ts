import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, constants } from 'node:http2'
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'
import { connect as connectRaw } from 'node:net'
import { test } from 'node:test'
import { httpOrigin, openProxy, rawOrigin } from '../testing/proxy-fixture.ts'

interface Answer {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly trailers: IncomingHttpHeaders
  readonly interim: IncomingHttpHeaders[]
}

async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string | Buffer): Promise<Answer> {
  const stream: ClientHttp2Stream = session.request(headers, { endStream: body === undefined })
  const interim: IncomingHttpHeaders[] = []
  let trailers: IncomingHttpHeaders = {}
  stream.on('headers', (one: IncomingHttpHeaders) => void interim.push(one))
  stream.on('trailers', (one: IncomingHttpHeaders) => void (trailers = one))
  if (body !== undefined) stream.end(body)
  const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  let text = ''
  for await (const bytes of stream) text += String(bytes)
  return { headers: answered, body: text, trailers, interim }
}

test('streams of one connection are asked at the same time, and their bodies go both ways', async () => {
  await using origin = await httpOrigin((request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.setHeader('x-asked', `${request.method} ${request.url} ${request.headers.host} ${request.headers.cookie}`)
    request.pipe(response)
  })
  await using front = await openProxy({ origin: origin.url })
  const session = connect(front.url)
  const large = 'x'.repeat(300_000)
  const [first, second, none] = await Promise.all([
    ask(session, { ':method': 'POST', ':path': '/1', cookie: ['c=1', 'd=2'] }, 'hello'),
    ask(session, { ':method': 'PUT', ':path': '/2', 'content-length': large.length }, large),
    ask(session, { ':path': '/3' }),
  ])
  assert.equal(first.body, 'hello')
  assert.equal(first.headers['x-asked'], `POST /1 127.0.0.1:${front.port} c=1; d=2`)
  assert.deepEqual(first.headers['set-cookie'], ['a=1', 'b=2'])
  assert.equal(first.headers['via'], '1.1 comity')
  assert.equal(first.headers['connection'], undefined)
  assert.equal(second.body, large)
  assert.equal(none.body, '')
  assert.equal(front.proxy.counters.requestsHttp2, 3)
  session.destroy()
})

test('interim answers, trailers both ways and an empty answer to HEAD', async () => {
  await using origin = await httpOrigin((request, response) => {
    if (request.method === 'HEAD') {
      response.setHeader('content-length', 5).end()
      return
    }
    response.writeEarlyHints({ link: '</a.css>; rel=preload' })
    request.resume().on('end', () => {
      response.writeHead(200, { trailer: 'x-sum' })
      response.write('hello')
      response.addTrailers({ 'x-sum': `of ${request.trailers['x-mine'] ?? ''}` })
      response.end()
    })
  })
  await using front = await openProxy({ origin: origin.url })
  const session = connect(front.url)
  const stream = session.request({ ':method': 'POST', ':path': '/' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-mine': 'me' }))
  const hints = once(stream, 'headers')
  const trailers = once(stream, 'trailers')
  stream.end('a')
  assert.equal((await hints)[0][':status'], 103)
  stream.resume()
  assert.equal((await trailers)[0]['x-sum'], 'of me')
  const head = await ask(session, { ':method': 'HEAD', ':path': '/' })
  assert.deepEqual([head.headers[':status'], head.headers['content-length'], head.body], [200, '5', ''])
  session.destroy()
})

const refused: [sentence: string, headers: OutgoingHttpHeaders, status: number][] = [
  ['CONNECT', { ':method': 'CONNECT', ':authority': 'a:443' }, 405],
  ['Host that differs from :authority', { ':path': '/', ':authority': 'a.example', host: 'b.example' }, 400],
]
for (const [what, headers, status] of refused) {
  test(`${what}: refused with ${status} and words, and nothing of it reaches the origin`, async () => {
    await using origin = await rawOrigin('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    await using front = await openProxy({ origin: origin.url })
    const session = connect(front.url)
    const answer = await ask(session, headers)
    assert.equal(answer.headers[':status'], status)
    assert.match(answer.body, /\w/)
    assert.deepEqual(origin.heard, [])
    session.destroy()
  })
}

test('an extended CONNECT is not offered, and who tries is refused', async () => {
  await using origin = await rawOrigin('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  await using front = await openProxy({ origin: origin.url })
  const session = connect(front.url)
  await once(session, 'remoteSettings')
  assert.equal(session.remoteSettings.enableConnectProtocol, false)
  const stream = session.request({ ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/', ':scheme': 'http' })
  const [error] = (await once(stream, 'error')) as [Error]
  assert.match(error.message, /PROTOCOL_ERROR/)
  assert.deepEqual(origin.heard, [])
  session.destroy()
})

for (const said of ['Content-Length: 50\r\n\r\nhello', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'])
  test(`an origin that breaks off breaks the stream off, not the connection: ${said.slice(0, 8)}`, async () => {
    await using origin = await rawOrigin(`HTTP/1.1 200 OK\r\n${said}`, true)
    await using front = await openProxy({ origin: origin.url })
    const session = connect(front.url)
    const stream = session.request({ ':path': '/' })
    stream.resume()
    await once(stream, 'error')
    assert.notEqual(stream.rstCode, constants.NGHTTP2_NO_ERROR)
    assert.equal(session.closed, false)
    assert.equal(front.passed[0]?.verdict, 'cut-short')
    session.destroy()
  })

test('a field that HTTP/2 has no place for breaks the stream off, and nothing else', async () => {
  await using origin = await rawOrigin('HTTP/1.1 200 OK\r\nHTTP2-Settings: a\r\nContent-Length: 5\r\n\r\nhello')
  await using front = await openProxy({ origin: origin.url })
  const session = connect(front.url)
  const stream = session.request({ ':path': '/' })
  await once(stream, 'error')
  assert.equal(session.closed, false)
  assert.equal(await (await fetch(front.url)).text(), 'hello')
  session.destroy()
})

test('an origin that cannot be reached is 502 with words', async () => {
  await using front = await openProxy({ origin: 'http://127.0.0.1:1' })
  const session = connect(front.url)
  const { headers, body } = await ask(session, { ':path': '/' })
  assert.equal(headers[':status'], 502)
  assert.match(body, /could not be reached \(ECONNREFUSED\)/)
  session.destroy()
})

test('who resets a stream is not asked for any more at the origin', async () => {
  let closed: (() => void) | undefined
  const isClosed = new Promise<void>((resolve) => void (closed = resolve))
  await using origin = await httpOrigin((_request, response) => {
    response.write('hello')
    response.on('close', () => closed?.())
  })
  await using front = await openProxy({ origin: origin.url })
  const session = connect(front.url)
  const stream = session.request({ ':path': '/' })
  await once(stream, 'data')
  stream.close(constants.NGHTTP2_CANCEL)
  await isClosed
  await front.whenPassed(1)
  assert.equal(front.passed[0]?.verdict, 'cut-short')
  session.destroy()
})

test('bytes after the preface that are no HTTP/2 end the connection and nothing else', async () => {
  await using origin = await httpOrigin((_request, response) => void response.end('hello'))
  await using front = await openProxy({ origin: origin.url })
  const socket = connectRaw({ port: front.port, host: '127.0.0.1' })
  socket.write(`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${'\xff'.repeat(100)}`, 'latin1')
  socket.resume()
  await once(socket, 'close')
  assert.equal(await (await fetch(front.url)).text(), 'hello')
})
