import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { englishStem } from './stems-english.ts'

const require = createRequire(import.meta.url)
const snowball = (require('snowball-stemmers') as typeof import('snowball-stemmers')).newStemmer('english')

const cases: [sentence: string, words: string][] = [
  ['plurals', 'caresses>caress ties>tie cries>cri cats>cat gas>gas this>this gaps>gap kiwis>kiwi bus>bus'],
  ['possessives', "dog's>dog dogs'>dog dog's'>dog 'tis>tis"],
  ['participles', 'agreed>agre feed>feed hopping>hop hoping>hope luxuriated>luxuri fizzed>fizz bed>bed'],
  ['a y that is a consonant', 'youth>youth boyish>boyish say>say cry>cri by>by enjoyed>enjoy syzygy>syzygi'],
  [
    'suffixes on suffixes',
    'generalizations>general relational>relat electricity>electr hopefulness>hope apologi>apolog',
  ],
  ['regions that are set', 'generate>generat general>general communism>communism arsenal>arsenal'],
  ['exceptions', 'skies>sky dying>die news>news innings>inning proceeding>proceed only>onli'],
  ['a final e and l', 'rate>rate probate>probat cease>ceas control>control controll>control'],
]
for (const [sentence, words] of cases) {
  test(`English: ${sentence}`, () => {
    for (const pair of words.split(' ')) {
      const [word, stem] = pair.split('>') as [string, string]
      assert.equal(englishStem(word), stem, word)
    }
  })
}

const syllables = 'a e i o u y b t st gener commun arsen l ll w x bb tt s é og'.split(' ')
const suffixes = [
  'tional enci anci abli entli izer ization ational ation ator alism aliti alli fulness ousli ousness iveness iviti',
  'biliti bli ogi fulli lessli li alize icate iciti ical ful ness ative al ance ence er ic able ible ant ement ment ent',
  "ism ate iti ous ive ize ion e l s es ed ing ies ied sses us ss eed eedly edly ingly y at bl iz ' 's 's'",
].flatMap((line) => line.split(' '))

test('any word has the stem that Snowball gives it', () => {
  const word = fc
    .tuple(
      fc.array(fc.constantFrom(...syllables), { maxLength: 4 }),
      fc.array(fc.constantFrom(...suffixes), { maxLength: 3 }),
    )
    .map((parts) => parts.flat().join(''))
  const property = fc.property(word, (each) => assert.equal(englishStem(each), snowball.stem(each)))
  fc.assert(property, { numRuns: 5_000 })
})
