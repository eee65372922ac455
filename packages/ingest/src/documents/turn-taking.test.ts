import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnTaking } from './turn-taking.ts'

test('whoever works through many rows lets others have their turns in between', async () => {
  const turns = new TurnTaking()
  let [others, isDone] = [0, false]
  const other = (): void => {
    others++
    if (!isDone) setImmediate(other)
  }
  setImmediate(other)
  for (let row = 0; row < 2_000; row++) await turns.next()
  isDone = true
  assert.ok(others >= 4, `${others} turns`)
})

test('a few rows wait for nobody', () => {
  const turns = new TurnTaking()
  for (let row = 0; row < 100; row++) assert.equal(turns.next(), undefined)
})
