import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyAnswer } from './money-claim.ts'
import type { MoneyFinding, PaperPrices, TierSaving } from './money-claim.ts'

const paper: PaperPrices = { viewUsd: 0.05, networkUsd: 0.0015, processingUsd: 0.0005, crawlerUsd: 0.002 }
const tiers = (...savings: [money: number, bytes: number][]): TierSaving[] =>
  savings.map(([money, bytes], at) => ({ tier: ['little', 'moderate', 'more'][at]!, name: 'x', money, bytes }))
const rising = tiers([0.2, 0.5], [0.9, 0.9], [0.8, 0.99])

const cases: [sentence: string, finding: Partial<MoneyFinding>, verdict: string][] = [
  ['held when bytes rise by tier and all save money', {}, 'holds here'],
  [
    'a tier that saves fewer bytes than the one before fails it',
    { tiers: tiers([0.2, 0.5], [0.9, 0.3], [0.8, 0.9]) },
    'does not hold here',
  ],
  ['two points fewer are as many', { tiers: tiers([0.2, 0.5], [0.9, 0.485], [0.8, 0.9]) }, 'holds here'],
  ['a tier that saves no money fails it', { tiers: tiers([0, 0.5], [0.9, 0.6], [0.8, 0.9]) }, 'does not hold here'],
  [
    'serving dearer than a twenty-fifth of a view fails it',
    { settings: { ...paper, viewUsd: 0.04 } },
    'does not hold here',
  ],
  [
    'a processor dearer than the network fails it',
    { settings: { ...paper, networkUsd: 0.0005, processingUsd: 0.0015 } },
    'does not hold here',
  ],
  ['where no crawler came it cannot be tested', { cannot: 'No crawler came.' }, 'cannot be tested'],
]
for (const [sentence, finding, verdict] of cases) {
  test(sentence, () => {
    const answer = moneyAnswer({ web: 'w', settings: paper, tiers: rising, shownIn: [], ...finding })
    assert.equal(answer.verdict, verdict)
    assert.equal(`${answer.paper} ${answer.number}`, '002 7')
  })
}
