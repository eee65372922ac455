import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PushStory, FreshnessStory } from '@comity/follow'
import { freshnessLines } from './freshness-report.ts'

const DAY = 86_400_000
const story: FreshnessStory = {
  visits: 7,
  visitedAt: 0,
  changesEveryMs: 5 * DAY,
  heard: [{ channel: 'filter', signals: 2 }],
  heardAt: 9 * DAY,
  outdated: 0.87,
  dueAt: 12 * DAY,
  policy: 'value',
  dayMs: DAY,
  site: { offers: [], uses: 'filter', channels: [], why: ['filter: 46 of 48 announced pages had changed; believed.'] },
}
const lines = (changes: Partial<FreshnessStory>): string =>
  freshnessLines({ freshness: { ...story, ...changes } }, 10 * DAY).join('\n')

const cases: [sentence: string, changes: Partial<FreshnessStory>, words: RegExp][] = [
  ['how often it changes', {}, /changes +about every 5 d(?:ays)?, by 7 visits/],
  [
    'before the second visit nobody knows',
    { changesEveryMs: undefined },
    /changes +not known before it is visited again/,
  ],
  ['what was heard since the last visit', {}, /heard since +2 signals by filter, last .+ ago/],
  ['nothing was heard', { heard: [], heardAt: undefined }, /heard since +nothing/],
  ['how likely it is outdated', {}, /outdated +with a probability of 87 %/],
  ['when it is due', {}, /worth a visit +in 2 d(?:ays)?, by the policy value/],
  ['it is due already', { dueAt: DAY }, /worth a visit +now, by/],
  ['only a signal makes it due', { dueAt: undefined }, /worth a visit +not before something is heard/],
  ['how far its site is believed', {}, /filter: 46 of 48/],
  ['that a day was no day', { dayMs: 5_000 }, /a day +lasts 5 s here/],
]
for (const [sentence, changes, words] of cases) {
  test(`the report tells: ${sentence}`, () => assert.match(lines(changes), words))
}

const calls: PushStory = {
  offers: ['pages'],
  subscription: { scheme: 'pages', state: 'active' },
  heard: 12,
  outcomes: { applied: 12 },
  schemes: { pages: 12 },
  bytes: 9_000,
  refused: {},
  worth: 1,
  taken: 12,
  checked: 4,
  different: 2,
  strikes: 1,
  restsUntil: 11 * DAY,
  why: ['12 pages were taken as sent; of 4 that were fetched too, 2 were other pages: not believed.'],
}

test('a site that pushes: what it sends, how much came, and that it is not believed, with the reason', () => {
  const text = lines({ site: { ...story.site, calls } })
  assert.match(text, /it pushes +pages, 12 pages and notices so far; not believed at present/)
  assert.match(text, /of 4 that were fetched too, 2 were other pages/)
  assert.doesNotMatch(lines({}), /it pushes/)
  const offers = { ...calls, subscription: undefined, heard: 0, why: ['It offers to send pages.'] }
  assert.doesNotMatch(lines({ site: { ...story.site, calls: offers } }), /it pushes/)
  assert.match(lines({ site: { ...story.site, calls: offers } }), /It offers to send pages/)
})

test('a page that is not kept fresh has nothing to tell', () => {
  assert.deepEqual(freshnessLines({ freshness: undefined }, 0), [])
})

test('what a site had a hand in cannot move the cursor', () => {
  const site = { ...story.site, why: ['\x1b[2J gone'] }
  assert.ok(!lines({ site }).includes('\x1b'))
})
