import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '@comity/protocol/testing'
import { TextUnits } from './text-units.ts'
import { WordKey } from './word-key.ts'
import { eachWord, WordList } from './words.ts'

/** Compounds are written with + between their words. */
function wordsOf(text: string): string {
  let words = ''
  eachWord(text, (start, end, joined) => {
    words += (words === '' ? '' : joined ? '+' : ' ') + text.slice(start, end)
  })
  return words
}

const cases: [sentence: string, text: string, words: string][] = [
  ['spaces and signs separate words', 'A word, another; (third)!', 'A word another third'],
  ['an identifier is its words side by side', 'java.util.HashMap', 'java+util+HashMap'],
  ['so are snake case and paths', 'foo_bar /usr/share/doc std::vector', 'foo+bar usr+share+doc std+vector'],
  ['camel case is one word', 'getElementById', 'getElementById'],
  ['a hyphen and an at sign join', 'e-mail me@example.org', 'e+mail me+example+org'],
  ['an arrow joins', 'list->next', 'list+next'],
  ['many signs separate', 'wait....what ----- so', 'wait what so'],
  ['a sentence ends without joining', 'The end. Next', 'The end Next'],
  ['a decimal is one word', 'pi is 3.14.', 'pi is 3.14'],
  ['a version is one word', 'since v15.2.1', 'since v15.2.1'],
  ['thousands are one word', '1,000 and 12,345,678.90', '1,000 and 12,345,678.90'],
  ['a list of numbers is several', 'f(1,2,30) 1,0000', 'f 1+2+30 1+0000'],
  ['a date is its parts', '2024-01-15 12:30', '2024+01+15 12+30'],
  ['C++ and C# keep their signs', 'C++ c#, F# libstdc++.', 'C++ c# F# libstdc++'],
  ['C++ and its year are a compound', 'c++17', 'c+++17'],
  ['a counter and a fragment keep none', 'count++ page#top c#d', 'count page+top c+d'],
  ['.NET and Node.js are findable', '.NET ASP.NET Node.js', 'NET ASP+NET Node+js'],
  ['an apostrophe stays inside', "don't O\u2019Reilly's rock'n'roll", "don't O\u2019Reilly's rock'n'roll"],
  ['quotes do not', "'quoted' the dogs' bone", 'quoted the dogs bone'],
  ['an elided article is a word', "l'été qu\u2019il dell'arte D'Artagnan", 'l+été qu+il dell+arte D+Artagnan'],
  ['Catalan has a dot inside', 'col·legi', 'col·legi'],
  [
    'soft hyphens and zero widths do not cut',
    'Donau\u00addampf zero\u200bwidth\u200d',
    'Donau\u00addampf zero\u200bwidth',
  ],
  ['accents may stand alone', 'e\u0301te\u0301', 'e\u0301te\u0301'],
  ['a mark without a letter is nothing', '\u0301 \u0301a', 'a'],
  ['letters beyond the BMP are letters', '𝐀𝐁 𐐷x', '𝐀𝐁 𐐷x'],
  ['emoji separate', 'yes😀no', 'yes no'],
  ['half a pair separates', 'a\ud800b\udc00c', 'a b c'],
  ['Hindi keeps its vowels', 'हिन्दी में', 'हिन्दी में'],
  ['Korean has spaces', '한국어 문서', '한국어 문서'],
  ['Chinese is cut by its dictionary', '我们喜欢北京。', '我们+喜欢+北京'],
  ['Japanese is', 'コンピューターを使う', 'コンピューター+を+使う'],
  ['Thai is', 'ภาษาไทยง่าย', 'ภาษา+ไทย+ง่าย'],
  ['scripts meet without a space', 'iPhone手机 2024年', 'iPhone+手机 2024+年'],
  ['nothing has no words', ' \t\n.,', ''],
]
for (const [sentence, text, words] of cases) test(sentence, () => assert.equal(wordsOf(text), words))

const someText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) }),
  fc.string({
    unit: fc.constantFrom('a', 'C', '+', '#', '.', ',', '1', '000', "'", 'l', '\u0301', '\u00ad', '字', 'ไ', ' '),
  }),
)

test('words stand in order, apart, and within any text; each begins with a letter or digit', () => {
  const property = fc.property(someText, (text) => {
    let last = 0
    eachWord(text, (start, end) => {
      assert.ok(last <= start && start < end && end <= text.length)
      assert.match(text.slice(start, end), /^[\p{L}\p{N}\p{M}]/u)
      last = end
    })
  })
  fc.assert(property)
})

test('a list has the first words, counts all, and has one key for a word wherever it stands', () => {
  const list = new WordList()
  const units = new TextUnits()
  const property = fc.property(fc.array(someText), fc.nat(6), (texts, most) => {
    for (const text of texts) {
      const places: [start: number, end: number, joined: number][] = []
      eachWord(text, (start, end, joined) => places.push([start, end, joined ? 1 : 0]))
      const { count, total, starts, ends, lows, highs, joins } = list.read(units.load(text), most)
      assert.deepEqual([count, total], [Math.min(most, places.length), places.length])
      for (let i = 0; i < count; i++) {
        const [start, end, joined] = places[i]!
        assert.deepEqual([starts[i], ends[i], joins[i]], [start, end, joined])
        const word = text.slice(start, end)
        const { low, high } = new WordKey().read(new TextUnits().load(word).units, 0, word.length)
        assert.deepEqual([lows[i], highs[i]], [low, high])
      }
    }
  })
  fc.assert(property)
})

test('every letter and digit of a text with spaces stands in a word', () => {
  const property = fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
    const rest = text.split('')
    eachWord(text, (start, end) => rest.fill(' ', start, end))
    assert.doesNotMatch(rest.join(''), /[a-z0-9]/i)
  })
  fc.assert(property)
})

test('the words of two texts with a space between are the words of both', () => {
  const property = fc.property(someText, someText, (a, b) => {
    assert.equal(wordsOf(`${a} ${b}`), [wordsOf(a), wordsOf(b)].filter((words) => words !== '').join(' '))
  })
  fc.assert(property)
})

const hostile: [name: string, unit: string][] = [
  ['one letter', 'a'],
  ['one digit', '7'],
  ['marks on a letter', '\u0301'],
  ['soft hyphens', '\u00ad'],
  ['apostrophes', "a'"],
  ['points', '1.'],
  ['thousands', '1,000,'],
  ['pluses', 'c+'],
  ['half pairs', '\ud800'],
  ['Chinese', '中'],
  ['Thai', 'ก'],
]
for (const [name, unit] of hostile) {
  test(`a megabyte of ${name} takes time in proportion`, () => {
    const text = `a${unit.repeat(1_000_000 / unit.length)}`
    const started = processorMs()
    eachWord(text, () => {})
    assert.ok(processorMs() - started < 5_000)
  })
}
