/** From what a query asks to a plan: its words become the terms they may have become in the languages of the index. */
import { ZONES } from '../document.ts'
import type { Plan } from './match-plan.ts'
import type { QueryLeaf, QueryNode } from './query.ts'
import { foldWord, plainTerm } from '../text/term-fold.ts'
import { queryTerms } from '../text/terms.ts'
import { eachWord } from '../text/words.ts'

export interface PlanContext {
  /** Languages of the pages searched. */
  readonly languages: readonly string[]
  /** The most frequent terms that begin like this, which is folded as terms are. */
  readonly termsLike: (prefix: string) => readonly string[]
}

export function planOf(tree: QueryNode, context: PlanContext): Plan {
  switch (tree.kind) {
    case 'all':
      return joined(tree.of, all, context)
    case 'any':
      return any(tree.of.map((one) => planOf(one, context)))
    case 'not':
      return { kind: 'without', part: { kind: 'every' }, not: planOf(tree.of, context) }
    case 'zone':
      return inZone(tree.of, ZONES[tree.zone], context)
    default:
      return leafPlan(tree, context)
  }
}

/** A plan that asks for any of the words instead of all, for queries that hardly any page has all words of. */
export function relaxedPlan(tree: QueryNode, context: PlanContext): Plan | undefined {
  const isOneOf = tree.kind === 'all' && tree.of.filter(({ kind }) => kind !== 'not').length > 1
  return isOneOf ? joined(tree.of, any, context) : undefined
}

/** What is wanted, put together in one way or the other, without what is not. */
function joined(parts: readonly QueryNode[], join: (parts: readonly Plan[]) => Plan, context: PlanContext): Plan {
  const unwanted = parts.filter((one) => one.kind === 'not')
  const wanted = parts.filter(({ kind }) => kind !== 'not').map((one) => planOf(one, context))
  const part = join(wanted.filter(({ kind }) => kind !== 'every'))
  if (unwanted.length === 0) return part
  return { kind: 'without', part, not: any(unwanted.map((one) => planOf(one.of, context))) }
}

function leafPlan(leaf: QueryLeaf, context: PlanContext): Plan {
  const words = wordsOf(leaf, context)
  const [only, ...rest] = words
  // Nothing in it that could be a word: it asks nothing.
  if (only === undefined) return { kind: 'every' }
  if (rest.length === 0) return any(only.map((term) => ({ kind: 'term', term })))
  return { kind: 'phrase', words }
}

function inZone(leaf: QueryLeaf, zones: number, context: PlanContext): Plan {
  const words = wordsOf(leaf, context)
  const each = words.map((terms) => any(terms.map((term): Plan => ({ kind: 'zone', zones, term }))))
  return all(words.length > 1 ? [{ kind: 'phrase', words }, ...each] : each)
}

/** For each word of a leaf, the terms that will do. */
function wordsOf(leaf: QueryLeaf, { languages, termsLike }: PlanContext): string[][] {
  const words: string[] = []
  eachWord(leaf.text, (start, end) => void words.push(leaf.text.slice(start, end)))
  const terms = words.map((word) => queryTerms(word, languages))
  const last = words.at(-1)
  if (leaf.kind === 'prefix' && last !== undefined) {
    // The beginning may be a whole word, which as a term is shorter: running* is to find "running", which is run.
    const alike = new Set([...queryTerms(last, languages), ...termsLike(plainTerm(foldWord(last)))])
    terms[terms.length - 1] = [...alike]
  }
  return terms
}

function all(parts: readonly Plan[]): Plan {
  const asking = parts.filter(({ kind }) => kind !== 'every')
  const [only, ...rest] = asking
  if (only === undefined) return { kind: 'every' }
  return rest.length === 0 ? only : { kind: 'all', parts: asking }
}

function any(parts: readonly Plan[]): Plan {
  const [only, ...rest] = parts
  if (only === undefined) return { kind: 'none' }
  return rest.length === 0 ? only : { kind: 'any', parts }
}
