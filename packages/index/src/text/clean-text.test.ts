import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanText } from './clean-text.ts'

const cases: [sentence: string, original: string, clean: string][] = [
  ['blanks become one', 'a \t\u00a0 b', 'a b'],
  ['with a line end among them, a newline', 'a \r\n  b', 'a\nb'],
  ['control characters are blanks', 'a\u0000\u001bb', 'a b'],
  ['what turns the writing is left out', 'a\u202Ecba\u2069\u200Fd', 'acbad'],
  ['so are soft hyphens and blanks of no width', 'hy\u00adphen\u200bate\ufeff', 'hyphenate'],
  ['joiners stay', '👩\u200d🚀 می\u200cخواهم', '👩\u200d🚀 می\u200cخواهم'],
  ['half characters are replaced', 'a\ud800b', 'a\ufffdb'],
]
for (const [sentence, original, clean] of cases) {
  test(sentence, () => assert.equal(cleanText(original, 0, original.length).text, clean))
}

test('a part is not cut inside of a character', () => {
  assert.equal(cleanText('😀😀😀', 1, 3).text, '😀😀')
})

test('positions follow what they stood at', () => {
  const original = 'ab \u202E \n cd 😀 ef'
  const clean = cleanText(original, 1, original.length - 1)
  assert.equal(clean.text, 'b\ncd 😀 e')
  for (const char of ['b', 'c', 'd', '😀', 'e'])
    assert.equal(clean.position(original.indexOf(char)), clean.text.indexOf(char))
  assert.equal(clean.position(0), 0)
  assert.equal(clean.position(original.length), clean.text.length)
})

test('positions never go back, and never into a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (original) => {
      const clean = cleanText(original, 0, original.length)
      let before = 0
      for (let at = 0; at <= original.length; at++) {
        const position = clean.position(at)
        assert.ok(position >= before && position <= clean.text.length)
        assert.ok(clean.text.slice(position).isWellFormed())
        before = position
      }
    }),
  )
})
