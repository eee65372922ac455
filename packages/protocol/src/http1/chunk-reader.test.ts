import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ChunkReader } from './chunk-reader.ts'

function follow(pieces: readonly Buffer[]): { data: string; reader: ChunkReader; taken: number } {
  const spans: Buffer[] = []
  const reader = new ChunkReader((span) => void spans.push(Buffer.from(span)))
  let taken = 0
  for (const piece of pieces) {
    const now = reader.take(piece, 0)
    taken += now
    if (now < piece.length) break
  }
  return { data: Buffer.concat(spans).toString('latin1'), reader, taken }
}
const whole = (text: string): ReturnType<typeof follow> => follow([Buffer.from(text, 'latin1')])

test('data, extensions and trailers are told apart, and what follows is not taken', () => {
  const text = '5;a=b\r\nhello\r\n6 ; c="d"\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n'
  const { data, reader, taken } = whole(`${text}HTTP/1.1 200 OK`)
  assert.deepEqual([data, reader.isEnded, taken], ['hello world', true, text.length])
  assert.deepEqual(reader.trailers, [['X-Sum', '1']])
})

const refused: [sentence: string, text: string][] = [
  ['a size that is no number is refused', 'x\r\n'],
  ['a size with a sign is refused', '+5\r\nhello\r\n'],
  ['a size with 0x is refused', '0x5\r\nhello\r\n'],
  ['a size that no number holds is refused', 'fffffffffffffff\r\n'],
  ['no size is refused', '\r\n'],
  ['a line feed alone is refused', '5\nhello\r\n'],
  ['a chunk longer than it says is refused', '4\r\nhello\r\n'],
  ['a blank before the size is refused', ' 5\r\nhello\r\n'],
  ['a control character in an extension is refused', '5;\x01\r\nhello\r\n'],
  ['a trailer that says where the body ends is refused', '0\r\nContent-Length: 5\r\n\r\n'],
  ['a trailer that is no field is refused', '0\r\nGET / HTTP/1.1\r\n\r\n'],
  ['a line without end is refused', `5;${'a'.repeat(20_000)}`],
  ['trailers without end are refused', `0\r\n${'A: b\r\n'.repeat(5_000)}`],
]
for (const [sentence, text] of refused) {
  test(sentence, () => assert.notEqual(whole(text).reader.problem, undefined))
}

test('zeros before a size add nothing to it', () => {
  assert.equal(whole(`${'0'.repeat(40)}5\r\nhello\r\n${'0'.repeat(40)}\r\n\r\n`).data, 'hello')
})

test('who passes no trailers on may take those that others must not', () => {
  const reader = new ChunkReader(undefined, (name) => name !== 'Content-Length')
  const bytes = Buffer.from('0\r\nExpires: 0\r\n\r\n')
  assert.deepEqual([reader.take(bytes, 0), reader.problem, reader.isEnded], [bytes.length, undefined, true])
})

test('however a body is cut into chunks and chunks into pieces, its bytes come out', () => {
  const chunk = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 8 }), fc.array(fc.nat(60), { maxLength: 20 }), (chunks, cuts) => {
      const text = `${chunks.map((one) => `${one.length.toString(16)}\r\n${one}\r\n`).join('')}0\r\n\r\n`
      const bytes = Buffer.from(text, 'latin1')
      const pieces: Buffer[] = []
      let at = 0
      for (const cut of cuts) pieces.push(bytes.subarray(at, (at += cut)))
      pieces.push(bytes.subarray(at))
      const { data, reader } = follow(pieces.filter((piece) => piece.length > 0))
      assert.deepEqual([data, reader.isEnded, reader.problem], [chunks.join(''), true, undefined])
    }),
  )
})

test('whatever bytes come, it ends, refuses, or waits for more', () => {
  const odd = fc.string({ unit: fc.constantFrom('0', '1', 'a', ';', '\r', '\n', '\r\n', ':', 'x'), maxLength: 60 })
  fc.assert(
    fc.property(odd, (text) => {
      const { reader, taken } = whole(text)
      assert.ok(taken === text.length || reader.isEnded || reader.problem !== undefined)
    }),
    { numRuns: 2_000 },
  )
})
