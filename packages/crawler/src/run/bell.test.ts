import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bell } from './bell.ts'

test('a ring wakes whoever waits', async () => {
  const bell = new Bell()
  const waiting = bell.wait(60_000)
  bell.ring()
  assert.equal(await waiting, undefined)
})

test('a ring while nobody waits is remembered, once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const bell = new Bell()
  bell.ring()
  bell.ring()
  await bell.wait(60_000)
  let isOver = false
  const waiting = bell.wait(20).then(() => (isOver = true))
  t.mock.timers.tick(19)
  await Promise.resolve()
  assert.equal(isOver, false)
  t.mock.timers.tick(1)
  await waiting
})

test('no wait is longer than a timer can hold', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const bell = new Bell()
  const waiting = bell.wait(Number.MAX_SAFE_INTEGER)
  t.mock.timers.tick(2 ** 31 - 1)
  assert.equal(await waiting, undefined)
})
