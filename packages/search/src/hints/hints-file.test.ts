import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hintLimits, readHints } from './hints-file.ts'

test('a line of words works in every direction, one with an arrow in one, and one with addresses pins pages', () => {
  const { rules, pinned, badLines, lines } = readHints(
    '\ufeff# words\r\ncar, motor  car\n\npg=>postgres,postgresql\nVacuum, to vacuum => https://a.example/v https://a.example/w\nvacuum => https://a.example/x',
  )
  assert.deepEqual(rules, [
    { words: 'car', others: ['motor car'] },
    { words: 'motor car', others: ['car'] },
    { words: 'pg', others: ['postgres', 'postgresql'] },
  ])
  assert.deepEqual(
    [...pinned],
    [
      ['vacuum', ['https://a.example/v', 'https://a.example/w', 'https://a.example/x']],
      ['to vacuum', ['https://a.example/v', 'https://a.example/w']],
    ],
  )
  assert.deepEqual([badLines, lines], [0, 4])
})

const bad: [line: string, why: RegExp][] = [
  ['alone', /^line 1 has one word alone/],
  ['car, , car', /one word alone/],
  ['a => b => c', /has two arrows/],
  ['=> b', /nothing before or behind the arrow/],
  ['a =>', /nothing before or behind the arrow/],
  ['a, !!', /has "!!", which is no word/],
  ['a, "b c"', /words alone, without quotation marks/],
  ['a, site:b', /words alone, without quotation marks/],
  ['a => b https://a.example/', /both words and addresses/],
  ['a => https://', /has "https:\/\/", which is no address of a page/],
  ['a, b c d e f g h i j', /longer than 8 words/],
  [`a, ${'x'.repeat(300)}`, /longer than 8 words or 200 characters/],
  [Array.from({ length: 17 }, (_, i) => `w${i}`).join(', '), /more than 16 words/],
  [`a => ${'https://a.example/ '.repeat(17)}`, /more than 16 addresses/],
  ['__proto__', /one word alone/],
]
test('a line that is none of these is left out by its number, with the reason', () => {
  for (const [line, why] of bad) {
    const { problems, badLines, rules, pinned } = readHints(line)
    assert.match(problems.join(), why, line)
    assert.deepEqual([badLines, rules.length, pinned.size], [1, 0, 0], line)
  }
})

test('names that every object answers to are words like any other', () => {
  const { rules, badLines } = readHints('constructor, __proto__ => toString')
  assert.deepEqual([rules.length, badLines], [2, 0])
})

test('of many bad lines some are named and all are counted, and a file has an end', () => {
  const { problems, badLines } = readHints('alone\n'.repeat(100))
  assert.deepEqual([problems.length, badLines], [hintLimits.maxNamed, 100])
  const long = readHints('a, b\n'.repeat(hintLimits.maxLines + 5))
  assert.equal(long.rules.length, 2 * hintLimits.maxLines)
  assert.match(long.problems.join(), /line 10001 and what follows is left out: 10000 lines are read/)
})
