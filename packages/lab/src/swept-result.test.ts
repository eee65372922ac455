import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExperimentResult } from './report/model.ts'
import { resultNamed } from './swept-result.ts'

const result: ExperimentResult = {
  id: 'e',
  name: 'An experiment',
  paper: '004',
  finding: '',
  parameters: [],
  seeds: [1],
  webs: [],
  figures: [{ id: 'f', kind: 'lines', title: '', caption: '', x: { label: '' }, y: { label: '' }, series: [] }],
  tables: [{ id: 't', title: '', columns: [], rows: [] }],
  claims: [
    {
      paper: '004',
      number: 1,
      part: '004.1a',
      claim: '',
      web: 'w',
      verdict: 'holds',
      ours: '',
      why: '',
      shownIn: ['f', 't'],
    },
  ],
  notes: [],
}

test('every id of a swept run is its own, and what refers to it follows', () => {
  const { id, name, figures, tables, claims } = resultNamed(result, 'waitMs = 5, k = [1,2]')
  assert.deepEqual([id, name], ['e-waitms-5-k-1-2', 'An experiment, waitMs = 5, k = [1,2]'])
  assert.deepEqual([figures[0]?.id, tables[0]?.id], ['f-waitms-5-k-1-2', 't-waitms-5-k-1-2'])
  assert.deepEqual([claims[0]?.web, claims[0]?.shownIn], ['w, waitMs = 5, k = [1,2]', [figures[0]?.id, tables[0]?.id]])
})
