import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '../query/parser.ts'
import { exactMatches, hasOtherFormsAlone, quotedPhrases } from './quoted-phrase.ts'

const phrase = { kind: 'phrase', text: 'Create index' } as const

const cases: [sentence: string, text: string, isOther: boolean][] = [
  ['the words as they are quoted', 'we create index files', false],
  ['in other letters', 'CREATE\nÍndex', false],
  ['in other forms', 'creating indexes', true],
  ['in other forms first', `${'creating indexes, '.repeat(40)} create index`, false],
  ['not at all, so that others must have said it', 'nothing', false],
]
for (const [sentence, text, isOther] of cases) {
  test(`a quoted phrase: ${sentence}`, () => {
    assert.equal(hasOtherFormsAlone({ title: '', text }, phrase, 'en'), isOther)
    assert.equal(hasOtherFormsAlone({ title: text, text: '' }, phrase, 'en'), isOther)
  })
}

test('where a phrase stands as it is quoted can be told', () => {
  const text = 'creating indexes, then: create index.'
  const found = exactMatches(text, phrase, 'en')
  assert.deepEqual(
    found.map(({ start, end }) => text.slice(start, end)),
    ['create index'],
  )
})

const phrases = (query: string): string[] => quotedPhrases(parseQuery(query, 0).tree).map(({ text }) => text)

test('asked for are phrases that a page must have', () => {
  assert.deepEqual(phrases('"a b" c "d e"'), ['a b', 'd e'])
  assert.deepEqual(phrases('"a b" OR c'), [])
  assert.deepEqual(phrases('x -"a b" title:"c d"'), [])
})
