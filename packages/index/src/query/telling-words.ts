/**
 * Telling words: a question of whole paragraphs is searched by the words that tell most of what it is about.
 *
 * Each word costs a search its postings, so of a question's words only so many are searched. The first ones would be a poor
 * choice, as people begin with "I am looking for articles which"; so the index says which: those with the largest idf, times how
 * often they are asked for. What is in quotation marks, excluded, beside an operator or in a zone somebody has put there on
 * purpose: it stays, and bare words have the room that it leaves.
 *
 * What is chosen depends on the question and the totals of the collection alone, and not on how its segments lie.
 */
import { MAX_QUERY_WORDS, wordsOfLeaf } from './query.ts'
import type { QueryLeaf, QueryNode } from './query.ts'

export interface TellingWords {
  readonly tree: QueryNode
  /** Words that are not searched, as they were typed, each once. */
  readonly leftOut: readonly string[]
}

interface WordWorth {
  /** The same for all forms of a word. */
  readonly name: string
  /** What one mention of it is worth. 0 when no page has it. */
  readonly worth: number
}

/** A word of the question with all its forms. */
interface AskedWord {
  /** As it was typed first. */
  readonly leaf: QueryLeaf
  readonly words: number
  readonly worth: number
  times: number
}

/** `worthOf` is asked for bare words only, and only of a question that is too long. */
export function tellingWords(tree: QueryNode, worthOf: (leaf: QueryLeaf) => WordWorth): TellingWords {
  if (tree.kind !== 'all' || countWords(tree) <= MAX_QUERY_WORDS) return { tree, leftOut: [] }
  const names = new Map<QueryNode, string>()
  const asked = new Map<string, AskedWord>()
  for (const part of tree.of) {
    if (part.kind !== 'word') continue
    const { name, worth } = worthOf(part)
    names.set(part, name)
    const known = asked.get(name)
    if (known === undefined) asked.set(name, { leaf: part, words: wordsOfLeaf(part).length, worth, times: 1 })
    else known.times++
  }
  const bound = tree.of.filter(({ kind }) => kind !== 'word')
  const kept = mostTelling(asked, MAX_QUERY_WORDS - bound.reduce((sum, part) => sum + countWords(part), 0))
  // Excluded words alone would ask for nothing.
  if (kept.size === 0 && bound.every(({ kind }) => kind === 'not')) kept.add([...asked.keys()][0] as string)
  const of = tree.of.flatMap((part): QueryNode[] => {
    const name = names.get(part)
    if (name === undefined) return [part]
    return kept.has(name) ? [(asked.get(name) as AskedWord).leaf] : []
  })
  const leftOut = [...asked].flatMap(([name, { leaf }]) => (kept.has(name) ? [] : [leaf.text]))
  return { tree: of.length === 1 ? (of[0] as QueryNode) : { kind: 'all', of }, leftOut }
}

function mostTelling(asked: ReadonlyMap<string, AskedWord>, room: number): Set<string> {
  // Of those that tell alike the first one typed; sorting keeps that order.
  const order = [...asked].toSorted(([, a], [, b]) => b.worth * b.times - a.worth * a.times)
  const kept = new Set<string>()
  let left = room
  for (const [name, { words }] of order) {
    if (words > left) continue
    kept.add(name)
    left -= words
  }
  return kept
}

function countWords(node: QueryNode): number {
  switch (node.kind) {
    case 'all':
    case 'any':
      return node.of.reduce((sum, part) => sum + countWords(part), 0)
    case 'not':
    case 'zone':
      return countWords(node.of)
    default:
      return wordsOfLeaf(node).length
  }
}

/** Left-out words that are named. */
const MOST_NAMED = 12
const MOST_CHARS = 20

/** For people: what was not searched. */
export function leftOutProblem(leftOut: readonly string[]): string {
  const named = leftOut
    .slice(0, MOST_NAMED)
    .map((word) => (word.length > MOST_CHARS ? `${word.slice(0, MOST_CHARS).toWellFormed()}…` : word))
  const others = leftOut.length - named.length
  const list = others === 0 ? named.join(', ') : `${named.join(', ')} and ${others} more`
  return `Of a long question the ${MAX_QUERY_WORDS} words that tell most are searched; left out: ${list}.`
}
