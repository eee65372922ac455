import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ListChunk } from './list-chunk.ts'
import { RESTART, writeMixedList } from '../format/mixed-list-writer.ts'
import type { RawChunk } from '../format/mixed-list-writer.ts'
import { BLOCK, compareTerms } from '../format/posting.ts'
import type { PostingStream, TermStream } from '../format/posting.ts'

/** Terms of a single position in each of their documents. */
class Lists implements TermStream {
  term = ''
  readonly #lists: readonly (readonly [term: string, documents: number])[]
  #at = -1
  #left = 0
  readonly postings: PostingStream
  constructor(lists: readonly (readonly [string, number])[]) {
    this.#lists = lists
    const next = (): boolean => this.#nextPosting()
    this.postings = { next, doc: 0, count: 1, zones: 0, gaps: Uint32Array.of(5) }
  }
  next(): boolean {
    const list = this.#lists[++this.#at]
    this.term = list?.[0] ?? ''
    this.#left = list?.[1] ?? 0
    Object.assign(this.postings, { doc: -1 })
    return list !== undefined
  }
  #nextPosting(): boolean {
    Object.assign(this.postings, { doc: this.postings.doc + 1 })
    return this.#left-- > 0
  }
}

function written(lists: readonly (readonly [string, number])[]): { chunks: RawChunk[]; totals: object } {
  const chunks: RawChunk[] = []
  const lengths = new Uint8Array(Math.max(1, ...lists.map(([, documents]) => documents)))
  const steps = writeMixedList(new Lists(lists), lengths, (chunk) =>
    chunks.push({ ...chunk, terms: Buffer.from(chunk.terms), documents: Buffer.from(chunk.documents) }),
  )
  for (;;) {
    const step = steps.next()
    if (step.done === true) return { chunks, totals: step.value }
  }
}

const lists = fc
  .uniqueArray(
    fc.tuple(
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\uff21', '\u{1f600}'), minLength: 1, maxLength: 90 }),
      fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 300)),
    ),
    { selector: ([term]) => term, maxLength: 3 * RESTART },
  )
  .map((all) => all.toSorted(([a], [b]) => compareTerms(a, b)))

test('every term is found in the chunk it stands in, and no other', () => {
  fc.assert(
    fc.property(lists, (all) => {
      const { chunks, totals } = written(all)
      const postings = all.reduce((sum, [, documents]) => sum + documents, 0)
      assert.deepEqual(totals, { terms: all.length, postings, positions: postings })
      const opened = chunks.map(({ terms }) => new ListChunk(terms))
      const entries = opened.flatMap((chunk) => [...chunk.entries()])
      assert.deepEqual(
        entries.map(([term, run]) => [term, run.postings]),
        all,
      )
      for (const [term, documents] of all) {
        const found = opened.map((chunk) => chunk.find(Buffer.from(term))).filter((run) => run !== undefined)
        assert.deepEqual(
          found.map((run) => [run.postings, run.positions]),
          [[documents, documents]],
        )
        assert.deepEqual(found[0], entries.find(([other]) => other === term)?.[1])
        for (const chunk of opened) assert.equal(chunk.find(Buffer.from(`${term}!`)), undefined)
      }
    }),
    { numRuns: 50 },
  )
})

test('a term without documents leaves no trace', () => {
  const { chunks, totals } = written([
    ['a', 0],
    ['b', 1],
  ])
  assert.deepEqual(totals, { terms: 1, postings: 1, positions: 1 })
  assert.equal(chunks[0]?.firstTerm, 'b')
})

test('a list that is too long for a chunk goes on in the next, from a block on', () => {
  const { chunks } = written([
    ['a', 10],
    ['b', 40_000],
    ['c', 10],
  ])
  assert.ok(chunks.length > 2)
  const runs = chunks.flatMap(({ terms }) => [...new ListChunk(terms).entries()])
  assert.equal(
    runs.filter(([term]) => term === 'b').reduce((sum, [, { postings }]) => sum + postings, 0),
    40_000,
  )
  for (const { firstTerm, firstDoc } of chunks.slice(1)) assert.deepEqual([firstTerm, firstDoc % BLOCK], ['b', 0])
})
