/** Before anybody is proven: what one address can take from the others, tried with real connections from several addresses. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { AT, file, KEY, notification, sampleReceiver, signedQuestion, SITE } from './testing/sample-receiver.ts'
import type { Question, SampleReceiver } from './testing/sample-receiver.ts'
import type { FetchedFrom } from './proof/speaker-proof.ts'

const [BAD, GOOD] = ['127.0.0.2', '127.0.1.7']
const LONG = { timeout: 60_000 }
/** Small enough for a test: sixteen notices are all the memory there is. */
const SMALL = { stopTimeoutMs: 200, memoryBytes: 64 << 10, maxNoticeBytes: 4 << 10, spoolBytes: 1 << 20 }

/** A connection from an address of its own. What comes back is kept. */
async function lineFrom(t: TestContext, port: number, localAddress: string): Promise<Line> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  t.after(() => socket.destroy())
  socket.on('error', () => undefined)
  const heard: Buffer[] = []
  socket.on('data', (chunk) => heard.push(chunk))
  const closed = once(socket, 'close')
  await Promise.race([once(socket, 'connect'), closed])
  return {
    socket,
    text: () => Buffer.concat(heard).toString('latin1'),
    closed: async () => {
      await closed
      return Buffer.concat(heard).toString('latin1')
    },
  }
}

interface Line {
  readonly socket: Socket
  readonly text: () => string
  /** All that came, once the connection has ended. */
  readonly closed: () => Promise<string>
}

const head = (length: number, more = ''): string =>
  `POST /indexnow HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`

/** Bodies that begin and never end. */
async function stall(t: TestContext, port: number, count: number, from = BAD): Promise<Line[]> {
  const bytes = SMALL.maxNoticeBytes
  const lines = await Promise.all(Array.from({ length: count }, () => lineFrom(t, port, from)))
  for (const { socket } of lines) socket.write(head(bytes) + ' '.repeat(bytes - 1))
  return lines
}

/** A reply to somebody at another address. */
async function askFrom(t: TestContext, port: number, from: string, path: string, question: Question): Promise<string> {
  const line = await lineFrom(t, port, from)
  const body = Buffer.from(question.body ?? '')
  const fields = (question.headers ?? []).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  line.socket.write(
    `${question.method ?? 'GET'} ${path} HTTP/1.1\r\nHost: x\r\n${fields}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`,
  )
  line.socket.write(body)
  return (await line.closed()).split('\r\n', 1)[0]!
}

const NOTICE: Question = {
  method: 'POST',
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ host: 'a.example', key: KEY, urlList: [`${SITE}/1`] }),
}
const pushed = (nonce: string): Question => signedQuestion({ type: 'application/xml', body: notification() }, AT, nonce)

for (const count of [16, 500]) {
  test(`${count} bodies that stall, all from one address, keep nobody else out`, LONG, async (t) => {
    const limits = { ...SMALL, connectionsPerAddress: 600, maxConnections: 2_000 }
    const { port, service, errors } = await sampleReceiver(t, { limits })
    await stall(t, port, count)
    await untilSo(async () => (await service.figures()).peakMemoryBytes >= SMALL.maxNoticeBytes - 1)
    assert.match(await askFrom(t, port, GOOD, '/indexnow', NOTICE), / 200 /)
    assert.match(await askFrom(t, port, GOOD, '/push', pushed('n')), / 202 /)
    // And not for long stalling: they hold a share of what strangers may have.
    assert.ok((await service.figures()).peakMemoryBytes <= SMALL.memoryBytes / 3)
    assert.deepEqual(errors, [])
  })
}

test('though every stranger stalls, wherever from, there is room for who is proven', LONG, async (t) => {
  const { port } = await sampleReceiver(t, { limits: SMALL })
  for (let n = 1; n <= 40; n++) await stall(t, port, 2, `127.0.2.${n}`)
  assert.match(await askFrom(t, port, GOOD, '/push', pushed('n')), / 202 /)
})

test(
  'a body that stalls is given up after the grace, with 408; one that comes slowly but surely is taken',
  LONG,
  async (t) => {
    const limits = { ...SMALL, body: { graceMs: 10_000, bytesPerSecond: 2 } }
    const { port, clock, service } = await sampleReceiver(t, { limits })
    const [stalled] = await stall(t, port, 1)
    const slow = await lineFrom(t, port, GOOD)
    const text = String(NOTICE.body)
    slow.socket.write(head(text.length, 'Connection: close\r\n') + text.slice(0, 10))
    await untilSo(async () => (await service.figures()).peakMemoryBytes >= SMALL.maxNoticeBytes + 9)
    for (let at = 10; at < text.length; at += 10) {
      // Once the other is gone nothing tells what has come of this one, and whether time may go on.
      if (stalled!.text() === '') {
        clock.now += 4_000
        service.giveUpSlow()
      }
      slow.socket.write(text.slice(at, at + 10))
      const came = SMALL.maxNoticeBytes - 1 + at
      await untilSo(async () => stalled!.text() !== '' || (await service.figures()).peakMemoryBytes >= came)
    }
    assert.match(await stalled!.closed(), /^HTTP\/1\.1 408 .*urn:comity:problem:too-slow/s)
    assert.equal((await service.figures()).totals.refused['too-slow'], 1)
    assert.match(await slow.closed(), /^HTTP\/1\.1 200 /)
  },
)

test('leave to send a body that never comes is no leave to wait for ever', LONG, async (t) => {
  const { port, clock, service } = await sampleReceiver(t, { limits: SMALL })
  const line = await lineFrom(t, port, BAD)
  line.socket.write(head(1_000, 'Expect: 100-continue\r\n'))
  await untilSo(() => line.text().includes('100 Continue'))
  clock.now += 10_001
  service.giveUpSlow()
  assert.match(await line.closed(), /HTTP\/1\.1 408 /)
})

test('heads that never end are given up, count against where they came from, and keep nobody out', LONG, async (t) => {
  const limits = { ...SMALL, headersTimeoutMs: 200, stranger: { perSecond: 0.001, burst: 5 } }
  const { port } = await sampleReceiver(t, { limits })
  const lines = await Promise.all(Array.from({ length: 20 }, () => lineFrom(t, port, BAD)))
  for (const { socket } of lines) socket.write('POST /indexnow HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  assert.match(await askFrom(t, port, GOOD, '/indexnow', NOTICE), / 200 /)
  for (const line of lines) assert.match(await line.closed(), /^HTTP\/1\.1 408 /)
  assert.match(await askFrom(t, port, BAD, '/indexnow', NOTICE), / 429 /)
})

const FLOODS: [sentence: string, fields: string, status: RegExp][] = [
  ['more fields than there may be', Array.from({ length: 300 }, (_, i) => `X-${i}: 1\r\n`).join(''), / 431 /],
  ['thousands of fields', 'a: b\r\n'.repeat(4_000), / 431 /],
  ['a field without end', `X: ${'x'.repeat(40_000)}\r\n`, / 431 /],
  ['a field that comes again and again', 'Content-Digest: sha-256=:AAAA:\r\n'.repeat(500), / 431 /],
]
for (const [sentence, fields, status] of FLOODS) {
  test(`a flood of fields: ${sentence} is refused, and counted against where it came from`, LONG, async (t) => {
    const limits = { ...SMALL, stranger: { perSecond: 0.001, burst: 2 } }
    const { port, errors, service } = await sampleReceiver(t, { limits })
    for (let i = 0; i < 2; i++) {
      const line = await lineFrom(t, port, BAD)
      line.socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${fields}Connection: close\r\n\r\n`)
      assert.match((await line.closed()).split('\r\n', 1)[0]!, status)
    }
    assert.equal((await service.figures()).totals.refused['head-too-large'], 2)
    assert.match(await askFrom(t, port, BAD, '/', {}), / 429 /)
    assert.match(await askFrom(t, port, GOOD, '/', {}), / 200 /)
    assert.deepEqual(errors, [])
  })
}

test('a few addresses that hold all the connections they may leave some for others', LONG, async (t) => {
  const limits = { ...SMALL, maxConnections: 40, connectionsPerAddress: 30 }
  const { port, service } = await sampleReceiver(t, { limits })
  for (let n = 1; n <= 4; n++) await Promise.all(Array.from({ length: 30 }, () => lineFrom(t, port, `127.0.3.${n}`)))
  assert.match(await askFrom(t, port, GOOD, '/indexnow', NOTICE), / 200 /)
  assert.ok(((await service.figures()).totals.refused['too-many-connections'] ?? 0) > 60)
})

/** Other sites do not answer until the test lets go of them. */
function hanging({ web }: SampleReceiver): Disposable {
  const { promise, resolve } = Promise.withResolvers<FetchedFrom>()
  // What is got is awaited, so it may as well be a promise.
  const value = (url: string): unknown => (url.startsWith(SITE) ? file(KEY) : promise)
  Object.defineProperty(web, 'get', { value })
  return { [Symbol.dispose]: () => resolve(file('', 503)) }
}

const claimOf = (n: number): string => `/indexnow?url=https://${n}.example/&key=a-key-that-is-not-there`

test('requests one behind the other on one connection take their share, and others are answered', LONG, async (t) => {
  const limits = { ...SMALL, requests: 30, proofWaitMs: 60_000 }
  const receiver = await sampleReceiver(t, { limits })
  using others = hanging(receiver)
  assert.ok(others)
  const line = await lineFrom(t, receiver.port, BAD)
  line.socket.write(Array.from({ length: 100 }, (_, n) => `GET ${claimOf(n)} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  await untilSo(async () => ((await receiver.service.figures()).totals.refused['too-much-at-once'] ?? 0) > 0)
  assert.match(await askFrom(t, receiver.port, GOOD, '/indexnow', NOTICE), / 200 /)
})

test('look-ups that hang, all asked for from one address, leave others theirs', LONG, async (t) => {
  const receiver = await sampleReceiver(t, { limits: { ...SMALL, proofWaitMs: 50 } })
  using others = hanging(receiver)
  assert.ok(others)
  for (let n = 0; n < 40; n++) await askFrom(t, receiver.port, BAD, claimOf(n), {})
  assert.match(await askFrom(t, receiver.port, GOOD, '/indexnow', NOTICE), / 200 /)
})

const noticeOf = (host: string, key: string, count: number): Question => ({
  ...NOTICE,
  body: JSON.stringify({ host, key, urlList: Array.from({ length: count }, (_, i) => `https://${host}/${i}`) }),
})

test(
  'notices that wait for a proof that never comes, all from one address, leave room for those of others',
  LONG,
  async (t) => {
    const limits = { ...SMALL, pendingBytes: 32 << 10, pendingItems: 30 }
    const { port, web, service } = await sampleReceiver(t, { limits })
    web.set('https://bad.example/a-key-of-bad.txt', file('', 503))
    web.set('https://b.example/a-key-of-b.txt', file('', 503))
    const statuses = []
    for (let i = 0; i < 40; i++)
      statuses.push(await askFrom(t, port, BAD, '/indexnow', noticeOf('bad.example', 'a-key-of-bad', 60)))
    assert.match(statuses[0]!, / 202 /)
    assert.match(statuses.at(-1)!, / 429 /)
    assert.match(await askFrom(t, port, GOOD, '/indexnow', noticeOf('b.example', 'a-key-of-b', 20)), / 202 /)
    const { totals, pending } = await service.figures()
    assert.ok((totals.refused['too-much-at-once'] ?? 0) > 0)
    assert.ok(pending <= 12, String(pending))
  },
)

test('who makes us fail is shut out, and nobody else is', LONG, async (t) => {
  const { port, web, errors } = await sampleReceiver(t, { limits: SMALL })
  const get = web.get.bind(web)
  const value = (url: string): ReturnType<typeof get> => {
    if (url.includes('bug.example')) throw new Error('a bug of ours')
    return get(url)
  }
  Object.defineProperty(web, 'get', { value })
  const statuses: Record<string, number> = {}
  for (let i = 0; i < 20; i++) {
    const reply = await askFrom(t, port, BAD, `/indexnow?url=https://${i}.bug.example/&key=a-key-that-fails`, {})
    const status = reply.split(' ')[1]!
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  assert.ok((statuses['500'] ?? 0) <= 6, JSON.stringify(statuses))
  assert.ok((statuses['429'] ?? 0) >= 14, JSON.stringify(statuses))
  assert.equal(errors.length, statuses['500'])
  assert.match(await askFrom(t, port, GOOD, '/indexnow', NOTICE), / 200 /)
})
