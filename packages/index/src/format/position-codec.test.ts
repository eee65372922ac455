import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ZONES } from '../document.ts'
import { CODE_LENGTHS, CODES_BY_CONTEXT } from './position-codes.ts'
import { MAX_CODE_BITS, PADDING_BYTES, PositionDecoder, PositionEncoder } from './position-codec.ts'
import { BUCKETS, CONTEXTS_A_LEVEL, LEVELS } from './position-model.ts'

interface Page {
  readonly length: number
  readonly zones: number
  readonly gaps: readonly number[]
}

function write(encoder: PositionEncoder, pages: readonly Page[]): void {
  encoder.startBlock()
  for (const { length, zones, gaps } of pages) encoder.add(length, gaps.length, zones, Uint32Array.from(gaps))
}

function read(decoder: PositionDecoder, pages: readonly Page[]): Page[] {
  decoder.startBlock()
  return pages.map(({ length, zones, gaps }) => {
    const into = new Uint32Array(gaps.length + 2)
    decoder.read(length, gaps.length, zones, into, 1)
    assert.deepEqual([into[0], into.at(-1)], [0, 0], 'nothing beside its place')
    return { length, zones, gaps: [...into.subarray(1, -1)] }
  })
}

/** Bits of a block, to a byte. */
function sizeOf(pages: readonly Page[]): number {
  const encoder = new PositionEncoder()
  write(encoder, pages)
  encoder.align()
  return encoder.length * 8
}

const gap = fc.oneof(
  fc.nat({ max: 9 }),
  fc.nat({ max: 2_000 }),
  fc.integer({ min: 0, max: 20 }).map((bits) => 2 ** bits - 1),
  fc.nat({ max: 2 ** 20 - 1 }),
)
const page = fc
  .tuple(fc.nat({ max: 255 }), fc.nat({ max: 15 }), fc.array(gap, { minLength: 1, maxLength: 40 }))
  .map(([length, zones, gaps]): Page => ({ length, zones, gaps }))
/** Pages that repeat, as those of a site do. */
const block = fc
  .tuple(fc.array(page, { minLength: 1, maxLength: 4 }), fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 30 }))
  .map(([pages, order]) => order.map((i) => pages[i % pages.length] as Page))

test('pages are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
      const encoder = new PositionEncoder()
      for (const pages of blocks) write(encoder, pages)
      encoder.pad()
      const decoder = new PositionDecoder()
      decoder.open(encoder.bytes, 0)
      for (const pages of blocks) assert.deepEqual(read(decoder, pages), pages)
    }),
  )
})

test('a block that begins with a byte is read alone, and those after it follow', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
      const encoder = new PositionEncoder()
      const starts = blocks.map((pages) => {
        encoder.align()
        const at = encoder.length
        write(encoder, pages)
        return at
      })
      encoder.pad()
      const bytes = Buffer.from(encoder.bytes)
      const decoder = new PositionDecoder()
      for (const [i, pages] of [...blocks.entries()].toReversed()) {
        decoder.open(bytes, starts[i] as number)
        assert.deepEqual(read(decoder, pages), pages)
        const next = blocks[i + 1]
        decoder.align()
        if (next !== undefined) assert.deepEqual(read(decoder, next), next)
      }
    }),
  )
})

test('what was learnt in a block is forgotten, also after thousands of them', () => {
  const pages = [{ length: 90, zones: 0, gaps: [5, 700, 31] }]
  const encoder = new PositionEncoder()
  const decoder = new PositionDecoder()
  const sizes = new Set<number>()
  for (let i = 0; i < 10_000; i++) {
    encoder.clear()
    write(encoder, pages)
    encoder.pad()
    sizes.add(encoder.length)
    decoder.open(encoder.bytes, 0)
    assert.deepEqual(read(decoder, pages), pages)
  }
  assert.equal(sizes.size, 1)
})

test('copies of a page take about a bit a gap', () => {
  const copied = { length: 120, zones: 0, gaps: Array.from({ length: 20 }, (_, i) => (i * 7919) % 600) }
  const copies = Array.from({ length: 100 }, () => copied)
  assert.ok(sizeOf(copies) - sizeOf([copied]) < 99 * 20 * 1.5)
})

test('a word of the title takes less in the title', () => {
  const [inTitle, inText] = [ZONES.title, 0].map((zones) => sizeOf([{ length: 120, zones, gaps: [2] }]))
  assert.ok((inTitle as number) < (inText as number))
})

test('bytes stay as they are: a change here is another format', () => {
  const encoder = new PositionEncoder()
  write(encoder, [
    { length: 80, zones: 0, gaps: [64, 0, 3, 21, 500] },
    { length: 80, zones: ZONES.title | ZONES.url, gaps: [1, 70, 500, 500, 500, 600] },
    { length: 255, zones: 0, gaps: [2 ** 20 - 1] },
    { length: 0, zones: 0, gaps: [0] },
  ])
  encoder.pad()
  assert.equal(Buffer.from(encoder.bytes).toString('hex'), '80f9c37ef4766fbd3ce9e74d58ffdfffffd8000000')
})

test('a gap that does not fit is refused', () => {
  const encoder = new PositionEncoder()
  assert.throws(() => write(encoder, [{ length: 9, zones: 0, gaps: [2 ** 20] }]), RangeError)
})

test('nothing written is nothing but the padding', () => {
  const encoder = new PositionEncoder()
  encoder.align()
  assert.equal(encoder.length, 0)
  encoder.pad()
  assert.deepEqual(
    [...encoder.bytes],
    Array.from({ length: PADDING_BYTES }, () => 0),
  )
})

test('every context has a code, and every code is complete: any bits are read as some symbol', () => {
  assert.equal(CODES_BY_CONTEXT.length, LEVELS * CONTEXTS_A_LEVEL)
  for (const code of CODES_BY_CONTEXT) assert.ok(CODE_LENGTHS[code] !== undefined)
  for (const lengths of CODE_LENGTHS) {
    assert.equal(lengths.length, BUCKETS + 1)
    for (const length of lengths) assert.ok(length >= 1 && length <= MAX_CODE_BITS)
    assert.equal(
      lengths.reduce((sum, length) => sum + 2 ** -length, 0),
      1,
    )
  }
})
