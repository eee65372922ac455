import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { amount } from '@comity/protocol/testing'
import type { IndexDocument } from '../document.ts'
import { writePageValues } from '../format/page-values.ts'
import { IndexPart } from './index-part.ts'
import type { PartHit, SearchedPart } from './index-part.ts'
import { SearchOfParts } from './search-of-parts.ts'
import { SearchEngine } from '../search-engine.ts'
import { AT, samplePage } from '../testing/sample-pages.ts'
import { chosen, randomFrom, testFolder } from '../testing/sample-index.ts'
import { IndexWriter } from '../write/index-writer.ts'
import type { RankName, SearchAnswer, SearchRequest } from '../search-types.ts'

const NOW = AT + 86_400_000
const WORDS =
  'tide tides river rivers salmon otter otters heron hash.map Häuser haus laufen rapid rapids ride rid'.split(' ')
const RANKS: readonly RankName[] = ['default', 'bm25', 'idf', 'hf', 'hf-idf']

interface Web {
  readonly pages: readonly IndexDocument[]
  readonly importance: Float32Array
  readonly hits: Float32Array
}

/** Pages of several sites and languages, some of them nearly the same as an earlier one. */
function webOf(seed: number, count: number): Web {
  const random = randomFrom(seed)
  const word = (): string => WORDS[Math.floor(WORDS.length * random() ** 2)] as string
  const text = (most: number): string => Array.from({ length: 1 + Math.floor(random() * most) }, word).join(' ')
  const pages = Array.from({ length: count }, (_, key): IndexDocument => {
    const isCopy = key > 0 && random() < 0.2
    return samplePage(key, text(40), {
      url: `https://${chosen(['a', 'b', 'c', 'd'], random)}.example/${chosen(WORDS, random)}/${key}`,
      title: random() < 0.5 ? text(3) : '',
      anchors: random() < 0.2 ? [text(3)] : [],
      language: chosen(['en', 'de', 'fr', 'und'], random),
      type: chosen(['text/html', 'text/plain'], random),
      ...(isCopy ? { duplicateOf: Math.floor(random() * Math.min(key, 5)) } : {}),
    })
  })
  const values = (): Float32Array => Float32Array.from(pages, () => (random() < 0.5 ? random() * 20 : 0))
  return { pages, importance: values(), hits: values() }
}

function indexOf(dir: string, pages: readonly IndexDocument[], { importance, hits }: Web, aSegment = Infinity): string {
  mkdirSync(dir, { recursive: true })
  using writer = new IndexWriter(dir)
  for (const [i, page] of pages.entries()) {
    writer.put(page)
    if ((i + 1) % aSegment === 0) writer.commit(i + 1)
  }
  writer.commit(pages.length + 1)
  writePageValues(dir, 'importance', importance)
  writePageValues(dir, 'hits', hits)
  return dir
}

/** Copies have the bits of what they are copies of; all others are far from each other. */
const similarOf = ({ pages }: Web, key: number): PartHit['similar'] => {
  const kind = pages[key]?.duplicateOf ?? key
  return [Math.imul(kind + 1, 0x9e3779b1) >>> 0, Math.imul(kind + 7, 0x85ebca6b) >>> 0]
}

function partOf(t: TestContext, dir: string, web: Web): IndexPart {
  const part = new IndexPart(dir, {
    contentOf: async (key) => web.pages[key],
    similarOf: (key) => similarOf(web, key),
  })
  t.after(() => part[Symbol.dispose]())
  return part
}

const QUERIES = [
  'tide',
  'river salmon',
  'tide OR heron',
  '"tide river"',
  'hash.map',
  'hausern',
  'ri*',
  'r* -tide',
  'title:salmon',
  'site:a.example tide',
  'lang:de laufen haus',
  'type:text',
  'salmon -otter',
  `${Array.from({ length: 40 }, (_, i) => WORDS[i % WORDS.length]).join(' ')} ${WORDS.map((one) => `x${one}`).join(' ')}`,
  'nothing',
]

/** What does not depend on which of several equal scores comes first, which of copies that score alike stands for them, say. */
const told = ({ results, matches, isLowerBound, facets, problems }: SearchAnswer, isFolded = false): object => ({
  scores: results.map(({ score }) => score),
  folded: results.map(({ score, folded }) => `${score} ${folded}`).toSorted(),
  pages: isFolded
    ? []
    : results
        .map(({ url, score, title, snippet, site, type, language, at }) =>
          JSON.stringify([url, score, title, snippet, site, type, language, at]),
        )
        .toSorted(),
  matches,
  isLowerBound,
  facets,
  problems,
})

test('however documents are split, the parts together answer as one index of all', { timeout: 120_000 }, async (t) => {
  const dir = testFolder(t)
  let made = 0
  const split = fc.record({
    seed: fc.nat(),
    count: fc.integer({ min: 1, max: 60 }),
    parts: fc.integer({ min: 1, max: 6 }),
    aSegment: fc.integer({ min: 3, max: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(split, async ({ seed, count, parts, aSegment }) => {
      const here = join(dir, `${made++}`)
      const web = webOf(seed, count)
      const random = randomFrom(seed + 1)
      const homes = web.pages.map(() => Math.floor(random() ** 2 * parts))
      using whole = new SearchEngine(indexOf(join(here, 'whole'), web.pages, web), {
        contentOf: async (key) => web.pages[key],
        now: () => NOW,
        adviceMs: 0,
      })
      const together = new SearchOfParts(
        Array.from({ length: parts }, (_, n) => {
          const pages = web.pages.filter((__, key) => homes[key] === n)
          return partOf(t, indexOf(join(here, `${n}`), pages, web, aSegment), web)
        }),
        () => NOW,
      )
      const ranks = QUERIES.map((query, i): SearchRequest => ({ query, rank: RANKS[i % RANKS.length] }))
      for (const request of [...QUERIES.map((query): SearchRequest => ({ query })), ...ranks]) {
        for (const unfolded of [true, false]) {
          const asked = { ...request, limit: 100, unfolded }
          const answer = await together.search(asked)
          const one = await whole.search(asked)
          assert.deepEqual(told(answer, !unfolded), told(one, !unfolded), JSON.stringify(asked))
          assert.deepEqual(answer.away, [])
        }
        // The first ten are the first of all, whichever of equal ones these are.
        const few = await together.search({ ...request, unfolded: true, limit: 4, offset: 2 })
        const scores = (await whole.search({ ...request, unfolded: true, limit: 4, offset: 2 })).results
        assert.deepEqual(
          few.results.map(({ score }) => score),
          scores.map(({ score }) => score),
        )
      }
    }),
    { numRuns: amount(12, 150) },
  )
})

function smallParts(t: TestContext): { readonly parts: IndexPart[]; readonly dirs: string[] } {
  const dir = testFolder(t)
  const web = webOf(5, 30)
  const dirs = [0, 1, 2].map((n) =>
    indexOf(
      join(dir, `${n}`),
      web.pages.filter(({ key }) => key % 3 === n),
      web,
    ),
  )
  return { dirs, parts: dirs.map((one) => partOf(t, one, web)) }
}

const fails = async (): Promise<never> => await Promise.reject(new Error('away'))

test('a part that does not answer is left out and named, whichever question it leaves unanswered', async (t) => {
  const { parts } = smallParts(t)
  for (const kind of ['facts', 'rank', 'show'] as const) {
    const broken: SearchedPart = {
      facts: (question) => (kind === 'facts' ? fails() : parts[1]!.facts(question)),
      rank: (...asked) => (kind === 'rank' ? fails() : parts[1]!.rank(...asked)),
      show: (...asked) => (kind === 'show' ? fails() : parts[1]!.show(...asked)),
    }
    const { results, away } = await new SearchOfParts([parts[0]!, broken, parts[2]!]).search({ query: 'tide' })
    assert.deepEqual(away, [1])
    assert.ok(results.length > 0 && results.every(({ part }) => part !== 1))
  }
})

test('an index that changes between two questions answers from the state that it was asked about', async (t) => {
  const { dirs, parts } = smallParts(t)
  const asked = { query: 'tide', unfolded: true, limit: 100 }
  const before = await new SearchOfParts(parts).search(asked)
  let isChanged = false
  const changing: SearchedPart = {
    facts: (question) => parts[0]!.facts(question),
    rank: async (...rank) => {
      if (!isChanged) {
        isChanged = true
        using writer = new IndexWriter(dirs[0]!)
        for (let key = 0; key < 30; key += 3) writer.remove(key)
        writer.commit(1_000)
        writer.mergeAll()
        // Somebody else asks meanwhile.
        await parts[0]!.facts({ terms: [], prefixes: [] })
      }
      return await parts[0]!.rank(...rank)
    },
    show: (...show) => parts[0]!.show(...show),
  }
  const during = await new SearchOfParts([changing, ...parts.slice(1)]).search(asked)
  assert.ok(isChanged)
  assert.deepEqual(told(during), told(before))
  const after = await new SearchOfParts(parts).search(asked)
  assert.ok(after.results.every(({ part }) => part !== 0) && after.away.length === 0)
})

test('a view that was let go of is asked for again, but not for ever', async (t) => {
  const { parts } = smallParts(t)
  let forgotten = 0
  const forgetful = (times: number): SearchedPart => ({
    facts: (question) => parts[0]!.facts(question),
    rank: (...asked) => (forgotten++ < times ? Promise.resolve(undefined) : parts[0]!.rank(...asked)),
    show: (...asked) => parts[0]!.show(...asked),
  })
  const once = await new SearchOfParts([forgetful(1), parts[1]!]).search({ query: 'tide' })
  assert.deepEqual([once.away, once.results.some(({ part }) => part === 0)], [[], true])
  forgotten = 0
  const always = await new SearchOfParts([forgetful(Infinity), parts[1]!]).search({ query: 'tide' })
  assert.deepEqual([always.away, always.results.length > 0], [[0], true])
})

test('a held state is let go of after five seconds, and there are never more than some', async (t) => {
  const dir = testFolder(t)
  let now = 0
  const web = webOf(9, 3)
  indexOf(dir, web.pages, web)
  using part = new IndexPart(dir, {
    contentOf: async () => undefined,
    similarOf: () => undefined,
    now: () => now,
  })
  const views: number[] = []
  for (let n = 0; n < 40; n++) {
    using writer = new IndexWriter(dir)
    writer.put(samplePage(100 + n, 'tide'))
    writer.commit(100 + n)
    views.push((await part.facts({ terms: ['tide'], prefixes: [] }))!.view)
  }
  const isThere = async (view: number): Promise<boolean> =>
    (await part.facts({ view, terms: [], prefixes: [] })) !== undefined
  assert.equal(new Set(views).size, 40)
  assert.equal((await Promise.all(views.map(isThere))).filter(Boolean).length, 32)
  now = 5_001
  const last = (await part.facts({ terms: [], prefixes: [] }))!.view
  assert.deepEqual(await Promise.all([...views.slice(0, -1), last].map(isThere)), [
    ...views.slice(1).map(() => false),
    true,
  ])
})
