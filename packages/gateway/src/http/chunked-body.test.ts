import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { ChunkedBody } from './chunked-body.ts'
import { oddBody } from './odd-body.ts'

interface Read {
  readonly text: string
  readonly state: string
  readonly hasDoubt: boolean
  readonly used: number
}

function read(text: string, size = text.length): Read {
  const pieces: Buffer[] = []
  const body = new ChunkedBody((piece) => void pieces.push(Buffer.from(piece)))
  const bytes = Buffer.from(text, 'latin1')
  let used = 0
  for (let at = 0; at < bytes.length && body.state === 'open'; at += size)
    used += body.take(bytes.subarray(at, at + size), 0)
  return { text: Buffer.concat(pieces).toString('latin1'), state: body.state, hasDoubt: body.hasDoubt, used }
}

const cases: [sentence: string, text: string, body: string, state: string, hasDoubt: boolean][] = [
  ['60: pieces are joined', '3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n', 'onetwo', 'ended', false],
  ['60: extensions are passed over', '3;a=b;c="d"\r\none\r\n0\r\n\r\n', 'one', 'ended', false],
  ['60: trailers are passed over', '3\r\none\r\n0\r\nA: b\r\nC: d\r\n\r\n', 'one', 'ended', false],
  [
    '60: numbers may be in any letters, with zeros before them',
    '00A\r\n0123456789\r\na\r\n0123456789\r\n000\r\n\r\n',
    '01234567890123456789',
    'ended',
    false,
  ],
  ['60: blanks around a number are doubted', ' 3 \r\none\r\n0\r\n\r\n', 'one', 'ended', true],
  ['60: lines that end with a feed alone are doubted', '3\none\n0\n\n', 'one', 'ended', true],
  ['60: a prefix of hexadecimal numbers reads as an end, and is doubted', '0x3\r\none\r\n0\r\n\r\n', '', 'ended', true],
  ['60: more than any number of bytes is damage', '10000000000000003\r\none\r\n0\r\n\r\n', '', 'lost', false],
  ['60: a number below zero is damage', '-3\r\none\r\n', '', 'lost', true],
  ['60: a piece longer than it says is damage', '2\r\none\r\n0\r\n\r\n', 'on', 'lost', false],
  ['60: without its last piece it is not over', '3\r\none\r\n', 'one', 'open', false],
  ['60: no end of empty lines is damage', '\r\n\r\n\r\n\r\n\r\n\r\n3\r\none\r\n', '', 'lost', true],
  ['60: a line that never ends is damage', `3;${'x'.repeat(9_000)}`, '', 'lost', false],
]
for (const [sentence, text, body, state, hasDoubt] of cases) {
  test(sentence, () => {
    const { text: got, state: ended, hasDoubt: doubted } = read(text)
    assert.deepEqual([got, ended, doubted], [body, state, hasDoubt])
  })
}

test('60: what stands behind the end belongs to the next message', () => {
  assert.equal(read('3\r\none\r\n0\r\n\r\nHTTP/1.1 200 OK').used, 13)
})

test('66: a hole inside a piece leaves the next ones where they are; any other one loses the thread', () => {
  const got: string[] = []
  const body = new ChunkedBody((piece) => void got.push(Buffer.from(piece).toString()))
  body.take(Buffer.from('6\r\non'), 0)
  body.gap(4)
  body.take(Buffer.from('\r\n3\r\ntwo\r\n'), 0)
  assert.deepEqual([got, body.state], [['on', 'two'], 'open'])
  body.gap(1)
  assert.equal(body.state, 'lost')
})

test('pieces of any size give what they were made of, however they come', () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 8 })
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 50 }), (parts, size) => {
      const coded = parts
        .map((part) => `${part.length.toString(16)}\r\n${Buffer.from(part).toString('latin1')}\r\n`)
        .join('')
      const { text, state, hasDoubt } = read(`${coded}0\r\n\r\n`, size)
      assert.deepEqual([text, state, hasDoubt], [Buffer.concat(parts).toString('latin1'), 'ended', false])
    }),
  )
})

test('no bytes break it, and nothing comes out that did not go in', () => {
  const words = fc.constantFrom('3', 'a', 'f', '0', '\r\n', '\n', ';', ' ', 'x', '\0', '\r\n0\r\n\r\n')
  fc.assert(
    fc.property(fc.array(words, { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const text = parts.join('')
      const whole = read(text)
      assert.ok(whole.text.length <= text.length && whole.used <= text.length)
      const { text: got, state, hasDoubt } = read(text, size)
      assert.deepEqual([got, state, hasDoubt], [whole.text, whole.state, whole.hasDoubt], 'the same in any pieces')
    }),
  )
})

const odd: [sentence: string, text: string, numbers: readonly number[], body: string][] = [
  ['61: what looks like pieces is joined', '3\r\none\r\n0\r\n\r\n', [3], 'one'],
  ['61: what does not is cut at the first number that ends in it', 'one and more', [3], 'one'],
  ['61: a number that fits all of it ends it there', 'one and more', [3, 12], 'one and more'],
  ['61: without a number that fits it is all there is', 'one and more', [300], 'one and more'],
]
for (const [sentence, text, numbers, body] of odd) {
  test(sentence, () => assert.equal(Buffer.from(oddBody(Buffer.from(text), numbers)).toString(), body))
}
