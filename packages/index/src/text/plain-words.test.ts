import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FAR } from './plain-words-program.ts'
import { plainWords } from './plain-words.ts'
import { TextUnits } from './text-units.ts'
import { WordKey } from './word-key.ts'
import { WordList } from './words.ts'
import { WINDOW_UNITS } from './words-memory.ts'

/** The words that are read at once, and what is left. */
function readOnce(text: string): { words: string[]; rest: string } {
  plainWords.open(new TextUnits().load(text))
  const stopped = plainWords.read(0, FAR)
  const { starts, ends, count } = plainWords
  return {
    words: Array.from({ length: count }, (_, i) => text.slice(starts[i], ends[i])),
    rest: text.slice(stopped),
  }
}

const stops: [sentence: string, text: string, words: string, rest: string][] = [
  ['letters, digits, blanks and joiners are plain', 'One two_3 four/FIVE; six.', 'One two 3 four FIVE six', ''],
  ['a long word is', 'it is incomprehensibilities', 'it is incomprehensibilities', ''],
  ['a comma and a blank end a word, though not a number', 'a, b and 1, 2', 'a b and', '1, 2'],
  ['a number may have a fraction', 'pi 3.14', 'pi', '3.14'],
  ['a word may have an apostrophe', "we don't", 'we', "don't"],
  ['a name may have signs', 'in C++', 'in', 'C++'],
  ['a soft hyphen may stand in a word', 'hy\u00adphen', '', 'hy\u00adphen'],
  ['Chinese is for others to cut', 'see 中文', 'see', '中文'],
  ['what is beyond the basic plane is for others, too', 'see 𝐀', 'see', '𝐀'],
  ['nothing is plain', '', '', ''],
]
for (const [sentence, text, words, rest] of stops) {
  test(sentence, () => {
    // Of characters not met before nothing is known, and reading stops for others to find out.
    new WordList().read(new TextUnits().load(text))
    assert.deepEqual(readOnce(text), { words: words === '' ? [] : words.split(' '), rest })
  })
}

test('reading stops before a letter not met yet, and goes on when it is known', () => {
  assert.deepEqual(readOnce('x ღრუბელი'), { words: ['x'], rest: 'ღრუბელი' })
  new WordList().read(new TextUnits().load('ღრუბელი'))
  assert.deepEqual(readOnce('x ღრუბელი y'), { words: ['x', 'ღრუბელი', 'y'], rest: '' })
})

const letters = 'abcdefghijklmnopqrstuvwxyzABCXYZ0123456789éßжΩא'.split('')
const wordText = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 24 }) },
  // Near to the margin of a window, as long as one, and longer.
  { weight: 1, arbitrary: fc.constantFrom(60, 70, WINDOW_UNITS, 3 * WINDOW_UNITS).map((length) => 'x'.repeat(length)) },
)
const between = fc.constantFrom(' ', '\n\n', '; ', '_', '__-', '____', ' (', '\u00a0', '’ ', '→')

test('words that are parted by signs are found whole, wherever a window ends', () => {
  const texts = fc.array(fc.tuple(wordText, between), { minLength: 1, maxLength: 2_000, size: 'max' })
  const property = fc.property(texts, (parts) => {
    const text = parts.flat().join('')
    const { count, starts, ends, joins, lows, highs } = new WordList().read(new TextUnits().load(text))
    const found = Array.from({ length: count }, (_, i) => [text.slice(starts[i], ends[i]), joins[i]])
    const gaps = ['', ...parts.map(([, gap]) => gap)]
    const expected = parts.map(([word], i) => [word, /^[_-]{1,3}$/.test(gaps[i]!) ? 1 : 0])
    assert.deepEqual(found, expected)
    const key = new WordKey()
    for (const [i, [word]] of parts.entries()) {
      const { low, high } = key.read(new TextUnits().load(word).units, 0, word.length)
      assert.deepEqual([lows[i], highs[i]], [low, high], word)
    }
  })
  fc.assert(property, { numRuns: 30 })
})
