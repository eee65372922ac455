/** Sample plans, for the tests of this package: plans of every kind, made from a seed, and a model of what they match. */
import type { Plan } from '../query/match-plan.ts'
import { chosen, wordsByTerm } from './sample-index.ts'
import type { SampleWord } from './sample-index.ts'

const KINDS = ['term', 'term', 'term', 'any', 'any', 'all', 'phrase', 'without', 'zone', 'every', 'none'] as const

/** A plan over some terms, of which some should be unknown to the index. */
export function samplePlan(terms: readonly string[], random: () => number, depth = 3): Plan {
  const kind = chosen(depth === 0 ? (['term', 'zone'] as const) : KINDS, random)
  const term = (): string => terms[Math.floor(terms.length * random() ** 2)] as string
  const some = <Item>(make: () => Item): Item[] => Array.from({ length: 1 + Math.floor(random() * 3) }, make)
  const plan = (): Plan => samplePlan(terms, random, depth - 1)
  switch (kind) {
    case 'term':
      return { kind, term: term() }
    case 'zone':
      return { kind, term: term(), zones: 1 + Math.floor(random() * 15) }
    case 'any':
    case 'all':
      return { kind, parts: some(plan) }
    case 'phrase':
      return { kind, words: some(() => some(term)) }
    case 'without':
      return { kind, part: plan(), not: plan() }
    default:
      return { kind }
  }
}

/** Whether a document of these words matches, by looking at all of them. */
export function modelMatches(plan: Plan, words: readonly SampleWord[]): boolean {
  const terms = wordsByTerm(words)
  switch (plan.kind) {
    case 'term':
      return terms.has(plan.term)
    case 'zone':
      return ((terms.get(plan.term)?.zones ?? 0) & plan.zones) !== 0
    case 'any':
      return plan.parts.some((part) => modelMatches(part, words))
    case 'all':
      return plan.parts.every((part) => modelMatches(part, words))
    case 'phrase':
      return words.some(({ position }) =>
        plan.words.every((forms, i) => words.some((one) => one.position === position + i && forms.includes(one.term))),
      )
    case 'without':
      return modelMatches(plan.part, words) && !modelMatches(plan.not, words)
    default:
      return plan.kind === 'every'
  }
}

/** The terms that give a plan its score, each once, in the order they stand in it. */
export function modelTerms(plan: Plan): string[] {
  switch (plan.kind) {
    case 'term':
    case 'zone':
      return [plan.term]
    case 'any':
    case 'all':
      return [...new Set(plan.parts.flatMap(modelTerms))]
    case 'phrase':
      return [...new Set(plan.words.flat())]
    case 'without':
      return modelTerms(plan.part)
    default:
      return []
  }
}
