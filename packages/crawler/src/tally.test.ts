import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Tally, failuresOf } from './tally.ts'

test('pages are what came whole or is unchanged; bytes are counted whatever came of them', () => {
  const tally = new Tally()
  tally.count('ok', 100)
  tally.count('not-modified', 0)
  tally.count('client-error', 10)
  tally.count('truncated', 5)
  assert.deepEqual([tally.totals.pages, tally.totals.bytes], [2, 115])
  assert.deepEqual(tally.totals.outcomes, { ok: 1, 'not-modified': 1, 'client-error': 1, truncated: 1 })
})

test('failures are named, the most frequent first; redirects and skipped kinds are none', () => {
  const outcomes = { ok: 9, redirect: 5, 'skipped-type': 4, 'client-error': 1, 'timeout-body': 3, busy: 2 }
  assert.deepEqual(failuresOf(outcomes), [
    ['timeout-body', 3],
    ['busy', 2],
    ['client-error', 1],
  ])
})

test('a tally goes on where the last run ended', () => {
  const before = { pages: 3, bytes: 30, links: 7, requests: 4, outcomes: { ok: 3 } }
  const tally = new Tally(before)
  tally.count('ok', 1)
  assert.deepEqual([tally.totals.pages, tally.totals.outcomes], [4, { ok: 4 }])
})
