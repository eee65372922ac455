import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amount, isTorture } from './torture.ts'

test('a test does a sample, unless it is tortured', () => {
  assert.equal(amount(3, 200), isTorture ? 200 : 3)
  assert.equal(isTorture, process.env['COMITY_TORTURE'] !== undefined)
})
