import assert from 'node:assert/strict'
import test from 'node:test'
import { Dialogue, get, ok, rebuilt, told } from '../testing/dialogue-sample.ts'
import { pcapFile } from '../testing/packet-sample.ts'
import type { Wire } from '../testing/packet-sample.ts'
import { Rebuilder } from '../rebuilder.ts'
import { SYN } from '../packets/tcp-segment.ts'

const client = (number: number) => ({ client: { address: [10, 7, number >> 8, number & 255], port: 40_000 } })
const START = 1_700_000_000_000

/** How much was held at most while a capture was read. */
function watched(packets: readonly Wire[], options: ConstructorParameters<typeof Rebuilder>[1]) {
  const verdicts: string[] = []
  const rebuilder = new Rebuilder({ observed: ({ verdict }) => void verdicts.push(verdict) }, options)
  const most = { flows: 0, bytes: 0 }
  rebuilder.write(pcapFile([]))
  for (const wire of packets) {
    rebuilder.write(pcapFile([wire]).subarray(24))
    most.flows = Math.max(most.flows, rebuilder.memory.flows)
    most.bytes = Math.max(most.bytes, rebuilder.memory.bytes)
  }
  rebuilder.end()
  return { most, verdicts, counters: rebuilder.counters, held: rebuilder.memory }
}

test('43: a flood of openings takes no more connections than there may be, and none of those that talk', () => {
  const talk = new Dialogue({ startAt: START }).open().say(0, get('/')).say(1, ok('a page').slice(0, 40))
  const flood = Array.from({ length: 5_000 }, (_, at) =>
    new Dialogue({ ...client(at), startAt: START + 10 + at / 100 }).send(0, '', { flags: SYN }),
  ).flatMap(({ packets }) => packets)
  talk.packets.push(...flood)
  talk.wait(200).say(1, ok('a page').slice(40)).close()
  const { most, verdicts, counters, held } = watched(talk.packets, { flows: { flows: 100 } })
  assert.deepEqual(verdicts, ['whole'])
  assert.equal(most.flows, 100)
  assert.equal(counters.flows.evicted, 4_901)
  assert.deepEqual(held, { flows: 0, bytes: 0 })
})

test('43: openings that nobody answers are forgotten soon, connections that are silent later', () => {
  const opening = new Dialogue({ ...client(1), startAt: START }).send(0, '', { flags: SYN })
  const silent = new Dialogue({ ...client(2), startAt: START }).open().say(0, get('/'))
  const after = (ms: number): Dialogue => new Dialogue({ ...client(3), startAt: START + ms }).open()
  const counts = [0, 11_000, 299_000, 301_000].map((ms) => {
    const rebuilder = new Rebuilder({ observed: () => undefined })
    rebuilder.write(pcapFile([...opening.packets, ...silent.packets, ...after(ms).packets]))
    return rebuilder.memory.flows
  })
  assert.deepEqual(counts, [3, 2, 2, 1])
})

test('43: what waits for something missing takes no more than it may, in one connection and in all', () => {
  const flows = Array.from({ length: 40 }, (_, at) => {
    const talk = new Dialogue({ ...client(at), startAt: START + at }).open().say(0, get('/'))
    return talk.say(1, 'HTTP/1.1 200 OK\r\n\r\n').lose(1, 100).say(1, 'z'.repeat(200_000))
  })
  const packets = flows.flatMap(({ packets: each }) => each)
  const bounded = { flowBytes: 64 << 10, bytes: 512 << 10 }
  const { most, counters, held } = watched(packets, {
    flows: bounded,
    messages: { bytes: 1 << 20, settleBytes: 1 << 20 },
  })
  assert.ok(most.bytes <= (512 << 10) + (64 << 10) + (1 << 20), `${most.bytes}`)
  assert.ok(counters.flows.gaps >= 30, `${counters.flows.gaps}`)
  assert.deepEqual(held, { flows: 0, bytes: 0 })
})

test('43: bodies that all come at once take no more than they may together; who finds no room is told so', () => {
  const flows = Array.from({ length: 30 }, (_, at) => {
    const talk = new Dialogue({ ...client(at), startAt: START }).open().say(0, get(`/${at}`))
    return talk.say(1, ok('b'.repeat(100_000)))
  })
  // One packet of each in turn.
  const longest = Math.max(...flows.map(({ packets }) => packets.length))
  const turns = Array.from({ length: longest }, (_, at) => flows.flatMap(({ packets }) => packets.slice(at, at + 1)))
  const { most, verdicts, held } = watched(turns.flat(), { messages: { bytes: 1 << 20, settleBytes: 0 } })
  const count = (wanted: string): number => verdicts.filter((verdict) => verdict === wanted).length
  assert.ok(most.bytes < (1 << 20) + 30 * 70_000, `${most.bytes}`)
  assert.ok(count('whole') >= 5, `${count('whole')}`)
  assert.equal(count('whole') + count('no-room'), 30)
  assert.deepEqual(held, { flows: 0, bytes: 0 })
})

test('69: a body that is longer than one may be is followed to its end, but not kept', () => {
  const talk = new Dialogue()
    .open()
    .exchange(get('/large'), ok('b'.repeat(50_000)))
    .exchange(get('/small'), ok('small'))
    .close()
  const result = rebuilt(talk.packets, { messages: { maxBodyBytes: 10_000 } })
  assert.deepEqual(told(result), ['too-large: GET /large => 200', 'whole: GET /small => 200 small'])
})

test('a body that nobody wants is followed to its end, but not kept', () => {
  const talk = new Dialogue()
    .open()
    .exchange(get('/a.png'), ok('b'.repeat(50_000)))
    .exchange(get('/a.html'), ok('page'))
    .close()
  const result = rebuilt(talk.packets, { wants: (request) => request?.target.endsWith('.html') === true })
  assert.deepEqual(told(result), ['not-wanted: GET /a.png => 200', 'whole: GET /a.html => 200 page'])
})

test('43, 55: heads that never end take no more room than they may', () => {
  const flows = Array.from({ length: 50 }, (_, at) =>
    new Dialogue({ ...client(at), startAt: START + at }).open().say(0, `GET / HTTP/1.1\r\nX: ${'h'.repeat(60_000)}`),
  )
  const packets = flows.flatMap(({ packets: each }) => each)
  const { most, held } = watched(packets, { messages: { bytes: 500_000 } })
  // Rings of what was seen, and heads within what is given to them.
  assert.ok(most.bytes < 500_000 + 50 * 33_000, `${most.bytes}`)
  assert.deepEqual(held, { flows: 0, bytes: 0 })
})

test('43: requests that are never answered are given up when there are too many', () => {
  const talk = new Dialogue().open()
  for (let at = 0; at < 50; at++) talk.say(0, get(`/${at}`))
  const result = rebuilt(talk.close().packets, { messages: { maxWaiting: 20 } })
  assert.equal(result.exchanges.length, 50)
  assert.deepEqual(new Set(result.exchanges.map(({ verdict }) => verdict)), new Set(['unpaired']))
})

test('70: an answer under way when its connection is given up is told as cut short', () => {
  const talk = new Dialogue({ ...client(0), startAt: START })
    .open()
    .say(0, get('/slow'))
    .say(1, ok('x'.repeat(100)).slice(0, 100))
  const others = [1, 2].map((at) =>
    new Dialogue({ ...client(at), startAt: START + 10 }).open().exchange(get('/'), ok('x')),
  )
  const { exchanges } = rebuilt([...talk.packets, ...others.flatMap(({ packets }) => packets)], { flows: { flows: 2 } })
  const slow = exchanges.find(({ request }) => request?.target === '/slow')
  assert.equal(slow?.verdict, 'cut-short')
})
