import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TextUnits } from './text-units.ts'
import { UnspacedWords } from './unspaced-words.ts'

const RUN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Thai}]+/gu

/** All runs of a text, one after another, in parts. */
function partsOf(text: string): [part: string, isWord: boolean][] {
  const source = new TextUnits().load(text)
  const words = new UnspacedWords()
  const parts: [string, boolean][] = []
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const end = words.eachPart(source, index, (from, to, isWord) => parts.push([text.slice(from, to), isWord]))
    assert.equal(end, index + run.length)
  }
  return parts
}

/** The same, a call for each run. */
function alone(text: string): [part: string, isWord: boolean][] {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
  return [...text.matchAll(RUN)].flatMap(([run]) =>
    Array.from(segmenter.segment(run), ({ segment, isWordLike }): [string, boolean] => [segment, isWordLike === true]),
  )
}

test('runs that are cut together are cut as each would be alone', () => {
  const unit = fc.constantFrom(...'我们喜欢北京的秋天ภาษาไทยง่ายをする使 a.,1\n'.split(''), '\u{20000}')
  const property = fc.property(fc.string({ unit, maxLength: 200 }), (text) =>
    assert.deepEqual(partsOf(text), alone(text)),
  )
  fc.assert(property)
})

test('more runs than are cut at once are cut alike', () => {
  const text = '我们喜欢北京 and ภาษาไทย, '.repeat(3_000)
  assert.deepEqual(partsOf(text), alone(text))
})

test('a run longer than a piece is cut whole, in pieces', () => {
  const text = '喜欢'.repeat(20_000)
  assert.equal(
    partsOf(text)
      .map(([part]) => part)
      .join(''),
    text,
  )
})
