import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soonEnough } from './soon-enough.ts'

test('what is there in time is given, and what fails in time fails', async () => {
  assert.equal(await soonEnough(Promise.resolve(7), 60_000), 7)
  await assert.rejects(soonEnough(Promise.reject(new Error('no')), 60_000), /no/)
})

test('what takes too long is not waited for, and may fail later unheard', async () => {
  const { promise, reject } = Promise.withResolvers<number>()
  assert.equal(await soonEnough(promise, 0), undefined)
  reject(new Error('too late'))
})
