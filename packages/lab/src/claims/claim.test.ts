import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { answerTo } from './claim-answer.ts'
import { PAPER_CLAIMS } from './claim-list.ts'
import { paperOf } from './claim-paper.ts'
import { claimsOf, overall, tallyParts, withAllParts } from './claim.ts'
import type { ClaimAnswer, Verdict } from './claim.ts'
import { TOLERANCES } from './tolerances.ts'

const [yes, no, made, open, ours] = [
  'holds',
  'does not hold here',
  'holds by construction',
  'cannot be tested here',
  'not claimed',
] as const

const cases: [sentence: string, verdicts: Verdict[], verdict: Verdict | undefined, text: string][] = [
  ['one answer speaks for itself', [yes], yes, yes],
  ['webs that agree give their verdict', [no, no], no, 'holds on 0 of 2 webs'],
  ['webs that disagree give none', [yes, no, yes], undefined, 'holds on 2 of 3 webs'],
  ['a web that cannot test it spoils nothing', [yes, open], yes, 'holds on 1 of 1 web, 1 cannot test it'],
  ['a web that was made so is told apart', [no, made], no, 'holds on 0 of 1 web, by construction on 1 more'],
  ['made webs alone show nothing else', [made, open], made, made],
  ['no web that can test it leaves it open', [open, open], open, open],
  ['what nobody claimed stays so', [ours, ours], ours, ours],
]
for (const [sentence, verdicts, verdict, text] of cases) {
  const answers = verdicts.map((one) => answer('003.1a', one))
  test(sentence, () => assert.deepEqual(overall(answers), { verdict, text }))
}

test('claims come in the order of papers and numbers, each once, with their parts in order', () => {
  const parts = ['004.2b', '003.10a', '003.9a', '004.2a', '004.2b']
  const names = claimsOf(parts.map((part) => answer(part, yes))).map(
    ({ paper, number, parts: own }) =>
      `${paper}.${number}: ${own.map(({ id, answers }) => `${id} ×${answers.length}`).join(', ')}`,
  )
  assert.deepEqual(names, ['003.9: 003.9a ×1', '003.10: 003.10a ×1', '004.2: 004.2a ×1, 004.2b ×2'])
})

test('what depends on no web counts once, from however many it was found', () => {
  const { web: _, ...any } = answer('003.9a', no)
  const [claim] = claimsOf([any, any, { ...any, ours: 'another figure' }])
  assert.equal(claim!.parts[0]!.answers.length, 2)
  assert.equal(
    claimsOf([
      { ...any, web: 'w' },
      { ...any, web: 'w' },
    ])[0]!.parts[0]!.answers.length,
    2,
  )
})

test('the sum counts each part once, and a split one as depending on the web', () => {
  const answers = [answer('003.1a', yes), answer('003.1b', yes), answer('003.1b', no), answer('003.3a', open)]
  assert.deepEqual(
    [...tallyParts(claimsOf(answers))],
    [
      [yes, 1],
      ['depends on the web', 1],
      [open, 1],
    ],
  )
})

test('all 53 claims stand there with all their parts, whatever was run', () => {
  const claims = claimsOf(withAllParts([answerTo('003.3a', { id: 'x', web: 'w' }, found)]))
  assert.deepEqual(
    Object.entries(Object.groupBy(claims, ({ paper }) => paper)).map(([paper, own]) => [paper, own?.length]),
    [
      ['000', 15],
      ['001', 10],
      ['002', 10],
      ['003', 9],
      ['004', 9],
    ],
  )
  assert.deepEqual(
    claims.flatMap(({ parts }) => parts.map(({ id }) => id)),
    PAPER_CLAIMS.flatMap(({ parts }) => parts.map(({ id }) => id)),
  )
  const [standing, needed] = ['003.9c', '003.9a'].map((id) => partOf(claims, id))
  assert.deepEqual([standing!.verdict, needed!.verdict], ['not claimed', 'cannot be tested here'])
  assert.match(needed!.why, /It takes: A graph of pages/)
})

test('what the paper does not say is not claimed, whatever was found', () => {
  const { verdict, why } = answerTo('003.3b', { id: 'x' }, { ...found, why: 'It is behind.' })
  assert.equal(verdict, 'not claimed')
  assert.match(why, /The text does not say .* It is behind\./)
})

test('parts have ids of their claims in a row, each used once, and tolerances that some part rests on', () => {
  for (const { id, parts } of PAPER_CLAIMS)
    assert.deepEqual(
      parts.map((part) => part.id),
      parts.map((_, n) => `${id}${'abcdefghijklm'[n]}`),
    )
  const used = new Set(PAPER_CLAIMS.flatMap(({ parts }) => parts.flatMap(({ tolerances }) => tolerances ?? [])))
  assert.deepEqual(
    Object.keys(TOLERANCES).filter((name) => ![...used].some((one) => one === name)),
    [],
  )
})

const papers = sharedData('../papers')
test('the words of each part stand in its paper', (t) => {
  if (papers === undefined) return missing(t, 'the papers')
  const texts = new Map(
    readdirSync(papers)
      .filter((file) => /^00\d_.*\.txt$/.test(file))
      .map((file) => [file.slice(0, 3), flat(readFileSync(join(papers, file), 'utf8'))]),
  )
  const misread = PAPER_CLAIMS.flatMap(({ parts }) => parts).filter(
    ({ id, quote }) => !texts.get(id.slice(0, 3))?.includes(flat(quote)),
  )
  assert.deepEqual(misread, [])
})

test('papers are known by their number, and only by it', () => {
  assert.equal(paperOf('003')?.year, 1998)
  assert.equal(paperOf('constructor'), undefined)
})

const found = { verdict: yes, ours: '', why: '', shownIn: [] } as const

function answer(part: string, verdict: Verdict): ClaimAnswer {
  const number = Number.parseInt(part.slice(4), 10)
  return { paper: part.slice(0, 3), number, part, claim: part, web: 'w', verdict, ours: '', why: '', shownIn: [] }
}

const partOf = (claims: ReturnType<typeof claimsOf>, id: string): ClaimAnswer | undefined =>
  claims.flatMap(({ parts }) => parts).find((part) => part.id === id)?.answers[0]

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ')
