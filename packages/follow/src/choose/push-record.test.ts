import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NEW_PUSH_RECORD, checkedPush, isHintOnly, isToBeChecked, tookPush } from './push-record.ts'
import type { PushFinding, PushRecord } from './push-record.ts'

const DAY = 86_400_000
const never = (): number => 0.999
const often = (): number => 0.4

test('the first pages that a site sends are fetched too, later few', () => {
  let record = NEW_PUSH_RECORD
  for (let sent = 0; sent < 3; sent++) {
    assert.ok(isToBeChecked(record, 0, never))
    record = checkedPush(tookPush(record), 'same', 0, DAY)
  }
  assert.equal(isToBeChecked(record, 0, never), false)
  assert.ok(isToBeChecked(record, 0, () => 0.02))
  assert.deepEqual([record.taken, record.checked, record.different], [3, 3, 0])
})

const lie = (record: PushRecord, now: number): PushRecord =>
  checkedPush(checkedPush(record, 'different', now, DAY), 'different', now, DAY)

test('one page that differs is no lie: it may have changed once more', () => {
  const record = checkedPush(NEW_PUSH_RECORD, 'different', 0, DAY)
  assert.deepEqual([record.strikes, record.different, isHintOnly(record, 0)], [0, 1, false])
})

const after = (record: PushRecord, findings: readonly PushFinding[]): PushRecord =>
  findings.reduce((before, finding) => checkedPush(before, finding, 0, DAY), record)

const times = (count: number, finding: PushFinding): PushFinding[] => Array.from({ length: count }, () => finding)

test('nor are a few among many', () => {
  let record = NEW_PUSH_RECORD
  for (let round = 0; round < 8; round++) record = after(record, [...times(22, 'same'), 'different'])
  assert.deepEqual([record.strikes, record.different, record.checked], [0, 8, 184])
})

const strikes: [sentence: string, findings: readonly PushFinding[], count: number][] = [
  ['two in thirty-nine are a strike', [...times(37, 'same'), 'different', 'different'], 1],
  ['two in forty are none', [...times(38, 'same'), 'different', 'different'], 0],
  ['what agreed long ago is no licence', [...times(10_000, 'same'), ...times(5, 'different')], 1],
  ['pages that may have been edited since are hardly evidence', times(15, 'edited'), 0],
  ['but sixteen of them, and nothing else, are', times(16, 'edited'), 1],
  ['of pages of which an edit left nothing four are', times(4, 'rewritten'), 1],
  ['and one in eight', Array.from({ length: 4 }, () => [...times(7, 'same'), 'rewritten'] as const).flat(), 1],
  ['but not one in twelve', Array.from({ length: 200 }, () => [...times(11, 'same'), 'rewritten'] as const).flat(), 0],
  [
    'not when two in three pages agree',
    Array.from({ length: 200 }, () => [...times(2, 'same'), 'edited'] as const).flat(),
    0,
  ],
  ['pages that differ at every visit are none at all', times(10_000, 'restless'), 0],
]
for (const [sentence, findings, count] of strikes)
  test(sentence, () => assert.equal(after(NEW_PUSH_RECORD, findings).strikes, count))

test('an edited page has shown little: another one is looked at in its place; those under way are waited for', () => {
  assert.ok(isToBeChecked(after(NEW_PUSH_RECORD, ['same', 'same', 'edited', 'edited']), 0, never))
  assert.equal(isToBeChecked(after(NEW_PUSH_RECORD, ['same', 'same', 'restless', 'edited']), 0, never), false)
  assert.equal(isToBeChecked(NEW_PUSH_RECORD, 0, never, { underWay: 3, doubted: 0 }), false)
})

test('who was found to send one other page, or is suspected of it, is looked at more closely', () => {
  const believed = after(NEW_PUSH_RECORD, times(10, 'same'))
  assert.equal(isToBeChecked(believed, 0, often), false)
  assert.ok(isToBeChecked(believed, 0, often, { underWay: 0, doubted: 1 }))
  assert.ok(isToBeChecked(after(believed, ['different']), 0, often))
})

test('what an older version wrote is read on', () => {
  const old = { ...NEW_PUSH_RECORD, recentlyChecked: 4 }
  assert.deepEqual([after(old, ['edited']).recentlyEdited, after(old, ['restless']).recentlyRestless], [1, 1])
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
  const findings: readonly PushFinding[] = ['same', 'same', 'different', 'same', 'edited', 'same', 'same', 'same']
  for (const finding of findings) record = checkedPush(record, finding, 1, DAY)
  assert.ok(isHintOnly(record, 1))
  record = checkedPush(record, 'same', 1, DAY)
  assert.equal(isHintOnly(record, 1), false)
  assert.equal(record.strikes, 1, 'it is remembered: the next rest is longer')
})
