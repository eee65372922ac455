import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEW_PUSH_RECORD, checkedPush, isHintOnly, isToBeChecked, tookPush } from './push-record.ts'
import type { PushRecord } from './push-record.ts'

const DAY = 86_400_000
const never = (): number => 0.999

test('the first pages that a site sends are fetched too, later few', () => {
  let record = NEW_PUSH_RECORD
  for (let sent = 0; sent < 3; sent++) {
    assert.ok(isToBeChecked(record, 0, never))
    record = checkedPush(tookPush(record), true, 0, DAY)
  }
  assert.equal(isToBeChecked(record, 0, never), false)
  assert.ok(isToBeChecked(record, 0, () => 0.02))
  assert.deepEqual([record.taken, record.checked, record.different], [3, 3, 0])
})

const lie = (record: PushRecord, now: number): PushRecord =>
  checkedPush(checkedPush(record, false, now, DAY), false, now, DAY)

test('one page that differs is no lie: it may have changed once more', () => {
  const record = checkedPush(NEW_PUSH_RECORD, false, 0, DAY)
  assert.deepEqual([record.strikes, record.different, isHintOnly(record, 0)], [0, 1, false])
})

test('nor are a few among many', () => {
  let record = NEW_PUSH_RECORD
  for (let check = 1; check <= 100; check++) record = checkedPush(record, check % 12 !== 0, 0, DAY)
  assert.deepEqual([record.strikes, record.different], [0, 8])
})

test('pages that are served otherwise make all that is sent a hint, for a time that doubles and ends', () => {
  let [record, now] = [NEW_PUSH_RECORD, 0]
  const rests: number[] = []
  for (let strike = 0; strike < 8; strike++) {
    record = lie(record, now)
    rests.push((record.restsUntil - now) / DAY)
    assert.ok(isHintOnly(record, record.restsUntil - 1))
    now = record.restsUntil
    assert.equal(isHintOnly(record, now), false)
  }
  assert.deepEqual(rests, [1, 2, 4, 8, 16, 32, 32, 32])
})

test('after a rest it is looked at closely again: whoever goes on lying is found out at once', () => {
  const rested = lie(tookPush(NEW_PUSH_RECORD), 0)
  assert.ok(isToBeChecked(rested, rested.restsUntil, never))
  const again = lie(rested, rested.restsUntil)
  assert.deepEqual([again.strikes, again.restsUntil], [2, 3 * DAY])
})

test('a lie found within the rest lengthens nothing', () => {
  const once = lie(NEW_PUSH_RECORD, 0)
  const again = lie(once, 10)
  assert.deepEqual([again.strikes, again.restsUntil, again.different], [1, once.restsUntil, 4])
})

test('probes that agree end a rest early, unless one of them does not', () => {
  let record = lie(NEW_PUSH_RECORD, 0)
  assert.ok(isToBeChecked(record, 1, () => 0.1))
  for (const isSame of [true, true, false, true, true, true, true]) record = checkedPush(record, isSame, 1, DAY)
  assert.ok(isHintOnly(record, 1))
  record = checkedPush(record, true, 1, DAY)
  assert.equal(isHintOnly(record, 1), false)
  assert.equal(record.strikes, 1, 'it is remembered: the next rest is longer')
})
