import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkResults, ReportError } from './check.ts'
import type { ExperimentResult, Figure } from './model.ts'

const axis = { label: 'x' }
const figure: Figure = { id: 'f', kind: 'lines', title: '', caption: '', x: axis, y: axis, series: [] }
const table = { id: 't', title: '', columns: [axis], rows: [[1]] }
const claim = {
  paper: '003',
  number: 1,
  part: '003.1a',
  claim: '',
  verdict: 'holds',
  ours: '',
  why: '',
  shownIn: ['f'],
} as const
const result: ExperimentResult = {
  id: 'e',
  name: '',
  paper: '003',
  finding: '',
  parameters: [],
  seeds: [],
  webs: [],
  figures: [figure],
  tables: [table],
  claims: [claim],
  notes: [],
}
const series = { name: 's', points: [{ x: 0.5, y: 1 }] }

test('sound results pass', () => assert.doesNotThrow(() => checkResults([result])))

const cases: [sentence: string, change: Partial<ExperimentResult>, message: RegExp][] = [
  ['an id that is no file name is refused', { figures: [{ ...figure, id: '../f' }] }, /"\.\.\/f": use 1 to 80/],
  ['an id used twice is refused', { tables: [{ ...table, id: 'f' }] }, /"f" is used twice/],
  [
    'two series of one name are refused',
    { figures: [{ ...figure, series: [series, series] }] },
    /two series of one name/,
  ],
  ['an empty domain is refused', { figures: [{ ...figure, x: { label: '', domain: [1, 1] } }] }, /domain 1 to 1/],
  [
    'zero on a logarithmic axis is refused',
    { figures: [{ ...figure, y: { label: '', scale: 'log', domain: [0, 1] } }] },
    /domain 0/,
  ],
  [
    'a bar between groups is refused',
    { figures: [{ ...figure, kind: 'bars', series: [series] }] },
    /number of its group/,
  ],
  ['a row that is too short is refused', { tables: [{ ...table, rows: [[1], []] }] }, /row 2: 0 cells under 1 columns/],
  ['a claim that points nowhere is refused', { claims: [{ ...claim, shownIn: ['g'] }] }, /003\.1a .* "g"/],
]
for (const [sentence, change, message] of cases) {
  test(sentence, () => {
    assert.throws(
      () => checkResults([{ ...result, ...change }]),
      (error) => error instanceof ReportError && message.test(error.message),
    )
  })
}
