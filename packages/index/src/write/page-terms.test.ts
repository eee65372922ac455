import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { testFolder } from '../testing/sample-index.ts'
import type { IndexDocument } from '../document.ts'
import { IndexWriter } from './index-writer.ts'
import { PageAnalyzer, TermDictionary } from './page-terms.ts'

const LIMIT = { timeout: 60_000 }

/** Several readers, each with what it was told to remember, as threads are. */
class Readers {
  readonly #readers: { readonly reader: PageAnalyzer; dictionary: TermDictionary }[]

  constructor(count: number) {
    this.#readers = Array.from({ length: count }, () => ({
      reader: new PageAnalyzer(),
      dictionary: new TermDictionary(),
    }))
  }

  put(document: IndexDocument, by: number, writer: IndexWriter): void {
    const one = this.#readers[by % this.#readers.length]!
    const terms = one.reader.read(document)
    if (terms.from === 0) one.dictionary = new TermDictionary()
    one.dictionary.add(terms)
    writer.putRead(document, terms, one.dictionary)
  }

  /** As if the thread that hears them had ended, and another took its place. */
  beginAnew(): void {
    for (const { reader } of this.#readers) reader.beginAnew()
  }
}

/** Every byte of an index that is written with these documents, committed every few of them. */
function filesOf(
  t: TestContext,
  documents: readonly IndexDocument[],
  put: (one: IndexDocument, i: number, writer: IndexWriter) => void,
): Record<string, string> {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  for (const [i, document] of documents.entries()) {
    put(document, i, writer)
    if (i % 5 === 4) writer.commit(i)
  }
  writer.commit(documents.length)
  writer.mergeAll()
  return Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name), 'base64')]))
}

const word = fc.constantFrom(
  ...'the The house houses café naïve İstanbul ışık 東京都 ภาษาไทย Straße C++ 3.14 1,000 don’t l’été java.util x86 😀 a ﬁn'.split(
    ' ',
  ),
  'w'.repeat(100),
  '\ud800',
)
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(' '))
const document = fc.record({
  key: fc.nat({ max: 12 }),
  title: text,
  headings: fc.array(text, { maxLength: 4 }),
  text,
  anchors: fc.array(text, { maxLength: 3 }),
  language: fc.constantFrom(undefined, 'en', 'tr', 'de', 'ja', 'th', 'xx'),
})

test('a page read in another thread leaves the same index, byte for byte, as one that is put whole', LIMIT, (t) => {
  fc.assert(
    fc.property(
      fc.array(document, { maxLength: 14 }),
      fc.integer({ min: 1, max: 3 }),
      fc.nat({ max: 14 }),
      (list, threads, anewAt) => {
        const documents = list.map((one) => ({
          ...one,
          url: `http://a.example/${one.key}`,
          type: 'text/html',
          at: one.key,
        }))
        const readers = new Readers(threads)
        const whole = filesOf(t, documents, (one, _, writer) => writer.put(one))
        const read = filesOf(t, documents, (one, i, writer) => {
          if (i === anewAt) readers.beginAnew()
          readers.put(one, i, writer)
        })
        assert.deepEqual(read, whole)
      },
    ),
    { numRuns: 60 },
  )
})

test('a term is told once, and all of them again when the reader begins anew', () => {
  const reader = new PageAnalyzer()
  const page = { title: 'One', headings: [], text: 'one two', language: 'en' }
  const first = reader.read(page)
  assert.deepEqual([first.from, first.terms.split('\n').toSorted()], [0, ['one', 'two']])
  const second = reader.read({ ...page, text: 'two three' })
  assert.deepEqual([second.from, second.terms], [2, 'three'])
  reader.beginAnew()
  const third = reader.read(page)
  assert.deepEqual([third.from, third.terms.split('\n').length], [0, 3])
})

test('a page without words is one, and words beyond the room are counted', () => {
  const reader = new PageAnalyzer()
  const empty = reader.read({ title: '', headings: [], text: '', language: undefined })
  assert.deepEqual([empty.language, empty.title, empty.text, empty.cut, empty.line.length], ['und', 0, 0, 0, 0])
  const long = reader.read({ title: 'x '.repeat(600), headings: [], text: 'y', language: 'en' })
  assert.deepEqual([long.title, long.text, long.cut], [512, 1, 88])
})
