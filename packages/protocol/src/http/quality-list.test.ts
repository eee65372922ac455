import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseQualityList, qualityOf } from './quality-list.ts'

const cases: [field: string | undefined, expected: Record<string, number>][] = [
  [undefined, {}],
  ['', {}],
  ['gzip', { gzip: 1 }],
  ['GZIP;q=0.5, br ; Q=1.000,zstd;q=0', { gzip: 0.5, br: 1, zstd: 0 }],
  ['vcdiff;windows=2;q=0.3, diffe', { vcdiff: 0.3, diffe: 1 }],
  ['gzip;q=2, br;q=x, a b, , deflate', { deflate: 1 }],
  ['*;q=0.1', { '*': 0.1 }],
]
for (const [field, expected] of cases) {
  test(`"${field}" lists ${JSON.stringify(expected)}`, () => {
    const items = parseQualityList(field)
    assert.deepEqual(Object.fromEntries(items.map(({ name, quality }) => [name, quality])), expected)
  })
}

test('what is not listed has the quality of the star, or none', () => {
  assert.equal(qualityOf(parseQualityList('br;q=0.4, *;q=0.1'), 'br'), 0.4)
  assert.equal(qualityOf(parseQualityList('br;q=0.4, *;q=0.1'), 'zstd'), 0.1)
  assert.equal(qualityOf(parseQualityList('br'), 'zstd'), 0)
})

test('any text gives qualities between 0 and 1, fifty at most', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500 }), (text) => {
      const items = parseQualityList(text)
      assert.ok(items.length <= 50 && items.every(({ quality }) => quality >= 0 && quality <= 1))
    }),
  )
  assert.equal(parseQualityList(Array.from({ length: 80 }, (_, place) => `c${place}`).join(',')).length, 50)
})
