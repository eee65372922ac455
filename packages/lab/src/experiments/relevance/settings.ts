/** Settings of the relevance experiment. */
import { settingsWithin } from '../../setting-bounds.ts'
import type { Bounds } from '../../setting-bounds.ts'

export interface RelevanceSettings {
  /** Of `bm25`, `default` and `idf`. */
  readonly rankings: readonly string[]
  /** k1 and b of BM25, taken in pairs: the first of one with the first of the other. */
  readonly k1: readonly number[]
  readonly b: readonly number[]
  /** The language the documents are said to be in; `` when it is to be guessed of each. */
  readonly language: string
  /** Results a question gets at most. */
  readonly depth: number
}

export const relevanceDefaults: RelevanceSettings = {
  rankings: ['bm25', 'idf', 'default'],
  // Those of Lucene and those of Anserini, for which there are figures to compare with.
  k1: [1.2, 0.9],
  b: [0.75, 0.4],
  language: 'en',
  depth: 1_000,
}

const RANKINGS = ['bm25', 'default', 'idf']
const BOUNDS: Bounds<RelevanceSettings> = { whole: [['depth', 1, 100_000]], amounts: [] }
const MAX_PAIRS = 8

/** Fills in the defaults. A RangeError says what cannot be used. */
export function relevanceSettings(given: Partial<RelevanceSettings> = {}): RelevanceSettings {
  const settings = settingsWithin(given, relevanceDefaults, BOUNDS)
  const { rankings, k1, b, language } = settings
  for (const name of rankings) {
    if (name.startsWith('hf'))
      throw new RangeError(`nobody reads the pages of a test set, so ${name} says nothing here`)
    if (!RANKINGS.includes(name)) throw new RangeError(`${name} is no ranking; there are ${RANKINGS.join(', ')}`)
  }
  if (rankings.length === 0) throw new RangeError('rankings is empty; name one to try')
  if (k1.length !== b.length || k1.length === 0 || k1.length > MAX_PAIRS)
    throw new RangeError(`k1 and b are taken in pairs, 1 to ${MAX_PAIRS}; there are ${k1.length} and ${b.length}`)
  for (const value of k1) if (!(value > 0 && value <= 10)) throw new RangeError(`k1 is ${value}; give up to 10`)
  for (const value of b) if (!(value >= 0 && value <= 1)) throw new RangeError(`b is ${value}; give 0 to 1`)
  if (!/^(?:[a-z]{2,3})?$/.test(language)) throw new RangeError(`language is "${language}"; give one such as en, or ""`)
  return settings
}
