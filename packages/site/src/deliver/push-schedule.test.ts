import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { pushSchedule } from './push-schedule.ts'

/** A Sunday. */
const NOON = '2026-11-15T12:00:00Z'
// oxfmt-ignore
const cases: [text: string, now: string, next: string][] = [
  ['hourly',           NOON,                   '2026-11-15T13:00:00Z'],
  ['every 6h',         NOON,                   '2026-11-15T18:00:00Z'],
  ['every 15m',        '2026-11-15T12:14:59Z', '2026-11-15T12:15:00Z'],
  ['30 s',             NOON,                   '2026-11-15T12:00:30Z'],
  ['daily at 03:00',   NOON,                   '2026-11-16T03:00:00Z'],
  ['daily at 03:00',   '2026-11-15T02:59:59Z', '2026-11-15T03:00:00Z'],
  ['Daily 18:30',      NOON,                   '2026-11-15T18:30:00Z'],
  ['daily',            NOON,                   '2026-11-16T00:00:00Z'],
  ['sunday at 13:00',  NOON,                   '2026-11-15T13:00:00Z'],
  ['sunday at 11:00',  NOON,                   '2026-11-22T11:00:00Z'],
  ['monday at 03:00',  NOON,                   '2026-11-16T03:00:00Z'],
  ['saturday',         NOON,                   '2026-11-21T00:00:00Z'],
]
for (const [text, now, next] of cases) {
  test(`"${text}" after ${now} is ${next}`, () => {
    assert.equal(new Date(pushSchedule(text).next(Date.parse(now))).toISOString(), new Date(next).toISOString())
  })
}

for (const text of ['', 'never', 'every 0h', 'daily at 24:00', 'daily at 3', 'someday at 03:00', 'every 6 weeks']) {
  test(`"${text}" is no schedule, and what is one is said`, () => {
    assert.throws(() => pushSchedule(text), { code: 'PUBLISH_OPTION_INVALID', message: /daily at 03:00/ })
  })
}

test('the next moment is always later, and the same until it has come', () => {
  const text = fc.constantFrom('every 7h', 'hourly', 'daily at 23:59', 'friday at 00:01', 'every 13s')
  fc.assert(
    fc.property(text, fc.nat(2 ** 41), fc.double({ min: 0, max: 0.999, noNaN: true }), (words, now, share) => {
      const schedule = pushSchedule(words)
      const at = schedule.next(now)
      assert.ok(at > now)
      assert.equal(schedule.next(Math.floor(now + (at - now) * share)), at)
      assert.ok(schedule.next(at) > at)
    }),
  )
})
