/** Expensive searches: whatever is asked, a search takes no more steps than it may, and says where it was stopped. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { IndexDocument } from '../document.ts'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { PageStatics } from '../rank/page-statics.ts'
import { parseQuery } from './parser.ts'
import { rankDefaults } from '../rank/ranking.ts'
import { countedSearch, rankedSearch } from '../rank/ranked-search.ts'
import { samplePage } from '../testing/sample-pages.ts'
import { testFolder } from '../testing/sample-index.ts'
import { SearchEngine } from '../search-engine.ts'
import { SearchWork, WorkSpent, withinWork } from './search-work.ts'

const PAGES = 3_000
const contentOf = async (): Promise<undefined> => await Promise.resolve(undefined)
const STOPS = ['the', 'of', 'and', 'to', 'in', 'is', 'that', 'it']

/** Every page has every word that all pages have, in another order, many times; and some words of its own. */
function pages(): IndexDocument[] {
  return Array.from({ length: PAGES }, (_, page) => {
    const words = Array.from({ length: 120 }, (__, at) => STOPS[(at * (1 + (page % 5)) + page) % STOPS.length]!)
    return samplePage(page + 1, `${words.join(' ')} pa${page} pb${page % 100} common`, { language: 'und' })
  })
}

function indexOf(t: TestContext): string {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  for (const page of pages()) writer.put(page)
  writer.commit(1)
  return dir
}

/** What somebody may ask who means ill: all of it within what a query may be. */
const expensive: readonly string[] = [
  'the of and to in is that it',
  '"the of and to in is that it"',
  '"of the of the of the of the of the" -zebra',
  STOPS.flatMap((one) => STOPS.map((other) => `"${one} ${other}"`))
    .slice(0, 16)
    .join(' OR '),
  'pa* OR pb* OR co* OR th*',
  'pa* pb*',
  `${'('.repeat(15)}the OR of${') AND (and OR to'.repeat(14)})`,
  '-pa1 -pb2 common',
  'common -(the of)',
  'title:the OR url:a OR common',
  Array.from({ length: 32 }, (_, i) => `pa${i}*`).join(' OR '),
  Array.from({ length: 256 }, (_, i) => `${STOPS[i % STOPS.length]}${i < STOPS.length ? '' : `-${STOPS[i % 5]}`}`).join(
    ' ',
  ),
  'site:a.example',
  'NOT common',
]

test(
  'no search takes more steps than it may, whatever is asked and however it is ranked',
  { timeout: 120_000 },
  (t) => {
    const dir = indexOf(t)
    using reader = new IndexReader(dir)
    using engine = new SearchEngine(dir, { contentOf })
    const statics = new PageStatics(dir, rankDefaults)
    // At most a block of postings with all their places, or a window with all alternatives, is asked for before it is seen.
    const slack = 64_000
    for (const text of expensive) {
      const { filters } = parseQuery(text, 0)
      for (const rank of ['default', 'bm25', 'idf', 'hf', 'hf-idf'] as const) {
        const query = { plan: engine.plan(text), filters, rank, most: 1_100, weights: rankDefaults }
        for (const most of [100, 20_000]) {
          const [ranking, counting] = [new SearchWork(most), new SearchWork(most)]
          rankedSearch(reader.view, query, statics, ranking)
          const { isLowerBound } = countedSearch(reader.view, query, statics, 100_000, () => undefined, counting)
          assert.ok(
            ranking.spent <= most + slack && counting.spent <= most + slack,
            `${text}: ${ranking.spent} ${counting.spent}`,
          )
          assert.equal(isLowerBound, counting.isSpent, text)
        }
      }
    }
  },
)

test('a search that was stopped says so, and shows what it has found', async (t) => {
  const dir = indexOf(t)
  using engine = new SearchEngine(dir, { contentOf, maxSteps: 20_000 })
  const answer = await engine.search({ query: '"of the of the" OR "the of and"' })
  assert.match(answer.problems.join(), /stopped.*rarer words/)
  assert.equal(answer.isLowerBound, true)
  const [rare] = (await engine.search({ query: 'pa7' })).results
  assert.equal(rare?.key, 8, 'what is rare is found as ever')
})

test('a search that is not stopped finds what it found before there was a limit', async (t) => {
  const dir = indexOf(t)
  using usual = new SearchEngine(dir, { contentOf })
  using unlimited = new SearchEngine(dir, { contentOf, maxSteps: Infinity })
  for (const query of expensive) {
    const [one, other] = [await usual.search({ query }), await unlimited.search({ query })]
    assert.deepEqual({ ...one, tookMs: 0 }, { ...other, tookMs: 0 }, query)
    assert.doesNotMatch(one.problems.join(), /stopped/)
  }
})

test('one letter is no prefix: it says what to write', async (t) => {
  using engine = new SearchEngine(indexOf(t), { contentOf })
  assert.match((await engine.search({ query: 'a*' })).problems.join(), /\*/)
})

test('work that is spent ends what is at work, and other errors are told', () => {
  const work = new SearchWork(10)
  assert.equal(
    withinWork(() => work.spend(10)),
    true,
  )
  assert.equal(
    withinWork(() => work.spend(1)),
    false,
  )
  assert.ok(work.isSpent && work.spent === 11)
  assert.throws(() => new SearchWork(0).spend(1), WorkSpent)
  assert.throws(() => withinWork(() => assert.fail('no')), /no/)
})
