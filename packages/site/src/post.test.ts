import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { headerOf, writeDigestField } from '@comity/protocol'
import { httpPost, PostError } from './post.ts'
import type { Post, PostFault, PostMessage, PostOptions, PostRequest } from './post.ts'

async function listening(t: TestContext, handler: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  t.after(() => (server.closeAllConnections(), server.close()))
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in` }
}

const poster = (options: PostOptions = {}): Post => httpPost({ allowPrivate: true, ...options })
const postTo = (url: string, body = 'news'): PostRequest => ({
  url,
  method: 'POST',
  headers: [['Content-Type', 'text/plain']],
  body: Buffer.from(body),
})
const failsBy =
  (fault: PostFault, pattern = /./) =>
  (error: unknown): boolean =>
    error instanceof PostError && error.fault === fault && pattern.test(error.message)

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('a request arrives as it was meant, and the answer comes back', async (t) => {
  const { url } = await listening(t, async (request, response) => {
    response.writeHead(202, {
      'x-seen': `${request.method} ${request.headers['content-type']} ${await bodyOf(request)}`,
    })
    response.end('thanks')
  })
  const answer = await poster()(postTo(url))
  assert.equal(answer.status, 202)
  assert.equal(headerOf(answer.headers, 'x-seen'), 'POST text/plain news')
  assert.equal(Buffer.from(answer.body).toString(), 'thanks')
})

test('a redirect is an answer and is not followed', async (t) => {
  let requests = 0
  const { url } = await listening(t, (_, response) => {
    requests++
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  assert.equal((await poster()(postTo(url))).status, 307)
  assert.equal(requests, 1)
})

test('an answer without end is read up to the limit', async (t) => {
  const { url } = await listening(t, (request, response) => {
    const more = setInterval(() => response.write('x'.repeat(1_000)), 1)
    request.socket.once('close', () => clearInterval(more))
  })
  const { status, body } = await poster({ maxAnswerBytes: 5_000 })(postTo(url))
  assert.deepEqual([status, body.length], [200, 5_000])
})

test('an answer that comes before everything was sent is taken', async (t) => {
  const { url } = await listening(t, (_, response) => response.writeHead(413, { connection: 'close' }).end())
  assert.equal((await poster()(postTo(url, 'x'.repeat(8 << 20)))).status, 413)
})

test('interim answers are told of before the answer', async (t) => {
  const seen: unknown[] = []
  const { url } = await listening(t, (_, response: ServerResponse) => {
    response.socket?.write('HTTP/1.1 104 Upload Resumption Supported\r\nLocation: /uploads/7\r\n\r\n')
    response.writeHead(201).end()
  })
  const onInterim = (...given: unknown[]): void => void seen.push(given)
  assert.equal((await poster()({ ...postTo(url), onInterim })).status, 201)
  assert.deepEqual(seen, [[104, [['Location', '/uploads/7']]]])
})

test('a signer sees the digest of the content and all other fields, and its own are sent', async (t) => {
  const { url } = await listening(t, (request, response) => {
    response
      .writeHead(200, { 'x-signature': request.headers['signature'], 'x-digest': request.headers['content-digest'] })
      .end()
  })
  const signed: PostMessage[] = []
  const sign = (message: PostMessage): [string, string][] => (signed.push(message), [['Signature', 'sig=:AA==:']])
  const { headers } = await poster({ sign })(postTo(url))
  assert.equal(headerOf(headers, 'x-signature'), 'sig=:AA==:')
  assert.equal(headerOf(headers, 'x-digest'), writeDigestField(Buffer.from('news')))
  assert.deepEqual([signed[0]?.method, signed[0]?.url], ['POST', url])
  assert.equal(headerOf(signed[0]!.headers, 'content-type'), 'text/plain')
})

const misbehaviours: [sentence: string, handler: RequestListener, fault: PostFault][] = [
  ['that hangs is given up after a while', () => undefined, 'timeout'],
  ['that cuts the connection is a cut', (request) => request.socket.destroy(), 'cut'],
  [
    'that cuts its answer in the middle is a cut',
    (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => request.socket.destroy())
    },
    'cut',
  ],
  [
    'that answers without end and slowly is given up after a while',
    (request, response) => {
      const more = setInterval(() => response.write('x'), 5)
      request.socket.once('close', () => clearInterval(more))
    },
    'timeout',
  ],
  ['that speaks another language is a cut', (request) => request.socket.end('220 mail.example ESMTP\r\n'), 'cut'],
]
for (const [sentence, handler, fault] of misbehaviours) {
  test(`a server ${sentence}`, async (t) => {
    const { url } = await listening(t, handler)
    const limits = fault === 'timeout' ? { idleMs: 60, timeoutMs: 150 } : {}
    await assert.rejects(poster(limits)(postTo(url)), failsBy(fault))
  })
}

test('where nobody listens is unreachable, and what is no address is said to be none', async () => {
  const server = createSocketServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await assert.rejects(poster()(postTo(`http://127.0.0.1:${port}/`)), failsBy('unreachable'))
  for (const url of ['ftp://a.example/', 'a.example', 'http://me:secret@a.example/'])
    await assert.rejects(poster()(postTo(url)), failsBy('no-address'))
  await assert.rejects(
    poster({ lookup: () => Promise.reject(new Error('none')) })(postTo('http://a.example/')),
    failsBy('no-address'),
  )
})

// oxfmt-ignore
const refused: [sentence: string, host: string, addresses: string[]][] = [
  ['written as one',                  '127.0.0.1',        []],
  ['written as one of IPv6',          '[::1]',            []],
  ['written in one number',           '2130706433',       []],
  ['that a name leads to',            'a.example',        ['10.1.2.3']],
  ['that a name leads to, mapped',    'a.example',        ['::ffff:127.0.0.1']],
  ['of the cloud',                    '169.254.169.254',  []],
]
for (const [sentence, host, addresses] of refused) {
  test(`a private address ${sentence} is not called, unless the owner wrote it down`, async (t) => {
    let requests = 0
    const { server } = await listening(t, (_, response) => (requests++, response.end()))
    const { port } = server.address() as AddressInfo
    const url = `http://${host}:${port}/`
    const post = httpPost({ lookup: async () => addresses })
    await assert.rejects(post(postTo(url)), failsBy('address-refused', /private or reserved/))
    assert.equal(requests, 0)
    if (addresses.length > 0) return
    const allowed = await httpPost()({ ...postTo(`http://127.0.0.1:${port}/`), isOwners: true })
    assert.equal(allowed.status, 200)
  })
}

test('of several addresses of a name only those are called that may be', async (t) => {
  const { url } = await listening(t, (request, response) => response.end(request.headers.host))
  const { port } = new URL(url)
  const post = httpPost({ allowPrivate: ['127.0.0.0/8'], lookup: async () => ['10.0.0.1', '127.0.0.1'] })
  const { body } = await post(postTo(`http://name.example:${port}/`))
  assert.equal(Buffer.from(body).toString(), `name.example:${port}`)
})

test('a connection that was closed while it waited is opened anew', async (t) => {
  const sockets = new Set<unknown>()
  let requests = 0
  const { url } = await listening(t, (request, response) => {
    sockets.add(request.socket)
    // Closed in the very moment of the second request: the sender cannot know.
    if (++requests === 2) request.socket.resetAndDestroy()
    else response.end()
  })
  const post = poster()
  await post(postTo(url))
  assert.equal((await post(postTo(url))).status, 200)
  assert.deepEqual([requests, sockets.size], [3, 2])
})

test('whoever stops is stopped at once', async (t) => {
  const stop = new AbortController()
  const { url } = await listening(t, () => stop.abort())
  await assert.rejects(poster()(postTo(url), stop.signal), failsBy('stopped'))
})
