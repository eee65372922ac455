import type { HeaderList } from '@comity/protocol'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { isDesynchronising, requestFrame, responseFrame } from './body-frame.ts'
import type { BodyFrame } from './body-frame.ts'
import type { ResponseHead } from './head.ts'
import { readRequestHead } from './head.ts'

const length = (...values: string[]): HeaderList => values.map((value) => ['Content-Length', value])
const coding = (...values: string[]): HeaderList => values.map((value) => ['transfer-encoding', value])
const head = (headers: HeaderList, status = 200, version = '1.1'): ResponseHead => ({
  kind: 'response',
  status,
  version,
  headers,
  doubts: [],
})
const odd = (doubt: NonNullable<BodyFrame['doubt']>, ...numbers: number[]): BodyFrame => ({
  kind: 'odd',
  numbers,
  doubt,
})
const exactly = (bytes: number): BodyFrame => ({ kind: 'length', length: bytes, doubt: undefined })

const cases: [sentence: string, head: ResponseHead, frame: BodyFrame, method?: string][] = [
  ['58: without a length a body ends with the connection', head([]), { kind: 'close' }],
  ['58: a length is a length', head(length('12')), exactly(12)],
  ['58: zeros before it do no harm', head(length('0012')), exactly(12)],
  ['58: the same twice is doubted', head(length('3', '3')), { ...exactly(3), doubt: 'repeated-length' }],
  ['58: the same in a list is doubted', head(length('3, 3')), { ...exactly(3), doubt: 'repeated-length' }],
  ['58: two that differ are no length', head(length('3', '4')), odd('odd-length', 3, 4)],
  ['58: one below zero is no length', head(length('-3')), odd('odd-length', 3)],
  ['58: one with a plus is no length', head(length('+3')), odd('odd-length', 3)],
  ['58: a hexadecimal one is no length', head(length('0x3')), odd('odd-length', 0, 3)],
  ['58: an empty one is no length', head(length('')), odd('odd-length')],
  ['58: one with a blank of another alphabet is no length', head(length('3\xa0')), odd('odd-length', 3)],
  ['61: pieces with one are none', head(coding('chunked\xa0')), odd('odd-transfer-coding')],
  [
    '58: one of more digits than any body has is no length',
    head(length('9'.repeat(20))),
    odd('odd-length', 999999999999999, 99999),
  ],
  ['60: pieces are pieces', head(coding('chunked')), { kind: 'chunked' }],
  ['60: in whatever letters', head(coding('Chunked')), { kind: 'chunked' }],
  ['61: pieces and a length are doubted', head([...coding('chunked'), ...length('3')]), odd('two-framings', 3)],
  ['61: pieces twice are doubted', head(coding('chunked', 'chunked')), odd('odd-transfer-coding')],
  ['61: pieces of something packed are doubted', head(coding('gzip, chunked')), odd('odd-transfer-coding')],
  ['61: what looks like pieces is doubted', head(coding('xchunked')), odd('odd-transfer-coding')],
  ['61: pieces in HTTP/1.0 are doubted', head(coding('chunked'), 200, '1.0'), odd('odd-transfer-coding')],
  [
    '61: fields where they should not be are doubted',
    { ...head(length('3')), isFramingOdd: true },
    odd('odd-framing', 3),
  ],
  ['57: the answer to HEAD has no body', head(length('12')), { kind: 'none' }, 'HEAD'],
  ['57: 204 has no body', head(length('12'), 204), { kind: 'none' }],
  ['57: 304 has no body', head(coding('chunked'), 304), { kind: 'none' }],
  ['57: 103 has no body', head(length('12'), 103), { kind: 'none' }],
  ['57: 205 has one if it says so', head(length('12'), 205), exactly(12)],
  ['51: a granted tunnel has no body', head(length('12')), { kind: 'none' }, 'CONNECT'],
  ['51: a refused one has', head(length('12'), 403), exactly(12), 'CONNECT'],
]
for (const [sentence, said, expected, method] of cases) {
  test(sentence, () => assert.deepEqual(responseFrame(said, method ?? 'GET'), expected))
}

const frame = (fields: string): BodyFrame => requestFrame(readRequestHead(`POST / HTTP/1.1\r\n${fields}\r\n`)!)
test('49: a request without a length has no body', () => {
  assert.deepEqual(frame(''), { kind: 'none' })
  assert.deepEqual(frame('Content-Length: 3\r\n'), exactly(3))
  assert.deepEqual(frame('Transfer-Encoding: chunked\r\n'), { kind: 'chunked' })
})

test('61: behind a doubt where a body ends nothing is sure, but behind the same length twice', () => {
  assert.ok(isDesynchronising(odd('two-framings')))
  assert.ok(!isDesynchronising(exactly(3)))
  assert.ok(!isDesynchronising({ ...exactly(3), doubt: 'repeated-length' }))
})

test('whatever fields say, a frame without a doubt is what RFC 9112 §6.3 says', () => {
  const value = fc.oneof(fc.string({ maxLength: 12 }), fc.nat().map(String), fc.constant('chunked'))
  const field = fc.tuple(fc.constantFrom('Content-Length', 'Transfer-Encoding', 'X'), value)
  fc.assert(
    fc.property(fc.array(field, { maxLength: 4 }), (headers) => {
      const made = responseFrame(head(headers), 'GET')
      if (made.doubt !== undefined) return
      const named = (name: string): string[] => headers.filter(([one]) => one === name).map(([, text]) => text.trim())
      const [codings, lengths] = [named('Transfer-Encoding'), named('Content-Length')]
      const expected = codings.length > 0 ? 'chunked' : lengths.length > 0 ? 'length' : 'close'
      assert.equal(made.kind, expected)
      if (made.kind === 'length') assert.deepEqual(lengths.map(Number), [made.length])
    }),
  )
})
