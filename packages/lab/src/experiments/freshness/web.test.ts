import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHANNEL_KINDS } from './channels.ts'
import type { ChannelKind } from './channels.ts'
import { historyWeb, stretchesOf } from './history.ts'
import { freshnessSettings } from './settings.ts'
import { kindsOf, madeWeb } from './web.ts'
import type { FreshnessWeb } from './web.ts'
import { historyOf } from '../../webs/history-file.ts'
import type { HistoryEvent } from '../../webs/history-file.ts'

const settings = freshnessSettings({ sites: 4, pagesPerSite: 200, days: 200 })
const changesOf = ({ events }: FreshnessWeb): string =>
  events
    .filter(({ isSignal }) => !isSignal)
    .map(({ at, page }) => `${page}@${at}`)
    .join()

test('whatever sites say, the pages and changes of a seed are the same', () => {
  const webs = Object.keys(CHANNEL_KINDS).map((name) => madeWeb(name, 3, settings))
  assert.equal(new Set(webs.map(changesOf)).size, 1)
  assert.notEqual(changesOf(madeWeb('silent', 4, settings)), changesOf(webs[0]!))
})

for (const kind of ['honest', 'stale', 'lying'] satisfies ChannelKind[]) {
  test(`${kind} sites announce as many changes, and as many that are none, as they should`, () => {
    const { events } = madeWeb(kind, 1, settings)
    const changes = events.filter(({ isSignal }) => !isSignal)
    const signals = events.length - changes.length
    const { recall, precision } = CHANNEL_KINDS[kind]
    const expected = (changes.length * recall) / precision
    assert.ok(Math.abs(signals / expected - 1) < 0.1, `${signals} signals where ${expected} were expected`)
  })
}

test('silent and dated sites announce nothing, and events are in order of time', () => {
  for (const kind of ['silent', 'dated']) assert.ok(madeWeb(kind, 1, settings).events.every((one) => !one.isSignal))
  const { events } = madeWeb('lying', 1, settings)
  assert.ok(events.every(({ at }, i) => i === 0 || events[i - 1]!.at <= at))
})

test('on a mixed web sites of all kinds take turns', () => {
  assert.deepEqual(kindsOf('mixed', 5), ['honest', 'stale', 'lying', 'silent', 'honest'])
  assert.throws(() => kindsOf('vain', 1), /no sites of the kind "vain"/)
})

const DAY = 86_400_000
const event = (day: number, change: HistoryEvent['change']): HistoryEvent => ({
  at: day * DAY,
  change,
  content: 'x',
  bytes: 1,
})

test('of a history, top folders are sites, links give importance, and a site has no more pages than allowed', () => {
  const pages = new Map<string, HistoryEvent[]>()
  for (let n = 0; n < 5; n++) pages.set(`docs/${n}.html`, [event(0, 'created'), event(120 + n, 'updated')])
  pages.set('index.html', [event(0, 'created'), event(400, 'updated')])
  const history = historyOf('site', pages)
  const own = freshnessSettings({ historyDays: 300, historySitePages: 2, seeds: [1] })
  const [stretch] = stretchesOf(history, own).taken
  const web = historyWeb(history, new Map([['index.html', 3]]), stretch!.from, 'dated', 1, own)
  assert.deepEqual([...web.siteOf], [0, 0, 1])
  assert.deepEqual([...web.importance], [1, 1, 3])
  assert.deepEqual(web.kinds, ['dated', 'dated'])
  assert.equal(web.events.length, 2)
  assert.throws(() => stretchesOf(history, freshnessSettings({ historyDays: 500 })), /shorter than the 500 days/)
})
