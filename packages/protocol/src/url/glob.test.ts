import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { globPieces, matchesGlob } from './glob.ts'

const cases: [sentence: string, pattern: string, text: string, matches: boolean][] = [
  ['without a wildcard the text is the pattern', '/a', '/a', true],
  ['and nothing may follow', '/a', '/ab', false],
  ['a wildcard takes nothing', '/a*', '/a', true],
  ['or a run of anything', '/a*z', '/a/b?c=z', true],
  ['pieces do not share characters', 'ab*ba', 'aba', false],
  ['a piece in the middle is found behind the one before', '*b*a*', 'ab', false],
  ['wildcards in a row are one', 'a**b', 'axb', true],
  ['nothing else is special', '*.html?[x]', 'a.html?[x]', true],
]
for (const [sentence, pattern, text, matches] of cases) {
  test(sentence, () => assert.equal(matchesGlob(globPieces(pattern), text), matches))
}

test('it agrees with the regular expression that says the same', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
  fc.assert(
    fc.property(short, text, fc.boolean(), (pattern, given, isWhole) => {
      const regex = new RegExp(`^${pattern.replaceAll('*', '.*')}${isWhole ? '$' : ''}`)
      assert.equal(matchesGlob(globPieces(pattern), given, isWhole), regex.test(given))
    }),
  )
})
