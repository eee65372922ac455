import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mainScript } from './main-script.ts'

const cases: [sentence: string, text: string, code: string | undefined][] = [
  ['Latin is not told', 'The quick brown fox jumps over the lazy dog', undefined],
  ['a few letters prove nothing', 'αβγδεζηθ', undefined],
  ['Greek is Greek', 'Η γρήγορη αλεπού πηδά', 'Grek'],
  [
    'a little kana among Chinese characters is Japanese',
    '日本語の文書を検索する機能についての改善計画書の案である',
    'Jpan',
  ],
  ['Chinese characters alone are Han', '我们喜欢北京的秋天和冬天的雪', 'Hani'],
  ['so are those beyond the basic plane', '\u{20000}'.repeat(3) + '我们喜欢北京的秋天和冬天', 'Hani'],
  ['a quotation does not make a page Russian', `${'word '.repeat(30)}Москва столица`, undefined],
]
for (const [sentence, text, code] of cases) test(sentence, () => assert.equal(mainScript([text])?.code, code))

test('any samples have a script or none, the same again', () => {
  const samples = fc.array(fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }))
  fc.assert(fc.property(samples, (texts) => assert.equal(mainScript(texts), mainScript(texts))))
})
