/**
 * Slow and flooding: clients that take as long and as much as they can, and origins that do not answer, against a proxy that
 * runs. Each is ended with a reason that is counted, and others are answered meanwhile and after.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { describe, test } from 'node:test'
import type { ProxyCounters } from '../proxy/proxy-context.ts'
import type { ProxyLimits } from '../proxy/proxy-options.ts'
import type { RefusalReason } from '../proxy/refusal.ts'
import { answersIn, isAnswered, visitor } from './smuggling-judge-fixture.ts'
import { frame, HTTP2_HELLO, http2Request, isHttp2Over, literal } from './http2-bytes-fixture.ts'

interface BusyProxy extends AsyncDisposable {
  readonly port: number
  readonly counters: ProxyCounters
}

/** A proxy before this origin, within these limits. */
type StartBusyProxy = (origin: string, limits: Partial<ProxyLimits>) => Promise<BusyProxy>

const TIMEOUT = { timeout: 120_000 }
/** So long that nobody who is quick meets them, and so short that nobody waits. */
const SHORT: Partial<ProxyLimits> = {
  headMs: 1_500,
  idleMs: 2_500,
  paceMs: 1_500,
  originMs: 5_000,
  leastBytesPerSecond: 2_000,
}
const HOST = 'Host: a.example\r\n'
const LARGE = 32 << 20

export function slowAndFloodingSuite(name: string, start: StartBusyProxy): void {
  describe(`${name}, slow and flooding`, { concurrency: true }, () => {
    const attacks: [
      what: string,
      limits: Partial<ProxyLimits>,
      attack: (port: number, counters: ProxyCounters) => Promise<number>,
      reason: RefusalReason,
    ][] = [
      ['a head that comes byte by byte', {}, (port) => trickle(port, '', `GET / HTTP/1.1\r\n${HOST}`), 'head-too-slow'],
      ['fields without end', {}, (port) => trickle(port, `GET / HTTP/1.1\r\n${HOST}`, 'A: b\r\n'), 'head-too-slow'],
      [
        'a body that comes byte by byte',
        {},
        (port) => trickle(port, withBody('Content-Length: 99999'), 'x'),
        'body-too-slow',
      ],
      [
        'chunks of one byte',
        {},
        (port) => trickle(port, withBody('Transfer-Encoding: chunked'), '1\r\nx\r\n'),
        'body-too-slow',
      ],
      [
        'a chunk that stays away',
        {},
        (port) => trickle(port, withBody('Transfer-Encoding: chunked'), ''),
        'body-too-slow',
      ],
      [
        'a head of megabytes',
        {},
        (port) => flood(port, `GET / HTTP/1.1\r\n${HOST}A: ${'x'.repeat(1 << 20)}`),
        'head-too-large',
      ],
      [
        'ten thousand fields',
        {},
        (port) => flood(port, `GET / HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(3_000)}\r\n`),
        'bad-request',
      ],
      ['a line without end', {}, (port) => flood(port, `GET /${'x'.repeat(1 << 20)}`), 'head-too-large'],
      ['a head in more pieces than there are', { maxHeadPieces: 20 }, (port) => pieces(port, 60), 'head-too-slow'],
      [
        'a chunk whose line has no end',
        {},
        (port) => flood(port, `${withBody('Transfer-Encoding: chunked')}1;${'x'.repeat(1 << 20)}`),
        'ambiguous-framing',
      ],
      ['an answer that nobody reads', {}, unread, 'reader-too-slow'],
      [
        'an origin that says nothing',
        {},
        (port) => flood(port, `GET /silent HTTP/1.1\r\n${HOST}\r\n`),
        'origin-too-slow',
      ],
      [
        'an origin whose head comes byte by byte',
        {},
        (port) => flood(port, `GET /slow-head HTTP/1.1\r\n${HOST}\r\n`),
        'origin-too-slow',
      ],
      [
        'an origin whose head has no end',
        {},
        (port) => flood(port, `GET /large-head HTTP/1.1\r\n${HOST}\r\n`),
        'origin-odd',
      ],
    ]
    for (const [what, limits, attack, reason] of attacks)
      test(`${what} is ended as ${reason}, and others are answered`, TIMEOUT, async () => {
        await using origin = await oddOrigin()
        await using proxy = await start(origin.url, { ...SHORT, ...limits })
        const [attacked] = await Promise.all([attack(proxy.port, proxy.counters), ask(proxy.port), ask(proxy.port)])
        await ask(proxy.port)
        assert.equal(proxy.counters.refused[reason], 1, JSON.stringify(proxy.counters.refused))
        assert.ok(attacked === 0 || attacked >= 400, `answered with ${attacked}`)
      })

    test(
      'who holds every connection of the origin with slow bodies loses them, and others are answered',
      TIMEOUT,
      async () => {
        await using origin = await oddOrigin()
        await using proxy = await start(origin.url, { ...SHORT, maxOriginConnections: 4, originMs: 20_000 })
        const attackers = Array.from({ length: 12 }, () => trickle(proxy.port, withBody('Content-Length: 99999'), 'x'))
        await new Promise((resolve) => setTimeout(resolve, 100))
        await ask(proxy.port)
        await Promise.all(attackers)
        assert.ok(proxy.counters.refused['body-too-slow'] >= 4)
      },
    )

    const holders: [what: string, limits: Partial<ProxyLimits>, said: string, more: string][] = [
      ['bodies that come just quickly enough', {}, withBody('Content-Length: 999999999'), 'x'.repeat(1_000)],
      ['pages that the origin takes long for', {}, `GET /silent HTTP/1.1\r\n${HOST}\r\n`, ''],
      ['as many as wait in line', { maxWaiting: 8 }, `GET /silent HTTP/1.1\r\n${HOST}\r\n`, ''],
      ['connections that say nothing', { maxConnections: 20 }, '', ''],
      ['connections that are kept', { maxConnections: 20 }, `GET /other HTTP/1.1\r\n${HOST}\r\n`, ''],
    ]
    for (const [what, limits, said, more] of holders)
      test(`who holds all there is by ${what} does not keep others from being answered`, TIMEOUT, async () => {
        await using origin = await oddOrigin()
        const room = { maxOriginConnections: 8, originMs: 60_000, leastBytesPerSecond: 2_000, ...limits }
        await using proxy = await start(origin.url, room)
        const held = Array.from({ length: 60 }, () => visitor(proxy.port, false, '127.0.0.2'))
        const timer = setInterval(() => held.forEach((one) => !one.isClosed && more !== '' && one.say(more)), 100)
        for (const one of held) if (said !== '') one.say(said)
        await new Promise((resolve) => setTimeout(resolve, 300))
        try {
          for (let times = 0; times < 3; times++) await ask(proxy.port)
        } finally {
          clearInterval(timer)
          for (const one of held) one[Symbol.dispose]()
        }
      })

    test(
      'connections beyond the most are turned away, and there is room again when some have gone',
      TIMEOUT,
      async () => {
        await using origin = await oddOrigin()
        await using proxy = await start(origin.url, { maxConnections: 20 })
        const idle = Array.from({ length: 60 }, () => visitor(proxy.port))
        await Promise.all(idle.slice(20).map(async (one) => await one.until(() => false)))
        assert.ok(proxy.counters.refused['too-many-connections'] >= 40)
        for (const one of idle) one[Symbol.dispose]()
        for (let tries = 0; tries < 100; tries++)
          if (
            await ask(proxy.port).then(
              () => true,
              () => false,
            )
          )
            return
        assert.fail('nobody is let in any more')
      },
    )

    test('fields without number in HTTP/2 are no request, and others are answered', TIMEOUT, async () => {
      await using origin = await oddOrigin()
      await using proxy = await start(origin.url, SHORT)
      const many = Array.from({ length: 1_000 }, (_, at): [string, string] => [`x-${at}`, 'y'])
      using attacker = visitor(proxy.port)
      const head: [string, string][] = [
        [':method', 'GET'],
        [':scheme', 'http'],
        [':path', '/many'],
        [':authority', 'a.example'],
      ]
      attacker.say(http2Request([...head, ...many]).toString('latin1'))
      await attacker.until(isHttp2Over)
      await ask(proxy.port)
      assert.ok(!origin.asked.includes('/many'))
    })

    for (const [what, make, reason] of FLOODS)
      test(`in HTTP/2 ${what} is ended as ${reason}, and others are answered`, TIMEOUT, async () => {
        await using origin = await oddOrigin()
        await using proxy = await start(origin.url, {})
        using attacker = visitor(proxy.port, false, '127.0.0.2')
        attacker.say(HTTP2_HELLO.toString('latin1'))
        for (let at = 0; at < 2_000_000 && !attacker.isClosed; at += 200) {
          attacker.say(Buffer.concat(Array.from({ length: 200 }, (_, i) => make(at + i))).toString('latin1'))
          await new Promise((resolve) => setTimeout(resolve, 1))
          if (at % 20_000 === 0) await ask(proxy.port)
        }
        assert.ok(attacker.isClosed, 'it went on for ever')
        await ask(proxy.port)
        assert.equal(proxy.counters.refused[reason], 1, JSON.stringify(proxy.counters.refused))
      })

    test('in HTTP/2 heads that are too large are refused by name', TIMEOUT, async () => {
      await using origin = await oddOrigin()
      await using proxy = await start(origin.url, {})
      for (const [fields, reason] of [
        [Array.from({ length: 300 }, (_, at): [string, string] => [`x-${at}`, 'y']), 'bad-request'],
        [[['x', 'y'.repeat(40_000)]], 'head-too-large'],
      ] as [[string, string][], RefusalReason][]) {
        using attacker = visitor(proxy.port)
        // More than fits into one frame.
        const [first = '', ...more] = pieces16(Buffer.concat([PLAIN, ...fields.map(literal)]))
        attacker.say(HTTP2_HELLO.toString('latin1'))
        attacker.say(frame(1, more.length === 0 ? 5 : 1, 1, Buffer.from(first, 'latin1')).toString('latin1'))
        for (const [i, piece] of more.entries())
          attacker.say(frame(9, i === more.length - 1 ? 4 : 0, 1, Buffer.from(piece, 'latin1')).toString('latin1'))
        await attacker.until(isHttp2Over)
        assert.equal(proxy.counters.refused[reason], 1, JSON.stringify(proxy.counters.refused))
      }
      await ask(proxy.port)
    })

    test('a stream of HTTP/2 whose body stays away is ended, and others of its connection go on', TIMEOUT, async () => {
      await using origin = await oddOrigin()
      await using proxy = await start(origin.url, SHORT)
      using attacker = visitor(proxy.port)
      const head: [string, string][] = [
        [':method', 'POST'],
        [':scheme', 'http'],
        [':path', '/'],
        [':authority', 'a.example'],
        ['content-length', '99'],
      ]
      // The frame that would end it is cut off.
      attacker.say(http2Request(head, ['x', 'y']).subarray(0, -10).toString('latin1'))
      await Promise.all([attacker.until(isHttp2Over), ask(proxy.port)])
      assert.equal(proxy.counters.refused['body-too-slow'], 1)
    })
  })
}

const PLAIN = Buffer.concat(
  [
    [':method', 'GET'] as const,
    [':scheme', 'http'] as const,
    [':path', '/silent'] as const,
    [':authority', 'a.example'] as const,
  ].map(literal),
)
const pieces16 = (bytes: Buffer): string[] => bytes.toString('latin1').match(/[^]{1,16000}/g) ?? []
const four = (value: number): Buffer => Buffer.from([0, 0, 0, value])
const NOTHING = Buffer.alloc(0)

/** Frames by their number (RFC 9113 §6), without end. */
// oxfmt-ignore
const FLOODS: [what: string, make: (at: number) => Buffer, reason: RefusalReason][] = [
  ['a stream that is reset as soon as it is opened', (at) => Buffer.concat([frame(1, 5, 2 * at + 1, PLAIN), frame(3, 0, 2 * at + 1, four(8))]), 'http2-resets'],
  ['no end of settings',        () => frame(4, 0, 0, NOTHING),         'http2-flood'],
  ['no end of pings',           () => frame(6, 0, 0, Buffer.alloc(8)), 'http2-flood'],
  ['no end of windows',         () => frame(8, 0, 0, four(1)),         'http2-flood'],
  ['no end of unknown frames',  () => frame(0xee, 0, 0, NOTHING),      'http2-flood'],
  ['no end of empty pieces of a body', (at) => (at === 0 ? frame(1, 4, 1, PLAIN) : frame(0, 0, 1, NOTHING)), 'http2-flood'],
  ['a head that goes on',       (at) => (at === 0 ? frame(1, 1, 1, PLAIN) : frame(9, 0, 1, literal([`x-${at}`, 'y']))), 'http2-continuations'],
  ['a window of nothing',       (at) => (at === 0 ? frame(8, 0, 0, four(0)) : NOTHING), 'http2-malformed'],
]

const withBody = (framing: string): string => `POST / HTTP/1.1\r\n${HOST}${framing}\r\n\r\n`

/** The status of the answer; 0 for none. */
const statusOf = (heard: string): number => Number(heard.slice(9, 12))

/** Says `first`, and then a bit again and again until it is answered or cut off. */
async function trickle(port: number, first: string, bit: string): Promise<number> {
  using one = visitor(port)
  one.say(first)
  let at = 0
  const timer = setInterval(() => {
    if (!one.isClosed && bit !== '') one.say(bit.length > 12 ? bit[at++ % bit.length]! : bit)
  }, 100)
  const heard = await one.until(isAnswered(1)).finally(() => clearInterval(timer))
  return statusOf(heard)
}

async function flood(port: number, said: string): Promise<number> {
  using one = visitor(port)
  one.say(said)
  return statusOf(await one.until(isAnswered(1)))
}

async function pieces(port: number, count: number): Promise<number> {
  using one = visitor(port)
  one.say(`GET / HTTP/1.1\r\n${HOST}A: `)
  for (let at = 0; at < count && !one.isClosed; at++) {
    one.say('x')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return statusOf(await one.until(isAnswered(1)))
}

/** Asks for much and takes none of it; who does not read does not hear of the end either. */
async function unread(port: number, { refused }: ProxyCounters): Promise<number> {
  using one = visitor(port, true)
  one.say(`GET /large HTTP/1.1\r\n${HOST}\r\n`)
  for (let tries = 0; tries < 400 && refused['reader-too-slow'] === 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50))
  return 0
}

async function ask(port: number): Promise<void> {
  using one = visitor(port)
  one.say(`GET /other HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
  const { answers } = answersIn(await one.until(() => false), [])
  assert.deepEqual(
    answers.map(({ status, body }) => `${status} ${body}`),
    ['200 ok'],
  )
}

interface OddOrigin extends AsyncDisposable {
  readonly url: string
  readonly asked: string[]
}

async function oddOrigin(): Promise<OddOrigin> {
  const [sockets, asked] = [new Set<Socket>(), [] as string[]]
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
        const target = text.split(' ', 2)[1]!
        asked.push(target)
        const hasBody = /\r\n(?:content-length|transfer-encoding):/i.test(text)
        text = text.slice(end + 4)
        if (!hasBody) answer(socket, target)
      }
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => void server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function answer(socket: Socket, target: string): void {
  const ok = 'HTTP/1.1 200 OK\r\nCache-Control: no-store\r\n'
  if (target === '/silent') return
  if (target === '/large') {
    socket.write(`${ok}Content-Length: ${LARGE}\r\n\r\n`)
    for (let sent = 0; sent < LARGE; sent += 1 << 20) socket.write(Buffer.alloc(1 << 20))
  } else if (target === '/slow-head') {
    const timer = setInterval(() => socket.write('X'), 100)
    socket.on('close', () => clearInterval(timer))
  } else if (target === '/large-head') socket.write(ok + 'A: b\r\n'.repeat(20_000))
  else socket.write(`${ok}Content-Length: 2\r\n\r\nok`)
}
