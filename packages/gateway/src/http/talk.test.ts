import assert from 'node:assert/strict'
import test from 'node:test'
import { testDialogues } from '../testing/dialogue-case.ts'
import { Dialogue, get, ok, rebuilt, told } from '../testing/dialogue-sample.ts'
import type { Wire } from '../testing/packet-sample.ts'

const opened = (): Dialogue => new Dialogue().open()
const two = ['whole: GET /1 => 200 one', 'whole: GET /2 => 200 two']
const answer = (status: string, fields = '', body = ''): string => `HTTP/1.1 ${status}\r\n${fields}\r\n${body}`
const ask = (method: string, path: string, more = '', body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a.example\r\n${more}\r\n${body}`
const page = 'p'.repeat(4_000)
const LONG = `${'p'.repeat(20)}… 4000`

/** Of all that two sides can say to each other: what is told of it. */
testDialogues([
  {
    sentence: '44: several exchanges on one connection are told one by one',
    packets: () => opened().exchange(get('/1'), ok('one')).exchange(get('/2'), ok('two')).close().packets,
    told: two,
  },
  {
    sentence: '45: requests that do not wait for answers get theirs in order',
    packets: () =>
      opened()
        .say(0, get('/1') + get('/2'))
        .say(1, ok('one') + ok('two'))
        .close().packets,
    told: two,
  },
  {
    sentence: '46: a request that was lost leaves its answer alone, and takes none of another’s',
    packets: () => {
      const talk = opened().exchange(get('/1'), ok('one')).lose(0, get('/lost')).say(1, ok('of the lost one'))
      return talk.wait(5_000).exchange(get('/2'), ok('two')).close().packets
    },
    told: ['unpaired: - => 200 of the lost one', 'whole: GET /1 => 200 one', 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '46: an answer that was lost leaves its request alone; the next finds its own by the numbers',
    packets: () =>
      opened()
        .say(0, get('/lost'))
        .lose(1, ok('of the lost one'))
        .exchange(get('/2'), ok('two'))
        .exchange(get('/3'), ok('three'))
        .close().packets,
    told: ['unpaired: GET /lost => -', 'whole: GET /2 => 200 two', 'whole: GET /3 => 200 three'],
  },
  {
    sentence: '46: of answers to requests that did not wait, none is guessed at when one was lost',
    packets: () =>
      opened()
        .say(0, get('/1') + get('/2') + get('/3'))
        .lose(1, ok('one'))
        .say(1, ok('two') + ok('three'))
        .close().packets,
    told: [
      'unpaired: GET /1 => -',
      'unpaired: GET /2 => -',
      'unpaired: - => 200 two',
      'unpaired: GET /3 => -',
      'unpaired: - => 200 three',
    ],
  },
  {
    sentence: '47: an answer that nobody asked for has no request',
    packets: () =>
      opened()
        .say(1, answer('408 Request Timeout', 'Content-Length: 4\r\n', 'late'))
        .close().packets,
    told: ['no-request: - => 408 late'],
  },
  {
    sentence: '47: an answer that comes before the request’s body is its answer',
    packets: () =>
      opened()
        .say(0, ask('POST', '/form', 'Content-Length: 10\r\n', 'a=1&b'))
        .say(1, answer('403 No', 'Content-Length: 2\r\n', 'no'))
        .say(0, '=2&c=')
        .exchange(get('/2'), ok('two'))
        .close().packets,
    told: ['whole: POST /form => 403 no', 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '49: bodies of requests are passed over, of a length or in pieces, whatever they look like',
    packets: () =>
      opened()
        .exchange(ask('POST', '/1', `Content-Length: ${get('/x').length}\r\n`, get('/x')), ok('one'))
        .exchange(ask('PUT', '/2', 'Transfer-Encoding: chunked\r\n', '4\r\nGET \r\n0\r\n\r\n'), ok('two'))
        .exchange(ask('QUERY', '/3', 'Content-Length: 0\r\n'), ok('three'))
        .close().packets,
    told: ['whole: POST /1 => 200 one', 'whole: PUT /2 => 200 two', 'whole: QUERY /3 => 200 three'],
  },
  {
    sentence: '49: what a request without a version, or with a keyword in small letters, was meant to be is not sure',
    packets: () =>
      opened()
        .exchange(
          'get / http/1.1\r\nHost: a.example\r\n\r\n',
          answer('400 Bad Request', 'Content-Length: 3\r\n', 'bad'),
        )
        .close().packets,
    told: ['doubtful: get / => 400 bad'],
  },
  {
    sentence: '50: an answer that is not the last one takes no request, however many come',
    packets: () => {
      const talk = opened().say(0, ask('POST', '/', 'Expect: 100-continue\r\nContent-Length: 3\r\n'))
      talk.say(1, answer('100 Continue')).say(0, 'a=1')
      talk.say(1, answer('102 Processing') + answer('103 Early Hints', 'Link: </a.css>\r\n') + ok('done'))
      return talk.exchange(get('/2'), ok('two')).close().packets
    },
    told: ['whole: POST / => 200 done', 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '51: behind a tunnel that was granted nothing is read',
    packets: () =>
      opened()
        .exchange('CONNECT b.example:443 HTTP/1.1\r\nHost: b.example\r\n\r\n', answer('200 Connected'))
        .exchange('\x16\x03\x01 secret', '\x16\x03\x03 secret')
        .close().packets,
    told: ['switched: CONNECT b.example:443 => 200'],
  },
  {
    sentence: '51: behind a tunnel that was refused HTTP goes on',
    packets: () =>
      opened()
        .exchange(
          'CONNECT b.example:443 HTTP/1.1\r\nHost: b.example\r\n\r\n',
          answer('407 Who are you', 'Content-Length: 3\r\n', 'who'),
        )
        .exchange(get('/2'), ok('two'))
        .close().packets,
    told: ['unsure-url: CONNECT b.example:443 => 407 who', 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '52: behind an upgrade to another protocol nothing is read',
    packets: () =>
      opened()
        .exchange(get('/1'), ok('one'))
        .exchange(get('/ws', 'Upgrade: websocket\r\n'), answer('101 Switching Protocols', 'Upgrade: websocket\r\n'))
        .exchange('\x81\x05GET /', '\x81\x04HTTP')
        .close().packets,
    told: ['switched: GET /ws => 101', 'whole: GET /1 => 200 one'],
  },
  {
    sentence: '53: HTTP/2 that begins at once is left alone',
    packets: () => opened().exchange('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\0\0\0\x04\0\0\0\0\0').close().packets,
    told: [],
  },
  {
    sentence: '54: TLS and SSH are left alone on any port',
    packets: () => [
      ...opened().exchange('\x16\x03\x01\x02\x00', '\x16\x03\x03\x02\x00').close().packets,
      ...new Dialogue({ client: { address: [10, 1, 0, 9], port: 9 } }).open().exchange('SSH-2.0-x\r\n', 'SSH-2.0-y\r\n')
        .packets,
    ],
    told: [],
  },
  {
    sentence: '54: HTTP is read on any port',
    packets: () =>
      new Dialogue({ server: { address: [10, 2, 0, 2], port: 22 } }).open().exchange(get('/1'), ok('one')).close()
        .packets,
    told: ['whole: GET /1 => 200 one'],
  },
  {
    sentence: '55: empty lines between messages are passed over',
    packets: () =>
      opened()
        .exchange(`\r\n\r\n${get('/1')}`, ok('one'))
        .exchange(`\r\n${get('/2')}`, ok('two'))
        .close().packets,
    told: two,
  },
  {
    sentence: '56: an answer of the first HTTP ends with the connection, and is not sure',
    packets: () => opened().say(0, 'GET /\r\n').say(1, '<html>old</html>').close().packets,
    told: ['doubtful: GET / => 200 <html>old</html>'],
  },
  {
    sentence: '56: an answer without a length ends with the connection',
    packets: () => opened().say(0, get('/')).say(1, `HTTP/1.0 200 OK\r\n\r\n${page}`).close().packets,
    told: [`whole: GET / => 200 ${LONG}`],
  },
  {
    sentence: '56: an answer without a length is cut short when nobody said that it was over',
    packets: () => opened().say(0, get('/')).say(1, 'HTTP/1.0 200 OK\r\n\r\nsome').reset(1).packets,
    told: ['cut-short: GET / => 200 some'],
  },
])

test('71: the same page in many connections at once is told once for each', () => {
  const wires: Wire[] = []
  for (let port = 1; port <= 20; port++) {
    wires.push(
      ...new Dialogue({ client: { address: [10, 1, 0, 1], port } }).open().exchange(get('/'), ok(page)).packets,
    )
  }
  const mixed = wires.toSorted((a, b) => a.at - b.at)
  assert.deepEqual(
    told(rebuilt(mixed)),
    Array.from({ length: 20 }, () => `whole: GET / => 200 ${LONG}`),
  )
})

test('72: what was asked with, and what answers differ by, is handed on with each of them', () => {
  const talk = opened()
    .exchange(get('/', 'Cookie: a=1\r\n'), ok('for a', 'Vary: Cookie\r\nSet-Cookie: a=2\r\n'))
    .close()
  const [observed] = rebuilt(talk.packets).exchanges
  assert.deepEqual(observed!.request!.headers, [
    ['Host', 'a.example'],
    ['Cookie', 'a=1'],
  ])
  assert.deepEqual(observed!.response!.headers.slice(2), [
    ['Vary', 'Cookie'],
    ['Set-Cookie', 'a=2'],
  ])
})
