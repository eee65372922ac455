import { swapped, testDialogues } from '../testing/dialogue-case.ts'
import { Dialogue, get, ok } from '../testing/dialogue-sample.ts'
import { ACK, FIN, RST, SYN, URG } from '../packets/tcp-segment.ts'

const plain = (): Dialogue => new Dialogue().open().exchange(get('/'), ok('a page'))
const page = 'x'.repeat(5_000)
const WHOLE = 'whole: GET / => 200 a page'
const LONG = `whole: GET / => 200 ${page.slice(0, 20)}… 5000`
/** A connection whose answer takes several packets; the answer begins at packet 4. */
const long = (): Dialogue => new Dialogue().open().exchange(get('/'), ok(page)).close()
/** Of all the ways a connection can end, be used again, or be played with: what is told of it. */
testDialogues([
  {
    sentence: '36: an end that comes with the last bytes, and twice, ends once',
    packets: () => {
      const talk = new Dialogue().open().say(0, get('/'))
      talk.send(1, ok('a page'), { flags: FIN | ACK }).send(1, ok('a page'), { flags: FIN | ACK })
      talk.next[1] += ok('a page').length + 1
      return talk.finish(0).packets
    },
    told: [WHOLE],
  },
  {
    sentence: '36: an end captured before the last bytes waits for them',
    packets: () => {
      const talk = new Dialogue()
        .open()
        .say(0, get('/'))
        .say(1, 'HTTP/1.1 200 OK\r\n\r\nuntil ')
        .say(1, 'the end')
        .close()
      return swapped(talk.packets, 5, 6)
    },
    told: ['whole: GET / => 200 until the end'],
  },
  {
    sentence: '36: more than the sender’s end allows makes the end unsure',
    packets: () => {
      const talk = new Dialogue().open().say(0, get('/')).say(1, 'HTTP/1.1 200 OK\r\n\r\nuntil').close()
      return talk.send(1, ' the end', {}, 1).packets
    },
    told: ['conflict: GET / => 200 until'],
  },
  {
    sentence: '31, 36: what is sent again after the sender’s end is still compared',
    packets: () => {
      const talk = new Dialogue().open().say(0, get('/')).say(1, ok('a page')).finish(1)
      return talk.send(1, ok('A page'), {}, ok('a page').length + 1).finish(0).packets
    },
    told: ['conflict: GET / => 200 a page'],
  },
  {
    sentence: '39: words of the next connection with these addresses, captured before its opening, are its own',
    packets: () => {
      const next = new Dialogue({ openings: [2_000_000, 3_000_000], startAt: 1_700_000_000_100 })
      const { packets } = next.open().exchange(get('/2'), ok('two')).close()
      return [...plain().close().packets, ...swapped(packets, 0, 3)]
    },
    told: [WHOLE, 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '37: a client that has said all it wants is still answered',
    packets: () => new Dialogue().open().say(0, get('/')).finish(0).say(1, ok('a page')).finish(1).packets,
    told: [WHOLE],
  },
  {
    sentence: '38: a reset in the middle of an answer cuts it short',
    packets: () => new Dialogue().open().say(0, get('/')).say(1, ok(page).slice(0, 3_000)).reset(0).packets,
    told: [`cut-short: GET / => 200 ${page.slice(0, 20)}… 2934`],
    counters: { resets: 1 },
  },
  {
    sentence: '38: a reset captured before the bytes that were sent before it waits for them',
    packets: () => swapped(plain().reset(1).packets, 4, 5),
    told: [WHOLE],
  },
  {
    sentence: '38: a reset whose number does not fit is somebody’s guess',
    packets: () => {
      const talk = plain()
      talk.send(1, '', { flags: RST }, 500_000)
      return talk.exchange(get('/2'), ok('two')).close().packets
    },
    told: [WHOLE, 'whole: GET /2 => 200 two'],
    counters: { strayResets: 1, resets: 0 },
  },
  {
    sentence: '39: addresses that are used again make another connection, with or without an end before',
    packets: () => {
      const next = new Dialogue({ openings: [5_000_000, 6_000_000], startAt: 1_700_000_000_100 })
      return [...plain().packets, ...next.open().exchange(get('/2'), ok('two')).close().packets]
    },
    told: ['whole: GET /2 => 200 two', WHOLE].toReversed(),
    counters: { reused: 1, flows: 2 },
  },
  {
    sentence: '39: what is late of the connection before is not taken for the next one’s',
    packets: () => {
      const first = long()
      const next = new Dialogue({ openings: [5_000_000, 6_000_000], startAt: first.at })
      next.open().exchange(get('/2'), ok('two')).close()
      const [late] = first.packets.splice(6, 1)
      return [...first.packets, ...next.packets.slice(0, 4), late!, ...next.packets.slice(4)]
    },
    told: [LONG, 'whole: GET /2 => 200 two'],
    counters: { gaps: 0 },
  },
  {
    sentence: '39: a stranger’s opening with the same addresses ends nothing',
    packets: () => {
      const talk = plain()
      const stranger = new Dialogue({ openings: [77_000_000, 1], startAt: talk.at }).send(0, '', { flags: SYN })
      talk.packets.push(...stranger.packets)
      return talk.wait(2_000).exchange(get('/2'), ok('two')).close().packets
    },
    told: [WHOLE, 'whole: GET /2 => 200 two'],
    counters: { reused: 0 },
  },
  {
    sentence: '40: two who open to each other at once, and an opening in four parts, are one connection',
    packets: () => {
      const talk = new Dialogue()
      talk.send(0, '', { flags: SYN }).send(1, '', { flags: SYN })
      talk.next[0]++
      talk.next[1]++
      talk.send(0, '', { flags: SYN | ACK }, 1).send(1, '', { flags: SYN | ACK }, 1)
      return talk.exchange(get('/'), ok('a page')).close().packets
    },
    told: [WHOLE],
    counters: { flows: 1 },
  },
  {
    sentence: '41: urgent bytes may be a part of what is read or not, so nothing with them is sure',
    packets: () => {
      const talk = new Dialogue()
        .open()
        .say(0, 'GET /mali')
        .say(0, 'X', { flags: ACK | URG, urgent: 1 })
      return talk.exchange('cious HTTP/1.1\r\nHost: a.example\r\n\r\n', ok('a page')).close().packets
    },
    told: ['unpaired: GET /maliXcious => -', 'unpaired: - => 200 a page'],
  },
  {
    sentence: '42: a packet of long ago, by its sender’s clock, is not taken',
    packets: () => {
      const talk = new Dialogue()
      talk.send(0, '', { flags: SYN, stamp: 500 })
      talk.next[0]++
      talk.send(1, '', { flags: SYN | ACK, stamp: 9_000 })
      talk.next[1]++
      talk.say(0, get('/'), { stamp: 501 })
      talk.send(1, ok('stale!'), { stamp: 8_000 })
      return talk.say(1, ok('a page'), { stamp: 9_001 }).close().packets
    },
    told: [WHOLE],
    counters: { outdated: 1, conflicts: 0 },
  },
  {
    sentence: '42: packets with all flags at once harm nothing',
    packets: () => {
      const talk = plain()
      talk.send(0, 'x', { flags: 0xff }, -900_000).send(1, '', { flags: 0 })
      return talk.exchange(get('/2'), ok('two')).close().packets
    },
    told: [WHOLE, 'whole: GET /2 => 200 two'],
  },
  {
    sentence: '22: a damaged packet of a sender whose sums are right is not taken',
    packets: () => {
      const talk = new Dialogue().open().say(0, get('/'))
      const damaged = new Dialogue({ sums: ['wrong', 'wrong'], startAt: talk.at })
      damaged.next[0] = talk.next[0]
      damaged.next[1] = talk.next[1]
      damaged.send(1, ok('A page'))
      talk.packets.push(...damaged.packets)
      return talk.say(1, ok('a page')).close().packets
    },
    told: [WHOLE],
    counters: { damaged: 1, conflicts: 0 },
  },
  {
    sentence: '22: sums that are all wrong, or left to the network card, say nothing',
    packets: () => [
      ...new Dialogue({ sums: ['left', 'wrong'] }).open().exchange(get('/'), ok('a page')).close().packets,
    ],
    told: [WHOLE],
    counters: { damaged: 0, unchecked: 3 },
  },
  ...(['left-data', 'left-length', 'none-data'] as const).map((kind) => ({
    sentence: `22: sums of a client that are right on empty packets say nothing of those that its card fills in (${kind})`,
    packets: () => {
      const talk = new Dialogue({ sums: [kind, 'right'] }).open().say(0, get('/')).say(1, ok('a page'))
      for (let empty = 0; empty < 200; empty++) talk.send(0, '')
      return talk.exchange(get('/2'), ok('two')).close().packets
    },
    told: [WHOLE, 'whole: GET /2 => 200 two'],
    counters: { damaged: 0 },
  })),
  ...(['left-data', 'left-length', 'none-data'] as const).map((kind) => ({
    sentence: `22: the same of a server (${kind})`,
    packets: () => {
      const talk = new Dialogue({ sums: ['right', kind] }).open()
      for (let empty = 0; empty < 200; empty++) talk.send(1, '')
      return talk.exchange(get('/'), ok('a page')).close().packets
    },
    told: [WHOLE],
    counters: { damaged: 0 },
  })),
  {
    sentence:
      '22: a packet that looks left to the card, of a sender whose packets with something in them have right sums, is damage',
    packets: () => {
      const talk = new Dialogue().open()
      for (let n = 0; n < 30; n++) talk.exchange(get('/'), ok('a page'))
      const left = new Dialogue({ sums: ['left', 'left'], startAt: talk.at })
      left.next[0] = talk.next[0]
      left.next[1] = talk.next[1]
      talk.packets.push(...left.send(0, get('/x')).packets)
      return talk.exchange(get('/2'), ok('two')).close().packets
    },
    told: [...Array.from({ length: 30 }, () => WHOLE), 'whole: GET /2 => 200 two'],
    counters: { damaged: 1 },
  },
  {
    sentence: '22: senders whose addresses end alike are judged apart',
    packets: () => {
      const other = new Dialogue({ client: { address: [10, 9, 0, 1], port: 40_001 } }).open()
      for (let n = 0; n < 60; n++) other.exchange(get('/'), ok('a page'))
      const talk = new Dialogue({ sums: ['left-data', 'right'], startAt: other.at }).open()
      return [...other.packets, ...talk.exchange(get('/2'), ok('two')).close().packets]
    },
    told: [...Array.from({ length: 60 }, () => WHOLE), 'whole: GET /2 => 200 two'],
    counters: { damaged: 0 },
  },
  {
    sentence: '22: what came with a wrong sum before any right one is in doubt once a right one comes',
    packets: () => {
      const talk = new Dialogue({ sums: ['right', 'wrong'] }).open().exchange(get('/'), ok('a page'))
      const right = new Dialogue({ startAt: talk.at })
      right.next[0] = talk.next[0]
      right.next[1] = talk.next[1]
      return [...talk.packets, ...right.close().packets]
    },
    told: ['conflict: GET / => 200 a page'],
  },
])
