import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Bell } from './bell.ts'

test('a ring wakes whoever waits', async () => {
  const bell = new Bell()
  const waiting = bell.wait(60_000)
  bell.ring()
  await waiting
})

test('a ring while nobody waits is remembered, once', async () => {
  const bell = new Bell()
  bell.ring()
  bell.ring()
  await bell.wait(60_000)
  const began = performance.now()
  await bell.wait(20)
  assert.ok(performance.now() - began >= 15)
})

test('no wait is longer than a timer can hold', async () => {
  const bell = new Bell()
  const waiting = bell.wait(Number.MAX_SAFE_INTEGER)
  setTimeout(() => bell.ring(), 5)
  await waiting
})
