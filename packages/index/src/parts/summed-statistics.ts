/** Summed statistics: what many parts have of the words of a question, as one index of all would say it. */
import type { FactsQuestion, PartFacts } from './index-part.ts'
import type { Plan } from '../query/match-plan.ts'
import { planOf } from '../query/plan.ts'
import type { ParsedQuery } from '../query/query.ts'
import { languagesOf, prefixTerms } from '../rank/collection-statistics.ts'
import type { CollectionStatistics } from '../rank/collection-statistics.ts'
import type { TermTotals } from '../rank/ranking.ts'
import { mergedTerms } from '../read/term-list.ts'

const NONE: TermTotals = { documents: 0, places: 0 }

/** All terms that a query may come to in these languages, and the prefixes in it; of `termsLike` each term counts, too. */
export function wordsAsked(
  { tree }: ParsedQuery,
  languages: readonly string[],
  termsLike: (prefix: string) => readonly string[] = () => [],
): FactsQuestion {
  if (tree === undefined) return { terms: [], prefixes: [] }
  const prefixes = new Set<string>()
  const plan = planOf(tree, { languages, termsLike: (prefix) => (prefixes.add(prefix), termsLike(prefix)) })
  return { terms: [...new Set(termsOf(plan))], prefixes: [...prefixes] }
}

function termsOf(plan: Plan): string[] {
  switch (plan.kind) {
    case 'term':
    case 'zone':
      return [plan.term]
    case 'all':
    case 'any':
      return plan.parts.flatMap(termsOf)
    case 'without':
      return [...termsOf(plan.part), ...termsOf(plan.not)]
    case 'phrase':
      return plan.words.flat()
    default:
      return []
  }
}

export function summedStatistics(
  { terms, prefixes }: FactsQuestion,
  parts: readonly PartFacts[],
): CollectionStatistics {
  const sum = (of: (facts: PartFacts) => number): number => parts.reduce((total, facts) => total + of(facts), 0)
  const totals = new Map<string, TermTotals>()
  for (const [i, term] of terms.entries())
    totals.set(term, {
      documents: sum((facts) => facts.totals[i]?.documents ?? 0),
      places: sum((facts) => facts.totals[i]?.places ?? 0),
    })
  const pages = new Map<string, number>()
  for (const [language, documents] of parts.flatMap(({ languages }) => languages))
    pages.set(language, (pages.get(language) ?? 0) + documents)
  const written = sum((facts) => facts.written)
  return {
    documents: sum((facts) => facts.documents),
    meanLength: written === 0 ? 0 : sum((facts) => facts.words) / written,
    languages: languagesOf(pages),
    totalsOf: (term) => totals.get(term) ?? NONE,
    termsLike: prefixTerms((prefix) => {
      const at = prefixes.indexOf(prefix)
      return mergedTerms(parts.map(({ alike }) => (alike[at] ?? [])[Symbol.iterator]()))
    }),
  }
}
