import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { didYouMean, distanceOf, nearestNames } from './nearest-name.ts'

const flags = ['max-pages', 'max-depth', 'max-bytes', 'delay', 'include', 'exclude', 'into', 'json']

// oxfmt-ignore
const cases: [sentence: string, typed: string, expected: string[]][] = [
  ['a letter too few',               'max-page',  ['max-pages']],
  ['two letters swapped',            'dealy',     ['delay']],
  ['the wrong letter case',          'JSON',      ['json']],
  ['a beginning',                    'max',       ['max-pages', 'max-depth', 'max-bytes']],
  ['two that are equally near',      'nclude',    ['include', 'exclude']],
  ['nothing like any',               'frobnicate', []],
  ['a short word is not another',    'xy',        []],
]
for (const [sentence, typed, expected] of cases) {
  test(`${sentence}: ${typed}`, () => assert.deepEqual(nearestNames(typed, flags), expected))
}

test('the suggestion is a sentence, or nothing', () => {
  assert.equal(
    didYouMean('dealy', flags, (name) => `--${name}`),
    ' Did you mean --delay?',
  )
  assert.equal(didYouMean('frobnicate', flags), '')
})

test('the distance is zero only between equals, symmetric, and at most the longer word', () => {
  const words = fc.string({ maxLength: 12 })
  fc.assert(
    fc.property(words, words, (a, b) => {
      const distance = distanceOf(a, b)
      assert.equal(distance === 0, a === b)
      assert.equal(distance, distanceOf(b, a))
      assert.ok(distance <= Math.max(a.length, b.length))
    }),
  )
})
