/**
 * Synonyms: words that an operator says mean the same. A question's bare words get others beside them; what is in quotation marks, in a
 * zone, a prefix or excluded stays what was typed, since whoever writes so means these words and no others.
 *
 *     pg tables        any ─ pg                    all ─┬─ (pg OR postgres OR "postgre sql")
 *     pg => postgres, postgre sql                       └─ tables
 */
import { foldWord } from '../text/term-fold.ts'
import { TextUnits } from '../text/text-units.ts'
import { WordList } from '../text/words.ts'
import { MAX_QUERY_WORDS, wordsOfLeaf } from './query.ts'
import type { QueryLeaf, QueryNode } from './query.ts'

/** Whoever asks for `words` is answered with pages that have any of `others`, too. */
export interface SynonymRule {
  readonly words: string
  readonly others: readonly string[]
}

/** What a question was widened by. */
interface Widened {
  readonly words: string
  readonly by: readonly string[]
}

interface WidenedTree {
  readonly tree: QueryNode
  readonly widened: readonly Widened[]
}

/** Of one thing to look for: more are no name. */
export const MAX_SYNONYM_WORDS = 8

/** Words as they are compared: folded, so that case and width make no difference; one blank between them. */
export function wordsKey(text: string): string {
  const { count, starts, ends } = list.read(units.load(text))
  const words = Array.from({ length: count }, (_, i) => foldWord(text.slice(starts[i], ends[i])))
  return words.join(' ')
}

/** One for all: a file has tens of thousands of lines of a word or two each. */
const list = new WordList()
const units = new TextUnits()

export class Synonyms {
  readonly #others = new Map<string, Set<string>>()

  constructor(rules: Iterable<SynonymRule>) {
    for (const { words, others } of rules) {
      const key = wordsKey(words)
      const known = this.#others.get(key) ?? new Set()
      for (const other of others) if (wordsKey(other) !== key) known.add(other)
      if (key !== '' && known.size > 0) this.#others.set(key, known)
    }
  }

  get size(): number {
    return this.#others.size
  }

  /** Undefined where nothing is widened. A question never has more words than one that was typed may have. */
  widen(tree: QueryNode): WidenedTree | undefined {
    const widened: Widened[] = []
    let room = MAX_QUERY_WORDS - countWords(tree)
    const beside = (parts: readonly QueryLeaf[]): QueryNode | undefined => {
      const typed = parts.map(({ text }) => text).join(' ')
      const by: string[] = []
      for (const other of this.#others.get(wordsKey(typed)) ?? []) {
        const words = wordsOfLeaf({ kind: 'word', text: other }).length
        if (words > room) break
        room -= words
        by.push(other)
      }
      if (by.length === 0) return undefined
      widened.push({ words: typed, by })
      const asTyped: QueryNode = parts.length === 1 ? parts[0]! : { kind: 'all', of: parts }
      return { kind: 'any', of: [asTyped, ...by.map(leafOf)] }
    }
    const walked = walk(tree, beside)
    return widened.length === 0 ? undefined : { tree: walked, widened }
  }
}

const leafOf = (text: string): QueryLeaf => ({
  kind: wordsOfLeaf({ kind: 'word', text }).length > 1 ? 'phrase' : 'word',
  text,
})

type Beside = (parts: readonly QueryLeaf[]) => QueryNode | undefined

function walk(node: QueryNode, beside: Beside): QueryNode {
  if (node.kind === 'word') return beside([node]) ?? node
  if (node.kind === 'any') {
    const parts = node.of.map((part) => walk(part, beside))
    return { kind: 'any', of: parts.flatMap((part) => (part.kind === 'any' ? part.of : [part])) }
  }
  if (node.kind !== 'all') return node
  const parts = runsOf(node.of, beside)
  return parts.length === 1 ? parts[0]! : { kind: 'all', of: parts }
}

/** Words side by side, of which the longest run that has others beside it counts. */
function runsOf(parts: readonly QueryNode[], beside: Beside): QueryNode[] {
  const out: QueryNode[] = []
  for (let at = 0; at < parts.length;) {
    const run = longestRun(parts, at, beside)
    out.push(run?.node ?? walk(parts[at]!, beside))
    at += run?.length ?? 1
  }
  return out
}

function longestRun(
  parts: readonly QueryNode[],
  at: number,
  beside: Beside,
): { node: QueryNode; length: number } | undefined {
  const words: QueryLeaf[] = []
  for (const part of parts.slice(at, at + MAX_SYNONYM_WORDS)) {
    if (part.kind !== 'word') break
    words.push(part)
  }
  for (let length = words.length; length > 1; length--) {
    const node = beside(words.slice(0, length))
    // What is an alternative of all parts together is one, also where all of them are the question.
    if (node !== undefined) return { node, length }
  }
  return undefined
}

function countWords(node: QueryNode): number {
  if (node.kind === 'all' || node.kind === 'any') return node.of.reduce((sum, part) => sum + countWords(part), 0)
  return node.kind === 'not' || node.kind === 'zone' ? countWords(node.of) : wordsOfLeaf(node).length
}
