import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CrawlSummary } from '@comity/crawler'
import type { WatchSample } from '@comity/follow'
import { percent, watchReport, watchText } from './report.ts'

const sample: WatchSample = {
  policy: 'value',
  requestsPerSecond: 5,
  dayMs: 86_400_000,
  pages: 1_200,
  freshness: 0.934,
  ageSeconds: 42,
  requests: 300,
  bytes: 2_500_000,
  needless: 210,
  schemes: {
    'not-modified': { requests: 210, bytes: 0, changed: 0, unchanged: 210 },
    difference: { requests: 40, bytes: 20_000, changed: 40, unchanged: 0 },
    filter: { requests: 12, bytes: 3_400, changed: 0, unchanged: 0 },
  },
  signals: { filter: { news: 38, known: 4 } },
}

test('the line says how fresh the collection is first, and fits the screen', () => {
  const line = watchText(sample, 4.97, 200)
  assert.match(line, /^93 % fresh · 1,200 held · 5\/s · 40 changed · 210 needless/)
  assert.equal(watchText(sample, 4.97, 20).length, 20)
})

const shares: [share: number, text: string][] = [
  [1, '100.0 %'],
  [0.997, '99.7 %'],
  [0.5, '50 %'],
  [0.014, '1.4 %'],
]
for (const [share, text] of shares) test(`a share of ${share} is ${text}`, () => assert.equal(percent(share), text))

test('the report has a line for each scheme and for each channel', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the time is read of it.
  const text = watchReport({ seconds: 60 } as CrawlSummary, sample).join('\n')
  assert.match(text, /300 requests and 2.5 MB in 1 min by the policy value; 210 of them needless/)
  assert.match(text, /difference\s+40 requests\s+20 KB\s+40 changed\s+0 unchanged/)
  assert.match(text, /filter\s+38 news\s+4 known already/)
})

test('where sites that push are heard, the line and the report tell of them', () => {
  const pushes = {
    outcomes: { applied: 7 },
    bytes: 900,
    perSecond: 2,
    delayP50Ms: 5,
    delayP99Ms: 9,
    searchable: { count: 7, p50Ms: 700, p99Ms: 900 },
    subscriptions: { active: 1, asked: 0 },
  }
  assert.match(watchText({ ...sample, pushes }, 1, 200), /age 42 s · 2\/s heard · found after 700 ms$/)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the time is read of it.
  const text = watchReport({ seconds: 60 } as CrawlSummary, { ...sample, pushes }).join('\n')
  assert.match(text, /Sites that push\n {2}1 subscription; 7 pages and notices, 900 bytes\n {2}applied {2}7/)
  assert.doesNotMatch(watchText(sample, 1, 200), /heard/)
})
