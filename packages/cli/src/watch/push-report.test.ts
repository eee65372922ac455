import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INTAKE_OUTCOMES } from '@comity/ingest'
import type { PushFigures } from '@comity/follow'
import { pushLines, pushText } from './push-report.ts'

const quiet: PushFigures = {
  outcomes: {},
  bytes: 0,
  perSecond: 0,
  delayP50Ms: 0,
  delayP99Ms: 0,
  subscriptions: { active: 0, asked: 0 },
}

const busy: PushFigures = {
  outcomes: { applied: 1_200, heard: 40, hint: 3 },
  bytes: 90_000,
  perSecond: 12.4,
  delayP50Ms: 12,
  delayP99Ms: 80,
  searchable: { count: 1_100, p50Ms: 820, p99Ms: 2_100 },
  subscriptions: { active: 2, asked: 1 },
  doors: {
    accepted: 300,
    acceptedBytes: 90_000,
    byDoor: { websub: 290, indexnow: 10 },
    refused: { forged: 2, stale: 1 },
    ignored: 1,
    waiting: 4,
    waitingBytes: 2_000,
    pending: 1,
    fill: 0.01,
  },
}

test('where nobody is heard nothing is said', () => assert.deepEqual(pushLines(undefined), []))

test('nobody called yet: no delays are made up', () => {
  assert.deepEqual(pushText(quiet), ['0/s heard'])
  assert.deepEqual(pushLines(quiet), ['  0 subscriptions; 0 pages and notices, 0 bytes'])
})

test('the line says how much comes, what waits, how soon it is found and what was refused', () => {
  assert.deepEqual(pushText(busy), ['12.4/s heard, 4 wait', 'found after 820 ms', '3 refused'])
})

test('the report says what came, what came of it, how long that took and what was refused, by reason', () => {
  const text = pushLines(busy).join('\n')
  assert.match(
    text,
    /2 subscriptions, 1 asked for; 1,243 pages and notices, 90 KB in 300 requests \(290 by websub, 10 by indexnow\)/,
  )
  assert.match(text, /applied {2}1,200 {2}a page, taken as it was sent/)
  assert.match(text, /taken in 12 ms after it came, 99 of 100 within 80 ms/)
  assert.match(text, /to be found 820 ms after it changed, 99 of 100 within 2\.1 s \(1,100 pages\)/)
  assert.match(text, /4 requests still to be taken in/)
  assert.match(text, /1 notice waits for a key file/)
  assert.match(text, /refused: forged 2, stale 1; 1 of them without a word \(docs\/receive\.md\)/)
})

test('whatever can come of a page has its line', () => {
  for (const [name, words] of INTAKE_OUTCOMES) {
    const lines = pushLines({ ...quiet, outcomes: { [name]: 1 } })
    assert.ok(lines[1]?.includes(`${name}  1  ${words}`), name)
  }
})
