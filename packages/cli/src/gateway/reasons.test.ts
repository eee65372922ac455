import assert from 'node:assert/strict'
import test from 'node:test'
import { BROWSER_DOUBTS, PRIVACY_REASONS, PASSING_VERDICTS } from '@comity/gateway'
import { DOUBTS, REASONS } from './reasons.ts'

test('every reason that a gateway can give is explained', () => {
  const given = [...PASSING_VERDICTS, ...PRIVACY_REASONS].filter(
    // These two are told by what they stand for.
    (name) => !['whole', 'not-wanted', 'not-whole'].includes(name),
  )
  assert.deepEqual(
    given.filter((name) => !REASONS.has(name)),
    [],
  )
})

test('every doubt about what Chromium shows is explained, and no other', () => {
  assert.deepEqual([...DOUBTS.keys()].toSorted(), BROWSER_DOUBTS.toSorted())
})
