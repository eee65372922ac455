import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BitCounts, hammingDistance, simhash } from './simhash.ts'

/** Words drawn by a small generator, so that every run sees the same texts. */
function words(seed: number, count: number): string[] {
  let state = seed
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return `w${(state >>> 8) % 3_000}`
  })
}
const text = (list: readonly string[]): string => list.join(' ')
const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1]!

test('the hash is stable: stored values stay comparable', () => {
  assert.deepEqual(simhash(''), [0, 0])
  assert.deepEqual(simhash('The quick brown fox jumps over the lazy dog'), [1_440_968_040, 2_292_645_328])
})

test('case, punctuation and white space do not count', () => {
  assert.deepEqual(simhash('Hello, big  WORLD!\n42'), simhash('hello big world 42'))
})

test('one changed word moves a page by three bits or fewer, typically', () => {
  const distances = Array.from({ length: 40 }, (_, seed) => {
    const page = words(seed + 1, 800)
    return hammingDistance(simhash(text(page)), simhash(text(page.with(400, 'changed'))))
  })
  assert.ok(median(distances) <= 2)
  assert.ok(distances.filter((distance) => distance <= 3).length >= 34)
})

test('strangers are twenty bits apart or more', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const distance = hammingDistance(simhash(text(words(seed, 800))), simhash(text(words(seed + 100, 800))))
    assert.ok(distance >= 18, `seed ${seed}: ${distance}`)
  }
})

test('the order of words counts', () => {
  const page = words(7, 300)
  assert.ok(hammingDistance(simhash(text(page)), simhash(text(page.toReversed()))) >= 18)
})

test('scripts without spaces are read letter by letter', () => {
  const page = Array.from({ length: 400 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7_919) % 2_000)))
  const distance = hammingDistance(simhash(page.join('')), simhash(page.with(200, '\u9fa5').join('')))
  assert.ok(distance <= 8)
})

test('bits counted side by side are as bits counted one by one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 300 }), (hashes) => {
      const counts = new BitCounts()
      for (const hash of hashes) counts.add(hash)
      let expected = 0
      for (let bit = 0; bit < 32; bit++) {
        const times = hashes.filter((hash) => ((hash >>> bit) & 1) === 1).length
        if (times * 2 > hashes.length) expected |= 1 << bit
      }
      assert.equal(counts.majority(), expected >>> 0)
    }),
  )
})

test('distance is 0 to itself and 64 at most', () => {
  const half = fc.nat(0xffffffff)
  const hash = fc.tuple(half, half)
  fc.assert(fc.property(hash, (a) => hammingDistance(a, a) === 0))
  fc.assert(fc.property(hash, hash, (a, b) => hammingDistance(a, b) === bitsOf(a[0] ^ b[0]) + bitsOf(a[1] ^ b[1])))
})

function bitsOf(word: number): number {
  return (word >>> 0).toString(2).replaceAll('0', '').length
}
