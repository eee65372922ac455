import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { ByteReader } from '../format/byte-reader.ts'
import { readShipment, writeShipment } from './posting-shipment.ts'
import type { ShippedDocument } from './shipped-document.ts'

const hex = fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 64, maxLength: 64 })
const digest = hex.map((digits) => `sha-256:${digits.map((digit) => digit.toString(16)).join('')}`)
const text = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: 'grapheme', maxLength })
const url = fc.webUrl({ withQueryParameters: true })

const line = fc
  .uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 20 })
  .chain((words) => {
    const number = fc.nat({ max: words.length - 1 })
    return fc.record({
      kind: fc.constant('line' as const),
      words: fc.constant(words),
      text: fc.array(number, { maxLength: 50 }).map((numbers) => Uint32Array.from(numbers)),
      headings: fc.uniqueArray(number, { maxLength: 5 }).map((numbers) => Uint32Array.from(numbers)),
    })
  })
const plain = fc.record(
  { kind: fc.constant('text' as const), text: text(200), headings: fc.array(text(20)) },
  { noNullPrototype: true },
)
const documents = fc.array(
  fc.record({
    url,
    title: text(40),
    type: fc.constantFrom('text/html', 'text/plain'),
    language: fc.option(fc.constantFrom('en', 'de-AT', 'zh'), { nil: undefined }),
    at: fc.nat({ max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
    digest,
    content: fc.oneof(line, plain),
    links: fc.array(fc.record({ url, anchor: text(20) }, { noNullPrototype: true }), { maxLength: 5 }),
  }),
  { maxLength: 8 },
)

/** What a document says, whatever numbers its words have. */
function told({ content, ...document }: ShippedDocument): unknown {
  if (content.kind === 'text') return { ...document, content }
  const { words, text: numbers, headings } = content
  const inHeadings = Array.from(headings, (number) => words[number]!).toSorted((a, b) => (a < b ? -1 : 1))
  return { ...document, line: Array.from(numbers, (number) => words[number]), inHeadings }
}

test('what was written is read back', () => {
  fc.assert(
    fc.property(documents, (written) => {
      for (const format of [1, 2] as const) {
        const read = readShipment(writeShipment(written, format))
        assert.ok(read.kind === 'shipment')
        assert.deepEqual(read.documents.map(told), written.map(told))
      }
    }),
    { numRuns: 200 },
  )
})

const page = (words: string[], numbers: number[]): ShippedDocument => ({
  url: 'https://a.example/',
  title: 'A',
  type: 'text/html',
  language: 'en',
  at: 0,
  digest: `sha-256:${'0'.repeat(64)}`,
  content: { kind: 'line', words, text: Uint32Array.from(numbers), headings: new Uint32Array(0) },
  links: [],
})

test('the same documents make the same bytes, whatever order their words were met in', () => {
  for (const format of [1, 2] as const) {
    const one = writeShipment([page(['cat', 'dog'], [0, 1, 0])], format)
    assert.deepEqual(writeShipment([page(['dog', 'unused', 'cat'], [2, 0, 2])], format), one)
  }
})

const frame = (bytes: Uint8Array): Buffer => {
  const packed = zstdCompressSync(bytes)
  assert.ok(packed.length < 1 << 14)
  return Buffer.concat([Buffer.from([(packed.length & 0x7f) | 0x80, packed.length >> 7]), packed])
}
const columnsOf = (frames: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from('cps\u0002'), ...frames.map(frame)])

/** The frames of a shipment of format 2, unpacked. */
function framesOf(bytes: Uint8Array): Buffer[] {
  const from = new ByteReader(bytes, 4)
  const frames: Buffer[] = []
  while (!from.isAtEnd) frames.push(zstdDecompressSync(from.take(from.varint())))
  return frames
}

for (const format of [1, 2] as const)
  test(`whatever bytes come, reading format ${format} gives a shipment or a refusal`, () => {
    const good = writeShipment(fc.sample(documents, { numRuns: 1, seed: 3 })[0]!, format)
    const magic = good.subarray(0, 4)
    const payload = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([magic, zstdCompressSync(bytes)]))
    const columns = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 6, maxLength: 6 }).map(columnsOf)
    const frames = format === 2 ? framesOf(good) : []
    const inColumns = fc
      .tuple(fc.nat({ max: 5 }), fc.nat({ max: 999 }), fc.nat({ max: 255 }))
      .map(([which, at, byte]) =>
        columnsOf(
          frames.map((one, i) => (i === which && at < one.length ? Buffer.from(one).fill(byte, at, at + 1) : one)),
        ),
      )
    const damaged = fc
      .tuple(fc.nat({ max: good.length - 1 }), fc.nat({ max: 255 }))
      .map(([at, byte]) => Buffer.from(good).fill(byte, at, at + 1))
    const kinds = format === 1 ? [payload] : [columns, inColumns]
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), damaged, ...kinds), (bytes) => {
        assert.match(readShipment(bytes).kind, /^(?:shipment|refused)$/)
      }),
      { numRuns: 1_000 },
    )
  })

const changedFrame = (which: number, change: (bytes: Buffer) => Uint8Array): Buffer =>
  columnsOf(framesOf(writeShipment([page(['cat'], [0])])).map((bytes, i) => (i === which ? change(bytes) : bytes)))
const payloadOf = (...numbers: number[]): Buffer =>
  Buffer.concat([Buffer.from('cps\u0001'), zstdCompressSync(Buffer.from(numbers))])
const cases: [sentence: string, bytes: Uint8Array, problem: RegExp][] = [
  ['no bytes', new Uint8Array(0), /no shipment/],
  ['another version', Buffer.from('cps\u0003'), /another version/],
  ['a format 2 without its frames', Buffer.from('cps\u0002'), /end/],
  ['a frame that is not packed', Buffer.from('cps\u0002\u0005plain'), /unpacked/],
  [
    'a frame that goes on',
    changedFrame(1, (lines) => Buffer.concat([lines, Buffer.of(0)])),
    /follows its last document/,
  ],
  ['a frame more', Buffer.concat([writeShipment([page(['cat'], [0])]), frame(Buffer.of(0))]), /follows its last frame/],
  ['a word that is in no list', changedFrame(1, () => Buffer.of(1, 9)), /not in its list/],
  ['a link that is in no list', changedFrame(3, () => Buffer.of(0, 0, 1, 0)), /not in its table/],
  ['more of a text before than it has', changedFrame(0, () => Buffer.of(1, 5, 0)), /in common/],
  ['more words than bytes', changedFrame(1, () => Buffer.of(200, 1, 0)), /too many words/],
  ['something that is not packed', Buffer.from('cps\u0001plain'), /unpacked/],
  ['something behind the last document', payloadOf(0, 0, 0, 0, 7), /follows its last document/],
  ['more documents than bytes', payloadOf(100, 0, 0, 0), /too many documents/],
  ['a payload that ends too soon', payloadOf(0, 1, 9, 65), /end/],
]
for (const [sentence, bytes, problem] of cases) {
  test(`${sentence} is refused`, () => {
    const read = readShipment(bytes)
    assert.ok(read.kind === 'refused')
    assert.match(read.problem, problem)
  })
}

test('a bomb is not unpacked', () => {
  const bomb = Buffer.concat([Buffer.from('cps\u0001'), zstdCompressSync(Buffer.alloc(32 << 20))])
  assert.ok(bomb.length < 10_000)
  assert.deepEqual(readShipment(bomb, { maxUnpackedBytes: 1 << 20 }).kind, 'refused')
})

test('neither is one that becomes large only when its texts and links are made', () => {
  const long = 'x'.repeat(2_000)
  const links = Array.from({ length: 2_000 }, (_, i) => ({ url: `https://a.example/${long}${i}`, anchor: '' }))
  const bytes = writeShipment([{ ...page(['cat'], [0]), links }])
  assert.ok(bytes.length < 20_000)
  assert.equal(readShipment(bytes).kind, 'shipment')
  assert.deepEqual(readShipment(bytes, { maxUnpackedBytes: 1 << 20 }), {
    kind: 'refused',
    problem: 'it is too large when it is unpacked',
  })
})

test('many pages with the same words and links are smaller in format 2', () => {
  const words = Array.from({ length: 200 }, (_, i) => `word${i}`)
  const links = Array.from({ length: 20 }, (_, i) => ({ url: `https://a.example/page-${i}`, anchor: `Page ${i}` }))
  const pages = Array.from({ length: 20 }, (_, n) => ({
    ...page(
      words,
      words.map((_word, i) => (i * (n + 7)) % 200),
    ),
    url: `https://a.example/page-${n}`,
    links,
  }))
  assert.ok(writeShipment(pages).length < writeShipment(pages, 1).length)
})

test('a shipment of format 2 is read by every later version', () => {
  const read = readShipment(Buffer.from(SECOND_FORMAT, 'base64'))
  assert.ok(read.kind === 'shipment')
  assert.deepEqual(read.documents.map(told), fixtureDocuments.map(told))
})

test('a shipment of format 1 is read by every later version', () => {
  const read = readShipment(Buffer.from(FIRST_FORMAT, 'base64'))
  assert.ok(read.kind === 'shipment')
  assert.deepEqual(read.documents.map(told), fixtureDocuments.map(told))
})

/** Made by the first version; to be kept as it is. */
const FIRST_FORMAT =
  'Y3BzASi1L/0g6+0EAFQIAgYDVGhlA2NhdANkb2cDQysrA2FuZAVkb24ndAIJdGV4dC9odG1sCnBsYWluAQJlbgASaHR0cHM6Ly9hLmV4YW1wbGUvC0NhdHMgJiBkb2dzAAGA7OPXBqsABwABBAACBQMCAQEBABYHb2YSA+eMqwEAgI/p1wbNAQnpu5LjgYQD54yrAAgAVQUc13wPfcXNExZwBa8Grjd6FT0='

/** Likewise, of the second. */
const SECOND_FORMAT =
  'Y3BzAiootS/9ICEJAQAGAAAAAAAAAwMDAwMFVGhlY2F0ZG9nQysrYW5kZG9uJ3QRKLUv/SAIQQAABwABBAACBQNgKLUv/SBXuQIAAgAFCQV0ZXh0L2h0bWxwbGFpbgEAAmVuAgASEgNodHRwczovL2EuZXhhbXBsZS/njKsCAAALA0NhdHMgJiBkb2dz54yrAAEBAIDYx68NgMYKAAECAQEBLyi1L/0gJjEBAAEAFmh0dHBzOi8vYS5leGFtcGxlL2RvZ3MBAAdvZiBkb2dzAQAAGyi1L/0gEpEAAAEACem7kuOBhOeMqwEAA+eMqxQotS/9IEBdAAAYq6vNAgCgESLAAg=='

const fixtureDocuments: ShippedDocument[] = [
  {
    url: 'https://a.example/',
    title: 'Cats & dogs',
    type: 'text/html',
    language: 'en',
    at: Date.UTC(2026, 10, 15),
    digest: `sha-256:${'ab'.repeat(32)}`,
    content: {
      kind: 'line',
      words: ['The', 'cat', 'and', 'dog', "don't", 'C++'],
      text: Uint32Array.of(0, 1, 2, 0, 3, 4, 5),
      headings: Uint32Array.of(1, 3),
    },
    links: [{ url: 'https://a.example/dogs', anchor: 'of dogs' }],
  },
  {
    url: 'https://a.example/猫',
    title: '猫',
    type: 'text/plain',
    language: undefined,
    at: Date.UTC(2026, 10, 16),
    digest: `sha-256:${'cd'.repeat(32)}`,
    content: { kind: 'text', text: '黒い猫', headings: ['猫'] },
    links: [],
  },
]
