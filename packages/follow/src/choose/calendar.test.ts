import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Calendar } from './calendar.ts'

test('what is due comes out earliest first, and nothing before its time', () => {
  const calendar = new Calendar()
  for (const [key, at] of [
    [1, 300],
    [2, 100],
    [3, 200],
  ] as const) {
    calendar.set(key, at)
  }
  assert.equal(calendar.nextAt(), 100)
  assert.equal(calendar.take(99), undefined)
  assert.deepEqual([calendar.take(250), calendar.take(250), calendar.take(250)], [2, 3, undefined])
})

test('a calendar does what a sorted list would, however things are moved and removed', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('set' as const), key: fc.nat(20), at: fc.nat(50) }),
      fc.record({ kind: fc.constant('delete' as const), key: fc.nat(20), at: fc.constant(0) }),
      fc.record({ kind: fc.constant('take' as const), key: fc.constant(0), at: fc.nat(50) }),
    ),
    { maxLength: 200 },
  )
  fc.assert(
    fc.property(steps, (all) => {
      const [calendar, model] = [new Calendar(), new Map<number, number>()]
      for (const { kind, key, at } of all) {
        if (kind === 'set') {
          calendar.set(key, at)
          model.set(key, at)
        } else if (kind === 'delete') {
          calendar.delete(key)
          model.delete(key)
        } else {
          const [first] = [...model].toSorted((a, b) => a[1] - b[1] || a[0] - b[0])
          const expected = first !== undefined && first[1] <= at ? first[0] : undefined
          assert.equal(calendar.take(at), expected)
          if (expected !== undefined) model.delete(expected)
        }
        assert.equal(calendar.size, model.size)
        assert.equal(calendar.nextAt(), Math.min(Infinity, ...model.values()))
      }
    }),
  )
})

test('moving one thing a hundred thousand times leaves one thing', () => {
  const calendar = new Calendar()
  for (let at = 0; at < 100_000; at++) calendar.set(7, at)
  assert.deepEqual([calendar.size, calendar.nextAt()], [1, 99_999])
})
