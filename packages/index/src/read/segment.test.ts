import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { IndexError } from '../errors.ts'
import { FrameCache } from '../format/frame-cache.ts'
import { END } from './posting-cursor.ts'
import { compareTerms } from '../format/posting.ts'
import {
  inOrder,
  modelPostings,
  randomFrom,
  sampleDocuments,
  sampleSegment,
  sampleTerms,
  testFolder,
} from '../testing/sample-index.ts'
import type { ModelPosting, SampleDocument, SampleShape } from '../testing/sample-index.ts'
import { Segment } from './segment.ts'

const shapes = fc.record({
  seed: fc.integer(),
  documents: fc.nat({ max: 400 }),
  vocabulary: fc.integer({ min: 1, max: 300 }),
  words: fc.constantFrom(1, 6, 40),
})

/** Collections with long lists: many blocks, and chunks that split by documents, by positions and by words. */
const long: [sentence: string, shape: SampleShape, chunks: number][] = [
  ['terms in thousands of documents', { seed: 1, documents: 9_000, vocabulary: 3, words: 4 }, 2],
  ['terms that stand in a document again and again', { seed: 2, documents: 1_300, vocabulary: 2, words: 400 }, 2],
  ['thousands of terms', { seed: 3, documents: 3_000, vocabulary: 8_000, words: 12 }, 3],
]

function walked(segment: Segment, term: string): ModelPosting[] {
  const postings = segment.postings(term)
  if (postings === undefined) return []
  const cursor = segment.cursor(postings)
  const found: ModelPosting[] = []
  for (let doc = cursor.next(); doc !== END; doc = cursor.next()) {
    const into = new Int32Array(cursor.count)
    if (segment.directory.hasPositions) assert.equal(cursor.positions(into), cursor.count)
    found.push({ doc, positions: [...into], zones: cursor.zones })
  }
  assert.equal(cursor.next(), END)
  assert.equal(found.length, postings.documents)
  return found
}

function checkSegment(segment: Segment, documents: readonly SampleDocument[]): void {
  const model = modelPostings(documents)
  assert.equal(segment.documents, documents.length)
  for (const [doc, { entry }] of inOrder(documents).entries()) {
    const { columns, directory } = segment
    const [site, type] = [directory.sites[columns.sites[doc]!], directory.types[columns.types[doc]!]]
    const language = directory.languages[columns.languages[doc]!]
    const [key, group, length, at] = [columns.keys[doc]!, columns.groups[doc]!, columns.lengths[doc]!, columns.at(doc)]
    assert.deepEqual({ key, url: segment.url(doc), group, length, site, type, language, at }, entry)
    assert.equal(columns.find(entry.key), doc)
  }
  assert.equal(segment.columns.find(4_000_000_000), -1)
  const terms = [...model].toSorted(([a], [b]) => compareTerms(a, b))
  assert.deepEqual(
    [...segment.terms()],
    terms.map(([term, postings]) => [term, postings.length]),
  )
  for (const [term, postings] of terms) {
    assert.deepEqual(walked(segment, term), postings)
    checkBounds(segment, term, postings)
  }
  assert.equal(segment.directory.terms, terms.length)
  assert.equal(
    segment.directory.positions,
    documents.reduce((sum, { words }) => sum + words.length, 0),
  )
}

/** Of each block, the bounds are just what stands in it. */
function checkBounds(segment: Segment, term: string, model: readonly ModelPosting[]): void {
  const postings = segment.postings(term)
  assert.ok(postings)
  let first = 0
  for (let block = 0; block < postings.blocks; block++) {
    const own = model.slice(first, (first += postings.sizes[block] as number))
    assert.equal(postings.last[block], own.at(-1)?.doc)
    assert.equal(postings.highest[block], Math.max(...own.map(({ positions }) => positions.length)))
    assert.equal(postings.shortest[block], Math.min(...own.map(({ doc }) => segment.columns.lengths[doc] as number)))
    assert.equal(
      postings.zones[block],
      own.reduce((all, { zones }) => all | zones, 0),
    )
  }
  assert.equal(first, model.length)
}

test('what is put into a segment is what is read from it', (t) => {
  const path = join(testFolder(t), 's1.seg')
  fc.assert(
    fc.property(shapes, fc.constantFrom(0, 1 << 20), (shape, cacheBytes) => {
      rmSync(path, { force: true })
      const documents = sampleDocuments(shape)
      using segment = sampleSegment(path, documents, new FrameCache(cacheBytes))
      segment.verify()
      checkSegment(segment, documents)
    }),
    { numRuns: 40 },
  )
})

for (const [sentence, shape, chunks] of long) {
  test(`a segment with ${sentence} is read as it was put`, (t) => {
    const documents = sampleDocuments(shape)
    using segment = sampleSegment(join(testFolder(t), 's1.seg'), documents, new FrameCache(1 << 20))
    assert.ok(segment.directory.firstTerms.length >= chunks, `${segment.directory.firstTerms.length} chunks`)
    checkSegment(segment, documents)
    checkSeeks(segment, documents, 200, shape.seed)
  })
}

test('a cursor sought to any place stands on the first document that is not before it', (t) => {
  const path = join(testFolder(t), 's1.seg')
  fc.assert(
    fc.property(shapes, (shape) => {
      rmSync(path, { force: true })
      const documents = sampleDocuments(shape)
      using segment = sampleSegment(path, documents, new FrameCache(1 << 20))
      checkSeeks(segment, documents, 20, shape.seed)
    }),
    { numRuns: 25 },
  )
})

/** Walks every term by random leaps and steps, reading positions now and then. */
function checkSeeks(segment: Segment, documents: readonly SampleDocument[], leap: number, seed: number): void {
  const random = randomFrom(seed)
  for (const [term, model] of [...modelPostings(documents)].slice(0, 60)) {
    const postings = segment.postings(term)
    assert.ok(postings)
    const cursor = segment.cursor(postings)
    for (let target = 0; cursor.doc !== END; target = cursor.doc + Math.floor(random() * random() * leap)) {
      const isStep = random() < 0.2
      const wanted = model.find(({ doc }) => (isStep ? doc > cursor.doc : doc >= target))
      const block = isStep ? undefined : cursor.blockOf(target)
      assert.equal(isStep ? cursor.next() : cursor.seek(target), wanted?.doc ?? END)
      if (!isStep) assert.equal(cursor.block, block)
      if (wanted === undefined || random() < 0.5) continue
      const into = new Int32Array(cursor.count)
      cursor.positions(into)
      assert.deepEqual([...into], wanted.positions)
      assert.equal(cursor.zones, wanted.zones)
    }
  }
}

test('the terms that begin with a prefix are those of the model', (t) => {
  const path = join(testFolder(t), 's1.seg')
  fc.assert(
    fc.property(shapes, fc.nat(), (shape, choice) => {
      rmSync(path, { force: true })
      const documents = sampleDocuments(shape)
      using segment = sampleSegment(path, documents, new FrameCache(1 << 20))
      const model = modelPostings(documents)
      const terms = sampleTerms(shape)
      const letters = Array.from(terms[choice % terms.length] as string)
      for (const prefix of [letters.slice(0, 1 + (choice % 3)).join(''), `${letters.join('')}q`, '']) {
        const expected = [...model]
          .filter(([term]) => term.startsWith(prefix))
          .toSorted(([a], [b]) => compareTerms(a, b))
        assert.deepEqual(
          [...segment.terms(prefix)],
          expected.map(([term, postings]) => [term, postings.length]),
        )
      }
      assert.equal(segment.postings('no such term'), undefined)
    }),
    { numRuns: 25 },
  )
})

test('a prefix is found across chunks', (t) => {
  const [, shape] = long[2]!
  const documents = sampleDocuments(shape)
  using segment = sampleSegment(join(testFolder(t), 's1.seg'), documents, new FrameCache(1 << 20))
  const model = modelPostings(documents)
  for (const prefix of ['a', 'é', '文', '\u{1d49c}', '\u{1f600}a', '\u{10ffff}'])
    assert.deepEqual(
      new Map(segment.terms(prefix)),
      new Map([...model].filter(([term]) => term.startsWith(prefix)).map(([term, { length }]) => [term, length])),
    )
})

test('without positions all else is the same, and the file is smaller', (t) => {
  const dir = testFolder(t)
  const documents = sampleDocuments({ seed: 5, documents: 300, vocabulary: 50, words: 40 })
  const cache = new FrameCache(1 << 20)
  using whole = sampleSegment(join(dir, 's1.seg'), documents, cache)
  using short = sampleSegment(join(dir, 's2.seg'), documents, cache, false)
  for (const [term, model] of modelPostings(documents))
    assert.deepEqual(
      walked(short, term),
      model.map(({ doc, positions, zones }) => ({ doc, positions: positions.map(() => 0), zones })),
    )
  assert.ok(short.bytes < whole.bytes)
  assert.equal(short.directory.positions, whole.directory.positions)
})

test('any flipped bit of a segment is noticed, by name', (t) => {
  const path = join(testFolder(t), 's1.seg')
  const documents = sampleDocuments({ seed: 7, documents: 40, vocabulary: 30, words: 8 })
  sampleSegment(path, documents, new FrameCache(0))[Symbol.dispose]()
  const bytes = readFileSync(path)
  const file = openSync(path, 'r+')
  for (let bit = 0; bit < bytes.length * 8; bit += 1 + (bit % 5)) {
    const at = bit >> 3
    writeSync(file, Buffer.of((bytes[at] as number) ^ (1 << (bit & 7))), 0, 1, at)
    assert.throws(() => openAndVerify(path), isDamage, `bit ${bit}`)
    writeSync(file, bytes, at, 1, at)
  }
  closeSync(file)
  openAndVerify(path)
})

test('a segment that is cut off anywhere is noticed, and so is one that is missing', (t) => {
  const path = join(testFolder(t), 's1.seg')
  sampleSegment(path, sampleDocuments({ seed: 8, documents: 20, vocabulary: 9, words: 8 }), new FrameCache(0))[
    Symbol.dispose
  ]()
  for (let length = readFileSync(path).length - 1; length >= 0; length -= 7) {
    truncateSync(path, length)
    assert.throws(() => openAndVerify(path), isDamage)
  }
  rmSync(path)
  assert.throws(() => openAndVerify(path), isDamage)
})

test('frames of segments opened after others were closed do not meet in the cache', (t) => {
  const dir = testFolder(t)
  const cache = new FrameCache(1 << 20)
  const [first, second] = [11, 12].map((seed) => sampleDocuments({ seed, documents: 50, vocabulary: 20, words: 8 }))
  const old = sampleSegment(join(dir, 's1.seg'), first!, cache)
  checkSegment(old, first!)
  old[Symbol.dispose]()
  old[Symbol.dispose]()
  assert.equal(cache.bytes, 0)
  using again = sampleSegment(join(dir, 's2.seg'), second!, cache)
  using other = new Segment(join(dir, 's1.seg'), cache)
  for (let round = 0; round < 2; round++) {
    checkSegment(again, second!)
    checkSegment(other, first!)
  }
})

function openAndVerify(path: string): void {
  using segment = new Segment(path, new FrameCache(0))
  segment.verify()
}

const isDamage = (error: unknown): boolean =>
  error instanceof IndexError && error.code === 'SEGMENT_DAMAGED' && error.message.includes('s1.seg')
