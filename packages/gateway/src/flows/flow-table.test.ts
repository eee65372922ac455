import assert from 'node:assert/strict'
import test from 'node:test'
import { swapped, testDialogues, without } from '../testing/dialogue-case.ts'
import { Dialogue, get, ok, rebuilt, told } from '../testing/dialogue-sample.ts'
import { ethernetFrame, pcapFile } from '../testing/packet-sample.ts'
import type { Wire } from '../testing/packet-sample.ts'
import { ACK, SYN } from '../packets/tcp-segment.ts'

const plain = (): Dialogue => new Dialogue().open().exchange(get('/'), ok('a page'))
const page = 'x'.repeat(5_000)
const WHOLE = 'whole: GET / => 200 a page'
const LONG = `whole: GET / => 200 ${page.slice(0, 20)}… 5000`
/** A connection whose answer takes several packets; the answer begins at packet 4. */
const long = (): Dialogue => new Dialogue().open().exchange(get('/'), ok(page)).close()
/** Of all the ways a connection can be seen: what is told of it in the end. */
testDialogues([
  {
    sentence: '24: a connection from its opening to its end is told',
    packets: () => plain().close().packets,
    told: [WHOLE],
  },
  {
    sentence: '16: every packet captured twice is told once',
    packets: () =>
      plain()
        .close()
        .packets.flatMap((wire) => [wire, wire]),
    told: [WHOLE],
  },
  {
    sentence: '17: clocks that go back change nothing',
    packets: () => long().packets.map(({ at, bytes }, place) => ({ bytes, at: at - (place % 3) * 40 })),
    told: [LONG],
  },
  {
    sentence: '25: a connection met in the middle is rebuilt, but its first answer may be somebody’s who asked before',
    packets: () => plain().close().packets.slice(3),
    told: ['unpaired: GET / => -', 'unpaired: - => 200 a page'],
    counters: { midstream: 2 },
  },
  {
    sentence: '25: a connection met in the middle is sure again after a silence',
    packets: () => plain().wait(5_000).exchange(get('/2'), ok('two')).close().packets.slice(3),
    told: ['unpaired: GET / => -', 'unpaired: - => 200 a page', 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '25: a connection met in its silence is sure from the first request on',
    packets: () => {
      const other = new Dialogue({ client: { address: [10, 9, 9, 9], port: 9 } }).open()
      return [...other.packets, ...plain().wait(5_000).exchange(get('/2'), ok('two')).close().packets.slice(5)]
    },
    told: ['whole: GET /2 => 200 two'],
  },
  {
    sentence: '25: where all clients are known to wait, a connection met in the middle is told by its numbers',
    packets: () => plain().close().packets.slice(3),
    told: [WHOLE],
    options: { messages: { clientsWait: true } },
  },
  {
    sentence: '25: who is the client shows in what is said, on any port, when no opening was seen',
    packets: () => {
      const odd = { client: { address: [10, 1, 0, 1], port: 80 }, server: { address: [10, 2, 0, 2], port: 50_123 } }
      return new Dialogue(odd).exchange(get('/'), ok('a page')).packets.toReversed()
    },
    told: ['unpaired: GET / => -', 'unpaired: - => 200 a page'],
  },
  {
    sentence: '26: of a connection of which one direction is seen, requests have no answers',
    packets: () =>
      plain()
        .close()
        .packets.filter((_, at) => [0, 2, 3, 6, 8].includes(at)),
    told: ['no-response: GET / => -'],
  },
  {
    sentence: '26: of a connection of which one direction is seen, answers have no requests',
    packets: () =>
      plain()
        .exchange(get('/2'), ok('two'))
        .close()
        .packets.filter(({ bytes }) => bytes[15] === 2),
    told: ['unpaired: - => 200 a page', 'unpaired: - => 200 two'],
  },
  {
    sentence: '27: an opening that is captured out of order is put in order',
    packets: () => swapped(swapped(plain().close().packets, 0, 2), 1, 3),
    told: [WHOLE],
  },
  {
    sentence: '27: what is said before the opening was captured waits for it',
    packets: () => swapped(plain().close().packets, 0, 4),
    told: [WHOLE],
  },
  {
    sentence: '47: an answer that is captured before its request waits for it',
    packets: () => swapped(plain().close().packets, 3, 4),
    told: [WHOLE],
  },
  { sentence: '28: packets out of order are put in order', packets: () => swapped(long().packets, 4, 6), told: [LONG] },
  {
    sentence: '28: all packets of an answer backwards are put in order',
    packets: () => {
      const { packets } = long()
      return [...packets.slice(0, 4), ...packets.slice(4, 8).toReversed(), ...packets.slice(8)]
    },
    told: [LONG],
  },
  {
    sentence: '29, 30: what is sent again in other pieces is told once: before, behind and around what was there',
    packets: () => {
      const talk = new Dialogue().open().say(0, get('/'))
      const answer = ok(page)
      talk.send(1, answer.slice(1_000, 2_000), {}, -1_000)
      talk.send(1, answer.slice(900, 1_100), {}, -900)
      talk.send(1, answer.slice(1_900, 2_500), {}, -1_900)
      talk.send(1, answer.slice(500, 3_000), {}, -500)
      return talk.say(1, answer).close().packets
    },
    told: [LONG],
    counters: { conflicts: 0, gaps: 0 },
  },
  {
    sentence: '31: the same bytes sent twice and differing make what they are in a conflict, and what follows unsure',
    packets: () => {
      const talk = new Dialogue().open().say(0, get('/'))
      talk.send(1, ok('forged'))
      return talk.say(1, ok('a page')).exchange(get('/2'), ok('two')).close().packets
    },
    told: ['unpaired: GET /2 => -', 'unpaired: - => 200 two', 'conflict: GET / => 200 forged'],
  },
  {
    sentence: '31: bytes that differ from those that wait make a conflict',
    packets: () => {
      const talk = new Dialogue().open().say(0, get('/'))
      const answer = ok('a page, not a short one')
      talk.send(1, 'Forged', {}, -77)
      talk.send(1, 'forged', {}, -77)
      return talk.say(1, answer).close().packets
    },
    told: ['unpaired: GET / => -', 'unpaired: - => 200 a page, not aForged one'],
  },
  {
    sentence: '32: a hole in an answer that is filled later is none',
    packets: () => {
      const { packets } = long()
      return [...without(packets.slice(0, 8), 5), { ...packets[5]!, at: packets[7]!.at + 300 }, ...packets.slice(8)]
    },
    told: [LONG],
    counters: { gaps: 0 },
  },
  {
    sentence: '32: a hole that is never filled is told when the connection ends',
    packets: () => without(long().packets, 5),
    told: [`hole: GET / => 200 ${page.slice(0, 20)}… 3540`],
    counters: { gaps: 1, gapBytes: 1_460 },
  },
  {
    sentence: '32: a hole that is acknowledged is given up after a while, and what follows goes on',
    packets: () => {
      const talk = new Dialogue().open().exchange(get('/'), ok(page)).send(0, '')
      const packets = without(talk.packets, 5)
      talk.packets = packets
      return talk.wait(2_000).exchange(get('/2'), ok('two')).close().packets
    },
    told: [`hole: GET / => 200 ${page.slice(0, 20)}… 3540`, 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '32: an acknowledgement captured before what it acknowledges is no loss',
    packets: () => {
      const talk = new Dialogue().open().exchange(get('/'), ok(page)).send(0, '').close()
      return [...talk.packets.slice(0, 7), talk.packets[8]!, talk.packets[7]!, ...talk.packets.slice(9)]
    },
    told: [LONG],
    counters: { gaps: 0 },
  },
  {
    sentence: '33: numbers that wrap in the middle of an answer go on',
    packets: () =>
      new Dialogue({ openings: [2 ** 32 - 20, 2 ** 32 - 2_000] }).open().exchange(get('/'), ok(page)).close().packets,
    told: [LONG],
  },
  {
    sentence: '34: a byte that is sent again to ask whether somebody is there may be any byte',
    packets: () => {
      const talk = plain().wait(10_000)
      talk.send(1, '\0', {}, 1).send(0, '')
      return talk.exchange(get('/2'), ok('two')).close().packets
    },
    told: [WHOLE, 'whole: GET /2 => 200 two'],
    counters: { conflicts: 0 },
  },
  {
    sentence: '34: such a byte does not stand in for the last one, which was lost',
    packets: () => {
      const talk = new Dialogue().open().say(0, get('/')).say(1, ok('a page').slice(0, -1)).lose(1, 1).send(0, '')
      talk.wait(10_000).send(1, '?', {}, 1).send(0, '')
      return talk.close().packets
    },
    told: ['hole: GET / => 200 a pag'],
  },
  {
    sentence: '34: a byte sent into a closed window is a byte like all others',
    packets: () => {
      const answer = ok('a page')
      return new Dialogue()
        .open()
        .say(0, get('/'))
        .say(1, answer.slice(0, 50))
        .wait(5_000)
        .say(1, answer.slice(50, 51))
        .say(1, answer.slice(51))
        .close().packets
    },
    told: [WHOLE],
  },
  {
    sentence: '35: an opening that carries the request already is read',
    packets: () => {
      const talk = new Dialogue()
      talk.next[0]++
      talk.send(0, get('/'), { flags: SYN }, 1)
      talk.next[0] += get('/').length
      talk.send(1, '', { flags: SYN | ACK })
      talk.next[1]++
      return talk.send(0, '').say(1, ok('a page')).close().packets
    },
    told: [WHOLE],
  },
  {
    sentence: '35: a request in the last packet of the opening is read',
    packets: () => without(plain().close().packets, 2),
    told: [WHOLE],
  },
])

const frames = (tag: number, path: string): Wire[] => {
  const { packets } = new Dialogue()
    .open()
    .exchange(get(path), ok(`in ${tag}`))
    .close()
  return packets.map(({ at, bytes }) => ({ at: at + tag / 10, bytes: ethernetFrame(bytes, [tag]) }))
}
test('11: the same addresses in two virtual networks are two connections', () => {
  const mixed = [...frames(1, '/1'), ...frames(2, '/2')].toSorted((a, b) => a.at - b.at)
  const result = rebuilt(pcapFile(mixed, { linkType: 1 }))
  assert.deepEqual(told(result), ['whole: GET /1 => 200 in 1', 'whole: GET /2 => 200 in 2'])
})

test('33: a stream of more than four billion bytes goes on counting', () => {
  const talk = new Dialogue().open().say(0, get('/big'))
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\n\r\n'
  talk.say(1, head)
  // Holes as large as a capture may lose at once, and a few bytes between them.
  let left = 5_000_000_000
  while (left > 0) {
    const lost = Math.min(left - 1, 12_000_000)
    talk.lose(1, lost).say(1, 'y').wait(20_000)
    left -= lost + 1
  }
  const result = rebuilt(talk.exchange(get('/after'), ok('after it')).close().packets)
  assert.deepEqual(told(result).at(-1), 'whole: GET /after => 200 after it')
  assert.equal(result.exchanges[0]!.verdict, 'hole')
})
