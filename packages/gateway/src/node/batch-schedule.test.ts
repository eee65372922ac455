import fc from 'fast-check'
import assert from 'node:assert/strict'
import test from 'node:test'
import { cutsAt, leavesAt } from './batch-schedule.ts'
import type { BatchSchedule } from './batch-schedule.ts'

const SCHEDULE: BatchSchedule = { everyMs: 60_000, batchBytes: 1_000, batchRows: 50 }

test('a batch is cut when it is large, or when its oldest part has waited for a period', () => {
  assert.equal(cutsAt({ since: undefined, bytes: 0, rows: 0 }, SCHEDULE), Infinity)
  assert.equal(cutsAt({ since: 5, bytes: 10, rows: 1 }, SCHEDULE), 60_005)
  assert.equal(cutsAt({ since: 5, bytes: 1_000, rows: 1 }, SCHEDULE), 5)
  assert.equal(cutsAt({ since: 5, bytes: 10, rows: 50 }, SCHEDULE), 5)
})

/** A gateway that gathers a batch now and then, for an hour: how many leave in each minute. */
function departures(cutEveryMs: (now: number) => number): number[] {
  const minutes = Array.from({ length: 60 }, () => 0)
  let [waiting, lastLeft, nextCut] = [0, -Infinity, 0]
  for (let now = 0; now < 3_600_000; now += 100) {
    if (now >= nextCut) {
      waiting++
      nextCut = now + cutEveryMs(now)
    }
    if (leavesAt(lastLeft, waiting, SCHEDULE) > now) continue
    waiting--
    lastLeft = now
    minutes[Math.floor(now / 60_000)]!++
  }
  return minutes
}

test('as many leave as are gathered, each minute about as many as the one before', () => {
  const steady = departures(() => 5_000).slice(5)
  assert.ok(
    steady.every((count) => count >= 11 && count <= 13),
    steady.join(' '),
  )
})

test('what comes in a burst leaves spread out, faster while more waits, and nothing is left over', () => {
  // Forty batches within four seconds, after that one in ten minutes.
  const counts = departures((now) => (now < 4_000 ? 100 : 600_000))
  const total = counts.reduce((sum, count) => sum + count, 0)
  assert.ok(total >= 45, `${total} left`)
  assert.ok(counts[0]! < 35, `${counts[0]} of them in the first minute`)
  assert.ok(counts[0]! > counts[1]!)
})

test('what waits is never sent faster than over a period, whatever waits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(), (waiting, at) => {
      const gap = leavesAt(at, waiting, SCHEDULE) - at
      return gap * waiting <= SCHEDULE.everyMs && (gap + 1) * waiting > SCHEDULE.everyMs
    }),
  )
  assert.equal(leavesAt(5, 0, SCHEDULE), Infinity)
})
