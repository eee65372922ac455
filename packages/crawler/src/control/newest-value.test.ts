import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NewestValue } from './newest-value.ts'

const late = (): Error => new Error('nothing came')

test('who is slow gets the newest, and each value once', async () => {
  const newest = new NewestValue<number>()
  for (const value of [1, 2, 3]) newest.put(value)
  assert.equal(await newest.take(1_000, late), 3)
  const next = newest.take(1_000, late)
  newest.put(4)
  assert.equal(await next, 4)
})

test('the last value is taken before the end is heard of', async () => {
  const newest = new NewestValue<number>()
  newest.put(1)
  newest.end()
  assert.deepEqual([await newest.take(1_000, late), await newest.take(1_000, late)], [1, undefined])
})

test('what it ended with is thrown, and so is waiting too long', async () => {
  const newest = new NewestValue<number>()
  await assert.rejects(newest.take(5, late), /nothing came/)
  const waiting = newest.take(1_000, late)
  newest.end(new Error('it broke'))
  await assert.rejects(waiting, /it broke/)
})
