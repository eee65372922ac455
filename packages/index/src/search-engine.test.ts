import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { IndexDocument } from './document.ts'
import { IndexWriter } from './write/index-writer.ts'
import { writePageValues } from './format/page-values.ts'
import { AT, samplePage } from './testing/sample-pages.ts'
import { testFolder } from './testing/sample-index.ts'
import { SearchEngine } from './search-engine.ts'
import type { SearchEngineOptions } from './search-engine.ts'
import { MAX_OFFSET, MAX_RESULTS } from './search-steps.ts'
import type { SearchAnswer, SearchRequest } from './search-types.ts'

const NOW = AT + 86_400_000

/** An index of pages, each array a segment, and an engine on it. */
const engineOf = (t: TestContext, ...parts: (readonly IndexDocument[])[]): MadeEngine => engineWith(t, {}, ...parts)

interface MadeEngine {
  readonly engine: SearchEngine
  readonly dir: string
}

function engineWith(
  t: TestContext,
  options: Partial<SearchEngineOptions>,
  ...parts: (readonly IndexDocument[])[]
): MadeEngine {
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  for (const [i, part] of parts.entries()) {
    for (const page of part) writer.put(page)
    writer.commit(i + 1)
  }
  const pages = new Map(parts.flat().map((page) => [page.key, page]))
  const engine = new SearchEngine(dir, { contentOf: async (key) => pages.get(key), now: () => NOW, ...options })
  t.after(() => engine[Symbol.dispose]())
  return { engine, dir }
}

const keysOf = ({ results }: SearchAnswer): number[] => results.map(({ key }) => key)
const sortedKeysOf = (answer: SearchAnswer): number[] => keysOf(answer).toSorted((a, b) => a - b)

const animals: IndexDocument[] = [
  samplePage(1, 'A black cat sat. The cat slept.', { title: 'Cats', language: 'en' }),
  samplePage(2, 'A black dog and a white cat met.', { title: 'Dogs', language: 'en', type: 'text/plain' }),
  samplePage(3, 'Birds sing.', { title: 'Birds', language: 'en', url: 'https://b.example/birds' }),
  samplePage(4, 'Eine schwarze Katze', { title: 'Katzen', language: 'de', at: AT - 40 * 86_400_000 }),
  samplePage(5, 'Programs use java.util.HashMap, or a hash map of their own.', { title: 'Java', language: 'en' }),
]

const unspaced: IndexDocument[] = [
  samplePage(1, '机器学习是人工智能的一个分支。信息检索研究如何找到文档。', { title: '信息检索', language: 'zh' }),
  samplePage(2, '日本語の情報検索システムは形態素解析を用いて文書を索引付けする。', {
    title: '情報検索',
    language: 'ja',
  }),
  samplePage(3, 'Birds sing.', { title: 'Birds', language: 'en' }),
]
const CHINESE = '我想知道机器学习和人工智能怎样帮助信息检索，以及如何找到文档。'
const JAPANESE = '形態素解析を用いた情報検索について知りたいのですが、日本語の文書はどのように索引付けされますか。'

for (const [sentence, query, key] of [
  ['a Chinese question', CHINESE, 1],
  ['a Japanese question', JAPANESE, 2],
  ['a Chinese question of a thousand characters', CHINESE.repeat(33), 1],
  ['a Japanese question without any mark', JAPANESE.replaceAll(/[、。]/g, '').repeat(21), 2],
] as const)
  test(`${sentence} is answered by pages with some of its words, and that is said`, async (t) => {
    const { engine } = engineOf(t, unspaced)
    const answer = await engine.search({ query })
    assert.equal(keysOf(answer)[0], key)
    assert.ok(!keysOf(answer).includes(3))
    assert.ok(answer.problems.some((problem) => problem.startsWith('No page has all of the words')))
  })

const queries: [query: string, keys: number[]][] = [
  ['cat', [1, 2]],
  ['cats', [1, 2]],
  ['title:cat', [1]],
  ['"black cat"', [1]],
  ['"white cat"', [2]],
  ['cat -dog', [1]],
  ['cat OR bird', [3, 1, 2]],
  ['black cat site:a.example type:text', [2]],
  ['katzen', [4]],
  ['lang:de', [4]],
  ['since:2w lang:en bird', [3]],
  ['site:b.example', [3]],
  ['url:birds', [3]],
  ['hashmap', [5]],
  ['java.util', [5]],
  ['bir*', [3]],
  ['nothing', []],
  ['', []],
]
test('queries find the pages they should, the best first', async (t) => {
  const { engine } = engineOf(t, animals.slice(0, 2), animals.slice(2))
  for (const [query, keys] of queries)
    await t.test(query || 'the empty query', async () => {
      const answer = await engine.search({ query })
      assert.deepEqual(keysOf(answer), keys)
      assert.equal(answer.matches, keys.length)
      assert.equal(answer.isLowerBound, false)
    })
})

test('a result says what is to be shown of it', async (t) => {
  const { engine } = engineOf(t, animals)
  const { results, facets, problems, tookMs } = await engine.search({ query: '"black cat"' })
  const [{ score, snippet, ...rest }] = results as [SearchAnswer['results'][number]]
  const [url, site] = ['https://a.example/1', 'https://a.example']
  assert.deepEqual(rest, { key: 1, url, title: 'Cats', site, type: 'text/html', language: 'en', at: AT, folded: 0 })
  assert.ok(score > 0 && tookMs >= 0)
  assert.equal(snippet.text, 'A black cat sat. The cat slept.')
  assert.deepEqual(snippet.marks, [[2, 11]])
  assert.deepEqual(problems, [])
  assert.deepEqual(facets.sites, [{ value: site, pages: 1 }])
})

test('facets count all that match, the most frequent first', async (t) => {
  const pages = Array.from({ length: 40 }, (_, key) =>
    samplePage(key, 'word', {
      url: `https://${key % 13}.example/${key}`,
      type: key % 4 === 0 ? 'text/plain' : 'text/html',
      language: key < 30 ? 'en' : 'de',
    }),
  )
  const { engine } = engineOf(t, pages.slice(0, 20), pages.slice(20))
  const { facets, matches } = await engine.search({ query: 'word', limit: 1 })
  assert.equal(matches, 40)
  assert.deepEqual(facets.types, [
    { value: 'text/html', pages: 30 },
    { value: 'text/plain', pages: 10 },
  ])
  assert.deepEqual(facets.languages, [
    { value: 'en', pages: 30 },
    { value: 'de', pages: 10 },
  ])
  assert.deepEqual([facets.sites.length, facets.sites[0]], [10, { value: 'https://0.example', pages: 4 }])
})

test('near duplicates are folded into the best of them, unless they are asked for', async (t) => {
  const pages = [
    samplePage(1, 'other word'),
    samplePage(2, 'a word of a text that was seen first'),
    samplePage(3, 'word word word', { duplicateOf: 2 }),
    samplePage(4, 'a word of a text that was seen again', { duplicateOf: 2 }),
  ]
  const { engine } = engineOf(t, pages.slice(0, 3), pages.slice(3))
  const folded = await engine.search({ query: 'word' })
  assert.deepEqual(
    folded.results.map((result) => [result.key, result.folded]),
    [
      [3, 2],
      [1, 0],
    ],
  )
  const all = await engine.search({ query: 'word', unfolded: true })
  assert.deepEqual(sortedKeysOf(all), [1, 2, 3, 4])
  assert.equal(folded.matches, 4)
})

test('a page of results is full although nearly all pages are duplicates', async (t) => {
  const copies = Array.from({ length: 300 }, (_, i) => samplePage(100 + i, 'word word', { duplicateOf: 100 }))
  const others = Array.from({ length: 12 }, (_, i) => samplePage(i, 'a word'))
  const { engine } = engineOf(t, [...copies, ...others])
  const { results } = await engine.search({ query: 'word', limit: 10 })
  assert.equal(results.length, 10)
  assert.deepEqual([results[0]?.key, results[0]?.folded], [100, 299])
})

test('when few pages have all words, pages with some of them follow, and it is said', async (t) => {
  const { engine } = engineOf(t, animals)
  const some = await engine.search({ query: 'black cat birds' })
  assert.deepEqual([some.matches, sortedKeysOf(some)], [0, [1, 2, 3]])
  assert.deepEqual(some.problems, ['No page has all of the words; these have some of them.'])
  const one = await engine.search({ query: 'black dog' })
  assert.deepEqual([one.matches, keysOf(one)], [1, [2, 1]])
  assert.deepEqual(one.problems, ['Only 1 page has all of the words; pages with some of them follow.'])
  assert.deepEqual((await engine.search({ query: 'black dog -cat' })).problems, [])
})

test('a near duplicate with some of the words does not follow the page that has all of them', async (t) => {
  const pages = [
    samplePage(1, 'alpha beta and much more of a text that is longer'),
    samplePage(2, 'alpha', { duplicateOf: 1, title: 'alpha' }),
    samplePage(3, 'beta'),
  ]
  const { engine } = engineOf(t, pages)
  assert.deepEqual(keysOf(await engine.search({ query: 'alpha beta' })), [1, 3])
  assert.deepEqual(sortedKeysOf(await engine.search({ query: 'alpha beta', unfolded: true })), [1, 2, 3])
})

test('offsets go on where the page before ended', async (t) => {
  const pages = Array.from({ length: 25 }, (_, key) => samplePage(key, 'word '.repeat(1 + key)))
  const { engine } = engineOf(t, pages)
  const all = keysOf(await engine.search({ query: 'word', limit: 25 }))
  assert.equal(new Set(all).size, 25)
  const pieces = await Promise.all([0, 10, 20].map((offset) => engine.search({ query: 'word', offset })))
  assert.deepEqual(pieces.flatMap(keysOf), all)
})

const caps: [sentence: string, request: Partial<SearchRequest>, results: number][] = [
  ['too many results', { limit: 1e9 }, MAX_RESULTS],
  ['no results', { limit: 0 }, 0],
  ['fewer than none', { limit: -5 }, 0],
  ['a number that is none', { limit: Number.NaN }, 0],
  ['part of a result', { limit: 2.9 }, 2],
  ['the end of the list', { offset: MAX_OFFSET + 50 }, 10],
  ['before the beginning', { offset: -3 }, 10],
]
test('whatever is asked for, no more than the bounds is given', async (t) => {
  const pages = Array.from({ length: MAX_OFFSET + 100 }, (_, key) => samplePage(key, 'word'))
  const { engine } = engineOf(t, pages)
  for (const [sentence, request, results] of caps)
    await t.test(sentence, async () => {
      assert.equal((await engine.search({ query: 'word', ...request })).results.length, results)
    })
})

test('rankings by name: of two pages with the word, the one read more often first (001 §IV)', async (t) => {
  const pages = [
    samplePage(1, 'word word word word', { title: 'word' }),
    samplePage(2, 'a word among many that have nothing to do with it'),
    samplePage(3, 'rare word'),
    samplePage(4, 'nothing'),
  ]
  const { engine, dir } = engineOf(t, pages.slice(0, 2), pages.slice(2))
  const order = async (rank: NonNullable<SearchRequest['rank']>, query = 'word'): Promise<number[]> =>
    keysOf(await engine.search({ query, rank }))
  assert.deepEqual(await order('hf'), [1, 2, 3])
  assert.deepEqual((await order('default'))[0], 1)
  writePageValues(dir, 'hits', Float32Array.of(0, 1, 50, 3, 90))
  assert.deepEqual(await order('hf'), [2, 3, 1])
  assert.deepEqual(await order('hf-idf'), [2, 3, 1])
  assert.deepEqual(await order('idf'), [1, 2, 3])
  assert.deepEqual(await order('idf', 'rare OR word'), [3, 1, 2])
  assert.deepEqual((await order('bm25'))[0], 1)
  const [best] = (await engine.search({ query: 'rare OR word', rank: 'idf' })).results
  assert.ok(Math.abs((best?.score ?? 0) - (1 + 1 / 3)) < 1e-9)
  const [read] = (await engine.search({ query: 'word', rank: 'hf' })).results
  assert.equal(read?.score, 50)
})

test('importance lifts a page that is as good', async (t) => {
  const { engine, dir } = engineOf(t, [samplePage(1, 'word'), samplePage(2, 'word')])
  assert.deepEqual(keysOf(await engine.search({ query: 'word' })), [1, 2])
  writePageValues(dir, 'importance', Float32Array.of(0, 1, 9))
  assert.deepEqual(keysOf(await engine.search({ query: 'word' })), [2, 1])
})

test('a new page is found as soon as it is committed, and a removed one no more', async (t) => {
  const { engine, dir } = engineOf(t, [samplePage(1, 'word')])
  using writer = new IndexWriter(dir)
  writer.put(samplePage(2, 'word'))
  writer.remove(1)
  writer.commit(5)
  assert.deepEqual(keysOf(await engine.search({ query: 'word' })), [2])
  assert.equal(engine.view.position, 5)
})

test('a page whose text is not at hand is still found', async (t) => {
  const { dir } = engineOf(t, animals)
  using engine = new SearchEngine(dir, { contentOf: async () => undefined })
  const [result] = (await engine.search({ query: '"black cat"' })).results
  assert.deepEqual([result?.key, result?.title, result?.snippet.text], [1, '', ''])
})

test('another spelling is suggested when little is found', async (t) => {
  const pages = Array.from({ length: 20 }, (_, key) => samplePage(key, 'the universities', { language: 'en' }))
  const { engine } = engineOf(t, pages)
  assert.equal((await engine.search({ query: 'univresities' })).suggestion, 'universities')
  assert.equal((await engine.search({ query: 'university' })).suggestion, undefined)
})

test('what of a query could not be understood is said, and the rest searched', async (t) => {
  const { engine } = engineOf(t, animals)
  const { problems, results } = await engine.search({ query: 'cat since:whenever' })
  assert.equal(problems.length, 1)
  assert.equal(results.length, 2)
})

/** Pages of which each has two words of its own, some the rarer the later: `a7` stands on page 7 and all before. */
const longPages = Array.from({ length: 60 }, (_, key) => {
  const words = Array.from({ length: 60 - key }, (__, i) => `a${key + i}`).join(' ')
  return samplePage(key, `${words} once own${key}`, {
    language: 'en',
    type: key % 2 === 0 ? 'text/html' : 'text/plain',
  })
})
const longQuestion = `${Array.from({ length: 60 }, (_, i) => `a${i}`).join(' ')} own59 own58`

test('a long question is searched by its most telling words, and says which it left out', async (t) => {
  const { engine } = engineOf(t, longPages)
  const { results, problems } = await engine.search({ query: longQuestion, unfolded: true })
  const told = problems.find((problem) => problem.includes('tell most'))
  // Each word stands on one page more than the one before: a0 on one page, a59 on all.
  assert.match(told ?? '', /left out: a30, a31, .* and 18 more\.$/)
  assert.deepEqual(
    results.slice(0, 2).map(({ key }) => key),
    [0, 1],
  )
  assert.ok(results.every(({ snippet }) => snippet.marks.length > 0))
  const short = await engine.search({ query: 'a1 a2 a3' })
  assert.deepEqual(
    short.problems.filter((problem) => problem.includes('left out')),
    [],
  )
})

test('what is in quotation marks, excluded or a filter holds in a long question, too', async (t) => {
  const { engine } = engineOf(t, longPages)
  const found = async (more: string): Promise<number[]> => {
    const { results, problems } = await engine.search({ query: `${longQuestion} ${more}`, limit: 100, unfolded: true })
    assert.ok(
      problems.some((problem) => problem.includes('tell most')),
      more,
    )
    return results.map(({ key }) => key)
  }
  assert.ok((await found('')).includes(3))
  assert.ok(!(await found('-own3')).includes(3))
  assert.ok(!(await found('-(once own3) -"once own3"')).includes(3))
  assert.ok((await found('type:text')).every((key) => key % 2 === 1))
  // None of the words that are searched besides stands there.
  assert.ok(!(await found('')).includes(40))
  assert.ok((await found('"once own40"')).includes(40))
})

async function askedLong(engine: SearchEngine): Promise<unknown> {
  const { results, problems, matches } = await engine.search({ query: longQuestion, limit: 60, unfolded: true })
  return { problems, matches, found: results.map(({ key, score }) => [key, score]) }
}

test('the words of a long question are the same however the pages lie in segments', async (t) => {
  const [one, many] = [[longPages], [longPages.slice(0, 9), longPages.slice(9, 10), longPages.slice(10)]].map(
    (parts) => engineOf(t, ...parts).engine,
  )
  assert.deepEqual(await askedLong(many!), await askedLong(one!))
})

/** Words, phrases, prefixes, filters with paths, misspelt words: all that reads the index in its own way. */
const askedAll = ['word', '"some word"', 'wor*', 'word site:a.example/1', 'wrod', 'word nothing', 'site:a.example']

test('with a damaged segment every search answers from the others, names it, and never throws', async (t) => {
  const pages = Array.from({ length: 60 }, (_, key) => samplePage(key, `some word w${key}`, { language: 'en' }))
  const { dir } = engineOf(t, pages.slice(0, 40), pages.slice(40))
  const path = join(dir, 's1.seg')
  const bytes = readFileSync(path)
  for (let at = 3; at < bytes.length; at += 29) {
    const damaged = Buffer.from(bytes)
    damaged[at]! ^= 0x10
    writeFileSync(path, damaged)
    let isRefused = false
    for (const query of askedAll) {
      using engine = new SearchEngine(dir, { contentOf: async (key) => pages[key] })
      const { results, matches } = await engine.search({ query, limit: 100 })
      const isWhole = engine.view.refused.length === 0
      isRefused ||= !isWhole
      if (!isWhole) assert.match(engine.view.refused.map(({ message }) => message).join(), /s1\.seg/)
      if (query === 'word') assert.deepEqual([matches, results.length], isWhole ? [60, 60] : [20, 20])
      for (const { key } of results) assert.ok(isWhole || key >= 40)
    }
    assert.ok(isRefused, `byte ${at} of ${bytes.length} was not read by any search`)
  }
})

test('damaged values are done without, and it is said', async (t) => {
  const { engine, dir } = engineOf(t, animals)
  writeFileSync(join(dir, 'importance.values'), 'nonsense')
  const { results, problems } = await engine.search({ query: 'bird' })
  assert.equal(results.length, 1)
  assert.match(problems.join(), /importance\.values/)
})

test('the index may be merged while pages are read for an answer', async (t) => {
  const pages = Array.from({ length: 20 }, (_, key) => samplePage(key, 'the universities', { language: 'en' }))
  const { dir } = engineOf(t, pages.slice(0, 10), pages.slice(10))
  using writer = new IndexWriter(dir)
  const contentOf = async (key: number): Promise<IndexDocument | undefined> => {
    writer.mergeAll()
    await engine.search({ query: 'nothing' })
    return pages[key]
  }
  using engine = new SearchEngine(dir, { contentOf })
  const answer = await engine.search({ query: 'universities univresities', limit: 3 })
  assert.equal(answer.corrected?.results.length, 3)
  assert.equal(answer.suggestion, 'universities universities')
  assert.equal(readdirSync(dir).filter((file) => file.endsWith('.seg')).length, 1)
})

test('a plan of one’s own is ranked alike with and without pruning', (t) => {
  const { engine } = engineOf(t, animals)
  const plan = engine.plan('black OR cat')
  const hits = engine.rank(plan, 10)
  assert.ok(hits.length > 1)
  assert.deepEqual(engine.rank(plan, 10, 'bm25', true), hits)
})

/** An engine on an index that grows by a page a step, and on a clock of the test's own. */
function growing(t: TestContext, maxAgeMs: number): { engine: SearchEngine; grow: () => void; time: { now: number } } {
  const [dir, time] = [testFolder(t), { now: NOW }]
  const writer = new IndexWriter(dir)
  let pages = 0
  const grow = (): void => {
    writer.put(samplePage(++pages, 'a word'))
    writer.commit(pages)
  }
  grow()
  const engine = new SearchEngine(dir, { contentOf: async () => undefined, now: () => time.now, maxAgeMs })
  t.after(() => {
    engine[Symbol.dispose]()
    writer[Symbol.dispose]()
  })
  return { engine, grow, time }
}

const matchesOf = async (engine: SearchEngine): Promise<number> => (await engine.search({ query: 'word' })).matches

test('a commit is found by the next search, unless answers may be older', async (t) => {
  const [strict, lenient] = [growing(t, 0), growing(t, 250)]
  for (const { engine, grow } of [strict, lenient]) {
    assert.equal(await matchesOf(engine), 1)
    grow()
  }
  assert.equal(await matchesOf(strict.engine), 2)
  lenient.time.now += 249
  assert.equal(await matchesOf(lenient.engine), 1)
  lenient.time.now += 1
  assert.equal(await matchesOf(lenient.engine), 2)
})

test('what is asked often is found anew behind the backs of those who ask', async (t) => {
  const { engine, grow, time } = growing(t, 250)
  await Promise.all([matchesOf(engine), matchesOf(engine)])
  grow()
  let pauses = 0
  const pause = async (): Promise<void> => void pauses++
  time.now += 100
  await engine.renew(pause)
  await engine.renew(pause)
  assert.equal(pauses, 1)
  assert.equal(await matchesOf(engine), 2)
})

const mention = (key: number, title: string): IndexDocument =>
  samplePage(key, 'vacuum '.repeat(40), { title, language: 'en' })

test('a page that is called what is asked for comes first, also behind the name of its site', async (t) => {
  const pages = [
    mention(1, 'Routine vacuuming and vacuum costs'),
    mention(2, 'Autovacuum, vacuum and the rest'),
    samplePage(3, 'It reclaims storage. '.repeat(60), { title: 'The manual: VACUUM', language: 'en' }),
  ]
  const dir = testFolder(t)
  using writer = new IndexWriter(dir)
  for (const page of pages) writer.put(page)
  writer.commit(1)
  const titleOf = (key: number): string | undefined => pages.find((page) => page.key === key)?.title
  using engine = new SearchEngine(dir, { contentOf: async () => undefined, titleOf, now: () => NOW })
  const asked = async (query: string, more: Partial<SearchRequest> = {}): Promise<number[]> =>
    keysOf(await engine.search({ query, ...more }))
  assert.equal((await asked('vacuum'))[0], 3)
  assert.notEqual((await asked('vacuum', { rank: 'bm25' }))[0], 3, 'in no other order')
  assert.notEqual((await asked('vacuum OR costs'))[0], 3, 'of no other question')
  const paged = [...(await asked('vacuum', { limit: 1 })), ...(await asked('vacuum', { limit: 1, offset: 1 }))]
  paged.push(...(await asked('vacuum', { limit: 1, offset: 2 })))
  assert.deepEqual(paged, await asked('vacuum'), 'page by page each comes once')
})

test('where nothing has what was typed, what was meant is answered beside the results, which are none', async (t) => {
  const pages = [1, 2, 3].map((key) => samplePage(key, `A lantern hangs at gate ${key}.`, { language: 'en' }))
  const { engine } = engineOf(t, pages)
  const answer = await engine.search({ query: 'lantren' })
  assert.deepEqual(
    [answer.results, answer.matches, answer.corrected?.query, answer.corrected?.matches],
    [[], 0, 'lantern', 3],
  )
  assert.equal(answer.corrected?.results.length, 3)
  assert.equal((await engine.search({ query: 'lantern' })).corrected, undefined)
})

test('what is in quotation marks is found as it is written, counted and shown so', async (t) => {
  const { engine } = engineWith(t, { quotesAsWritten: true }, [
    samplePage(1, 'Routine vacuuming of tables.', { title: 'One', language: 'en' }),
    samplePage(2, 'The routines vacuum a table. Routines vacuum.', { title: 'Two', language: 'en' }),
    samplePage(3, 'The routines vacuum, and then comes ROUTINE VACUUMING.', { title: 'Three', language: 'en' }),
    samplePage(4, 'Nothing of that.', { title: 'Routine vacuuming', language: 'en' }),
    samplePage(5, 'Nothing at all.', { anchors: ['routine vacuuming'], language: 'en' }),
  ])
  const found = await engine.search({ query: '"routine vacuuming"' })
  assert.deepEqual([sortedKeysOf(found), found.matches], [[1, 3, 4, 5], 4])
  const third = found.results.find(({ key }) => key === 3)!
  assert.deepEqual(
    third.snippet.marks.map(([start, end]) => third.snippet.text.slice(start, end)),
    ['ROUTINE VACUUMING'],
  )
  assert.deepEqual(sortedKeysOf(await engine.search({ query: 'routine vacuuming' })), [1, 2, 3, 4, 5])
  const none = await engine.search({ query: '"routine vacuums"' })
  assert.deepEqual([none.results.map(({ key }) => key), none.matches], [[5], 1])
  const pages = [await engine.search({ query: '"routine vacuuming"', limit: 2 })]
  pages.push(await engine.search({ query: '"routine vacuuming"', limit: 2, offset: 2 }))
  assert.deepEqual(pages.flatMap(keysOf), keysOf(found))
})
