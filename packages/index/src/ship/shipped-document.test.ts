import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shipDocument } from './ship-document.ts'
import { shippedFromRecord, shippedText } from './shipped-document.ts'

const digest = `sha-256:${'0'.repeat(64)}`
const line = { kind: 'postings', url: 'https://a.example/', words: ['a', 'cat'], line: [0, 1], headings: [1] }

test('a record with a line becomes a document', () => {
  const record = { ...line, title: 'Cats', lang: 'en', links: [['https://a.example/b', 'bees']] }
  const read = shippedFromRecord(record, digest, 7)
  assert.ok(read.kind === 'document')
  assert.deepEqual(read.document, {
    url: 'https://a.example/',
    title: 'Cats',
    type: 'text/html',
    language: 'en',
    at: 7,
    digest,
    content: { kind: 'line', words: ['a', 'cat'], text: Uint32Array.of(0, 1), headings: Uint32Array.of(1) },
    links: [{ url: 'https://a.example/b', anchor: 'bees' }],
  })
  assert.equal(shippedText(read.document), 'a cat')
})

test('a record with a text becomes a document', () => {
  const read = shippedFromRecord({ url: 'https://a.example/', text: '黒い猫', headings: ['猫'] }, digest, 0)
  assert.ok(read.kind === 'document')
  assert.deepEqual(read.document.content, { kind: 'text', text: '黒い猫', headings: ['猫'] })
  assert.equal(shippedText(read.document), '黒い猫')
})

const refusals: [sentence: string, record: Record<string, unknown>, problem: RegExp][] = [
  ['without a URL', { ...line, url: 3 }, /url is none/],
  ['with half a URL', { ...line, url: '/a' }, /url is none/],
  ['with a URL without end', { ...line, url: `https://a.example/${'a'.repeat(3_000)}` }, /url is none/],
  ['with neither line nor text', { url: 'https://a.example/' }, /neither a line nor a text/],
  ['whose line goes beyond its words', { ...line, line: [0, 2] }, /not numbers of words/],
  ['whose line has a fraction', { ...line, line: [0.5] }, /not numbers of words/],
  ['whose line is below zero', { ...line, line: [-1] }, /not numbers of words/],
  ['whose line is a text', { ...line, line: 'cat' }, /not numbers of words/],
  ['with a word that is none', { ...line, words: ['a', ''] }, /words are not texts/],
  ['with a word without end', { ...line, words: ['a', 'b'.repeat(65)] }, /words are not texts/],
  ['with links that are no pairs', { ...line, links: ['https://a.example/b'] }, /links are not pairs/],
  ['with headings that are no texts', { ...line, line: undefined, text: 'a', headings: [3] }, /numbers of words/],
]
for (const [sentence, record, problem] of refusals) {
  test(`a record ${sentence} is refused`, () => {
    const read = shippedFromRecord(record, digest, 0)
    assert.ok(read.kind === 'refused')
    assert.match(read.problem, problem)
  })
}

test('a record made from a page without a digest is refused', () => {
  assert.equal(shippedFromRecord(line, 'md5:00', 0).kind, 'refused')
})

test('whatever an agent emits, the result is a document or a refusal', () => {
  const value = fc.oneof(fc.anything(), fc.constantFrom(...Object.values(line)))
  const record = fc.dictionary(fc.constantFrom('url', 'title', 'words', 'line', 'headings', 'text', 'links'), value)
  fc.assert(
    fc.property(record, (one) => {
      assert.match(shippedFromRecord({ ...line, ...one }, digest, 0).kind, /^(?:document|refused)$/)
    }),
    { numRuns: 2_000 },
  )
})

test('words are shipped as they were written, each once', () => {
  const page = { url: 'https://a.example/', title: 'T', type: 'text/html', language: undefined, at: 0, digest }
  const { content } = shipDocument({ ...page, headings: ['C++'], text: "Don't use C++ or c++; don't." })
  assert.ok(content.kind === 'line')
  assert.deepEqual(content.words, ["Don't", 'use', 'C++', 'or', 'c++', "don't"])
  assert.deepEqual([...content.text], [0, 1, 2, 3, 4, 5])
  assert.deepEqual([...content.headings], [2])
})
