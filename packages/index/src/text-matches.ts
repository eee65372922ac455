/** Where the words of a query stand in a page's text, for its snippet. Whole phrases are one match each. */
import type { QueryLeaf } from './query.ts'
import type { TextMatch } from './snippet.ts'
import { TermCache } from './term-cache.ts'
import { foldWord, plainTerm } from './term-fold.ts'
import { queryTerms, termRulesOf } from './terms.ts'
import { TextUnits } from './text-units.ts'
import { eachWord } from './words.ts'

/** Matches of one page; more are not needed to choose a few lines. */
const MAX_MATCHES = 2_000
/** As far as a snippet looks. */
const MAX_CHARS = 200_000

const cache = new TermCache()

export function textMatches(fullText: string, leaves: readonly QueryLeaf[], language: string): TextMatch[] {
  const text = fullText.length > MAX_CHARS ? fullText.slice(0, MAX_CHARS) : fullText
  const wanted = leaves.map((leaf) => wordsOf(leaf, language)).filter((tests) => tests.length > 0)
  const longest = Math.max(0, ...wanted.map(({ length }) => length))
  const rules = termRulesOf(language)
  const units = new TextUnits().load(text)
  const found: TextMatch[] = []
  // The last words that were seen, as many as the longest phrase has.
  const seen: { start: number; term: string }[] = []
  eachWord(units, (start, end) => {
    if (found.length >= MAX_MATCHES) return
    seen.push({ start, term: cache.termAt(units, start, end, rules) })
    if (seen.length > longest) seen.shift()
    for (const [leaf, tests] of wanted.entries()) {
      const first = seen.length - tests.length
      if (first >= 0 && tests.every((test, i) => test((seen[first + i] as { term: string }).term)))
        found.push({ start: (seen[first] as { start: number }).start, end, term: leaf })
    }
  })
  return found
}

/** A test for each word of a leaf, one after another. */
function wordsOf(leaf: QueryLeaf, language: string): ((term: string) => boolean)[] {
  const words: string[] = []
  eachWord(leaf.text, (start, end) => void words.push(leaf.text.slice(start, end)))
  return words.map((word, i) => {
    const terms = queryTerms(word, [language])
    if (leaf.kind !== 'prefix' || i < words.length - 1) return (term) => terms.includes(term)
    const prefix = plainTerm(foldWord(word))
    return (term) => terms.includes(term) || (prefix !== '' && term.startsWith(prefix))
  })
}
