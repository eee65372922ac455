import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyAnswers } from './money-claim.ts'
import type { MoneyFinding, PaperPrices, TierSaving } from './money-claim.ts'

const paper: PaperPrices = { viewUsd: 0.05, networkUsd: 0.0015, processingUsd: 0.0005, crawlerUsd: 0.002 }
const tiers = (...savings: [money: number, bytes: number][]): TierSaving[] =>
  savings.map(([money, bytes], at) => ({ tier: ['little', 'moderate', 'more'][at]!, name: 'x', money, bytes }))
const rising = tiers([0.2, 0.5], [0.9, 0.9], [0.8, 0.99])

const [yes, no, made, open] = ['holds', 'does not hold here', 'holds by construction', 'cannot be tested here']

// Parts a to e: prices, their order, and the three tiers.
const cases: [sentence: string, finding: Partial<MoneyFinding>, verdicts: (string | undefined)[]][] = [
  ['bytes that rise by tier while all save money', {}, [made, made, yes, yes, yes]],
  [
    'a tier that saves fewer bytes than the one before',
    { tiers: tiers([0.2, 0.5], [0.9, 0.3], [0.8, 0.9]) },
    [made, made, yes, no, yes],
  ],
  ['two points fewer are as many', { tiers: tiers([0.2, 0.5], [0.9, 0.485], [0.8, 0.9]) }, [made, made, yes, yes, yes]],
  ['a tier that saves no money', { tiers: tiers([0, 0.5], [0.9, 0.6], [0.8, 0.9]) }, [made, made, no, yes, yes]],
  [
    'serving dearer than a twenty-fifth of a view',
    { settings: { ...paper, viewUsd: 0.04 } },
    [no, made, yes, yes, yes],
  ],
  [
    'a processor dearer than the network',
    { settings: { ...paper, networkUsd: 0.0005, processingUsd: 0.0015 } },
    [made, no, yes, yes, yes],
  ],
  ['no crawler at all', { cannot: 'No crawler came.' }, [open, open, open, open, open]],
]
for (const [sentence, finding, verdicts] of cases) {
  test(`${sentence}: each part is answered by itself`, () => {
    const context = { id: 'x', web: 'w' }
    const answers = moneyAnswers({ context, settings: paper, tiers: rising, shownIn: [], ...finding })
    assert.deepEqual(
      answers.map(({ part, verdict }) => [part, verdict]),
      verdicts.map((verdict, n) => [`002.7${'abcde'[n]}`, verdict]),
    )
  })
}
