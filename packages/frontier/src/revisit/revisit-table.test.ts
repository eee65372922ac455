import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SIGNAL_CHANNELS } from '@comity/protocol'
import fc from 'fast-check'
import { KNOWN, RevisitTable, SAMPLE } from './revisit-table.ts'

test('every channel has its three bits in one word', () => assert.ok(SIGNAL_CHANNELS.length * 3 <= 32))

test('events are counted by channel, up to seven, and taken back', () => {
  const step = fc.record({ channel: fc.nat(SIGNAL_CHANNELS.length - 1), by: fc.constantFrom(1 as const, -1 as const) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const table = new RevisitTable()
      table.ensure(3)
      const counts = SIGNAL_CHANNELS.map(() => 0)
      for (const { channel, by } of steps) {
        table.addEvent(3, channel, by)
        counts[channel] = Math.max(0, Math.min(7, counts[channel]! + by))
      }
      const wanted = counts.flatMap((count, channel) => (count > 0 ? [[SIGNAL_CHANNELS[channel], count]] : []))
      assert.deepEqual(table.eventsOf(3), wanted)
    }),
  )
})

test('a page written out and read in again is the same page', () => {
  const table = new RevisitTable()
  table.ensure(1)
  table.load(0, {
    flags: SAMPLE,
    visits: 7,
    visitedAt: 1.7e12,
    lastEventAt: -Infinity,
    ourMark: 5,
    lastMark: 6,
    events: 0b011_001,
    heard: 3,
    lastChannel: 1,
    importance: 0.5,
    bytes: 12_000,
    intervalDays: 8,
    quietDays: 30,
    dated: 1,
    changed: 2,
    logDays: -1.5,
    logSquares: 3,
    changeRate: 0.25,
  })
  table.load(1, table.recordOf(0))
  assert.deepEqual(table.recordOf(1), table.recordOf(0))
  assert.ok(table.has(1, KNOWN) && table.has(1, SAMPLE) && !table.has(2, KNOWN))
  table.forgetEvents(1)
  assert.deepEqual([table.eventsOf(1), table.heardOf(1), table.has(1, SAMPLE)], [[], [], false])
})
