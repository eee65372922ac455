import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PageRow } from '@comity/collection'
import { DONE, FORGOTTEN, EXCLUDED, WAITING } from '@comity/frontier'
import { CollectionCensus } from './collection-census.ts'

const SITES = 3
const states = fc.constantFrom(WAITING, DONE, EXCLUDED, FORGOTTEN)
const rows = fc.option(
  fc.record({
    outcome: fc.constantFrom('ok', 'client-error', 'redirect', 'busy'),
    visits: fc.nat(100),
    isHeld: fc.boolean(),
  }),
  { nil: undefined },
)
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('add' as const), site: fc.nat(SITES - 1), state: states }),
    fc.record({ do: fc.constant('move' as const), page: fc.nat(20), state: states }),
    fc.record({ do: fc.constant('put' as const), page: fc.nat(20), row: rows }),
  ),
  { maxLength: 80 },
)

interface Known {
  readonly site: number
  state: number
  row?: { readonly outcome: string; readonly visits: number; readonly isHeld: boolean } | undefined
}

test('counts that are kept true step by step are those of a count from the beginning', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const census = new CollectionCensus()
      const pages: Known[] = []
      for (const step of all) {
        if (step.do === 'add') {
          census.add(step.site, 0, 0, step.state)
          pages.push({ site: step.site, state: step.state })
          continue
        }
        const page = pages[step.page]
        if (step.do === 'move') census.move(step.page, 0, step.state)
        else if (page !== undefined) census.put(step.page, rowOf(step.row))
        if (page !== undefined && step.do === 'move') page.state = step.state
        if (page !== undefined && step.do === 'put') page.row = step.row
      }
      const count = (isIt: (page: Known) => boolean, of = pages): number => of.filter(isIt).length
      for (const [counts, of] of [
        [census.totals, pages] as const,
        ...Array.from(
          { length: SITES },
          (_, site) => [census.siteAt(site), pages.filter((page) => page.site === site)] as const,
        ),
      ]) {
        assert.deepEqual(
          [counts.known, counts.waiting, counts.visited, counts.held, counts.errors],
          [
            count(({ state }) => state !== FORGOTTEN, of),
            count(({ state }) => state === WAITING, of),
            count(({ row }) => row !== undefined, of),
            count(({ row }) => row?.isHeld === true, of),
            count(({ row }) => row?.outcome === 'busy' || row?.outcome === 'client-error', of),
          ],
        )
      }
      assert.equal(
        census.captures,
        pages.reduce((sum, { row }) => sum + (row?.visits ?? 0), 0),
      )
      for (const [outcome, n] of Object.entries(census.outcomesOf(census.totals))) {
        assert.equal(
          n,
          count(({ row }) => row?.outcome === outcome),
        )
      }
    }),
  )
})

function rowOf(row: Known['row']): PageRow | undefined {
  if (row === undefined) return undefined
  const body = row.isHeld ? { file: 0, offset: 0, length: 1 } : undefined
  return {
    site: 0,
    outcome: row.outcome,
    status: 200,
    visitedAt: 1,
    visits: row.visits,
    changes: 0,
    bytes: 0,
    timings: {},
    body,
  }
}

test('columns grow, and a key is found wherever it stands', () => {
  const { columns } = new CollectionCensus()
  for (let page = 0; page < 5_000; page++) columns.add(page % 7, page * 3 + 1, page % 5, DONE)
  for (const page of [0, 1_023, 1_024, 4_999]) assert.equal(columns.next(page * 3 + 1, 0), page)
  assert.equal(columns.next(2, 0), -1)
  // Beyond the last page stand zeros.
  assert.equal(columns.next(0, 0), -1)
})

test('more names of outcomes than a byte holds share one', () => {
  const census = new CollectionCensus()
  census.add(0, 0, 0, DONE)
  for (let i = 0; i < 600; i++) census.put(0, rowOf({ outcome: `odd-${i}`, visits: 1, isHeld: false }))
  assert.deepEqual(census.outcomesOf(census.totals), { other: 1 })
})
