/**
 * Terms: what a word is called in the index. Page and query come to the same term by the same way: fold, stem in the
 * page's language, and leave the accents out. A page of unknown language (`und`) is not stemmed, so a query asks for
 * its word under every language at hand, and as it stands.
 */
import { stemmerOf, STEMMERS } from './stems.ts'
import { cutTo, foldWord, MAX_TERM_UNITS, plainTerm } from './term-fold.ts'

/** The language of a page nobody knows the language of. */
export const UNKNOWN_LANGUAGE = 'und'

/** Never '' for a word that is not. `language` is a primary subtag; one without a stemmer only folds. */
export function termOf(surface: string, language: string): string {
  const word = foldWord(cutTo(surface, MAX_TERM_UNITS), language)
  return plainTerm(stemOf(word, language)) || plainTerm(word) || cutTo(surface, MAX_TERM_UNITS).toWellFormed()
}

/** The distinct terms a query's word may have become in pages of the given languages, or of unknown language. */
export function queryTerms(word: string, languages: readonly string[]): string[] {
  const terms = new Set([termOf(word, UNKNOWN_LANGUAGE)])
  for (const language of languages) terms.add(termOf(word, language))
  return [...terms]
}

/** Names such as x86 and C++ have no forms; a stemmer would only maim them. */
const UNSTEMMED = /[\p{N}+#]/u

function stemOf(word: string, language: string): string {
  const stemmer = stemmerOf(language)
  return stemmer === undefined || UNSTEMMED.test(word) ? word : stemmer(word)
}

/** Languages that make the same terms of all words, by one name: those without rules of their own are `und`. */
export function termRulesOf(language: string): string {
  return STEMMERS.has(language) || language === 'az' ? language : UNKNOWN_LANGUAGE
}
