/** Relevance runs: the ways a set is searched that are compared with each other, and what each comes to. */
import { tableOf } from '@comity/protocol'
import type { JudgedRanking, Measures } from './measures.ts'
import { measuresOf } from './measures.ts'
import { RelevanceIndex } from './search.ts'
import type { Asking } from './search.ts'
import type { RelevanceSet } from './set.ts'
import type { RelevanceSettings } from './settings.ts'

interface PlannedSearch extends Asking {
  readonly name: string
  /** Set where it can be compared with what others reach with the same k1 and b. */
  readonly pair?: { readonly k1: number; readonly b: number }
  readonly isGuessed?: boolean
}

export interface RelevanceRun extends PlannedSearch {
  readonly measures: Measures
  readonly rankings: readonly JudgedRanking[]
}

const NO_ZONES = { title: 0, heading: 0, anchor: 0, url: 0 }

type Pair = NonNullable<PlannedSearch['pair']>

function plannedSearches({ rankings, k1, b, language }: RelevanceSettings): PlannedSearch[] {
  const pairs = k1.map((value, i) => ({ k1: value, b: b[i]! }))
  const ways: ReadonlyMap<string, readonly PlannedSearch[]> = tableOf({
    bm25: [
      ...pairs.map((pair): PlannedSearch => ({ name: nameOf(pair), rank: 'bm25', weights: pair, pair })),
      { name: `${nameOf(pairs[0]!)}, no zones`, rank: 'bm25', weights: { ...pairs[0]!, zones: NO_ZONES } },
      ...(language === '' ? [] : pairs.map(guessing)),
    ],
    idf: [{ name: 'idf = 1/df', rank: 'idf', weights: {} }],
    default: [{ name: 'default, typed', rank: 'default', weights: {}, isTyped: true }],
  })
  return rankings.flatMap((name) => ways.get(name) ?? [])
}

const nameOf = ({ k1, b }: Pair): string => `bm25, k1 ${k1}, b ${b}`

const guessing = (pair: Pair): PlannedSearch => ({
  name: `${nameOf(pair)}, language guessed`,
  rank: 'bm25',
  weights: pair,
  isGuessed: true,
})

export async function searchSet(
  { documents, questions }: RelevanceSet,
  settings: RelevanceSettings,
  onSearch: (what: string, done: number, of: number) => void,
): Promise<{ readonly runs: readonly RelevanceRun[]; readonly indexBytes: number }> {
  const planned = plannedSearches(settings)
  using told = new RelevanceIndex(documents, settings.language)
  using guessed = planned.some(({ isGuessed }) => isGuessed === true) ? new RelevanceIndex(documents, '') : undefined
  const texts = questions.map(({ text }) => text)
  const runs: RelevanceRun[] = []
  for (const [i, search] of planned.entries()) {
    onSearch(search.name, i, planned.length)
    const index = search.isGuessed === true ? guessed! : told
    const found = await index.ask(texts, search, settings.depth)
    const rankings = questions.map(({ relevant }, n) => ({ ranking: found[n]!, relevant }))
    runs.push({ ...search, rankings, measures: measuresOf(rankings) })
  }
  return { runs, indexBytes: told.bytes }
}
