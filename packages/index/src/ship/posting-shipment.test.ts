import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
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
      const read = readShipment(writeShipment(written))
      assert.ok(read.kind === 'shipment')
      assert.deepEqual(read.documents.map(told), written.map(told))
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
  const one = writeShipment([page(['cat', 'dog'], [0, 1, 0])])
  assert.deepEqual(writeShipment([page(['dog', 'unused', 'cat'], [2, 0, 2])]), one)
})

test('whatever bytes come, reading gives a shipment or a refusal', () => {
  const good = writeShipment(fc.sample(documents, { numRuns: 1, seed: 3 })[0]!)
  const magic = good.subarray(0, 4)
  const payload = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([magic, zstdCompressSync(bytes)]))
  const damaged = fc
    .tuple(fc.nat({ max: good.length - 1 }), fc.nat({ max: 255 }))
    .map(([at, byte]) => Buffer.from(good).fill(byte, at, at + 1))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), payload, damaged), (bytes) => {
      assert.match(readShipment(bytes).kind, /^(?:shipment|refused)$/)
    }),
    { numRuns: 2_000 },
  )
})

const payloadOf = (...numbers: number[]): Buffer =>
  Buffer.concat([Buffer.from('cps\u0001'), zstdCompressSync(Buffer.from(numbers))])
const cases: [sentence: string, bytes: Uint8Array, problem: RegExp][] = [
  ['no bytes', new Uint8Array(0), /no shipment/],
  ['another version', Buffer.from('cps\u0002'), /another version/],
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

test('a shipment of format 1 is read by every later version', () => {
  const read = readShipment(Buffer.from(FIRST_FORMAT, 'base64'))
  assert.ok(read.kind === 'shipment')
  assert.deepEqual(read.documents.map(told), fixtureDocuments.map(told))
})

/** Made by the first version; to be kept as it is. */
const FIRST_FORMAT =
  'Y3BzASi1L/0g6+0EAFQIAgYDVGhlA2NhdANkb2cDQysrA2FuZAVkb24ndAIJdGV4dC9odG1sCnBsYWluAQJlbgASaHR0cHM6Ly9hLmV4YW1wbGUvC0NhdHMgJiBkb2dzAAGA7OPXBqsABwABBAACBQMCAQEBABYHb2YSA+eMqwEAgI/p1wbNAQnpu5LjgYQD54yrAAgAVQUc13wPfcXNExZwBa8Grjd6FT0='

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
