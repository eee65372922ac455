import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CrawlerWeek, madeSaving, possibleSaving, readCrawlerDays } from './crawler-week.ts'
import type { CrawlerCost, CrawlerVisit, Saving } from './crawler-week.ts'
import { costSection, defaultPrices } from './cost-section.ts'
import { costPage } from './ledger-page.ts'

const DAY = 86_400_000
const AT = Date.UTC(2026, 10, 20, 12)
const visit = (more: Partial<CrawlerVisit> = {}): CrawlerVisit => ({
  at: AT,
  agent: 'Googlebot/2.1',
  path: '/a',
  status: 200,
  bytes: 10_000,
  ...more,
})

function noted(...visits: readonly Partial<CrawlerVisit>[]): CrawlerWeek {
  const week = new CrawlerWeek()
  for (const one of visits) week.note(visit(one))
  return week
}

const totals: [
  sentence: string,
  visits: Partial<CrawlerVisit>[],
  requests: number,
  repeats: number,
  repeatBytes: number,
][] = [
  ['a page that was never sent is none that it had', [{}, { path: '/b' }], 2, 0, 0],
  ['the same page with the same length is one that it had', [{}, {}, {}], 3, 2, 20_000],
  ['with another length it is news', [{}, { bytes: 10_001 }], 2, 0, 0],
  ['a 304 brings nothing that it had', [{}, { status: 304, bytes: 0 }], 2, 0, 0],
  ['what one crawler has another has not', [{}, { agent: 'bingbot/2.0' }], 2, 0, 0],
  [
    'people are not counted',
    [{ agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }],
    0,
    0,
    0,
  ],
  ['who has proven to be one is a crawler whatever it calls itself', [{ agent: '', proven: 'c.example' }], 1, 0, 0],
  [
    'what is over a week before the newest day is left out, and what it brought is had',
    [{ at: AT - 8 * DAY }, {}],
    1,
    1,
    10_000,
  ],
  ['six days before it counts', [{ at: AT - 6 * DAY }, {}], 2, 1, 10_000],
  ['a time that is none is nothing', [{ at: Number.NaN }], 0, 0, 0],
]
for (const [sentence, visits, requests, repeats, repeatBytes] of totals) {
  test(sentence, () => {
    const { total } = noted(...visits).week()
    assert.deepEqual([total.requests, total.repeats, total.repeatBytes], [requests, repeats, repeatBytes])
  })
}

const nothing: CrawlerCost = {
  requests: 0,
  bytes: 0,
  repeats: 0,
  repeatBytes: 0,
  hours: 0,
  wholeRequests: 0,
  wholeBytes: 0,
}
const savings: [sentence: string, cost: Partial<CrawlerCost>, possible: Saving, made: Saving][] = [
  ['who has nothing twice saves nothing', { requests: 5, bytes: 500, hours: 1, wholeRequests: 5, wholeBytes: 500 }, { requests: 0, bytes: 0 }, { requests: 0, bytes: 0 }],
  ['a question an hour comes off', { repeats: 100, repeatBytes: 1e6, hours: 10 }, { requests: 90, bytes: 992_970 }, { requests: 0, bytes: 0 }],
  ['who came once an hour saves bytes alone', { repeats: 3, repeatBytes: 1e6, hours: 10 }, { requests: 0, bytes: 992_970 }, { requests: 0, bytes: 0 }],
  ['a dump in place of its pages has saved requests', { requests: 7, bytes: 4_300_000, wholeRequests: 559, wholeBytes: 4_000_000 }, { requests: 0, bytes: 0 }, { requests: 552, bytes: 0 }],
] // oxfmt-ignore
for (const [sentence, cost, possible, made] of savings) {
  test(sentence, () => {
    const whole = { ...nothing, ...cost }
    assert.deepEqual([possibleSaving(whole), madeSaving(whole)], [possible, made])
  })
}

test('a stranger who invents names and paths fills no more than a table of them', () => {
  const week = new CrawlerWeek()
  for (let n = 0; n < 1_000; n++) week.note(visit({ agent: `made-up-${n}-bot/1.0`, path: `/${'x'.repeat(500)}${n}` }))
  week.note(visit())
  const { crawlers, total } = week.week()
  assert.ok(crawlers.length <= 203, `${crawlers.length} names`)
  assert.equal(total.requests, 1_001)
  assert.ok(
    crawlers.some(({ crawler }) => crawler === 'Googlebot') && crawlers.some(({ crawler }) => crawler === 'others'),
  )
})

test('what is written down is gone on with, and rows that make no sense are left out', () => {
  const week = noted({}, {}, { agent: 'GPTBot/1.2', at: AT - DAY })
  const rows: unknown = JSON.parse(JSON.stringify(week.rows()))
  assert.deepEqual(new CrawlerWeek(readCrawlerDays(rows)).week(), week.week())
  const odd = [
    null,
    7,
    {},
    { day: 1, crawler: 'x'.repeat(65) },
    { ...week.rows()[0], bytes: -1 },
    { ...week.rows()[0], day: '1' },
  ]
  assert.deepEqual(readCrawlerDays(odd), [])
  assert.deepEqual(readCrawlerDays('days'), [])
})

test('the page answers in money and bytes, and nothing a stranger wrote is markup in it', () => {
  const week = new CrawlerWeek()
  for (let n = 0; n < 100; n++) week.note(visit({ bytes: 1e9, wholeBytes: 2e9, at: AT + (n % 5) * 3_600_000 }))
  const row = {
    ...week.rows()[0]!,
    crawler: '<img src=x>',
    requests: 0,
    bytes: 0,
    repeats: 0,
    repeatBytes: 0,
    wholeBytes: 0,
  }
  const shown = new CrawlerWeek([...week.rows(), row]).week()
  const text = costSection(shown, defaultPrices, true)
  assert.match(text, /crawlers cost you <b>\$9\.00<\/b> 100 requests, 100\.0 GB/)
  assert.match(text, /cooperation has saved <b>\$9\.00<\/b>/)
  assert.match(text, /it would save besides <b>\$8\.91<\/b> 94 requests/)
  assert.doesNotMatch(costPage(shown, '<script>', { ...defaultPrices, currency: 'EUR' }), /<img|<script/)
  assert.match(costPage(new CrawlerWeek().week(), 'empty', defaultPrices), /No crawler has come this week/)
})
