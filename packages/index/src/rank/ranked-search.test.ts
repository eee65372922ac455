import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { documentFilter } from '../query/document-filter.ts'
import { ZONES } from '../document.ts'
import { FrameCache } from '../format/frame-cache.ts'
import type { IndexView } from '../read/index-reader.ts'
import { LENGTHS } from '../format/length-byte.ts'
import { timesAsked } from '../query/match-plan.ts'
import type { Plan } from '../query/match-plan.ts'
import type { QueryFilters } from '../query/filter.ts'
import { countedSearch, rankedSearch } from './ranked-search.ts'
import type { DocumentPriors, RankedQuery } from './ranked-search.ts'
import { idfOf, rankDefaults, UNIT } from './ranking.ts'
import type { RankWeights } from './ranking.ts'
import {
  chosen,
  randomFrom,
  sampleDocuments,
  sampleSegment,
  sampleTerms,
  sampleView,
  testFolder,
  wordsByTerm,
} from '../testing/sample-index.ts'
import type { SampleDocument, SampleShape } from '../testing/sample-index.ts'
import { modelMatches, modelTerms, samplePlan } from '../testing/sample-plans.ts'
import type { RankName } from '../search-types.ts'
import type { Segment } from '../read/segment.ts'
import { staticScores } from './static-scores.ts'

interface Sample {
  readonly documents: readonly SampleDocument[]
  readonly gone: ReadonlySet<number>
  readonly view: IndexView
  readonly terms: readonly string[]
  readonly random: () => number
}

/** An index of several segments, some documents of which are gone. */
function sampleOf(dir: string, shape: SampleShape, count: number, goneShare: number): Sample & Disposable {
  mkdirSync(dir)
  const random = randomFrom(shape.seed + 7)
  const documents = sampleDocuments(shape)
  const parts = Array.from({ length: count }, (): SampleDocument[] => [])
  for (const document of documents) parts[Math.floor(count * random() ** 2)]?.push(document)
  const cache = new FrameCache(1 << 22)
  const segments = parts.map((part, i): Segment => sampleSegment(join(dir, `s${i}.seg`), part, cache))
  const gone = new Set(documents.filter(() => random() < goneShare).map(({ entry }) => entry.key))
  const view = sampleView(segments, (key) => gone.has(key))
  const terms = [...sampleTerms(shape), 'unknown']
  const close = (): void => {
    for (const segment of segments) segment[Symbol.dispose]()
  }
  return { documents, gone, view, terms, random, [Symbol.dispose]: close }
}

const NO_FILTERS: QueryFilters = {
  only: { sites: [], types: [], languages: [] },
  except: { sites: [], types: [], languages: [] },
}

function sampleFilters(random: () => number): QueryFilters {
  const none = NO_FILTERS.only
  return chosen<QueryFilters>(
    [
      NO_FILTERS,
      NO_FILTERS,
      NO_FILTERS,
      { ...NO_FILTERS, only: { ...none, sites: [{ host: 'b.example' }], types: ['html', 'application/pdf'] } },
      { ...NO_FILTERS, except: { ...none, sites: [{ host: 'a.example', pathPrefix: '/docs' }], languages: ['de'] } },
      { ...NO_FILTERS, since: Date.UTC(2026, 0, 20) },
    ],
    random,
  )
}

function sampleWeights(random: () => number): RankWeights {
  const zones = { title: 4 * random(), heading: random(), anchor: 2 * random(), url: random() }
  const [k1, k1Growth] = [0.2 + 2 * random(), random() < 0.3 ? 0 : random()]
  return { ...rankDefaults, k1, k1Growth, b: random(), zones: random() < 0.5 ? rankDefaults.zones : zones }
}

/** Worths of pages: few are worth much, and many nothing, as with hits. */
function sampleWorth(random: () => number): DocumentPriors & { staticOf: (key: number) => number } {
  const [high, seed] = [random() * 4 * UNIT, Math.floor(random() * 1e9)]
  const staticOf = (key: number): number => {
    const value = randomFrom(seed + key)()
    return value < 0.5 ? 0 : Math.round(high * value ** 8)
  }
  return {
    staticOf,
    staticsOf: ({ segment }) => staticScores(Float64Array.from(segment.columns.keys, staticOf)),
    hitsOf: (key) => key % 7,
  }
}

/** The score of a document, straight from its words by what `rank/ranking.ts` says. */
function modelScore(
  sample: Sample,
  query: RankedQuery,
  document: SampleDocument,
  worth: ReturnType<typeof sampleWorth>,
): number {
  const { rank, plan, weights } = query
  const { entry, words } = document
  const own = wordsByTerm(words)
  const frequency = (term: string): number =>
    sample.documents.filter((one) => one.words.some((word) => word.term === term)).length
  const places = (term: string): number =>
    sample.documents.reduce((sum, one) => sum + (wordsByTerm(one.words).get(term)?.positions.length ?? 0), 0)
  const terms = modelTerms(plan).filter((term) => own.has(term))
  const idfSum = terms.reduce((sum, term) => sum + 1 / frequency(term), 0)
  if (rank === 'hf') return worth.hitsOf(entry.key)
  if (rank === 'idf') return idfSum
  if (rank === 'hf-idf') return (1 + worth.hitsOf(entry.key)) * idfSum
  let score = rank === 'default' ? worth.staticOf(entry.key) : 0
  for (const term of terms) {
    const { positions, zones } = own.get(term) as { positions: number[]; zones: number }
    const worthOfTerm = idfOf(frequency(term), sample.view)
    let zoneSum = 0
    for (const [name, bit] of Object.entries(ZONES))
      if ((zones & bit) !== 0) zoneSum += weights.zones[name as keyof typeof ZONES]
    const mean = Math.max(1, sample.view.meanLength)
    const length = Math.max(1, LENGTHS[entry.length] as number)
    const x = positions.length * (1 / (1 - weights.b + (weights.b * length) / mean)) + zoneSum
    const k1 = weights.k1 * Math.min(5, Math.max(1, places(term) / frequency(term))) ** weights.k1Growth
    const scale = worthOfTerm * (k1 + 1) * UNIT * (timesAsked(plan).get(term) as number)
    score += Math.ceil((scale * x) / (k1 + x))
  }
  return score
}

function admitted({ view, gone }: Sample, filters: QueryFilters): Set<number> {
  const keys = new Set<number>()
  for (const { segment } of view.segments) {
    const passes = documentFilter(filters, segment)
    for (const [doc, key] of segment.columns.keys.entries()) if (passes(doc) && !gone.has(key)) keys.add(key)
  }
  return keys
}

function modelSearch(
  sample: Sample,
  query: RankedQuery,
  worth: ReturnType<typeof sampleWorth>,
): { key: number; score: number }[] {
  const keys = admitted(sample, query.filters)
  return sample.documents
    .filter(({ entry, words }) => keys.has(entry.key) && modelMatches(query.plan, words))
    .map((document) => ({ key: document.entry.key, score: modelScore(sample, query, document, worth) }))
    .toSorted((a, b) => b.score - a.score || a.key - b.key)
    .slice(0, query.most)
}

const RANKS: readonly RankName[] = ['default', 'default', 'bm25', 'bm25', 'idf', 'hf', 'hf-idf']

function sampleQuery({ terms, random }: Sample, plan: Plan = samplePlan(terms, random)): RankedQuery {
  const most = chosen([0, 1, 3, 10, 100], random)
  return { plan, filters: sampleFilters(random), rank: chosen(RANKS, random), most, weights: sampleWeights(random) }
}

/** Some terms side by side, the form a plain query of several words has. */
const alternatives = ({ terms, random }: Sample): Plan => ({
  kind: 'any',
  parts: Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({ kind: 'term', term: chosen(terms, random) })),
})

function checkQueries(sample: Sample, count: number, hasModel: boolean): void {
  for (let i = 0; i < count; i++) {
    const query = sampleQuery(sample, i % 3 === 0 ? alternatives(sample) : undefined)
    const worth = sampleWorth(sample.random)
    const all = rankedSearch(sample.view, { ...query, exhaustive: true }, worth)
    assert.deepEqual(rankedSearch(sample.view, query, worth), all)
    if (!hasModel) continue
    const found = all.map(({ key, score }) => ({ key, score }))
    assert.deepEqual(found, modelSearch(sample, query, worth))
    const matches = new Set<number>()
    const counted = countedSearch(sample.view, query, worth, 1_000, ({ segment }, doc) =>
      matches.add(segment.columns.keys[doc] as number),
    )
    const expected = modelSearch(sample, { ...query, most: 1_000 }, worth).map(({ key }) => key)
    assert.deepEqual(counted, { matches: expected.length, isLowerBound: false, hits: all })
    assert.deepEqual(matches, new Set(expected))
    // Matches are kept, but what they are worth and who is admitted is decided anew.
    const again = sampleQuery(sample, query.plan)
    const { hits } = countedSearch(sample.view, again, worth, 1_000, () => undefined)
    assert.deepEqual(hits, rankedSearch(sample.view, { ...again, exhaustive: true }, worth))
  }
}

function folders(t: TestContext): () => string {
  const dir = testFolder(t)
  let count = 0
  return () => join(dir, String(count++))
}

test('the best by pruned search are those by exhaustive search, and those are what the formula says', (t) => {
  const folder = folders(t)
  const shapes = fc.record({
    seed: fc.integer(),
    documents: fc.nat({ max: 400 }),
    vocabulary: fc.integer({ min: 1, max: 60 }),
    words: fc.constantFrom(2, 10, 30),
  })
  fc.assert(
    fc.property(shapes, fc.integer({ min: 1, max: 5 }), fc.constantFrom(0, 0.2, 0.9), (shape, count, share) => {
      using sample = sampleOf(folder(), shape, count, share)
      checkQueries(sample, 12, true)
    }),
    { numRuns: 30 },
  )
})

const large: SampleShape[] = [
  { seed: 21, documents: 7_000, vocabulary: 40, words: 6 },
  { seed: 22, documents: 5_000, vocabulary: 2_000, words: 12 },
]
for (const shape of large) {
  test(`so they are with ${shape.documents} documents, where whole windows and blocks are passed over`, (t) => {
    using sample = sampleOf(folders(t)(), shape, 3, 0.1)
    checkQueries(sample, 150, false)
  })
}

test('counting ends at the most, and says so', (t) => {
  using sample = sampleOf(folders(t)(), { seed: 2, documents: 50, vocabulary: 5, words: 5 }, 2, 0)
  const visited: number[] = []
  const query = { ...sampleQuery(sample), plan: { kind: 'every' }, filters: NO_FILTERS } as const
  const count = countedSearch(sample.view, query, sampleWorth(sample.random), 20, (_, doc) => visited.push(doc))
  assert.deepEqual([count, visited.length], [{ matches: 20, isLowerBound: true, hits: undefined }, 20])
})
