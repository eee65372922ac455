import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Inversion } from './inversion.ts'
import { inOrder, modelPostings, sampleDocuments } from '../testing/sample-index.ts'
import type { ModelPosting, SampleDocument } from '../testing/sample-index.ts'
import { compareTerms } from '../format/posting.ts'
import type { PostingStream } from '../format/posting.ts'

const LEAST_BYTES = 2 << 20

function inverted(documents: readonly SampleDocument[], maxBytes = LEAST_BYTES): Inversion {
  const inversion = new Inversion(maxBytes)
  putAll(inversion, documents)
  return inversion
}

function putAll(inversion: Inversion, documents: readonly SampleDocument[]): void {
  for (const { entry, words } of documents) {
    for (const { term, position, zone } of words) inversion.add(inversion.vocabulary.numberOf(term), position, zone)
    inversion.close(entry)
  }
}

function postingOf({ doc, zones, count, gaps }: PostingStream): ModelPosting {
  let position = -1
  return { doc, positions: Array.from(gaps.subarray(0, count), (gap) => (position += gap + 1)), zones }
}

test('documents go in word by word, terms come out in order with their documents in order', () => {
  const shapes = fc.record({
    seed: fc.integer(),
    documents: fc.nat({ max: 60 }),
    vocabulary: fc.integer({ min: 1, max: 60 }),
    words: fc.nat({ max: 30 }),
  })
  fc.assert(
    fc.property(shapes, (shape) => {
      const documents = sampleDocuments(shape)
      const source = inverted(documents).source(true)
      assert.deepEqual(
        [...source.documents],
        inOrder(documents).map(({ entry }) => entry),
      )
      const found: [string, ModelPosting[]][] = []
      while (source.terms.next()) {
        const list: ModelPosting[] = []
        while (source.terms.postings.next()) list.push(postingOf(source.terms.postings))
        found.push([source.terms.term, list])
      }
      assert.deepEqual(
        found,
        [...modelPostings(documents)].toSorted(([a], [b]) => compareTerms(a, b)),
      )
    }),
    { numRuns: 50 },
  )
})

function heard(inversion: Inversion): unknown[] {
  const { documents, terms } = inversion.source(true)
  const found: unknown[] = [...documents]
  while (terms.next()) while (terms.postings.next()) found.push([terms.term, postingOf(terms.postings)])
  return found
}

test('cleared and used again, it gives what a new one gives', () => {
  const shape = { vocabulary: 40, words: 30 }
  const inversion = inverted(sampleDocuments({ seed: 1, documents: 50, ...shape }))
  heard(inversion)
  for (const [seed, documents] of [
    [2, 9],
    [3, 90],
  ] as const) {
    const more = sampleDocuments({ seed, documents, ...shape })
    inversion.clear()
    putAll(inversion, more)
    assert.deepEqual(heard(inversion), heard(inverted(more)))
  }
})

const entry = { url: 'https://a.example/', group: 0, length: 0, site: '', type: '', language: '', at: 0 }

const fillings: [sentence: string, fill: (inversion: Inversion, i: number) => void][] = [
  [
    'the same word again and again',
    (inversion, i) => inversion.add(inversion.vocabulary.numberOf('a'), i % 1_000_000, 0),
  ],
  ['nothing but new words', (inversion, i) => inversion.add(inversion.vocabulary.numberOf(`word${i}`), i, 0)],
  [
    'a document a word',
    (inversion, i) => {
      inversion.add(inversion.vocabulary.numberOf('a'), 0, 0)
      inversion.close({ ...entry, key: i })
    },
  ],
  ['documents without words', (inversion, i) => inversion.close({ ...entry, key: i })],
]
for (const [sentence, fill] of fillings) {
  test(`an inversion of ${sentence} is full before it has taken much more than its bound`, () => {
    const maxBytes = 8 << 20
    const inversion = new Inversion(maxBytes)
    let count = 0
    for (; !inversion.isFull; count++) fill(inversion, count)
    // What each takes in memory at least: two numbers of four bytes, a string in a table, an object.
    assert.ok(count > maxBytes / 1_000 && count <= maxBytes / 8, `${count} of ${sentence}`)
  })
}

test('a bound that is too small for a page is taken for two megabytes', () => {
  const inversion = inverted(sampleDocuments({ seed: 1, documents: 100, vocabulary: 10, words: 20 }), 1)
  assert.equal(inversion.isFull, false)
  assert.equal(inversion.documents, 100)
})
