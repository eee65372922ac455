import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withRevisits } from './random-crawl.ts'

test('who may draw a page again has 1 − 1/e of them after as many visits as there are pages, and not K / T', () => {
  const { atEnd, furthest, fromLaw } = withRevisits(50_000)
  assert.ok(Math.abs(atEnd - (1 - Math.exp(-1))) < 0.01)
  assert.ok(fromLaw < 0.01)
  assert.ok(Math.abs(furthest - Math.exp(-1)) < 0.01)
})
