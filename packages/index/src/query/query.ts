/**
 * Query: what a search asks for, as a tree of words and a set of filters.
 *
 *     crawler "polite robots" -spider site:example.org      all
 *                                                          ├─ word crawler
 *                                                          ├─ phrase polite robots     filters.only.sites
 *                                                          └─ not ─ word spider          └─ example.org
 *
 * The parser keeps these promises, so that whoever walks a tree need not ask:
 * - a `not` stands only among the parts of an `all` that has at least one part that is none;
 * - what a `not` holds, and every part of an `any`, is itself no `not`;
 * - `all` and `any` have at least two parts, and none of their own kind;
 * - a `zone` holds a single word, phrase or prefix; `title:(a -b)` has become `title:a -title:b`.
 *
 * The text of a word is raw: `java.util.HashMap` or `e-mail` is one word here, and a phrase of its words for whoever
 * cuts texts into words. A raw word without any of those is to be left out.
 */
import type { ZoneName } from '../document.ts'
import { showFilters, type QueryFilters } from './filter.ts'

export type QueryLeaf =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'phrase'; readonly text: string }
  /** Words that begin like this; in a compound, the last of its words does. */
  | { readonly kind: 'prefix'; readonly text: string }

export type QueryNode =
  | QueryLeaf
  | { readonly kind: 'zone'; readonly zone: ZoneName; readonly of: QueryLeaf }
  | { readonly kind: 'all'; readonly of: readonly QueryNode[] }
  | { readonly kind: 'any'; readonly of: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly of: QueryNode }

export interface ParsedQuery {
  /** Undefined when no word is asked for; filters alone ask for all pages that pass them. */
  readonly tree: QueryNode | undefined
  readonly filters: QueryFilters
  readonly problems: readonly QueryProblem[]
}

/** What could not be understood. */
export interface QueryProblem {
  readonly name: QueryProblemName
  /** For people: what was done instead, and what to write. */
  readonly message: string
}

export type QueryProblemName =
  | 'query-too-long'
  | 'too-many-words'
  | 'too-deep'
  | 'too-many-filters'
  | 'quote-open'
  | 'parenthesis-open'
  | 'operator-alone'
  | 'only-not'
  | 'not-in-or'
  | 'prefix-too-short'
  | 'star-misplaced'
  | 'zone-empty'
  | 'zone-in-zone'
  | 'filter-bad'
  | 'filter-in-or'
  | 'filter-in-not'

export const MAX_QUERY_CHARS = 1_000
/** Words that are searched; of a longer question the most telling ones (`query/telling-words.ts`). */
export const MAX_QUERY_WORDS = 32
/** Words that are read, to choose from. */
export const MAX_READ_WORDS = 256
/** Parentheses within parentheses. */
export const MAX_QUERY_DEPTH = 16
/** Shorter prefixes begin too many words to look them all up. */
export const MIN_PREFIX = 2
/** Filters of one kind: sites, types, languages. */
export const MAX_QUERY_FILTERS = 32

/**
 * A query's canonical form. Parsing it gives the same tree and filters and, if it found anything at all to search,
 * no problems; that holds as long as the form itself, which can be longer than what was typed, is not too long.
 */
export function showQuery({ tree, filters }: Pick<ParsedQuery, 'tree' | 'filters'>): string {
  return [...(tree === undefined ? [] : [showAll(tree, 0)]), ...showFilters(filters)].join(' ')
}

const WORD = /[\p{L}\p{N}](?:['’]?[\p{L}\p{M}\p{N}])*/gu

/** The words of a leaf's text, as they are counted. */
export const wordsOfLeaf = ({ text }: QueryLeaf): readonly RegExpExecArray[] => [...text.matchAll(WORD)]

/** All words, phrases and prefixes a page is to have, without those behind a `not`: what a snippet marks. */
export function wantedLeaves(tree: QueryNode | undefined): QueryLeaf[] {
  if (tree === undefined || tree.kind === 'not') return []
  if (tree.kind === 'zone') return [tree.of]
  return tree.kind === 'all' || tree.kind === 'any' ? tree.of.flatMap(wantedLeaves) : [tree]
}

/** The same tree with other words, as for a query that is spelt better. A leaf is replaced by one that is not empty. */
export function mapLeaves(tree: QueryNode, map: (leaf: QueryLeaf) => QueryLeaf): QueryNode {
  switch (tree.kind) {
    case 'all':
    case 'any':
      return { kind: tree.kind, of: tree.of.map((part) => mapLeaves(part, map)) }
    case 'not':
      return { kind: 'not', of: mapLeaves(tree.of, map) }
    case 'zone':
      return { kind: 'zone', zone: tree.zone, of: map(tree.of) }
    default:
      return map(tree)
  }
}

/*
 * The grammar, loosest first; each of the functions below shows one level of it.
 *
 *     all   = any any …            words side by side
 *     any   = both OR both …       binds tighter, as on the Web: paris OR london hotels
 *     both  = unary AND unary …    binds tighter still, as in logic
 *     unary = -unary | zone:unary | word | "phrase" | prefix* | ( all )
 */
function showAll(node: QueryNode, depth: number): string {
  if (node.kind !== 'all') return showAny(node, depth)
  // Parentheses that only help the reader are left out where they would be too deep.
  const isBare = depth >= MAX_QUERY_DEPTH
  return node.of.map((part) => (isBare ? showAny(part, depth) : showUnary(part, depth))).join(' ')
}

function showAny(node: QueryNode, depth: number): string {
  return node.kind === 'any' ? node.of.map((part) => showBoth(part, depth)).join(' OR ') : showBoth(node, depth)
}

function showBoth(node: QueryNode, depth: number): string {
  return node.kind === 'all' ? node.of.map((part) => showUnary(part, depth)).join(' AND ') : showUnary(node, depth)
}

function showUnary(node: QueryNode, depth: number): string {
  switch (node.kind) {
    case 'word':
      return node.text
    case 'phrase':
      return `"${node.text}"`
    case 'prefix':
      return `${node.text}*`
    case 'zone':
      return `${node.zone}:${showUnary(node.of, depth)}`
    case 'not':
      return `-${showUnary(node.of, depth)}`
    default:
      return `(${showAll(node, depth + 1)})`
  }
}
