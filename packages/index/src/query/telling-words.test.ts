import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseQuery } from './parser.ts'
import { MAX_QUERY_WORDS, showQuery, wantedLeaves, wordsOfLeaf } from './query.ts'
import type { QueryNode } from './query.ts'
import { leftOutProblem, tellingWords } from './telling-words.ts'
import type { TellingWords } from './telling-words.ts'

/** A word is worth its number: w9 more than w1; the letters x and y stand for forms of the same word. */
const worthOf = ({ text }: { text: string }): { name: string; worth: number } => ({
  name: text.replace(/[xy]$/, ''),
  worth: Number(/\d+/.exec(text)?.[0] ?? 0),
})

const treeOf = (text: string): QueryNode => parseQuery(text, 0).tree as QueryNode
const told = (text: string): TellingWords => tellingWords(treeOf(text), worthOf)
const shown = ({ tree }: TellingWords): string => showQuery({ tree, filters: parseQuery('', 0).filters })
const row = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `w${from + i}`).join(' ')

const isBound = (part: QueryNode): boolean => part.kind !== 'word'
const partsOf = (node: QueryNode): readonly QueryNode[] => (node.kind === 'all' ? node.of : [node])

// oxfmt-ignore
const cases: [sentence: string, query: string, kept: string, leftOut: string[]][] = [
  ['a question with room for all stays as it is',           row(1, 32),                              row(1, 32),                              []],
  ['of a longer one those that tell most stay, in order',   `${row(1, 40)} w3`,                      row(9, 40),                              ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8']],
  ['a word asked for twice tells twice as much',            `w8 ${row(1, 40)}`,                      `w8 w8 ${row(10, 40)}`,                  ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w9']],
  ['forms of a word are one word',                          `w8x ${row(10, 40)} w8y w0`,             `w8x ${row(10, 40)} w8x`,                ['w0']],
  ['a word that is only repeated takes no room',            'w1 '.repeat(60).trim(),                 'w1 '.repeat(60).trim(),                 []],
  ['a phrase stays, and its words take room',               `${row(1, 35)} "w0 w0"`,                 `${row(6, 35)} "w0 w0"`,                 ['w1', 'w2', 'w3', 'w4', 'w5']],
  ['so do excluded words, alternatives, zones, prefixes',   `${row(1, 35)} -w0 (w0 OR w0) title:w0 wo*`, `${row(9, 35)} -w0 (w0 OR w0) title:w0 wo*`, ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8']],
  ['a compound takes as much room as it has words',         `${row(1, 32)} w99.w99`,                 `${row(3, 32)} w99.w99`,                 ['w1', 'w2']],
  ['a compound too long for the rest is left out',          `${row(2, 32)} w1.w1`,                   row(2, 32),                              ['w1.w1']],
  ['something is asked for however much is excluded',       `${'-w0 '.repeat(32)}${row(1, 3)}`,      `${'-w0 '.repeat(32)}w1`,                ['w2', 'w3']],
  ['one long phrase is no question of many words',          `"${row(1, 32)}"`,                       `"${row(1, 32)}"`,                       []],
]
for (const [sentence, query, kept, leftOut] of cases) {
  test(sentence, () => {
    const found = told(query)
    assert.equal(shown(found), kept)
    assert.deepEqual(found.leftOut, leftOut)
  })
}

test('whatever is asked, at most so many words are searched, nothing bound is lost, and what stays tells no less than what goes', () => {
  const words = fc.array(
    fc.integer({ min: 0, max: 60 }).map((number) => `w${number}`),
    { maxLength: 120 },
  )
  const bound = fc.array(fc.constantFrom('"w1 w2"', '-w3', '(w4 OR w5)', 'title:w6', 'w7*', 'site:a.example'), {
    maxLength: 6,
  })
  fc.assert(
    fc.property(words, bound, (some, others) => {
      const query = [...some, ...others].join(' ')
      const parsed = parseQuery(query, 0)
      if (parsed.tree === undefined) return
      const { tree, leftOut } = tellingWords(parsed.tree, worthOf)
      const leaves = [...new Set(wantedLeaves(tree))]
      const isLong = leftOut.length > 0
      if (isLong) assert.ok(leaves.reduce((sum, leaf) => sum + wordsOfLeaf(leaf).length, 0) <= MAX_QUERY_WORDS)
      assert.deepEqual(partsOf(tree).filter(isBound), partsOf(parsed.tree).filter(isBound))
      const worth = (text: string): number => worthOf({ text }).worth * some.filter((one) => one === text).length
      const kept = partsOf(tree).flatMap((part) => (part.kind === 'word' ? [worth(part.text)] : []))
      for (const word of leftOut) assert.ok(worth(word) <= Math.min(...kept))
    }),
    { numRuns: 300 },
  )
})

test('what was left out is said in a sentence of a bounded length', () => {
  assert.match(leftOutProblem(['the', 'of']), /the 32 words that tell most.*left out: the, of\.$/)
  const long = leftOutProblem(Array.from({ length: 200 }, (_, i) => `${i}`.padEnd(60, '𝒳')))
  assert.match(long, /… and 188 more\.$/)
  assert.ok(long.length < 400 && long.isWellFormed())
})
