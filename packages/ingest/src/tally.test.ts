import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageRow } from '@comity/collection'
import { Tally, failuresOf } from './tally.ts'

test('a page counts once, when it first came whole; bytes are counted whatever came of them', () => {
  const tally = new Tally()
  tally.count('ok', 100, true)
  tally.count('ok', 100, false)
  tally.count('not-modified', 0, false)
  tally.count('client-error', 10, true)
  tally.count('truncated', 5, true)
  assert.deepEqual([tally.totals.pages, tally.totals.bytes], [1, 215])
  assert.deepEqual(tally.totals.outcomes, { ok: 2, 'not-modified': 1, 'client-error': 1, truncated: 1 })
  assert.equal(tally.goodVisits, 3)
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
  tally.count('ok', 1, true)
  assert.deepEqual([tally.totals.pages, tally.totals.outcomes], [4, { ok: 4 }])
})

const row = (needsScripts?: true): PageRow => ({
  site: 0,
  outcome: 'ok',
  status: 200,
  visitedAt: 0,
  visits: 1,
  changes: 0,
  bytes: 0,
  timings: {},
  needsScripts,
})

test('pages that need scripts count as long as they do, each once, and five are named', () => {
  const tally = new Tally()
  for (const page of [1, 2, 3, 4, 5, 6]) tally.countScripts(page, undefined, row(true))
  tally.countScripts(1, row(true), row(true))
  tally.countScripts(7, undefined, row())
  tally.countScripts(2, row(true), row())
  assert.deepEqual(tally.totals.needsScripts, { pages: 5, examples: [1, 3, 4, 5] })
})
