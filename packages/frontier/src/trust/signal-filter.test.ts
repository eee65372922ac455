import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { judgeSignal, markOf, versionMark } from './signal-filter.ts'
import type { HeardBefore, SignalVerdict } from './signal-filter.ts'

const HOUR = 3_600_000
const NOW = 100 * HOUR
const ours = `sha-256:${'a'.repeat(64)}`
const other = `sha-256:${'b'.repeat(64)}`
const before: HeardBefore = { visitedAt: NOW - 10 * HOUR, ourMark: markOf(ours), lastEventAt: -Infinity, lastMark: 0 }
const told: HeardBefore = { ...before, lastEventAt: NOW - HOUR, lastMark: markOf(other) }
const dated = versionMark({ changedAt: NOW - 2 * HOUR }, NOW)

const cases: [sentence: string, signal: { changedAt?: number; digest?: string }, before: HeardBefore, SignalVerdict][] =
  [
    ['a change since our visit is news', { changedAt: NOW - HOUR }, before, 'counted'],
    ['a bare signal long after our visit is news', {}, before, 'counted'],
    ['the digest of our own copy is no news', { digest: ours, changedAt: NOW - HOUR }, before, 'known'],
    ['a change from before our visit is late', { changedAt: NOW - 11 * HOUR }, before, 'late'],
    ['a change at the instant of our visit is late', { changedAt: before.visitedAt }, before, 'late'],
    ['a bare signal minutes after our visit is late', {}, { ...before, visitedAt: NOW - 1000 }, 'late'],
    [
      'another digest is news even minutes after our visit',
      { digest: other },
      { ...before, visitedAt: NOW - 1000 },
      'counted',
    ],
    ['another digest is news whatever its date', { digest: other, changedAt: 5 }, before, 'counted'],
    ['the same digest again is the same event', { digest: other }, told, 'repeated'],
    [
      'the same instant again is the same event',
      { changedAt: NOW - 2 * HOUR },
      { ...told, lastMark: dated },
      'repeated',
    ],
    ['a bare signal within ten minutes is the same event', {}, { ...told, lastEventAt: NOW - 1000 }, 'repeated'],
    ['a bare signal an hour later is another event', {}, told, 'counted'],
    [
      'an instant in a far future is as good as none',
      { changedAt: NOW + 999 * HOUR },
      { ...before, visitedAt: NOW - 1 },
      'late',
    ],
  ]
for (const [sentence, signal, heard, verdict] of cases) {
  test(sentence, () => assert.equal(judgeSignal(signal, heard, NOW), verdict))
}

test('any instant and digest has a verdict', () => {
  const signal = fc.record({ changedAt: fc.double(), digest: fc.string() }, { requiredKeys: [] })
  fc.assert(
    fc.property(signal, fc.double({ noNaN: true }), (given, now) => {
      assert.ok(['known', 'late', 'repeated', 'counted'].includes(judgeSignal(given, told, now)))
      assert.ok(markOf(String(given.digest)) > 0)
    }),
  )
})
