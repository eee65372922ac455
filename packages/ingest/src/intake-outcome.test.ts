import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INTAKE_OUTCOMES } from './intake-outcome.ts'

test('whatever can come of what a site sent has its words, once', () => {
  const names = INTAKE_OUTCOMES.map(([name]) => name)
  assert.equal(new Set(names).size, names.length)
  for (const [name, words] of INTAKE_OUTCOMES) assert.match(words, /^[a-z][^.]{10,}$/, name)
})
