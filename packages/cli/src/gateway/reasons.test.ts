import assert from 'node:assert/strict'
import test from 'node:test'
import { PRIVACY_REASONS, PASSING_VERDICTS } from '@comity/gateway'
import { REASONS } from './reasons.ts'

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
