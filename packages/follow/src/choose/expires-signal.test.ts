import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeHttpDate } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { ExpiresCalendar } from './expires-calendar.ts'
import { Lifetimes, predictedChange } from './expires-signal.ts'

const NOW = Date.UTC(2026, 10, 14, 12)
const HOUR = 3_600_000
const at = (ms: number): string => writeHttpDate(NOW + ms)

const cases: [sentence: string, status: number, headers: HeaderList, hours: number | undefined][] = [
  ['Expires is when the page changes', 200, [['Expires', at(5 * HOUR)]], 5],
  [
    'by the clock of whoever wrote it',
    200,
    [
      ['Date', at(HOUR)],
      ['Expires', at(6 * HOUR)],
    ],
    5,
  ],
  [
    'max-age comes before Expires',
    200,
    [
      ['Expires', at(5 * HOUR)],
      ['Cache-Control', 'public, max-age=7200'],
    ],
    2,
  ],
  [
    'what a cache has used up of it is over',
    200,
    [
      ['Cache-Control', 'max-age=7200'],
      ['Age', '3600'],
    ],
    1,
  ],
  ['a 304 says it anew', 304, [['Expires', at(HOUR)]], 1],
  ['an error predicts nothing', 404, [['Expires', at(HOUR)]], undefined],
  ['no header predicts nothing', 200, [], undefined],
  ['max-age=0 means: ask again', 200, [['Cache-Control', 'max-age=0']], undefined],
  ['so does Expires: 0', 200, [['Expires', '0']], undefined],
  ['the past is no prediction', 200, [['Expires', at(-HOUR)]], undefined],
  ['half a minute keeps a crowd away, no more', 200, [['Cache-Control', 'max-age=30']], undefined],
  ['a year is how never is written', 200, [['Cache-Control', 'max-age=31536000']], undefined],
  ['what must not be stored predicts nothing', 200, [['Cache-Control', 'no-store, max-age=7200']], undefined],
  [
    'nor what must be asked for each time',
    200,
    [
      ['Cache-Control', 'no-cache'],
      ['Expires', at(HOUR)],
    ],
    undefined,
  ],
  ['s-maxage is for other caches', 200, [['Cache-Control', 's-maxage=7200']], undefined],
  [
    'an old copy from a cache is over already',
    200,
    [
      ['Cache-Control', 'max-age=600'],
      ['Age', '9000'],
    ],
    undefined,
  ],
]
for (const [sentence, status, headers, hours] of cases) {
  test(sentence, () => {
    const expected = hours === undefined ? undefined : NOW + hours * HOUR
    assert.equal(predictedChange(status, headers, NOW)?.at, expected)
  })
}

test('no header, however odd, predicts the past or throws', () => {
  const value = fc.oneof(fc.string(), fc.constantFrom('max-age=99999999999', 'max-age="5000"', at(HOUR), '-1', 'Age'))
  const header = fc.tuple(fc.constantFrom('Expires', 'Cache-Control', 'Age', 'Date'), value)
  fc.assert(
    fc.property(fc.array(header), (headers) => {
      const prediction = predictedChange(200, headers, NOW)
      assert.ok(prediction === undefined || prediction.at > NOW)
    }),
  )
})

test('a lifetime that most pages have is a habit, one of its own is not', () => {
  const lifetimes = new Lifetimes()
  for (const seconds of [600, 601, 7_000, 600, 600]) lifetimes.add(seconds)
  assert.equal(lifetimes.isHabit(600), true)
  assert.equal(lifetimes.isHabit(7_000), false)
  for (let n = 0; n < 40; n++) lifetimes.add(10_000 + 50 * n)
  assert.equal(lifetimes.isHabit(600), false, 'long ago')
})

const urlOf = (page: number): string => `https://a.example/${page}`
const expires = (ms: number): { status: number; headers: HeaderList } => ({
  status: 200,
  headers: [['Expires', at(ms)]],
})

test('predictions become signals when their time has come, earliest first', () => {
  const calendar = new ExpiresCalendar()
  for (const [page, hours] of [
    [1, 5],
    [2, 3],
    [3, 9],
  ] as const)
    calendar.visited(page, 0, expires(hours * HOUR), NOW)
  assert.equal(calendar.nextAt(), NOW + 3 * HOUR)
  assert.equal(calendar.take(NOW + HOUR, urlOf), undefined)
  assert.deepEqual(calendar.take(NOW + 6 * HOUR, urlOf), {
    url: 'https://a.example/2',
    change: 'updated',
    channel: 'expires',
    changedAt: NOW + 3 * HOUR,
  })
  calendar.visited(1, 0, expires(8 * HOUR), NOW)
  assert.equal(calendar.take(NOW + 6 * HOUR, urlOf), undefined, 'a visit brings another prediction')
  calendar.visited(1, 0, { status: 200, headers: [] }, NOW)
  assert.deepEqual([calendar.size, calendar.nextAt()], [1, NOW + 9 * HOUR], 'or none')
})

test('what turns out to be said of every page is dropped, also what was held before', () => {
  const calendar = new ExpiresCalendar()
  for (let page = 0; page < 50; page++)
    calendar.visited(page, 0, { status: 200, headers: [['Cache-Control', 'max-age=600']] }, NOW)
  calendar.visited(50, 0, expires(HOUR), NOW)
  calendar.visited(51, 1, expires(2 * HOUR), NOW)
  const due: (string | undefined)[] = []
  for (
    let signal = calendar.take(NOW + 9 * HOUR, urlOf);
    signal !== undefined;
    signal = calendar.take(NOW + 9 * HOUR, urlOf)
  ) {
    due.push(signal.url)
  }
  assert.deepEqual(due, [urlOf(50), urlOf(51)])
})

test('no more predictions are held than allowed', () => {
  const calendar = new ExpiresCalendar({ maxPages: 10, maxSites: 2 })
  for (let page = 0; page < 100; page++) calendar.visited(page, page % 7, expires(HOUR + page * 100_000), NOW)
  assert.equal(calendar.size, 10)
})
