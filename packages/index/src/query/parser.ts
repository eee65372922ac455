/**
 * Query parser: from what somebody typed to a tree (`query/query.ts`). It never fails: what cannot be understood becomes a
 * problem, in words, and the rest is searched.
 *
 * All words are wanted. OR binds tighter than words that only stand side by side, as people know it from the Web:
 * `paris OR london hotels` is about hotels. An explicit AND binds tighter still. NOT, or a `-`, takes what follows it.
 * Filters count for the whole query wherever they stand; several of one kind are alternatives.
 */
import type { Instant } from '@comity/protocol'
import type { ZoneName } from '../document.ts'
import { hasUnspaced } from '../text/character-kinds.ts'
import { readFilter, type FilterLists, type FilterName, type FilterValue, type QueryFilters } from './filter.ts'
import { lexQuery, quoted, type QueryToken } from './lexer.ts'
import {
  MAX_QUERY_CHARS,
  MAX_QUERY_DEPTH,
  MAX_QUERY_FILTERS,
  MAX_QUERY_WORDS,
  MAX_READ_WORDS,
  showQuery,
  wordsOfLeaf,
  type ParsedQuery,
  type QueryLeaf,
  type QueryNode,
  type QueryProblem,
  type QueryProblemName,
} from './query.ts'

/** More problems than this help nobody. */
const MAX_PROBLEMS = 8

export function parseQuery(text: string, now: Instant): ParsedQuery {
  const { text: short, problem } = shortened(cleaned(text))
  const { tokens, problems } = lexQuery(short)
  const parser = new Parser(tokens, now)
  const tree = parser.tree()
  const all = [...(problem === undefined ? [] : [problem]), ...problems, ...parser.problems]
  return { tree, filters: parser.filters(), problems: distinct(all).slice(0, MAX_PROBLEMS) }
}

/** Without control characters, those that turn the direction of writing, and halves of characters. */
function cleaned(text: string): string {
  // A query is at most pasted: whatever is far beyond the limit is not even looked at.
  const beginning = text.slice(0, 4 * MAX_QUERY_CHARS).toWellFormed()
  return beginning
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
}

function shortened(text: string): { text: string; problem?: QueryProblem } {
  if (text.length <= MAX_QUERY_CHARS) return { text }
  const blank = text.slice(0, MAX_QUERY_CHARS + 1).search(/\s\S*$/u)
  const problem = {
    name: 'query-too-long',
    message: `Only the first ${MAX_QUERY_CHARS} characters of the query were searched: leave some words out.`,
  } as const
  return { text: text.slice(0, blank > 0 ? blank : MAX_QUERY_CHARS).toWellFormed(), problem }
}

function distinct(problems: readonly QueryProblem[]): QueryProblem[] {
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()]
}

type Signed = FilterValue & { readonly isNegated: boolean }

class Parser {
  readonly problems: QueryProblem[] = []
  readonly #tokens: readonly QueryToken[]
  readonly #now: Instant
  readonly #filters: Signed[] = []
  #at = 0
  #words = 0
  /** Words so far that are no bare ones. */
  #bound = 0
  #depth = 0
  /** Parentheses that were passed over because they are too deep. */
  #passed = 0
  /** Where the words that are read now are to stand. */
  #zone: ZoneName | undefined
  /** Whether the words that are read now are behind an odd number of NOTs. */
  #isNegated = false

  constructor(tokens: readonly QueryToken[], now: Instant) {
    this.#tokens = tokens
    this.#now = now
  }

  tree(): QueryNode | undefined {
    const parts: QueryNode[] = []
    while (this.#at < this.#tokens.length) {
      const part = this.#all()
      if (part !== undefined) parts.push(part)
      // A closing parenthesis without an opening one: somebody smiles.
      this.#at++
    }
    const tree = allOf(parts)
    const isEmpty = tree === undefined && this.#filters.length > 0 && this.#filters.every(({ isNegated }) => isNegated)
    if (!isEmpty && !(tree !== undefined && isNegative(tree))) return tree
    this.#problem('only-not', 'The query only says what not to find: add a word that is to be found.')
    return undefined
  }

  filters(): QueryFilters {
    const positive = this.#filters.filter(({ isNegated }) => !isNegated)
    const dates = positive.flatMap((filter) => (filter.name === 'since' ? filter.values : []))
    return {
      only: listsOf(positive),
      except: listsOf(this.#filters.filter(({ isNegated }) => isNegated)),
      ...(dates.length === 0 ? {} : { since: Math.max(...dates) }),
    }
  }

  #problem(name: QueryProblemName, message: string): void {
    this.problems.push({ name, message })
  }

  #peek(): QueryToken['kind'] | undefined {
    // Parentheses that are too deep are blanks; those within them close first, so counting is enough.
    for (; this.#depth >= MAX_QUERY_DEPTH; this.#at++) {
      const kind = this.#tokens[this.#at]?.kind
      if (kind === 'open') this.#passed++
      else if (kind !== 'close' || this.#passed === 0) break
      else this.#passed--
      this.#problem('too-deep', `Parentheses more than ${MAX_QUERY_DEPTH} deep were left out: write the query flatter.`)
    }
    return this.#tokens[this.#at]?.kind
  }

  /** Words side by side, up to a closing parenthesis or the end. */
  #all(): QueryNode | undefined {
    const parts: QueryNode[] = []
    for (let kind = this.#peek(); kind !== undefined && kind !== 'close'; kind = this.#peek()) {
      if (kind === 'and' || kind === 'or') this.#skipOperator(kind)
      else parts.push(...some(this.#any()))
    }
    return allOf(parts)
  }

  #any(): QueryNode | undefined {
    const filtersBefore = this.#filters.length
    const parts = some(this.#both())
    let operands = 1
    for (; this.#takesOperand('or'); operands++) parts.push(...some(this.#both()))
    if (operands > 1) this.#checkFilters(filtersBefore, parts.length > 0, 'or')
    if (operands === 1) return parts[0]
    const [negative, positive] = [parts.filter(isNegative), parts.filter((part) => !isNegative(part))]
    for (const part of negative) {
      this.#problem(
        'not-in-or',
        `${quoted(showQuery({ tree: part, filters: noFilters }))} beside an OR would find nearly every page and was left out. ` +
          'Write it outside of the OR.',
      )
    }
    return anyOf(positive)
  }

  #both(): QueryNode | undefined {
    const parts = some(this.#unary())
    while (this.#takesOperand('and')) parts.push(...some(this.#unary()))
    return allOf(parts)
  }

  /** Whether this operator stands here with something to its right; then it is passed. */
  #takesOperand(kind: 'and' | 'or'): boolean {
    while (this.#peek() === kind) {
      this.#at++
      const next = this.#peek()
      if (next !== undefined && next !== 'close' && next !== 'and' && next !== 'or') return true
      this.#loneOperator(kind)
    }
    return false
  }

  #skipOperator(kind: 'and' | 'or'): void {
    this.#at++
    this.#loneOperator(kind)
  }

  #loneOperator(kind: 'and' | 'or' | 'not'): void {
    const name = kind.toUpperCase()
    const needs = kind === 'not' ? 'something behind it' : 'something on both sides'
    this.#problem(
      'operator-alone',
      `${name} needs ${needs} and was left out. To find the word, write "${name}" in quotation marks.`,
    )
  }

  #unary(): QueryNode | undefined {
    const before = this.#isNegated
    while (this.#peek() === 'not') {
      this.#at++
      this.#isNegated = !this.#isNegated
    }
    const isNegated = this.#isNegated !== before
    const kind = this.#peek()
    let node: QueryNode | undefined
    if (kind === undefined || kind === 'close' || kind === 'and' || kind === 'or') this.#loneOperator('not')
    else node = this.#primary()
    this.#isNegated = before
    return node !== undefined && isNegated ? negated(node) : node
  }

  #primary(): QueryNode | undefined {
    const token = this.#tokens[this.#at++]!
    switch (token.kind) {
      case 'leaf':
        return this.#leaf(token.leaf)
      case 'zone':
        return this.#inZone(token.zone)
      case 'open':
        return this.#group()
      case 'filter':
        this.#filter(token.name, token.text)
        return undefined
      default:
        return undefined
    }
  }

  #leaf(leaf: QueryLeaf): QueryNode | undefined {
    const words = wordsOfLeaf(leaf)
    const isBare = words.length <= MAX_QUERY_WORDS && this.#isBare(leaf)
    // A bare word is taken whole or not at all: cut, it would be a phrase.
    const bareRoom = words.length <= this.#readable ? words.length : 0
    const room = isBare ? bareRoom : Math.min(MAX_QUERY_WORDS - this.#bound, this.#readable)
    if (!isBare) this.#bound += words.length
    this.#words += words.length
    if (words.length > room) {
      this.#tooManyWords()
      if (room <= 0) return undefined
    }
    const last = words[room - 1]
    const kept =
      words.length > room && last !== undefined ? cutLeaf(leaf, leaf.text.slice(0, last.index + last[0].length)) : leaf
    return this.#zone === undefined ? kept : { kind: 'zone', zone: this.#zone, of: kept }
  }

  get #readable(): number {
    return MAX_READ_WORDS - this.#words
  }

  /**
   * A word as it stands in a sentence, and no part of what somebody has put together with quotation marks, operators or
   * parentheses: a long question can do without it, where an index says that it tells little.
   */
  #isBare({ kind }: QueryLeaf): boolean {
    if (kind !== 'word' || this.#zone !== undefined || this.#isNegated || this.#depth > 0) return false
    const [before, behind] = [this.#tokens[this.#at - 2]?.kind, this.#tokens[this.#at]?.kind]
    return before !== 'and' && before !== 'or' && before !== 'not' && behind !== 'and' && behind !== 'or'
  }

  #tooManyWords(): void {
    const what =
      this.#readable < 0
        ? `Only the first ${MAX_READ_WORDS} words were read`
        : `Of the words in quotation marks, in parentheses and beside operators only the first ${MAX_QUERY_WORDS} were searched`
    this.#problem('too-many-words', `${what}: leave some out.`)
  }

  #inZone(zone: ZoneName): QueryNode | undefined {
    const outer = this.#zone
    if (outer !== undefined && outer !== zone) {
      this.#problem(
        'zone-in-zone',
        `${zone}: stands inside of ${outer}:, so only ${zone}: counts there. Write them side by side.`,
      )
    }
    this.#zone = zone
    const words = this.#words
    const kind = this.#peek()
    const node = kind === undefined || kind === 'close' ? undefined : this.#unary()
    this.#zone = outer
    if (node === undefined && words === this.#words) {
      this.#problem('zone-empty', `${zone}: needs a word right behind it, as in ${zone}:word, and was left out.`)
    }
    return node
  }

  #group(): QueryNode | undefined {
    const filtersBefore = this.#filters.length
    this.#depth++
    const node = this.#all()
    // Whether it is closed matters only where the parentheses hold something together.
    const isHolding = node?.kind === 'any' || this.#isNegated || this.#zone !== undefined
    if (this.#peek() !== 'close' && isHolding && node !== undefined) {
      const inside = quoted(showQuery({ tree: node, filters: noFilters }))
      this.#problem(
        'parenthesis-open',
        `The parenthesis before ${inside} is never closed, so it was taken as closed at the end.`,
      )
    }
    this.#at++
    this.#depth--
    if (this.#isNegated) this.#checkFilters(filtersBefore, node !== undefined, 'not')
    return node
  }

  #filter(name: FilterName, text: string): void {
    const value = name === 'since' && this.#isNegated ? 'cannot be negated' : readFilter(name, text, this.#now)
    if (typeof value === 'string') {
      this.#problem('filter-bad', `${quoted(`${name}:${text}`)} was left out: ${name}: ${value}.`)
      return
    }
    this.#filters.push({ ...value, isNegated: this.#isNegated })
    if (this.#filters.length <= MAX_QUERY_FILTERS) return
    this.#filters.pop()
    this.#problem('too-many-filters', `Only the first ${MAX_QUERY_FILTERS} filters count: leave some out.`)
  }

  /** Filters are no words: between them and words, or others, there is no OR, and no NOT around both. */
  #checkFilters(from: number, hasWords: boolean, where: 'or' | 'not'): void {
    const inside = this.#filters.slice(from)
    const names = new Set(inside.map(({ name, isNegated }) => `${isNegated ? '-' : ''}${name}:`))
    // `-(site:a OR site:b)` is clear, while `-site:a OR -site:b` would be all pages.
    const isClear = where === 'not' || inside[0]?.isNegated === this.#isNegated
    if (inside.length === 0 || (names.size === 1 && !hasWords && isClear)) return
    this.#problem(
      `filter-in-${where}`,
      `Filters count for the whole query, so ${[...names].join(' and ')} cannot be just one part of ` +
        `${where === 'or' ? 'an OR' : 'what a NOT leaves out'}. Make two searches of it.`,
    )
  }
}

const noFilters: QueryFilters = {
  only: { sites: [], types: [], languages: [] },
  except: { sites: [], types: [], languages: [] },
}

function some(node: QueryNode | undefined): QueryNode[] {
  return node === undefined ? [] : [node]
}

function allOf(parts: readonly QueryNode[]): QueryNode | undefined {
  const of = parts.flatMap((part) => (part.kind === 'all' ? part.of : [part]))
  return of.length > 1 ? { kind: 'all', of } : of[0]
}

function anyOf(parts: readonly QueryNode[]): QueryNode | undefined {
  const of = parts.flatMap((part) => (part.kind === 'any' ? part.of : [part]))
  return of.length > 1 ? { kind: 'any', of } : of[0]
}

function isNegative(node: QueryNode): boolean {
  return node.kind === 'not' || (node.kind === 'all' && node.of.every((part) => part.kind === 'not'))
}

/** Without what is wanted; what was unwanted before is now wanted, one of them (De Morgan). */
function negated(node: QueryNode): QueryNode {
  if (node.kind === 'not') return node.of
  if (node.kind === 'all' && isNegative(node)) return anyOf(node.of.map(negated))!
  return { kind: 'not', of: node }
}

function listsOf(filters: readonly Signed[]): FilterLists {
  const shown = new Map(
    filters.flatMap((filter) =>
      filter.name === 'site' ? filter.values.map((site) => [JSON.stringify(site), site] as const) : [],
    ),
  )
  const named = (name: FilterName): string[] => [
    ...new Set(
      filters.flatMap((filter) =>
        filter.name === name && filter.name !== 'site' && filter.name !== 'since' ? filter.values : [],
      ),
    ),
  ]
  return { sites: [...shown.values()], types: named('type'), languages: named('lang') }
}

/** A compound that is cut is no compound any more, but still a phrase; sentences without spaces are still sentences. */
function cutLeaf({ kind }: QueryLeaf, begins: string): QueryLeaf {
  const text = begins.replaceAll(/["“”„‟«»＂]+/gu, ' ')
  return { kind: kind === 'word' && hasUnspaced(text) && !/\s/u.test(text) ? 'word' : 'phrase', text }
}
