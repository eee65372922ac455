import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aheadVerdict, pairedDifference, signedRankP } from './paired.ts'

// The tables of Wilcoxon (1945): of n pairs that all point one way, the least p is 2 / 2^n.
const cases: [sentence: string, differences: number[], p: number][] = [
  ['five pairs that all point one way', [1, 2, 3, 4, 5], 2 / 2 ** 5],
  ['eight pairs that all point one way', [-1, -2, -3, -4, -5, -6, -7, -8], 2 / 2 ** 8],
  ['the smallest of eight points the other way', [-1, 2, 3, 4, 5, 6, 7, 8], 4 / 2 ** 8],
  ['pairs that balance', [1, -1, 2, -2], 1],
  ['no difference at all', [0, 0, 0], 1],
  ['pairs without a difference are left out', [0, 0, 1, 2, 3, 4, 5], 2 / 2 ** 5],
]
for (const [sentence, differences, p] of cases)
  test(sentence, () => assert.ok(Math.abs(signedRankP(differences) - p) < 1e-12, String(signedRankP(differences))))

test('many pairs are told as few are, by the normal law', () => {
  const some = Array.from({ length: 40 }, (_, n) => (n % 3 === 0 ? -1 : 1) * (n + 1))
  const near = signedRankP([...some, 41])
  assert.ok(near < signedRankP(some) * 1.2 && near > 0.001, `${near} and ${signedRankP(some)}`)
})

// oxfmt-ignore
const verdicts: [sentence: string, first: number[], second: number[], verdict: string][] = [
  ['ahead from all of eight start pages',          [2, 3, 4, 5, 6, 7, 8, 9],  [1, 1, 1, 1, 1, 1, 1, 1],  'holds'],
  ['behind from all of them',                      [1, 1, 1, 1, 1, 1, 1, 1],  [2, 3, 4, 5, 6, 7, 8, 9],  'does not hold here'],
  ['now ahead, now behind',                        [2, 0, 2, 0, 2, 0, 2, 0],  [1, 1, 1, 1, 1, 1, 1, 1],  'cannot be tested here'],
  ['ahead from both of two',                       [2, 3],                    [1, 1],                    'holds'],
  ['ahead from two of three, if by much',          [9, 9, 0],                 [1, 1, 1],                 'cannot be tested here'],
]
for (const [sentence, first, second, verdict] of verdicts)
  test(`one order is ${sentence}: ${verdict}`, () => {
    const difference = pairedDifference(first, second)
    assert.equal(aheadVerdict(difference), verdict)
    assert.ok(difference.low <= difference.mean && difference.mean <= difference.high)
    assert.deepEqual(pairedDifference(first, second), difference)
  })
