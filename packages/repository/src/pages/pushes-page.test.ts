import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INTAKE_OUTCOMES } from '@comity/ingest'
import { pushStories, pushesAt } from '../testing/pushes-fixture.ts'
import { renderPushesPage } from './pushes-page.ts'
import { flat, wordsOf } from '../testing/flat-fixture.ts'
import type { PushesModel } from '../model/models.ts'
import { models, sampleAt, statistics, watchAt, watchedAt } from '../testing/pages-fixture.ts'
import { PUSH_REFUSALS } from '@comity/receiver'

const { calls } = models
const draw = (changes: Partial<PushesModel> = {}): string => flat(renderPushesPage({ ...calls, ...changes }))
const running = { kind: 'running', pid: 1, startedAt: 0 } as const

test('how much comes, how soon it can be found, and what waits', () => {
  const page = wordsOf(draw())
  assert.match(page, /Pages and notices a second ?4 ?410 KB so far/)
  assert.match(page, /From change to searchable ?720 ms \/ 2\.4 s/)
  assert.match(page, /From arrival to taken in ?24 ms \/ 180 ms/)
  assert.match(page, /Waiting to be taken in ?3/)
  assert.match(page, /2 sites are ?subscribed to, and 1 hub has yet to say yes/)
  assert.match(
    page,
    /160 requests with 410 KB ?were accepted: 150 by websub, 10 by indexnow; 1 notice waits for a key file/,
  )
})

test('what came of it and what was refused, in words; rows without numbers are there, hidden', () => {
  const page = draw()
  assert.match(wordsOf(page), /applied ?120 ?a page, taken as it was sent/)
  assert.match(wordsOf(page), /forged ?2 ?The signature is not by the site \(403\)/)
  for (const name of [...INTAKE_OUTCOMES.map(([outcome]) => outcome), ...Object.keys(PUSH_REFUSALS)])
    assert.ok(page.includes(`<tr data-row="${name}"`), name)
  assert.match(page, /<tr data-row="unreadable" hidden>/)
  const pushes = { ...pushesAt(0), outcomes: {}, searchable: undefined, doors: undefined }
  const quiet = draw({ crawl: { ...running, sample: { ...watchedAt(0), watch: { ...watchAt(0), pushes } } } })
  assert.match(quiet, /<table class="spending cards" id="by-outcome" hidden>/)
  assert.match(wordsOf(quiet), /From change to searchable ?–/)
})

test('who pushes, by which scheme, and who is believed, with the reasons', () => {
  const page = wordsOf(draw())
  assert.match(
    page,
    /docs\.example\.org ?differences ?174 ?2026-11-15 11:59:57 UTC ?by websub ?12\.4 ?0 of 9 ?yes ?Why\?/,
  )
  assert.match(page, /pages ?174.+4 of 9 ?no ?not believed until 2026-11-17 12:00:00 UTC/)
  assert.match(page, /differences, changes ?174.+again ?after 1 time that it was not/)
  assert.match(page, /could: ?changes, differences, pages ?0 ?never.+nothing was to be believed yet/)
  assert.match(page, /proven by a subscription that its hub verified/)
  assert.match(draw(), /rel="next" href="\/calls\?offset=4&amp;limit=4"/)
  assert.match(wordsOf(draw({ sites: [], total: 0 })), /No site is known that pushes, or offers to/)
})

const { pushes: _, ...deaf } = watchAt(0)
const idle: [sentence: string, model: Partial<PushesModel>, words: RegExp][] = [
  ['no crawl runs', { crawl: statistics.crawl }, /Nobody is listened to now/],
  ['a crawl keeps nothing fresh', { crawl: { ...running, sample: sampleAt(0) } }, /Nobody is listened to now/],
  ['a watch hears nobody', { crawl: { ...running, sample: { ...sampleAt(0), watch: deaf } } }, /Nobody is listened to/],
  [
    'the last watch is remembered',
    { crawl: statistics.crawl, last: { at: 0, watch: watchAt(0) } },
    /It ended at 1970-01-01 00:00:00 UTC\. ?pages and notices ?174 ?bytes ?410 KB.+from change to searchable ?720 ms.+applied ?120/,
  ],
]
for (const [sentence, model, words] of idle) {
  test(`at rest: ${sentence}`, () => {
    const page = draw(model)
    assert.match(page, /data-state="none"/)
    assert.match(wordsOf(page), words)
    assert.match(wordsOf(page), /comity watch DIR --listen 8091/)
  })
}

test('a site that only offers to push is told as such among others', () => {
  const page = wordsOf(draw({ sites: [{ origin: 'https://a.example', held: 1, calls: pushStories[3]! }], total: 1 }))
  assert.match(page, /It offers to send changes, differences, pages, and is not subscribed to: it is asked/)
})
