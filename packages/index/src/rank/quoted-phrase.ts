/**
 * Quoted phrase: does a page have what stands in quotation marks, letter by letter but for case and accents? The index knows words by
 * their stems, so what it finds for `"create index"` may be "creating indexes": whoever reads the page sees the difference.
 */
import type { QueryLeaf, QueryNode } from '../query/query.ts'
import { wordsKey } from '../query/synonyms.ts'
import { plainTerm } from '../text/term-fold.ts'
import type { PageContent } from './shown-results.ts'
import type { TextMatch } from './snippet.ts'
import { textMatches } from './text-matches.ts'

/** Looks at one text; a page that has the stems so often and never the words is not about them. */
const MAX_LOOKS = 20

/** Phrases that every page found is to have. */
export function quotedPhrases(tree: QueryNode | undefined): QueryLeaf[] {
  const parts = tree?.kind === 'all' ? tree.of : tree === undefined ? [] : [tree]
  return parts.flatMap((part) => (part.kind === 'phrase' ? [part] : []))
}

const keyOf = (text: string): string => wordsKey(text).split(' ').map(plainTerm).join(' ')

/** The first places where a text has just these words. */
export function exactMatches(text: string, phrase: QueryLeaf, language: string): TextMatch[] {
  const wanted = keyOf(phrase.text)
  for (let [looks, from] = [0, 0]; looks < MAX_LOOKS; looks++) {
    const rest = from === 0 ? text : text.slice(from)
    const matches = textMatches(rest, [phrase], language)
    const exact = matches.filter(({ start, end }) => keyOf(rest.slice(start, end)) === wanted)
    if (exact.length > 0) return exact.map(({ start, end, term }) => ({ start: from + start, end: from + end, term }))
    const last = matches.at(-1)
    if (last === undefined) return []
    from += last.end
  }
  return []
}

/**
 * Whether the page says the phrase in other forms alone. What is in neither text nor title was found by what others say of the page, or
 * further down than anybody reads here, and is believed.
 */
export function hasOtherFormsAlone({ title, text }: PageContent, phrase: QueryLeaf, language: string): boolean {
  const parts = [title, text]
  if (parts.every((part) => textMatches(part, [phrase], language).length === 0)) return false
  return parts.every((part) => exactMatches(part, phrase, language).length === 0)
}
