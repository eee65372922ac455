import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withHits, decodeReading, encodeReading, fadedTo, HOUR_MS, HOURS_KEPT } from './reading-row.ts'
import type { NewHits, ReadingRow } from './reading-row.ts'

const DAY = 24 * HOUR_MS
const added = (hits: readonly NewHits[], halfLifeMs = 30 * DAY): ReadingRow | undefined =>
  hits.reduce<ReadingRow | undefined>((row, one) => withHits(row, one, halfLifeMs), undefined)

test('a count is half of itself after its half-life, people and robots apart', () => {
  const row = added([{ at: 0, people: 8, robots: 2 }], DAY)!
  assert.deepEqual(fadedTo(row, DAY, DAY), { people: 4, robots: 1 })
  assert.deepEqual(
    added(
      [
        { at: 0, people: 8, robots: 0 },
        { at: DAY, people: 1, robots: 3 },
      ],
      DAY,
    ),
    {
      asOf: DAY,
      lastAt: DAY,
      people: 5,
      robots: 3,
      hours: [
        { hour: 0, people: 8, robots: 0 },
        { hour: 24, people: 1, robots: 3 },
      ],
    },
  )
})

test('hours are kept for two days before the newest, however many come', () => {
  const hits = Array.from({ length: 300 }, (_, hour) => ({ at: hour * HOUR_MS, people: 1, robots: 0 }))
  const { hours } = added(hits)!
  assert.equal(hours.length, HOURS_KEPT)
  assert.equal(hours[0]?.hour, 300 - HOURS_KEPT)
})

const aHit = fc.record({ at: fc.nat(200 * HOUR_MS), people: fc.nat(50), robots: fc.nat(50) })

test('the order in which hits come makes no difference', () => {
  const shuffled = fc
    .array(aHit, { minLength: 1, maxLength: 12 })
    .chain((hits) => fc.tuple(fc.constant(hits), fc.shuffledSubarray(hits, { minLength: hits.length })))
  fc.assert(
    fc.property(shuffled, ([hits, others]) => {
      const [one, other] = [added(hits, DAY)!, added(others, DAY)!]
      assert.deepEqual([one.asOf, one.lastAt, one.hours], [other.asOf, other.lastAt, other.hours])
      assert.ok(Math.abs(one.people - other.people) < 1e-6 && Math.abs(one.robots - other.robots) < 1e-6)
    }),
  )
})

test('a row comes back as it was written', () => {
  fc.assert(
    fc.property(fc.array(aHit, { minLength: 1, maxLength: 60 }), (hits) => {
      const row = added(hits)!
      assert.deepEqual(decodeReading(encodeReading(row)), row)
    }),
  )
})

test('bytes that are no row are none, and never throw', () => {
  assert.equal(decodeReading(undefined), undefined)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const row = decodeReading(bytes)
      assert.ok(row === undefined || row.hours.length <= 20)
    }),
  )
  const whole = encodeReading(added([{ at: 5, people: 1, robots: 1 }])!)
  for (let length = 0; length < whole.length; length++)
    assert.equal(decodeReading(whole.subarray(0, length)), undefined)
})
