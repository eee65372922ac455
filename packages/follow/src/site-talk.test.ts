import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurns } from './inquiry.ts'
import type { Inquiry } from './inquiry.ts'
import { SiteTalk } from './site-talk.ts'

const ROWS = 100_000

/** Whether others had a turn, seen by whoever is called for each row. */
function* longList(onRow: () => void): Inquiry<number> {
  yield* inTurns(
    Array.from({ length: ROWS }, (_, row) => row),
    onRow,
  )
  return ROWS
}

function talkOf(inquiry: Inquiry<number>): { talk: SiteTalk<number>; ended: Promise<number | undefined> } {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  const parts = { site: 1, origin: 'https://a.example', allows: () => true, ask: () => assert.fail('nothing is asked') }
  return { talk: new SiteTalk({ ...parts, inquiry, ended: resolve }), ended: promise }
}

test('while a long list is worked through, others have their turn', { timeout: 10_000 }, async () => {
  let [rows, turns] = [0, 0]
  const { talk, ended } = talkOf(longList(() => rows++))
  const others = (): void => {
    turns++
    if (rows < ROWS) setImmediate(others)
  }
  setImmediate(others)
  talk.begin()
  assert.ok(rows < ROWS / 10, `${rows} rows in one go`)
  assert.equal(await ended, ROWS)
  assert.ok(turns > 100, `${turns} turns`)
})

test('one that is broken off between two turns goes no further', { timeout: 10_000 }, async () => {
  let rows = 0
  const { talk, ended } = talkOf(longList(() => rows++))
  talk.begin()
  const before = rows
  talk.breakOff()
  assert.equal(await ended, undefined)
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  assert.equal(rows, before)
})
