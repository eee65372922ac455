import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runContest } from '../../experiments/contest/experiment.ts'
import { withFit } from './fit-table.ts'
import { generateWeb } from './web.ts'
import { checkResults } from '../../report/check.ts'

const web = generateWeb({ pages: 300, sites: 6, seed: 1 })
const result = runContest(web, { orders: ['depth'], starts: 1 })

test('a result from a generated web has a table of how it is fitted, target beside what was obtained', () => {
  const fitted = withFit(result, web)
  checkResults([fitted])
  const table = fitted.tables.at(-1)!
  assert.deepEqual(
    table.columns.map(({ label }) => label),
    ['figure', 'source', 'target', 'obtained', 'fitted'],
  )
  assert.ok(table.rows.some(([, source]) => source === '003 §6'))
})

test('a result from any other web is as it was', () => {
  const { name, pages, starts, targets, sites, siteOf, homes } = web
  assert.equal(withFit(result, { name, pages, starts, targets, sites, siteOf, homes }), result)
})
