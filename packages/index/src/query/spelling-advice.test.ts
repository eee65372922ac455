import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { untilSo } from '@comity/protocol/testing'
import { IndexReader } from '../read/index-reader.ts'
import { IndexWriter } from '../write/index-writer.ts'
import { parseQuery } from './parser.ts'
import { testFolder } from '../testing/sample-index.ts'
import { samplePage } from '../testing/sample-pages.ts'
import { SpellingAdvice } from './spelling-advice.ts'

/** Twenty pages with these words each, in two segments. */
async function suggested(t: TestContext, text: string, query: string, hasContent = true): Promise<string | undefined> {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  for (let page = 0; page < 20; page++) {
    writer.put(samplePage(page, text, { language: 'en' }))
    if (page === 9) writer.commit(1)
  }
  writer.commit(2)
  using reader = new IndexReader(dir)
  const advice = new SpellingAdvice(async () => (hasContent ? { title: '', text } : undefined))
  const parsed = parseQuery(query, 0)
  if (!advice.isLikely(parsed, reader.view, ['en'])) return undefined
  await advice.prepare(reader.view, { open: () => new IndexReader(dir), patienceMs: Infinity })
  return advice.suggest(parsed, advice.corrections(parsed, reader.view, ['en']))
}

const text = 'Politeness of running crawlers, universities and Bibliothèques in Example City'

const cases: [sentence: string, query: string, suggestion: string | undefined][] = [
  ['a word that is right is left alone', 'politeness crawlers', undefined],
  ['a mistyped word is replaced by a word, not by its stem', 'univresities', 'universities'],
  ['only the mistyped words are replaced', 'crawlers politenes', 'crawlers politeness'],
  [
    'in a query of several parts, all else stays',
    '"runing crawlers" -universities site:a.example',
    '"running crawlers" -universities site:a.example',
  ],
  ['two words are replaced at once', 'univresities crawlerz', 'universities crawlers'],
  ['what must not be there is not corrected', 'crawlers -univresities', undefined],
  ['a word in a zone is replaced in it', 'title:univresities', 'title:universities'],
  ['a prefix is none that could be mistyped', 'univresities*', undefined],
  ['a word like no other has no better spelling', 'xylophone', undefined],
  ['filters alone have no spelling', 'site:a.example', undefined],
]
for (const [sentence, query, suggestion] of cases) {
  test(sentence, async (t) => assert.equal(await suggested(t, text, query), suggestion))
}

test('without a page to take the word from there is no advice', async (t) => {
  assert.equal(await suggested(t, text, 'univresities', false), undefined)
})

test('of a pasted page only the first words are looked up', async (t) => {
  const query = `${'crawlers '.repeat(10)}univresities`
  assert.equal(await suggested(t, text, query), undefined)
})

test('an empty index has no advice', async (t) => {
  using reader = new IndexReader(testFolder(t))
  const advice = new SpellingAdvice(async () => undefined)
  assert.equal(advice.isLikely(parseQuery('word', 0), reader.view, []), false)
  assert.deepEqual(advice.corrections(parseQuery('word', 0), reader.view, []), [])
})

test('while the list of terms is made others have their turns, and it is made once for all who ask', async (t) => {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  for (let page = 0; page < 100; page++) {
    const words = Array.from(
      { length: 200 },
      (_, i) => `word${String.fromCharCode(97 + (page % 26))}x${page * 200 + i}`,
    )
    writer.put(samplePage(page, words.join(' '), { language: 'und' }))
  }
  writer.commit(1)
  using reader = new IndexReader(dir)
  const advice = new SpellingAdvice(async () => undefined)
  let [turns, opened] = [0, 0]
  const open = (): IndexReader => {
    opened++
    return new IndexReader(dir)
  }
  const turn = (): void => {
    turns++
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const preparing = { open, patienceMs: Infinity }
  let isLate = false
  // Who cannot wait is not made to, and hears of it when it is there.
  await advice.prepare(reader.view, { open, patienceMs: 0, onLate: () => (isLate = true) })
  assert.deepEqual([isLate, advice.corrections(parseQuery('wordax1z', 0), reader.view, [])], [false, []])
  await Promise.all([advice.prepare(reader.view, preparing), advice.prepare(reader.view, preparing)])
  await untilSo(() => isLate)
  assert.ok(isLate)
  clearImmediate(next)
  assert.ok(turns >= 8, `${turns} turns for 20,000 terms`)
  await advice.prepare(reader.view, preparing)
  assert.equal(opened, 1)
})
