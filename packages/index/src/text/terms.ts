/**
 * Terms: what a word is called in the index. Page and query come to the same term by the same way: fold, stem in the
 * page's language, and leave the accents out. A page of unknown language (`und`) is stemmed as English: most such pages
 * are too short to tell, and more of them are English than anything else. A query asks for its word under every
 * language at hand.
 */
import { stemmerOf, STEMMERS } from './stems.ts'
import { cutTo, foldWord, MAX_TERM_UNITS, plainTerm } from './term-fold.ts'

/** The language of a page nobody knows the language of. */
export const UNKNOWN_LANGUAGE = 'und'
/** Stands for all languages that have no rules here: their words are folded and not stemmed. */
const FOLD_ONLY = 'zxx'

/** Never '' for a word that is not. `language` is a primary subtag; one without a stemmer only folds. */
export function termOf(surface: string, language: string): string {
  const word = foldWord(cutTo(surface, MAX_TERM_UNITS), language)
  return plainTerm(stemOf(word, language)) || plainTerm(word) || cutTo(surface, MAX_TERM_UNITS).toWellFormed()
}

/** The distinct terms a query's word may have become in pages of the given languages. */
export function queryTerms(word: string, languages: readonly string[]): string[] {
  const rules = new Set(languages.length === 0 ? [FOLD_ONLY] : languages.map(termRulesOf))
  return [...new Set([...rules].map((one) => termOf(word, one)))]
}

/** Names such as x86 and C++ have no forms; a stemmer would only maim them. */
const UNSTEMMED = /[\p{N}+#]/u

function stemOf(word: string, language: string): string {
  const stemmer = stemmerOf(language === UNKNOWN_LANGUAGE ? 'en' : language)
  return stemmer === undefined || UNSTEMMED.test(word) ? word : stemmer(word)
}

/** Languages that make the same terms of all words, by one name. */
export function termRulesOf(language: string): string {
  if (language === UNKNOWN_LANGUAGE) return 'en'
  return STEMMERS.has(language) || language === 'az' ? language : FOLD_ONLY
}
