import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pushStories } from '../testing/pushes-fixture.ts'
import { flat, wordsOf } from '../testing/flat-fixture.ts'
import { renderFreshnessPage } from './freshness-page.ts'
import type { FreshnessModel } from '../model/models.ts'
import { models, sampleAt, statistics, trustRows, watchAt, watchedAt } from '../testing/pages-fixture.ts'

const { freshness } = models
const draw = (changes: Partial<FreshnessModel> = {}): string => flat(renderFreshnessPage({ ...freshness, ...changes }))
const running = { kind: 'running', pid: 1, startedAt: 0 } as const

test('a watch shows how fresh things are, what that costs, and the truth where it is known', () => {
  const page = wordsOf(draw())
  assert.match(page, /How fresh it is, now/)
  assert.match(page, /Freshness, estimated and true ?86 % \/ 83 %/)
  assert.match(page, /True freshness by kind of site ?98 % \/ 71 % ?cooperating \/ ordinary/)
  assert.match(page, /19 %/, 'needless')
  assert.match(page, /difference ?10 ?6\.4 KB ?10 ?0 ?only what changed/)
  assert.doesNotMatch(draw(), /A day of this watch lasts/)
})

test('where nobody knows the truth, nothing pretends to', () => {
  const { truth: _, ...sample } = watchedAt(3)
  const page = wordsOf(draw({ crawl: { ...running, sample } }))
  assert.match(page, /Freshness, estimated ?\d/)
  assert.doesNotMatch(page, /true|truly/i)
})

test('rows without numbers are there, hidden, for what is still to come', () => {
  const page = draw()
  assert.match(page, /<tr data-row="dump" hidden>/)
  assert.match(page, /<tr data-row="difference"\s*><th/)
  const quiet = draw({ crawl: { ...running, sample: { ...watchedAt(0), watch: { ...watchAt(0), signals: {} } } } })
  assert.match(quiet, /<table class="spending cards" id="by-channel" hidden>/)
  assert.match(wordsOf(quiet), /Nothing so far/)
})

test('a day that is no day is told', () => {
  const sample = { ...watchedAt(0), watch: { ...watchAt(0), dayMs: 5_000 } }
  assert.match(wordsOf(draw({ crawl: { ...running, sample } })), /A day of this watch lasts 5 s/)
})

test('sites that push are told of in short, with the way to more, where they are heard', () => {
  assert.match(
    wordsOf(draw()),
    /Sites that push ?pages and notices a second ?4 ?from change to searchable ?720 ms ?waiting to be taken in ?3 ?sites subscribed to ?2/,
  )
  assert.match(draw(), /<a href="\/calls">/)
  const { pushes: _, ...deaf } = watchAt(0)
  const page = draw({ crawl: { ...running, sample: { ...watchedAt(0), watch: deaf } } })
  assert.doesNotMatch(page, /<section id="calls">/)
})

const idle: [sentence: string, model: Partial<FreshnessModel>, words: RegExp][] = [
  ['no crawl runs', { crawl: statistics.crawl }, /No crawl is running.+Nobody has kept this collection fresh yet/],
  ['a crawl keeps nothing fresh', { crawl: { ...running, sample: sampleAt(0) } }, /only looks for new pages/],
  [
    'the last watch is remembered',
    { crawl: statistics.crawl, last: { at: 0, watch: watchAt(0) } },
    /It ended at 1970-01-01 00:00:00 UTC, by the policy value: 86 % of 41,250 pages.+19 % of them needless/,
  ],
]
for (const [sentence, model, words] of idle) {
  test(`at rest: ${sentence}`, () => {
    const page = draw(model)
    assert.match(page, /data-state="none"/)
    assert.match(wordsOf(page), words)
    assert.match(wordsOf(page), /comity watch DIR/)
  })
}

test('trust: what a site offers, what is asked, what failed, and who is not believed, with the reasons', () => {
  const page = wordsOf(draw())
  assert.match(
    page,
    /docs\.example\.org ?9,000 ?filter, change-list, batch; pushes ?change-list failed 3 times: it ended/,
  )
  assert.match(
    page,
    /70 % ?91 % ?\(filter 90 %, sitemap 12 %\) ?with doubts ?sitemap: not until 2026-11-16 12:00:00 UTC, for false alarms/,
  )
  assert.match(page, /About 91 % of the changes are announced/)
  assert.match(page, /73 sites more have nothing but pages/)
  assert.match(draw(), /rel="next" href="\/freshness\?offset=4&amp;limit=4"/)
})

test('trust: a site that sends other pages than it serves is believed with doubts, whatever else it says', () => {
  const liar = { ...trustRows[1]!, calls: pushStories[1] }
  assert.match(
    wordsOf(draw({ sites: [liar] })),
    /with doubts ?what it sends: ?not believed until 2026-11-17 12:00:00 UTC/,
  )
  assert.match(draw({ sites: [liar] }), /filter.+; <a href="\/calls">pushes<\/a>/)
})

test('trust: a site that said nothing yet is neither right nor wrong, and no site at all is said so', () => {
  assert.match(wordsOf(draw({ sites: [trustRows[1]!] })), /sitemap ?– ?– ?nothing was heard yet/)
  assert.match(
    wordsOf(draw({ sites: [], total: 0, ordinary: 1 })),
    /No site is known that tells.+1 site more has nothing/,
  )
})
