import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { differenceLimits, lineDifference } from './line-difference.ts'

const SIGNS = { same: ' ', added: '+', removed: '-', skipped: '…' } as const
const told = (before: string, after: string): string[] =>
  lineDifference(before, after).lines.map(({ kind, text }) => SIGNS[kind] + text)

const cases: [sentence: string, before: string, after: string, lines: string[]][] = [
  ['nothing against nothing is nothing', '', '', []],
  ['the same is one skipped run', 'a\nb', 'a\nb', ['…2 lines the same']],
  ['a line put in', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a line taken out', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['a line changed', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['everything new', '', 'a\nb', ['+a', '+b']],
  ['everything gone', 'a\nb', '', ['-a', '-b']],
  [
    'the shortest way, as in the paper',
    'a\nb\nc\na\nb\nb\na',
    'c\nb\na\nb\na\nc',
    ['-a', '-b', ' c', '+b', ' a', ' b', '-b', ' a', '+c'],
  ],
]
for (const [sentence, before, after, lines] of cases) {
  test(`difference: ${sentence}`, () => assert.deepEqual(told(before, after), lines))
}

test('long runs that stay are skipped, but for three lines beside each change', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`)
  assert.deepEqual(told(lines.join('\n'), lines.with(15, 'new').join('\n')), [
    '…12 lines the same',
    ' line 12',
    ' line 13',
    ' line 14',
    '-line 15',
    '+new',
    ' line 16',
    ' line 17',
    ' line 18',
    '…11 lines the same',
  ])
})

const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }).map((lines) => lines.join('\n'))
const unfolded = { ...differenceLimits, context: Infinity }
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

test('what stays and goes is the old text, what stays and comes is the new one, and no way is shorter', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const { lines, added, removed, isCut } = lineDifference(before, after, unfolded)
      const of = (...kinds: string[]): string[] =>
        lines.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text)
      assert.deepEqual(of('same', 'removed'), linesOf(before))
      assert.deepEqual(of('same', 'added'), linesOf(after))
      assert.equal(added + removed, leastChanges(linesOf(before), linesOf(after)))
      assert.equal(isCut, false)
    }),
    // Texts that are equal do not come by chance.
    { examples: [['a\nb', 'a\nb']] },
  )
})

/** By the table of longest common parts: slow, and plain enough to be believed. */
function leastChanges(from: readonly string[], to: readonly string[]): number {
  let row = Array.from({ length: to.length + 1 }, () => 0)
  for (const line of from) {
    const next = [0]
    for (const [i, other] of to.entries()) next.push(line === other ? row[i]! + 1 : Math.max(row[i + 1]!, next[i]!))
    row = next
  }
  return from.length + to.length - 2 * row.at(-1)!
}

const many = (word: string): string => Array.from({ length: 50_000 }, (_, i) => `${word} ${i}`).join('\n')

test('texts past the limits cost no more than the limits, and say that they were cut', () => {
  const { lines, isCut } = lineDifference(many('old'), many('new'))
  assert.equal(lines.length, differenceLimits.maxTold)
  assert.ok(isCut)
  assert.ok(lineDifference('x'.repeat(10_000), 'y').isCut)
})

test('with more changes than are looked for all is told as gone and come, which is still true', () => {
  const limits = { ...unfolded, maxChanges: 2 }
  const { lines } = lineDifference('a\nb\nc\nd', 'a\nx\nc\ny', limits)
  assert.deepEqual(
    lines.map(({ kind, text }) => SIGNS[kind] + text),
    [' a', '-b', '-c', '-d', '+x', '+c', '+y'],
  )
})
