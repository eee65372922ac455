import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventReader } from '../testing/event-reader.ts'
import type { ReceivedEvent } from '../testing/event-reader.ts'
import { writeEvent, writeEventComment } from './server-sent-events.ts'

/** All messages of a stream, in pieces of so many bytes. */
function read(text: string, size = Infinity, reader: EventReader = new EventReader()): ReceivedEvent[] {
  const bytes = Buffer.from(text)
  const step = Math.min(size, bytes.length + 1)
  const events: ReceivedEvent[] = []
  for (let at = 0; at < bytes.length; at += step) events.push(...reader.write(bytes.subarray(at, at + step)))
  return events
}

// The first five are the examples of the HTML Standard, §9.2.6.
const cases: [sentence: string, text: string, expected: ReceivedEvent[]][] = [
  [
    'several data lines are one text',
    'data: YHOO\ndata: +2\ndata: 10\n\n',
    [{ id: '', event: 'message', data: 'YHOO\n+2\n10' }],
  ],
  [
    'comments are passed over, an id stays, an empty one resets it, and an unfinished message is none',
    ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event',
    [
      { id: '1', event: 'message', data: 'first event' },
      { id: '', event: 'message', data: 'second event' },
    ],
  ],
  [
    'a field without a colon is empty',
    'data\n\ndata\ndata\n\ndata:',
    [
      { id: '', event: 'message', data: '' },
      { id: '', event: 'message', data: '\n' },
    ],
  ],
  [
    'one space after the colon is not part of the value',
    'data:test\n\ndata: test\n\ndata:  test\n\n',
    [
      { id: '', event: 'message', data: 'test' },
      { id: '', event: 'message', data: 'test' },
      { id: '', event: 'message', data: ' test' },
    ],
  ],
  [
    'messages have names',
    'event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n',
    [
      { id: '', event: 'add', data: '73857293' },
      { id: '', event: 'remove', data: '2153' },
    ],
  ],
  ['all three line ends', 'data: a\r\ndata: b\rdata: c\n\r\n', [{ id: '', event: 'message', data: 'a\nb\nc' }]],
  [
    'an empty line after both characters of one line end',
    'data: a\r\n\ndata: b\r\n\r\n',
    [
      { id: '', event: 'message', data: 'a' },
      { id: '', event: 'message', data: 'b' },
    ],
  ],
  ['a byte order mark before the first line', '\uFEFFdata: a\n\n', [{ id: '', event: 'message', data: 'a' }]],
  ['an id with NUL is none', 'id: 1\nid: 2\0\ndata: a\n\n', [{ id: '1', event: 'message', data: 'a' }]],
  [
    'a message without data tells its id only',
    'id: 7\nevent: x\n\ndata: a\n\n',
    [{ id: '7', event: 'message', data: 'a' }],
  ],
  ['fields that nobody knows', 'date: today\ndata: a\n\n', [{ id: '', event: 'message', data: 'a' }]],
]
for (const [sentence, text, expected] of cases) {
  test(`event stream: ${sentence}`, () => {
    assert.deepEqual(read(text), expected)
    for (const size of [1, 2, 3, 7]) assert.deepEqual(read(text, size), expected, `in pieces of ${size}`)
  })
}

test('how long to wait is a number of digits only', () => {
  const reader = new EventReader()
  read('retry: 2000\n\nretry: soon\n\nretry: -1\n\n', 5, reader)
  assert.equal(reader.retryMs, 2_000)
})

test('messages are read as they were written, in whatever pieces, with comments between', () => {
  const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n\0]/g, ''))
  const message = fc.record({
    id: line.map((id) => `i${id}`),
    event: line.map((name) => `e${name}`),
    data: fc.string(),
  })
  fc.assert(
    fc.property(fc.array(message), fc.integer({ min: 1, max: 40 }), (messages, size) => {
      const text = messages.map((one) => `${writeEventComment('still\nhere')}${writeEvent(one)}`).join('')
      const expected = messages.map(({ id, event, data }) => ({ id, event, data: data.replaceAll(/\r\n?/g, '\n') }))
      assert.deepEqual(read(text, size), expected)
    }),
  )
})

test('what no reader would give back is not written', () => {
  for (const id of ['a\nb', 'a\rb', 'a\0b']) assert.throws(() => writeEvent({ id, data: '' }), TypeError)
  assert.throws(() => writeEvent({ event: 'a\nb', data: '' }), TypeError)
})

test('a line without end spoils the message it belongs to, not the one before', () => {
  const reader = new EventReader({ maxChars: 100 })
  assert.deepEqual(read(`data: a\n\n: ${'x'.repeat(500)}`, Infinity, reader), [{ id: '', event: 'message', data: 'a' }])
})

const long = 'x'.repeat(1_000)
const endless: [sentence: string, text: string][] = [
  ['one line', `data: ${long}\n\ndata: after\n\n`],
  ['many lines', `${`data: ${long.slice(0, 50)}\n`.repeat(20)}\ndata: after\n\n`],
  ['a comment', `: ${long}\ndata: y\n\ndata: after\n\n`],
]
for (const [sentence, text] of endless) {
  test(`a message that is too long by ${sentence} is dropped and counted, and the next is read`, () => {
    for (const size of [7, 100, Infinity]) {
      const reader = new EventReader({ maxChars: 200 })
      assert.deepEqual(read(text, size, reader), [{ id: '', event: 'message', data: 'after' }])
      assert.equal(reader.dropped, 1)
    }
  })
}

test('a line without end takes no memory', () => {
  const reader = new EventReader({ maxChars: 1_000 })
  const chunk = Buffer.alloc(65_536, 'x')
  for (let i = 0; i < 2_000; i++) assert.deepEqual(reader.write(chunk), [])
  assert.deepEqual(read('\n\ndata: a\n\n', Infinity, reader), [{ id: '', event: 'message', data: 'a' }])
  assert.equal(reader.dropped, 1)
})

test('an id that is too long is no id, in one piece or in many', () => {
  const stream = Buffer.from(`id: good\ndata: 1\n\nid: ${'x'.repeat(150)}\n\ndata: 2\n\n`)
  for (const size of [1, 7, 60, 1_000]) {
    const reader = new EventReader({ maxChars: 100 })
    for (let at = 0; at < stream.length; at += size) reader.write(stream.subarray(at, at + size))
    assert.equal(reader.lastId, 'good', `pieces of ${size}`)
  }
})

test('any bytes in any pieces are read without throwing, and the same as in one piece', () => {
  const bits = fc.constantFrom(
    'data',
    ':',
    ' ',
    '\n',
    '\r',
    '\r\n',
    'id: 3',
    'event: x',
    'retry: 9',
    '\uFEFF',
    'é',
    '\0',
  )
  const streams = fc.oneof(
    fc.array(bits, { maxLength: 40 }).map((all) => all.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(streams, fc.uint8Array({ maxLength: 20 }), fc.integer({ min: 1, max: 9 }), (text, bytes, size) => {
      const whole = Buffer.concat([Buffer.from(text), bytes, Buffer.from('\n\ndata: end\n\n')])
      const pieces = new EventReader({ maxChars: 100 })
      const events: ReceivedEvent[] = []
      for (let at = 0; at < whole.length; at += size) events.push(...pieces.write(whole.subarray(at, at + size)))
      assert.deepEqual(events, new EventReader({ maxChars: 100 }).write(whole))
    }),
    { numRuns: 500 },
  )
})
