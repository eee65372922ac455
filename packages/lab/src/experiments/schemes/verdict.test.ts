// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshnessReason, reasonFor } from './reasons.ts'
import { nothing } from './run.ts'
import type { SchemeRun } from './run.ts'
import { NO_COOPERATION, SCHEME_ROWS } from '../../cooperating/rows.ts'
import type { Sign } from '../../cooperating/rows.ts'
import { SCHEME_FORMS, chosenForms, schemeForm } from './table.ts'
import { nearlyText, ratioText } from './tables.ts'
import { cellsOf, COSTS, signOf } from './verdict.ts'
import { schemesSettings } from './settings.ts'

// oxfmt-ignore
const signs: [ratio: number, network: Sign, processing: Sign][] = [
  [0.02, '−−', '−−'],
  [0.25, '−−', '−−'],
  [0.5,  '−',  '−'],
  [0.8,  '−',  ''],
  [1,    '',   ''],
  [1.2,  '+',  ''],
  [1.5,  '+',  '+'],
  [2,    '++', '++'],
]
for (const [ratio, network, processing] of signs) {
  test(`a ratio of ${ratio} is "${network}" for the network and "${processing}" for processors`, () => {
    assert.deepEqual(
      [signOf(ratio, 'network'), signOf(ratio, 'server'), signOf(ratio, 'crawler')],
      [network, processing, processing],
    )
  })
}

const runOf = (id: string, cost: Partial<SchemeRun['year']>): SchemeRun => ({
  form: schemeForm(id),
  everyDays: 7,
  polls: 1,
  first: nothing,
  year: { ...nothing, ...cost },
  idle: nothing,
  synced: [],
  compared: 1,
})

test('a cell agrees when both signs point the same way, however strongly', () => {
  const base = runOf('none', { received: 90, sent: 10, serverMs: 100, cpuMs: 100 })
  const filter = runOf('filter-page', { received: 50, serverMs: 100, recordingMs: 50, cpuMs: 100 })
  assert.deepEqual(
    cellsOf([base, filter]).map(({ kind, paper, ours, verdict }) => [kind, paper, ours, verdict]),
    [
      ['network', '−−', '−', 'agrees'],
      ['server', '++', '+', 'agrees'],
      ['crawler', '−', '', 'does not'],
    ],
  )
})

test('against another run the same costs have other signs', () => {
  const base = runOf('none', { received: 1_000, serverMs: 1_000, cpuMs: 1_000 })
  const knowing = runOf('none-knowing', { received: 100, serverMs: 10, cpuMs: 100 })
  const told = runOf('archives', { received: 120, serverMs: 30, cpuMs: 100 })
  const signsOf = (against: string): string[] => cellsOf([base, knowing, told], against).map(({ ours }) => ours)
  assert.deepEqual(signsOf('none'), ['−−', '−−', '−−'])
  assert.deepEqual(signsOf('none-knowing'), ['+', '++', ''])
})

// oxfmt-ignore
const texts: [freshness: number, text: RegExp][] = [
  [0.8949,     /^89\.5.%$/],
  [0.9994,     /^> 99\.9.%$/],
  [0.99988,    /^> 99\.9.%$/],
  [0.99999999, /^> 99\.99.%$/],
]
for (const [freshness, text] of texts)
  test(`a share of ${freshness} that is fresh is never written as all`, () => assert.match(nearlyText(freshness), text))

test('ratios have as many digits as tell them apart, and none where there is nothing to compare with', () => {
  assert.deepEqual([0.0061, 0.234, 5.678, 19.84, 1_043.2, NaN].map(ratioText), [
    '0.006',
    '0.23',
    '5.68',
    '19.8',
    '1,043',
    '–',
  ])
})

test('every row of the paper has a form, and every cost of it a reason should it come out otherwise', () => {
  for (const row of SCHEME_ROWS) {
    assert.ok(
      SCHEME_FORMS.some((form) => form.row === row),
      row.name,
    )
    for (const kind of COSTS) assert.notEqual(reasonFor(row.name, kind), '', `${row.name} ${kind}`)
  }
  assert.equal(new Set(SCHEME_FORMS.map(({ id }) => id)).size, SCHEME_FORMS.length)
  assert.equal(SCHEME_ROWS.length, 12)
})

test('what the paper calls fresher and is sent only now and then has a reason, too', () => {
  const reasons = SCHEME_ROWS.map((row) => [row.name, row.freshness, freshnessReason(row) !== ''])
  assert.deepEqual(
    reasons.filter(([, , hasReason]) => hasReason).map(([name]) => name),
    ['Send batch update', 'Send entire site', 'Remote agent', 'Filtering interface'],
  )
  assert.ok(reasons.every(([, freshness, hasReason]) => freshness === 'High' || hasReason === false))
})

test('whatever is chosen, what all are compared with is among them', () => {
  assert.deepEqual(chosenForms(['all']), SCHEME_FORMS)
  assert.ok(SCHEME_ROWS.every((row) => chosenForms([]).some((form) => form.row === row)))
  assert.deepEqual(
    chosenForms(['batch']).map(({ id, row }) => [id, row === NO_COOPERATION]),
    [
      ['none', true],
      ['none-knowing', true],
      ['batch', false],
    ],
  )
  assert.throws(() => chosenForms(['pigeons']), /there is no scheme pigeons; use none, /)
})

const bad: [given: Record<string, unknown>, problem: RegExp][] = [
  [{ everyDays: 0 }, /everyDays is 0/],
  [{ everyDays: NaN }, /everyDays is NaN/],
  [{ oftenDays: 30 }, /oftenDays is 30/],
  [{ oftenDays: -1 }, /oftenDays is -1/],
  [{ atOnce: 1.5 }, /atOnce is 1.5/],
  [{ days: -1 }, /days is -1/],
  [{ days: 7 }, /days is 7; give 0, or everyDays \(14\) or more/],
  [{ agentDays: 0 }, /agentDays is 0/],
  [{ madePages: [] }, /madePages is a list/],
  [{ madePages: [1_000_000] }, /madePages is a list/],
  [{ weeks: 7 }, /there is no setting weeks; it has days, everyDays/],
]
for (const [given, problem] of bad) {
  test(`settings ${JSON.stringify(given)} are refused with what to change`, () =>
    assert.throws(() => schemesSettings(given), problem))
}
