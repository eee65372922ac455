import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Acknowledgements } from './acknowledgements.ts'

test('what is in is durable when the commit after the next one begins', async () => {
  let wanted = 0
  const acknowledgements = new Acknowledgements(() => wanted++)
  let isDurable = false
  const durable = acknowledgements.durable().then(() => (isDurable = true))
  assert.deepEqual([wanted, acknowledgements.open], [1, 1])
  acknowledgements.begins()
  await turn()
  assert.deepEqual([wanted, isDurable], [2, false], 'the commit that holds it has only begun')
  acknowledgements.begins()
  await durable
  assert.equal(acknowledgements.open, 0)
})

test('a commit that fails is told to everybody who waits, and to everybody who comes later', async () => {
  const acknowledgements = new Acknowledgements(() => undefined)
  const early = acknowledgements.durable()
  acknowledgements.fail(new Error('the disk is full'))
  await assert.rejects(early, /the disk is full/)
  await assert.rejects(acknowledgements.durable(), /the disk is full/)
  assert.equal(acknowledgements.open, 0)
})
