/**
 * Plan: a query after analysis, in terms of the index. What the words may have become in each language stands beside
 * each other as alternatives; a segment turns a plan into iterators over its documents.
 */

export type Plan =
  /** `times`: how often it is asked for, where that is more than once. */
  | { readonly kind: 'term'; readonly term: string; readonly times?: number }
  | { readonly kind: 'all'; readonly parts: readonly Plan[] }
  | { readonly kind: 'any'; readonly parts: readonly Plan[] }
  | { readonly kind: 'without'; readonly part: Plan; readonly not: Plan }
  /** Words one after another; each may be any of its alternatives. */
  | { readonly kind: 'phrase'; readonly words: readonly (readonly string[])[] }
  /** A term that must stand in a zone. */
  | { readonly kind: 'zone'; readonly zones: number; readonly term: string }
  | { readonly kind: 'every' }
  | { readonly kind: 'none' }

/**
 * The terms that give a plan its score, all but those that must not be there, and how often each is asked for: what
 * somebody says twice is what the question is about, and the queries of CACM are whole paragraphs. The terms of a zone
 * stand beside the phrase that they make, so these are counted apart and the larger number holds.
 */
export function timesAsked(plan: Plan): ReadonlyMap<string, number> {
  const [words, inZones] = [new Map<string, number>(), new Map<string, number>()]
  count(plan, words, inZones)
  const times = new Map(words)
  for (const [term, number] of inZones) times.set(term, Math.max(number, times.get(term) ?? 0))
  return times
}

function count(plan: Plan, words: Map<string, number>, inZones: Map<string, number>): void {
  switch (plan.kind) {
    case 'term':
      return void add(words, plan.term, plan.times)
    case 'zone':
      return void add(inZones, plan.term)
    case 'all':
    case 'any':
      for (const part of plan.parts) count(part, words, inZones)
      return
    case 'without':
      return count(plan.part, words, inZones)
    case 'phrase':
      for (const term of plan.words.flat()) add(words, term)
  }
}

const add = (into: Map<string, number>, term: string, times = 1): unknown =>
  into.set(term, (into.get(term) ?? 0) + times)

/**
 * The same parts without words that are there twice: a word that is asked for ever so often is looked up once, and counts
 * as often as it was asked for.
 */
export function withoutRepeats(parts: readonly Plan[]): readonly Plan[] {
  const times = new Map<string, number>()
  const names = parts.map((part) => (isWord(part) ? JSON.stringify(part) : undefined))
  for (const name of names) if (name !== undefined) times.set(name, (times.get(name) ?? 0) + 1)
  if ([...times.values()].every((number) => number === 1)) return parts
  return parts.flatMap((part, i) => {
    const name = names[i]
    if (name === undefined) return [part]
    const number = times.get(name)
    times.delete(name)
    return number === undefined ? [] : [asked(part, number)]
  })
}

/** A term, or what a word may have become in several languages. */
const isWord = (plan: Plan): boolean =>
  plan.kind === 'term' || (plan.kind === 'any' && plan.parts.every(({ kind }) => kind === 'term'))

function asked(word: Plan, times: number): Plan {
  if (times === 1) return word
  if (word.kind === 'any') return { kind: 'any', parts: word.parts.map((part) => asked(part, times)) }
  return word.kind === 'term' ? { ...word, times: (word.times ?? 1) * times } : word
}

/** The terms of a plan that is nothing but alternatives; undefined for any other. */
export function disjunctionOf(plan: Plan): string[] | undefined {
  if (plan.kind === 'term') return [plan.term]
  if (plan.kind !== 'any') return undefined
  const parts = plan.parts.map(disjunctionOf)
  return parts.every((part) => part !== undefined) ? [...new Set(parts.flat())] : undefined
}
