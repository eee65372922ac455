/** Fuzz target: what machines of a cluster tell one another when somebody searches all shards. */
import assert from 'node:assert/strict'
import { readAsks } from '../../packages/cluster/src/search/gathered-asks.ts'
import {
  factsAnswer,
  isFactsQuestion,
  isRankQuestion,
  isShowQuestion,
  rankAnswer,
  rankQuestion,
  readFacts,
  readRanking,
  readRankQuestion,
  readShown,
  shownAnswer,
} from '../../packages/cluster/src/search/search-messages.ts'
import { jsonIn } from './fuzz-target.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const LISTS = { sites: [{ host: 'a.example', port: undefined, pathPrefix: '/b' }], types: ['text/html'], languages: [] }
const PLAN = {
  kind: 'all',
  parts: [
    { kind: 'term', term: 'salt', times: 1 },
    { kind: 'phrase', words: [['old', 'older'], ['lamp']] },
    { kind: 'without', part: { kind: 'every' }, not: { kind: 'zone', zones: 1, term: 'x' } },
  ],
} as const
const STEP = {
  plan: PLAN,
  filters: { only: LISTS, except: LISTS, since: 1 },
  rank: 'default',
  most: 10,
  isCounted: true,
} as unknown as Parameters<typeof rankQuestion>[1]
const STATISTICS = { documents: 10, meanLength: 3.5, totalsOf: () => ({ documents: 2, places: 3 }) }
const HIT = { score: 1.5, key: 1, segment: 0, doc: 2, group: 0, similar: [1, 2] } as const
const FACETS = [{ value: 'a.example', pages: 3 }]
const FOUND = { matches: 3, isLowerBound: false, facets: { sites: FACETS, types: FACETS, languages: FACETS } }
const SHOWN = {
  key: 1,
  url: 'https://a.example/',
  title: 'A lamp',
  score: 1.5,
  snippet: { text: 'an old lamp', marks: [[3, 6]] },
  site: 'a.example',
  type: 'text/html',
  language: 'en',
  at: 1,
} as unknown as Parameters<typeof shownAnswer>[0][number]
const FACTS_OF_ONE = {
  view: 1,
  documents: 3,
  written: 3,
  words: 9,
  languages: [['en', 3]],
  totals: [{ documents: 1, places: 2 }],
  alike: [[['lamps', 2]]],
  problems: ['no segment'],
} as unknown as Parameters<typeof factsAnswer>[0]

/** What is read is what was written, and what is none is refused without an error. */
function checkMessages(bytes: Buffer): void {
  const said = jsonIn(bytes.toString())
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return
  const message = said as Record<string, unknown>
  const asks = readAsks(message)
  assert.ok(asks === undefined || asks.every(({ to }) => typeof to === 'string'))
  isFactsQuestion(message)
  isShowQuestion(message)
  if (isRankQuestion(message)) {
    const { view, step, statistics } = readRankQuestion(message)
    const again = rankQuestion(view, step, statistics)
    assert.ok(isRankQuestion(again), 'a question that is handed on is one')
  }
  const ranking = readRanking(message)
  if (ranking !== undefined) assert.deepEqual(readRanking(rankAnswer(ranking)), ranking)
  const facts = readFacts(message)
  if (facts !== undefined) assert.deepEqual(readFacts(factsAnswer(facts)), facts)
  const shown = readShown(message)
  if (shown !== undefined) assert.equal(readShown(shownAnswer(shown))?.length, shown.length)
}

export const searchMessageTarget: FuzzTarget = {
  name: 'search-messages',
  samples: [
    rankQuestion(1, STEP, STATISTICS),
    rankAnswer({ hits: [HIT], facts: FOUND, isSpent: false }),
    factsAnswer(FACTS_OF_ONE),
    shownAnswer([SHOWN]),
    { view: 1, terms: ['salt'], prefixes: ['la'] },
    { asks: [{ to: 'shard.1', message: { view: 1, terms: ['salt'] } }] },
  ].map((message) => JSON.stringify(message)),
  words: [
    '"kind":',
    '"parts":[',
    '{"kind":"every"}',
    '"without"',
    '"zone"',
    'null',
    '-1',
    '1e999',
    '[]',
    '{}',
    '"constructor"',
  ],
  check: checkMessages,
}
