import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeLimit } from './time-limit.ts'

test('it ends when its time is over, and never where there is no limit', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [limit] = timeLimit(1_000)
  const signal = AbortSignal.any([new AbortController().signal, limit!])
  t.mock.timers.tick(999)
  assert.ok(!signal.aborted)
  t.mock.timers.tick(1)
  assert.ok(signal.aborted)
  assert.deepEqual(timeLimit(Infinity), [])
})
