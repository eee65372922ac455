/**
 * Plan: a query after analysis, in terms of the index. What the words may have become in each language stands beside
 * each other as alternatives; a segment turns a plan into iterators over its documents.
 */

export type Plan =
  | { readonly kind: 'term'; readonly term: string }
  | { readonly kind: 'all'; readonly parts: readonly Plan[] }
  | { readonly kind: 'any'; readonly parts: readonly Plan[] }
  | { readonly kind: 'without'; readonly part: Plan; readonly not: Plan }
  /** Words one after another; each may be any of its alternatives. */
  | { readonly kind: 'phrase'; readonly words: readonly (readonly string[])[] }
  /** A term that must stand in a zone. */
  | { readonly kind: 'zone'; readonly zones: number; readonly term: string }
  | { readonly kind: 'every' }
  | { readonly kind: 'none' }

/** The terms that give a plan its score: all but those that must not be there. Each once. */
export function scoringTerms(plan: Plan): string[] {
  return [...new Set(termsOf(plan))]
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
      return termsOf(plan.part)
    case 'phrase':
      return plan.words.flat()
    case 'every':
    case 'none':
      return []
  }
}

/** The terms of a plan that is nothing but alternatives; undefined for any other. */
export function disjunctionOf(plan: Plan): string[] | undefined {
  if (plan.kind === 'term') return [plan.term]
  if (plan.kind !== 'any') return undefined
  const parts = plan.parts.map(disjunctionOf)
  return parts.every((part) => part !== undefined) ? [...new Set(parts.flat())] : undefined
}
