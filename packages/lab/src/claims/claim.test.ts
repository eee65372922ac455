import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimsOf, overall, tallyClaims } from './claim.ts'
import type { ClaimAnswer, Verdict } from './claim.ts'
import { paperOf } from './claim-paper.ts'

const [yes, no, open] = ['holds here', 'does not hold here', 'cannot be tested'] as const

const cases: [sentence: string, verdicts: Verdict[], verdict: Verdict | undefined, text: string][] = [
  ['one answer speaks for itself', [yes], yes, 'holds here'],
  ['webs that agree give their verdict', [no, no], no, 'holds here on 0 of 2 webs'],
  ['webs that disagree give none', [yes, no, yes], undefined, 'holds here on 2 of 3 webs'],
  ['a web that cannot test it spoils nothing', [yes, open], yes, 'holds here on 1 of 1 web, 1 cannot test it'],
  ['no web that can test it leaves it open', [open, open], open, 'cannot be tested'],
]
for (const [sentence, verdicts, verdict, text] of cases) {
  test(sentence, () => assert.deepEqual(overall(verdicts.map((one) => answer('003', 1, one))), { verdict, text }))
}

test('claims come in the order of papers and numbers, each once', () => {
  const answers = [answer('004', 2, yes), answer('003', 10, no), answer('003', 9, yes), answer('004', 2, no)]
  const names = claimsOf(answers).map(({ paper, number, answers: own }) => `${paper}.${number} ×${own.length}`)
  assert.deepEqual(names, ['003.9 ×1', '003.10 ×1', '004.2 ×2'])
})

test('the sum counts each claim once, and a split one as depending on the web', () => {
  const answers = [answer('003', 1, yes), answer('003', 2, yes), answer('003', 2, no), answer('003', 3, open)]
  assert.deepEqual(
    [...tallyClaims(claimsOf(answers))],
    [
      [yes, 1],
      ['depends on the web', 1],
      [open, 1],
    ],
  )
})

test('papers are known by their number, and only by it', () => {
  assert.equal(paperOf('003')?.year, 1998)
  assert.equal(paperOf('constructor'), undefined)
})

function answer(paper: string, number: number, verdict: Verdict): ClaimAnswer {
  return { paper, number, claim: `claim ${number}`, verdict, ours: '', why: '', shownIn: [] }
}
