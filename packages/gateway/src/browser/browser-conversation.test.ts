import { createRandom } from '@comity/testbed'
import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { amount } from '@comity/protocol/testing'
import type { BrowserLimits } from './browser-talk.ts'
import type { BrowserView } from './browser-view.ts'
import { makeCapture } from '../testing/capture-sample.ts'
import { Dialogue, get, ok } from '../testing/dialogue-sample.ts'
import { pcapFile } from '../testing/packet-sample.ts'
import { checkViews } from '../testing/rebuild-check.ts'
import { Rebuilder } from '../rebuilder.ts'

interface Read {
  readonly told: readonly string[]
  readonly views: readonly BrowserView[]
  readonly most: number
}

function read(talk: Dialogue, browser: Partial<BrowserLimits> = {}): Read {
  const views: BrowserView[] = []
  const rebuilder = new Rebuilder(
    { observed: () => undefined },
    { asBrowser: { viewed: (view) => void views.push(view) }, browser },
  )
  let most = 0
  const file = pcapFile(talk.packets)
  for (let at = 0; at < file.length; at += 500) {
    rebuilder.write(file.subarray(at, at + 500))
    most = Math.max(most, rebuilder.memory.bytes)
  }
  rebuilder.end()
  assert.deepEqual(rebuilder.memory, { flows: 0, bytes: 0 }, 'nothing is held at the end')
  return { told: views.map(line), views, most }
}

function line({ request, status, outcome, error, body, doubts }: BrowserView): string {
  const text = Buffer.from(body).toString('latin1')
  const shown = text.length > 40 ? `${text.slice(0, 10)}… ${text.length}` : text
  return [`${outcome} ${request.target} ${status}`, error, shown, doubts.join(' ')].filter((part) => part).join(' | ')
}

const opened = (): Dialogue => new Dialogue().open()
const answer = (fields: string, body = ''): string => `HTTP/1.1 200 OK\r\n${fields}\r\n${body}`
const CONFLICT = 'conflict'

const cases: [sentence: string, talk: () => Dialogue, told: string[], limits?: Partial<BrowserLimits>][] = [
  [
    'answers of one connection, each with its own request',
    () => opened().exchange(get('/1'), ok('one')).exchange(get('/2'), ok('two')).close(),
    ['shown /1 200 | one', 'shown /2 200 | two'],
  ],
  [
    'requests that do not wait',
    () => opened().say(0, get('/1')).say(0, get('/2')).say(1, ok('one')).say(1, ok('two')).close(),
    ['shown /1 200 | one', 'shown /2 200 | two'],
  ],
  [
    'what is behind an answer belongs to nobody, and the next one is found',
    () =>
      opened()
        .exchange(get('/1'), `${ok('one')}and HTTP/1.1 200 OK\r\n\r\n`)
        .exchange(get('/2'), ok('two'))
        .close(),
    ['shown /1 200 | one | extra-bytes', 'shown /2 200 | two'],
  ],
  [
    'an answer to HEAD has no body, whatever it says',
    () =>
      opened()
        .exchange('HEAD /1 HTTP/1.1\r\nHost: a.example\r\n\r\n', answer('Content-Length: 50\r\n'))
        .exchange(get('/2'), ok('two'))
        .close(),
    ['shown /1 200', 'shown /2 200 | two'],
  ],
  [
    'behind an answer without an end the connection has nothing more to say',
    () => opened().exchange(get('/1'), answer('', 'all of it')).close(),
    ['shown /1 200 | all of it'],
  ],
  [
    'an answer that ends early breaks off, with what came',
    () => opened().exchange(get('/1'), answer('Content-Length: 50\r\n', 'some')).close(),
    ['broken /1 200 | ERR_CONTENT_LENGTH_MISMATCH | some | cut-short'],
  ],
  [
    'one that is reset does so by another name',
    () => opened().exchange(get('/1'), answer('Content-Length: 50\r\n', 'some')).reset(1),
    ['broken /1 200 | ERR_CONNECTION_RESET | some | cut-short'],
  ],
  [
    'one whose end was not captured is not over',
    () => opened().exchange(get('/1'), answer('Content-Length: 50\r\n', 'some')),
    ['broken /1 200 | some | unfinished'],
  ],
  [
    'a request that nobody answers is refused',
    () => opened().exchange(get('/1'), ok('one')).say(0, get('/2')).close(),
    ['shown /1 200 | one', 'refused /2 0 | ERR_EMPTY_RESPONSE'],
  ],
  [
    'an answer with a hole is not shown, and what follows is in doubt',
    () =>
      opened()
        .say(0, get('/1'))
        .say(1, answer('Content-Length: 30\r\n', '0123456789'))
        .lose(1, 10)
        .say(1, '0123456789')
        .wait(20_000)
        .exchange(get('/2'), ok('two'))
        .close(),
    ['hole /1 200 | unfinished', 'shown /2 200 | two | unpaired'],
  ],
  [
    'a request that was lost makes what follows a guess',
    () =>
      opened()
        .exchange(get('/1'), ok('one'))
        .lose(0, get('/2'))
        .say(1, ok('two'))
        .wait(20_000)
        .exchange(get('/3'), ok('three'))
        .close(),
    ['shown /1 200 | one | extra-bytes', 'shown /3 200 | three | unpaired'],
  ],
  [
    'bytes that come twice and differ are in doubt, and all behind them',
    () => {
      const talk = opened().say(0, get('/1'))
      talk.send(1, ok('one'))
      talk.send(1, ok('two'))
      talk.next[1] = (talk.next[1] + ok('one').length) >>> 0
      return talk.exchange(get('/2'), ok('two')).close()
    },
    [`shown /1 200 | one | ${CONFLICT}`, `shown /2 200 | two | ${CONFLICT}`],
  ],
  [
    'an address that may be another one is in doubt',
    () => opened().exchange('GET /1 HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n', ok('one')).close(),
    ['shown /1 200 | one | unsure-url'],
  ],
  [
    'a tunnel is none of it',
    () =>
      opened()
        .exchange('CONNECT b.example:443 HTTP/1.1\r\nHost: b.example\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n')
        .exchange(get('/in'), ok('in'))
        .close(),
    [],
  ],
  [
    'a WebSocket is none of it',
    () =>
      opened()
        .exchange(
          get('/socket', 'Upgrade: websocket\r\nConnection: Upgrade\r\n'),
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x05hello',
        )
        .close(),
    [],
  ],
  ['what is no HTTP is none of it', () => opened().exchange('\x16\x03\x01\x00\x05hello', '\x16\x03\x03').close(), []],
  [
    'a connection met in the middle is read from its first request on, and is in doubt',
    () => {
      const talk = opened().exchange(get('/1'), ok('one')).close()
      talk.packets.splice(0, 3)
      return talk
    },
    ['shown /1 200 | one | unpaired'],
  ],
  [
    'a body that is larger than may be kept is followed, and not shown',
    () =>
      opened()
        .exchange(get('/1'), ok('x'.repeat(3_000)))
        .exchange(get('/2'), ok('two'))
        .close(),
    ['too-large /1 200', 'shown /2 200 | two'],
    { maxBodyBytes: 2_999 },
  ],
  [
    'so is one that unpacks to more than may be',
    () => {
      const packed = gzipSync(Buffer.alloc(100_000)).toString('latin1')
      return opened()
        .exchange(get('/1'), answer(`Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n`, packed))
        .close()
    },
    ['too-large /1 200'],
    { maxShownBytes: 99_999 },
  ],
  [
    'one for which there is no room is told as such',
    () =>
      opened()
        .exchange(get('/1'), ok('x'.repeat(3_000)))
        .close(),
    ['no-room /1 200'],
    { bytes: 2_000 },
  ],
]
for (const [sentence, talk, told, limits] of cases) {
  test(`as a browser: ${sentence}`, () => assert.deepEqual(read(talk(), limits).told, told))
}

test('as a browser: a server that talks and is not asked, and clients that ask and do not wait, are held within bounds', () => {
  const chatter = opened()
  for (let round = 0; round < 2_000; round++) chatter.say(1, 'x'.repeat(1_400))
  assert.ok(read(chatter.close(), { bytes: 300_000 }).most < 2 << 20)
  const impatient = opened()
  for (let round = 0; round < 50; round++) impatient.say(0, get(`/${round}`))
  const { told } = read(impatient.say(1, ok('one')).close(), { maxWaiting: 20 })
  assert.equal(told.length, 20)
  assert.ok(told.every((each) => each.startsWith('broken')))
})

const long = (bytes: number): Dialogue =>
  opened()
    .exchange(get('/1'), `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(bytes)}\r\nContent-Length: 3\r\n\r\none`)
    .close()

test('as a browser: a head that is longer than any is given up, and no sooner', () => {
  assert.deepEqual(read(long(200 << 10)).told, ['shown /1 200 | one'])
  assert.deepEqual(read(long(257 << 10)).told, ['refused /1 0 | ERR_RESPONSE_HEADERS_TOO_BIG'])
})

const count = amount(500, 50_000)
test(`as a browser: of ${count} captures of known conversations, what is in no doubt is what was said`, () => {
  const first = Number(process.env['COMITY_SEED'] ?? 0)
  let whole = 0
  for (let seed = first; seed < first + count; seed++) {
    const random = createRandom(seed)
    const sample = makeCapture(() => random.next(), `s${seed}`)
    const { wrong, missing, held, whole: found } = checkViews(sample)
    whole += found
    assert.deepEqual(
      { wrong, missing, held },
      { wrong: [], missing: [], held: { flows: 0, bytes: 0 } },
      `COMITY_SEED=${seed}`,
    )
  }
  assert.ok(whole > 2 * count, `${whole}`)
})
