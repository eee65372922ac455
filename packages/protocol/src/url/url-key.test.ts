import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeUrlKey } from './url-key.ts'

function keyOf(text: string): string {
  const out = new Uint32Array(2)
  writeUrlKey(text, out, 0)
  return `${out[0]?.toString(16)}:${out[1]?.toString(16)}`
}

test('keys on disk keep their meaning: these never change', () => {
  assert.deepEqual(['', '/', '/a', '/index.html?id=7', '/é'].map(keyOf), [
    'b1e9c30f:1de81fa1',
    '7dabf0ba:71bc9733',
    '7757274:f428e949',
    'a24b543f:2098d358',
    '93f2fb96:e075cef5',
  ])
})

test('the key is written where it was asked for and nowhere else', () => {
  const out = new Uint32Array(4)
  writeUrlKey('/a', out, 1)
  assert.deepEqual([out[0], out[3]], [0, 0])
  assert.equal(`${out[1]?.toString(16)}:${out[2]?.toString(16)}`, keyOf('/a'))
})

test('a text and the same with a zero behind it have different keys', () => {
  assert.notEqual(keyOf('/a\0'), keyOf('/a'))
  assert.notEqual(keyOf('\0'), keyOf(''))
})

/** A million paths as sites make them: numbers, dates, near twins that differ in one place. */
function* structuredPaths(count: number): Generator<string> {
  for (let i = 0; i < count; i += 4) {
    yield `/${i}`
    yield `/page?id=${i}&lang=${i % 2 === 0 ? 'en' : 'de'}`
    yield `/${2000 + (i % 25)}/${i % 12}/${i}/article.html`
    yield `/${(i * 2654435761) >>> 0}/${'a'.repeat(i % 7)}${i.toString(36)}`
  }
}

test('a million structured paths have a million keys, and each half behaves as if drawn at random', () => {
  const count = 1_000_000
  const halves = new Uint32Array(2 * count)
  let n = 0
  for (const path of structuredPaths(count)) writeUrlKey(path, halves, 2 * n++)
  const hi = Uint32Array.from({ length: n }, (_, i) => halves[2 * i] ?? 0)
  const lo = Uint32Array.from({ length: n }, (_, i) => halves[2 * i + 1] ?? 0)
  const keys = Float64Array.from({ length: n }, (_, i) => (hi[i] ?? 0) * 2 ** 21 + ((lo[i] ?? 0) >>> 11))
  assert.equal(pairsAlike(keys), 0)
  // Birthdays: n²/2³³ ≈ 116 pairs of equal halves; five standard deviations either way.
  const expected = (n * n) / 2 ** 33
  for (const half of [hi, lo])
    assert.ok(Math.abs(pairsAlike(half) - expected) < 5 * Math.sqrt(expected), `${pairsAlike(half)} pairs`)
})

/** How many neighbours are equal once sorted. */
function pairsAlike(values: Float64Array | Uint32Array): number {
  values.sort()
  let pairs = 0
  for (let i = 1; i < values.length; i++) if (values[i] === values[i - 1]) pairs++
  return pairs
}

test('turning one bit of the text turns half the bits of the key', () => {
  let turned = 0
  let trials = 0
  const before = new Uint32Array(2)
  const after = new Uint32Array(2)
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40 }), fc.nat(), fc.nat(15), (text, place, bit) => {
      const at = place % text.length
      const other = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1)
      writeUrlKey(text, before, 0)
      writeUrlKey(other, after, 0)
      turned += bitsOf((before[0] ?? 0) ^ (after[0] ?? 0)) + bitsOf((before[1] ?? 0) ^ (after[1] ?? 0))
      trials++
    }),
    { numRuns: 2_000 },
  )
  assert.ok(Math.abs(turned / trials - 32) < 1, `${turned / trials} bits of 64`)
})

function bitsOf(word: number): number {
  return (word >>> 0).toString(2).replaceAll('0', '').length
}
