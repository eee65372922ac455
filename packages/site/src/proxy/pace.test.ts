import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pace } from './pace.ts'

const [WINDOW, LEAST] = [20_000, 500]

test('who moves enough in each window goes on', () => {
  const pace = new Pace(0)
  for (let at = 0, moved = 0; at <= 200_000; at += 500, moved += 250)
    assert.equal(pace.isTooSlow(at, moved, WINDOW, LEAST), false, `at ${at}`)
})

test('who moves a byte now and then is too slow after one window, however quick it was before', () => {
  const pace = new Pace(0)
  assert.equal(pace.isTooSlow(20_000, 1_000_000, WINDOW, LEAST), false)
  assert.equal(pace.isTooSlow(39_000, 1_000_019, WINDOW, LEAST), false)
  assert.equal(pace.isTooSlow(40_000, 1_000_020, WINDOW, LEAST), true)
})

test('time in which nobody waits does not count', () => {
  const pace = new Pace(0)
  pace.rest(19_000, 0)
  assert.equal(pace.isTooSlow(21_000, 0, WINDOW, LEAST), false)
  assert.equal(pace.isTooSlow(39_000, 0, WINDOW, LEAST), true)
})
