import { testDialogues } from '../testing/dialogue-case.ts'
import { Dialogue, get, ok } from '../testing/dialogue-sample.ts'

const opened = (): Dialogue => new Dialogue().open()
const chunked = (text: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n${more}\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const answer = (status: string, fields = '', body = ''): string => `HTTP/1.1 ${status}\r\n${fields}\r\n${body}`
const ask = (method: string, path: string, more = '', body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a.example\r\n${more}\r\n${body}`
const page = 'p'.repeat(4_000)

/** Where a body ends, and what holes in it cost. */
testDialogues([
  {
    sentence: '57: HEAD, 204 and 304 have no body, whatever their heads say',
    packets: () =>
      opened()
        .exchange(ask('HEAD', '/1'), answer('200 OK', 'Content-Length: 500\r\n'))
        .exchange(get('/2'), answer('204 No Content', 'Transfer-Encoding: chunked\r\n'))
        .exchange(get('/3'), answer('304 Not Modified', 'Content-Length: 500\r\n'))
        .exchange(get('/4'), answer('205 Reset Content', 'Content-Length: 0\r\n'))
        .exchange(get('/5'), ok('five'))
        .close().packets,
    told: [
      'whole: HEAD /1 => 200',
      'whole: GET /2 => 204',
      'whole: GET /3 => 304',
      'whole: GET /4 => 205',
      'whole: GET /5 => 200 five',
    ],
  },
  {
    sentence: '58: the same length twice is one length, but not sure',
    packets: () =>
      opened().exchange(get('/1'), ok('one', 'Content-Length: 3\r\n')).exchange(get('/2'), ok('two')).close().packets,
    told: ['doubtful: GET /1 => 200 one', 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '58: lengths that differ make what follows unsure',
    packets: () =>
      opened()
        .exchange(get('/1'), answer('200 OK', 'Content-Length: 3\r\nContent-Length: 6\r\n', 'onetwo'))
        .exchange(get('/2'), ok('two'))
        .close().packets,
    told: ['doubtful: GET /1 => 200 one', 'unpaired: GET /2 => -'],
  },
  {
    sentence: '59: an answer that ends before its length is cut short',
    packets: () =>
      opened()
        .say(0, get('/'))
        .say(1, answer('200 OK', 'Content-Length: 500\r\n', 'some'))
        .close().packets,
    told: ['cut-short: GET / => 200 some'],
  },
  {
    sentence: '59: more than an answer’s length says belongs to nobody, and nothing behind it is sure',
    packets: () =>
      opened()
        .exchange(get('/1'), answer('200 OK', 'Content-Length: 3\r\n', 'one and more'))
        .exchange(get('/2'), ok('two'))
        .close().packets,
    told: ['unpaired: GET /2 => -', 'unpaired: - => 200 two', 'whole: GET /1 => 200 one'],
  },
  {
    sentence: '60: pieces that end at their end are a body; one cut by the connection’s end is not',
    packets: () =>
      opened()
        .exchange(get('/1'), chunked('one'))
        .exchange(get('/2'), answer('200 OK', 'Transfer-Encoding: chunked\r\n', '3\r\ntwo\r\n'))
        .close().packets,
    told: ['cut-short: GET /2 => 200 two', 'whole: GET /1 => 200 one'],
  },
  {
    sentence: '61: a length beside pieces is doubted, as is everything behind it',
    packets: () =>
      opened().exchange(get('/1'), chunked('one', 'Content-Length: 3\r\n')).exchange(get('/2'), ok('two')).close()
        .packets,
    told: ['doubtful: GET /1 => 200 one', 'unpaired: GET /2 => -'],
  },
  {
    sentence: '61: a request whose end is doubted makes all behind it unsure',
    packets: () =>
      opened()
        .say(0, ask('POST', '/1', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'))
        .say(1, ok('one'))
        .say(0, get('/2'))
        .say(1, ok('two'))
        .close().packets,
    told: ['unpaired: POST /1 => -', 'unpaired: - => 200 one', 'unpaired: - => 200 two'],
  },
  {
    sentence: '64: errors and redirections are told like all others',
    packets: () =>
      opened()
        .exchange(get('/1'), answer('301 Moved', 'Location: /2\r\nContent-Length: 0\r\n'))
        .exchange(get('/2'), answer('404 Not Found', 'Content-Length: 2\r\n', 'no'))
        .exchange(get('/3'), answer('503 Busy', 'Content-Length: 4\r\n', 'busy'))
        .close().packets,
    told: ['whole: GET /1 => 301', 'whole: GET /2 => 404 no', 'whole: GET /3 => 503 busy'],
  },
  {
    sentence: '66: a hole inside a body of known length costs that body alone',
    packets: () => {
      const talk = opened().say(0, get('/1'))
      const whole = ok(page)
      talk.say(1, whole.slice(0, 1_000)).lose(1, 1_000).say(1, whole.slice(2_000))
      return talk.exchange(get('/2'), ok('two')).close().packets
    },
    told: [`hole: GET /1 => 200 ${'p'.repeat(20)}… 3000`, 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '66: a hole inside one piece costs that body alone; one with a length in it costs the thread',
    packets: () => {
      const talk = opened().say(0, get('/1'))
      const whole = chunked(page)
      talk.say(1, whole.slice(0, 1_000)).lose(1, 1_000).say(1, whole.slice(2_000))
      talk
        .wait(1_000)
        .say(0, get('/2'))
        .say(1, whole.slice(0, 1_000))
        .lose(1, whole.length - 1_002)
        .say(1, '\r\n')
      return talk.wait(5_000).exchange(get('/3'), ok('three')).close().packets
    },
    told: [
      `hole: GET /1 => 200 ${'p'.repeat(20)}… 3000`,
      `hole: GET /2 => 200 ${'p'.repeat(20)}… 948`,
      'whole: GET /3 => 200 three',
    ],
  },
  {
    sentence: '66: a hole in a head costs that answer',
    packets: () => {
      const talk = opened().say(0, get('/1')).say(1, 'HTTP/1.1 200 OK\r\nContent-').lose(1, 20).say(1, '\r\n\r\none')
      return talk.wait(5_000).exchange(get('/2'), ok('two')).close().packets
    },
    told: ['unpaired: GET /1 => -', 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '67: behind a hole the next answer is found, and its request by the numbers',
    packets: () => {
      const talk = opened().say(0, get('/1'))
      talk.say(1, ok(page).slice(0, 1_000)).lose(1, ok(page).length - 1_000)
      talk
        .say(0, get('/2'))
        .say(1, ok(page).slice(0, 2_000))
        .lose(1, ok(page).length - 2_000)
      return talk.exchange(get('/3'), ok('three')).close().packets
    },
    told: [
      `hole: GET /1 => 200 ${'p'.repeat(20)}… 934`,
      `hole: GET /2 => 200 ${'p'.repeat(20)}… 1934`,
      'whole: GET /3 => 200 three',
    ],
  },
  {
    sentence: '68: a body that ends with the connection, with a hole before that, has a hole',
    packets: () =>
      opened().say(0, get('/')).say(1, 'HTTP/1.0 200 OK\r\n\r\nsome').lose(1, 100).say(1, 'more').close().packets,
    told: ['hole: GET / => 200 somemore'],
  },
  {
    sentence: '69: a body longer than one may be is followed to its end and not kept',
    packets: () => opened().exchange(get('/1'), ok(page)).exchange(get('/2'), ok('two')).close().packets,
    options: { messages: { maxBodyBytes: 3_999 } },
    told: ['too-large: GET /1 => 200', 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '70: an answer that never ends is cut short when its connection has been silent too long',
    packets: () => {
      const talk = opened().say(0, get('/')).say(1, ok(page).slice(0, 1_000)).wait(400_000)
      const other = new Dialogue({ client: { address: [10, 1, 0, 9], port: 9 }, startAt: talk.at })
      return [...talk.packets, ...other.open().packets]
    },
    told: [`cut-short: GET / => 200 ${'p'.repeat(20)}… 934`],
  },
])
