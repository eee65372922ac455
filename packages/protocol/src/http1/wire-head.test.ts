import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { endsBare, readWireHead, WireHead, wireHeadEnd } from './wire-head.ts'

const read = (text: string, maxFields = 100): WireHead | string => {
  const bytes = Buffer.from(text, 'latin1')
  return readWireHead(bytes, 0, wireHeadEnd(bytes, 0), maxFields)
}

test('lines pass as they came, and values without the blanks around them', () => {
  const head = read('GET / HTTP/1.1\r\nHost:  a.example \r\nX-Empty:\r\nx-MiXed: \xe9\t1\r\n\r\n') as WireHead
  assert.equal(head.line, 'GET / HTTP/1.1')
  assert.deepEqual(head.names, ['host', 'x-empty', 'x-mixed'])
  assert.deepEqual(head.lines[0], 'Host:  a.example \r\n')
  assert.deepEqual(head.headers, [
    ['Host', 'a.example'],
    ['X-Empty', ''],
    ['x-MiXed', '\xe9\t1'],
  ])
  assert.deepEqual(head.valuesOf('host'), ['a.example'])
})

const refused: [sentence: string, text: string, problem: RegExp][] = [
  ['a folded line is refused', 'GET / HTTP/1.1\r\nA: 1\r\n 2\r\n\r\n', /goes on/],
  ['a blank before the colon is refused', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', /name/],
  ['a field without a name is refused', 'GET / HTTP/1.1\r\n: a\r\n\r\n', /name/],
  ['a field without a colon is refused', 'GET / HTTP/1.1\r\nHost\r\n\r\n', /name/],
  ['a lone line feed is refused', 'GET / HTTP/1.1\r\nA: 1\nB: 2\r\n\r\n', /control/],
  ['a lone carriage return is refused', 'GET / HTTP/1.1\r\nA: 1\rB: 2\r\n\r\n', /control/],
  ['a zero byte is refused', 'GET / HTTP/1.1\r\nA: 1\0\r\n\r\n', /control/],
  ['a control character in the first line is refused', 'GET /\x01 HTTP/1.1\r\n\r\n', /first line/],
  ['a line feed in the first line is refused', 'GET / HTTP/1.1\nA: 1\r\n\r\n', /first line/],
]
for (const [sentence, text, problem] of refused) {
  test(sentence, () => assert.match(read(text) as string, problem))
}

test('more fields than are allowed are refused', () => {
  assert.equal(read('GET / HTTP/1.1\r\nA: 1\r\nB: 2\r\n\r\n', 1), 'more than 1 fields')
})

test('a head that ends with line feeds alone is known for that', () => {
  assert.equal(endsBare(Buffer.from('GET / HTTP/1.1\nHost: a\n\n')), true)
  assert.equal(endsBare(Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n')), false)
})

const name = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/)
const value = fc.stringMatching(/^[!-~]?[\t -~]{0,20}[!-~]$/)

test('what is written as it should be is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 20 }), (fields) => {
      const head = read(`GET / HTTP/1.1\r\n${fields.map(([n, v]) => `${n}: ${v}\r\n`).join('')}\r\n`)
      assert.ok(head instanceof WireHead)
      assert.deepEqual(
        head.headers,
        fields.map(([n, v]) => [n, v.trim()]),
      )
    }),
  )
})

test('whatever bytes come, a head is read or refused, and no line end hides in a line of it', () => {
  const odd = fc.string({ unit: fc.constantFrom('a', ':', ' ', '\r', '\n', '\0', '\t', '\x7f', '\xff'), maxLength: 60 })
  fc.assert(
    fc.property(odd, (text) => {
      const head = read(`GET / HTTP/1.1\r\n${text}\r\n\r\n`)
      if (head instanceof WireHead) for (const line of head.lines) assert.match(line, /^[^\r\n\0]*\r\n$/)
    }),
    { numRuns: 2_000 },
  )
})
