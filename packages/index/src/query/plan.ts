/**
 * Plan of a query: from its tree to a tree over terms of the index (`Plan`, `match-plan.ts`), which a segment walks. A word becomes
 * the terms that it may have become in the languages of the index, side by side; nothing is read and nothing is scored yet.
 */
import { ZONES } from '../document.ts'
import { withoutRepeats } from './match-plan.ts'
import type { Plan } from './match-plan.ts'
import type { QueryLeaf, QueryNode } from './query.ts'
import { hasUnspaced } from '../text/character-kinds.ts'
import { foldWord, plainTerm } from '../text/term-fold.ts'
import { queryTerms } from '../text/terms.ts'
import { eachWord } from '../text/words.ts'

interface PlanContext {
  /** Languages of the pages searched. */
  readonly languages: readonly string[]
  /** The most frequent terms that begin like this, which is folded as terms are. */
  readonly termsLike: (prefix: string) => readonly string[]
}

export function planOf(tree: QueryNode, context: PlanContext): Plan {
  switch (tree.kind) {
    case 'all':
      return joined(tree.of, allWordsOf, context)
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

/**
 * A plan that asks for any of the words instead of all, for queries that hardly any page has all words of. A page with a
 * part of a compound has some of the words, too: only what stands in quotation marks stays together. Besides, alternatives of
 * single words are ranked without a look at every match. Of one word alone nothing is left out, unless it is of a script
 * without spaces, where it is a whole question.
 */
export function relaxedPlan(tree: QueryNode, context: PlanContext): Plan | undefined {
  const parts = tree.kind === 'all' ? tree.of : [tree]
  const [first, ...rest] = parts.filter(({ kind }) => kind !== 'not')
  const isOneOf = rest.length > 0 || (first?.kind === 'word' && hasUnspaced(first.text))
  return isOneOf ? joined(parts, anyWordOf, context) : undefined
}

/** What is wanted, put together in one way or the other, without what is not. */
function joined(parts: readonly QueryNode[], join: (parts: readonly WantedPart[]) => Plan, context: PlanContext): Plan {
  const unwanted = parts.filter((one) => one.kind === 'not')
  const wanted = parts.filter(({ kind }) => kind !== 'not').map((node) => ({ node, plan: planOf(node, context) }))
  const part = join(wanted.filter(({ plan }) => plan.kind !== 'every'))
  if (unwanted.length === 0) return part
  return { kind: 'without', part, not: any(unwanted.map((one) => planOf(one.of, context))) }
}

interface WantedPart {
  readonly node: QueryNode
  readonly plan: Plan
}

const allWordsOf = (parts: readonly WantedPart[]): Plan => all(withoutRepeats(parts.map(({ plan }) => plan)))

const anyWordOf = (parts: readonly WantedPart[]): Plan =>
  any(withoutRepeats(parts.flatMap(({ node, plan }) => (node.kind === 'word' ? wordsApart(plan) : [plan]))))

const wordsApart = (plan: Plan): Plan[] =>
  plan.kind === 'phrase' ? plan.words.map((terms) => any(terms.map((term) => ({ kind: 'term', term })))) : [plan]

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
