import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './parser.ts'
import { MAX_QUERY_WORDS, showQuery } from './query.ts'
import { Synonyms } from './synonyms.ts'

const synonyms = new Synonyms([
  { words: 'pg', others: ['postgres', 'postgre sql'] },
  { words: 'motor car', others: ['automobile'] },
  { words: 'car', others: ['vehicle', 'CAR'] },
])

const cases: [sentence: string, query: string, wider: string | undefined][] = [
  ['a word gets others beside it', 'pg tables', '(pg OR postgres OR "postgre sql") tables'],
  ['also alone, in any case', 'PG', 'PG OR postgres OR "postgre sql"'],
  ['of words side by side the longest run counts', 'motor car parts', '(motor AND car OR automobile) parts'],
  ['also where they are all of the question', 'Motor  Car', 'motor AND car OR automobile'],
  ['a part of a run counts for itself', 'fast car', 'fast (car OR vehicle)'],
  ['among alternatives it is one more', 'pg OR mysql', 'pg OR postgres OR "postgre sql" OR mysql'],
  ['what is quoted stays', '"pg" tables', undefined],
  ['what is excluded stays', 'tables -pg', undefined],
  ['what is in a zone stays, and what begins so', 'title:pg pg*', undefined],
  ['a question without such words stays', 'tables', undefined],
]
for (const [sentence, query, wider] of cases) {
  test(`synonyms: ${sentence}`, () => {
    const { tree, filters } = parseQuery(query, 0)
    const found = synonyms.widen(tree!)
    assert.equal(found && showQuery({ tree: found.tree, filters }).toLowerCase(), wider?.toLowerCase())
  })
}

test('synonyms: who is told what was widened is told all of it', () => {
  assert.deepEqual(synonyms.widen(parseQuery('pg car', 0).tree!)?.widened, [
    { words: 'pg', by: ['postgres', 'postgre sql'] },
    { words: 'car', by: ['vehicle'] },
  ])
})

test('synonyms: a question never gets more words than it may have', () => {
  const others = Array.from({ length: 16 }, (_, i) => `word${i}`)
  const many = new Synonyms(['a1', 'a2', 'a3', 'a4'].map((words) => ({ words, others })))
  const found = many.widen(parseQuery('a1 a2 a3 a4', 0).tree!)!
  const words = found.widened.reduce((sum, { by }) => sum + by.length, 4)
  assert.equal(words, MAX_QUERY_WORDS)
})
