import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reasonFor } from './schemes-reasons.ts'
import { nothing } from './schemes-run.ts'
import type { SchemeRun } from './schemes-run.ts'
import { NO_COOPERATION, SCHEME_FORMS, SCHEME_ROWS, chosenForms, schemeForm } from './schemes-table.ts'
import type { Sign } from './schemes-table.ts'
import { cellsOf, COSTS, signOf } from './schemes-verdict.ts'
import { schemesSettings } from './schemes-settings.ts'

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

test('every row of the paper has a form, and every cost of it a reason should it come out otherwise', () => {
  for (const row of SCHEME_ROWS) {
    assert.ok(
      SCHEME_FORMS.some((form) => form.row === row),
      row.name,
    )
    for (const kind of COSTS) assert.notEqual(reasonFor(row.name, kind), '', `${row.name} ${kind}`)
  }
  assert.equal(new Set(SCHEME_FORMS.map(({ id }) => id)).size, SCHEME_FORMS.length)
})

test('whatever is chosen, what all are compared with is among them', () => {
  assert.equal(chosenForms([]).length, SCHEME_FORMS.length)
  assert.deepEqual(
    chosenForms(['batch']).map(({ id, row }) => [id, row === NO_COOPERATION]),
    [
      ['none', true],
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
  [{ days: 7 }, /there is no setting days; it has everyDays/],
]
for (const [given, problem] of bad) {
  test(`settings ${JSON.stringify(given)} are refused with what to change`, () =>
    assert.throws(() => schemesSettings(given), problem))
}
