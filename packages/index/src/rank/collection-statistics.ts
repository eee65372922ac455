/**
 * CollectionStatistics: what is known of all documents together when a question begins. A word is worth what it tells in the whole, so
 * many indexes that answer as one rank by the sums of what each has, and each score is what one index of all would give.
 */
import type { IndexView } from '../read/index-reader.ts'
import { allTerms, frequentTerms } from '../read/term-list.ts'
import { totalsIn } from './ranked-search.ts'
import type { CollectionTotals, TermTotals } from './ranking.ts'

/** What scores depend on. */
export interface ScoringStatistics extends CollectionTotals {
  readonly totalsOf: (term: string) => TermTotals
}

export interface CollectionStatistics extends ScoringStatistics {
  /** Languages whose stems a word is looked for under. */
  readonly languages: readonly string[]
  /** The most frequent terms that begin like this, which is folded as terms are. */
  readonly termsLike: (prefix: string) => readonly string[]
}

/** Languages whose stems a word is looked for under: those most pages have. */
const MAX_LANGUAGES = 8
const MAX_PREFIX_TERMS = 64
export const MAX_PREFIX_LOOKED = 10_000
/** Of all prefixes of a query. */
const MAX_LOOKED = 40_000

type Pair = readonly [name: string, documents: number]

/** In the order of names where as many pages have them, so that it does not matter how documents lie. */
export const languagesOf = (counts: Iterable<Pair>): string[] =>
  [...counts]
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_LANGUAGES)
    .map(([language]) => language)

/** By the segments they were counted in, which every view of the same state has. */
const counted = new WeakMap<IndexView['segments'], ReadonlyMap<string, number>>()

/** Documents in each language, those that are gone included. */
export function languageCounts({ segments }: IndexView): ReadonlyMap<string, number> {
  const known = counted.get(segments)
  if (known !== undefined) return known
  const pages = new Map<string, number>()
  for (const { segment } of segments) {
    const counts = new Uint32Array(segment.directory.languages.length)
    for (const language of segment.columns.languages) counts[language] = (counts[language] as number) + 1
    for (const [i, language] of segment.directory.languages.entries())
      pages.set(language, (pages.get(language) ?? 0) + (counts[i] as number))
  }
  counted.set(segments, pages)
  return pages
}

export const languagesIn = (view: IndexView): string[] => languagesOf(languageCounts(view))

/** `termsWith`: all terms that begin like this, in order; `looked` of them are looked at, of all prefixes of a question. */
export function prefixTerms(termsWith: (prefix: string) => Iterable<Pair>): (prefix: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  let left = MAX_LOOKED
  return (prefix) => {
    const before = known.get(prefix)
    if (before !== undefined) return before
    const { terms, looked } = frequentTerms(termsWith(prefix), MAX_PREFIX_TERMS, Math.min(left, MAX_PREFIX_LOOKED))
    left -= looked
    known.set(prefix, terms)
    return terms
  }
}

/** Of one index by itself; for one question, as what it has looked up is remembered. */
export function statisticsIn(view: IndexView): CollectionStatistics {
  const { documents, meanLength, segments } = view
  const known = new Map<string, TermTotals>()
  return {
    documents,
    meanLength,
    languages: languagesIn(view),
    totalsOf: (term) => {
      const totals = known.get(term) ?? totalsIn(view, term)
      known.set(term, totals)
      return totals
    },
    termsLike: prefixTerms((prefix) => allTerms(segments, prefix)),
  }
}
