// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missing, sharedData } from '@comity/protocol/testing'
import { runRelevance } from './experiment.ts'
import { comparisonsOf } from './figures.ts'
import type { RelevanceRun } from './runs.ts'
import { searchSet } from './runs.ts'
import { openRelevanceSet } from './set.ts'
import type { RelevanceSet } from './set.ts'
import { relevanceDefaults, relevanceSettings } from './settings.ts'
import { renderReport } from '../../report/page.ts'

const document = (key: number, title: string, text: string): RelevanceSet['documents'][number] => ({
  key,
  url: `https://a.example/${key}`,
  title,
  headings: [],
  text,
})

/** Three questions, for each of which one page is clearly the answer. */
const small: RelevanceSet = {
  name: 'Small',
  documents: [
    document(1, 'Crawlers', 'Polite crawlers wait between visits to a server.'),
    document(2, 'Wings', 'The lift of a wing in the slipstream of a propeller.'),
    document(3, 'Bread', 'Flour and water and salt; wait for an hour.'),
    document(4, 'Soup', 'Water and salt and onions; no waiting at all.'),
  ],
  questions: [
    { number: 1, text: 'How do crawlers wait politely?', relevant: new Set([1]) },
    { number: 2, text: 'slipstream-wings OR NOT', relevant: new Set([2]) },
    { number: 3, text: 'onions, and again onions, in water', relevant: new Set([4]) },
  ],
  unjudged: 0,
}

test('a set is searched in every way, and the answers come first', async () => {
  const parts: string[] = []
  const result = await runRelevance(small, {}, { onPart: (what, done, of) => parts.push(`${done + 1}/${of} ${what}`) })
  assert.equal(parts.at(0), '1/7 bm25, k1 1.2, b 0.75')
  assert.equal(parts.at(-1), '7/7 default, typed')
  const table = result.tables.find(({ id }) => id === result.toldTable)
  assert.ok(table)
  assert.deepEqual(
    table.columns.map(({ label }) => label),
    ['ranking', 'MAP', 'nDCG@10', 'P@10', 'P@30', 'recall'],
  )
  for (const [name, ...measures] of table.rows.slice(0, 2))
    assert.deepEqual(measures, ['1.0000', '1.0000', '0.1000', '0.0333', '1.0000'], String(name))
  assert.match(result.finding, /There is no figure of others to compare with/)
})

test('the same set gives the same report, byte for byte', async () => {
  const [first, second] = [await runRelevance(small), await runRelevance(small)]
  assert.equal(renderReport([first]), renderReport([second]))
})

test('a question that is worth comparing must be judged', async () => {
  await assert.rejects(runRelevance({ ...small, questions: [] }), RangeError)
})

// oxfmt-ignore
const bad: [given: Record<string, unknown>, message: RegExp][] = [
  [{ rankings: ['hf'] },          /nobody reads the pages of a test set/],
  [{ rankings: ['best'] },        /best is no ranking; there are bm25/],
  [{ rankings: [] },              /rankings is empty/],
  [{ k1: [1, 2] , b: [0.5] },     /in pairs.*there are 2 and 1/],
  [{ k1: [0], b: [0.5] },         /k1 is 0/],
  [{ k1: [1], b: [1.5] },         /b is 1\.5/],
  [{ language: 'English' },       /language is "English"/],
  [{ depth: 0 },                  /depth is 0/],
  [{ seed: 1 },                   /no setting seed; it has rankings/],
]
for (const [given, message] of bad) {
  test(`settings ${JSON.stringify(given)} are refused`, () => {
    assert.throws(() => relevanceSettings(given), message)
  })
}

const only = { ...relevanceDefaults, rankings: ['bm25', 'idf'] }

async function runsOf(name: string): Promise<readonly RelevanceRun[] | undefined> {
  const path = sharedData(`relevance/${name}`)
  return path === undefined ? undefined : (await searchSet(await openRelevanceSet(path), only, () => undefined)).runs
}

for (const [name, set, figures] of [
  ['cranfield', 'Cranfield', 4],
  ['cacm', 'CACM', 2],
] as const) {
  test(`on ${set} no measure is below Lucene's by more than 0.005, and 1/df alone is far below`, async (t) => {
    const runs = await runsOf(name)
    if (runs === undefined) return missing(t, `relevance/${name}`)
    const comparisons = comparisonsOf(set, runs)
    assert.equal(comparisons.length, figures)
    for (const { measure, ours, theirs, isReached } of comparisons)
      assert.ok(isReached, `${measure} is ${ours.toFixed(4)}, Lucene's ${theirs.toFixed(4)}`)
    const idf = runs.find(({ rank }) => rank === 'idf')!
    assert.ok(idf.measures.map < runs[0]!.measures.map - 0.05)
  })
}
