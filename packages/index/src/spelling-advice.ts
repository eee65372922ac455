/**
 * SpellingAdvice: another spelling for a query that finds little. Its words are the terms of the index, which are stems;
 * so that people are shown a word and not its stem, one page that has the term is read and the word taken from there.
 *
 * The list of terms is made when a rare word is first asked for, and again when the index has doubled: it takes a
 * moment in which nothing else is answered, and need not be new.
 */
import type { IndexView } from './index-reader.ts'
import { END } from './posting-cursor.ts'
import { mapLeaves, showQuery, wantedLeaves } from './query.ts'
import type { ParsedQuery, QueryLeaf } from './query.ts'
import type { ContentSource } from './search-engine.ts'
import { guarded } from './ranked-search.ts'
import { Speller } from './spelling.ts'
import { allTerms } from './term-list.ts'
import { queryTerms, termOf } from './terms.ts'
import { eachWord } from './words.ts'

const GROWTH = 2
/** A word that stands in more pages than this, or in more than a thousandth of all, is taken for right. */
const RARE = 3
const RARE_SHARE = 1_000
/** Pages looked at for the word behind a stem. */
const MAX_LOOKED = 3
/** Words looked up; to look one up takes about a millisecond for each language. */
const MAX_WORDS = 8

/** A word of a query that probably should be another. */
export interface Correction {
  readonly leaf: QueryLeaf
  /** Where in the leaf's text. */
  readonly start: number
  readonly end: number
  readonly term: string
  /** Where the term's words are to be seen. */
  readonly pages: readonly PageWithTerm[]
}

interface PageWithTerm {
  readonly key: number
  readonly url: string
  readonly language: string
}

export class SpellingAdvice {
  readonly #contentOf: ContentSource
  #speller: Speller | undefined
  #madeAt = 0

  constructor(contentOf: ContentSource) {
    this.#contentOf = contentOf
  }

  /** What of a query may be misspelt. All that is asked of the index is asked here: it may change while pages are read. */
  corrections(query: ParsedQuery, view: IndexView, languages: readonly string[]): Correction[] {
    if (query.tree === undefined || view.documents === 0) return []
    const found: Correction[] = []
    let left = MAX_WORDS
    for (const leaf of wantedLeaves(query.tree)) {
      if (leaf.kind === 'prefix') continue
      eachWord(leaf.text, (start, end) => {
        if (left-- <= 0) return
        const term = this.#correction(leaf.text.slice(start, end), view, languages)
        if (term !== undefined) found.push({ leaf, start, end, term, pages: pagesWith(term, view, MAX_LOOKED) })
      })
    }
    return found
  }

  /** The same query with words replaced by likelier ones; undefined when there are none. */
  async suggest(query: ParsedQuery, corrections: readonly Correction[]): Promise<string | undefined> {
    const better = new Map<QueryLeaf, string>()
    // From behind, so that places before stay where they are.
    for (const correction of corrections.toReversed()) {
      const { leaf, start, end } = correction
      const word = await this.#wordOf(correction)
      const text = better.get(leaf) ?? leaf.text
      if (word !== undefined) better.set(leaf, text.slice(0, start) + word + text.slice(end))
    }
    if (query.tree === undefined || better.size === 0) return undefined
    const tree = mapLeaves(query.tree, (leaf) => ({ ...leaf, text: better.get(leaf) ?? leaf.text }))
    return showQuery({ tree, filters: query.filters })
  }

  /** The likeliest term for a word that is probably misspelt. */
  #correction(word: string, view: IndexView, languages: readonly string[]): string | undefined {
    const terms = queryTerms(word, languages)
    const frequency = Math.max(...terms.map((term) => documentsWith(view, term)))
    if (frequency > Math.max(RARE, view.documents / RARE_SHARE)) return undefined
    const speller = this.#spellerFor(view)
    const corrections = terms.map((term) => speller.correction(term, frequency)).filter((one) => one !== undefined)
    return corrections.toSorted((a, b) => documentsWith(view, b) - documentsWith(view, a))[0]
  }

  #spellerFor(view: IndexView): Speller {
    if (this.#speller === undefined || view.documents > this.#madeAt * GROWTH) {
      this.#speller = new Speller(allTerms(view.segments))
      this.#madeAt = view.documents
    }
    return this.#speller
  }

  /** A word that has become the term, as a page writes it. */
  async #wordOf({ term, pages }: Correction): Promise<string | undefined> {
    for (const { key, url, language } of pages) {
      const content = await this.#contentOf(key, url)
      const word = content === undefined ? undefined : wordIn(`${content.title} ${content.text}`, term, language)
      if (word !== undefined) return word
    }
    return undefined
  }
}

function pagesWith(term: string, { segments }: IndexView, most: number): PageWithTerm[] {
  const found: PageWithTerm[] = []
  for (const held of segments)
    guarded(held, () => {
      const { segment, gone } = held
      const postings = segment.postings(term)
      if (postings === undefined) return
      const { directory, columns } = segment
      const cursor = segment.cursor(postings)
      for (let doc = cursor.next(); doc !== END && found.length < most; doc = cursor.next()) {
        if (gone.has(doc)) continue
        const language = directory.languages[columns.languages[doc] as number] as string
        found.push({ key: columns.keys[doc] as number, url: segment.url(doc), language })
      }
    })
  return found
}

function wordIn(text: string, term: string, language: string): string | undefined {
  let found: string | undefined
  eachWord(text, (start, end) => {
    if (found === undefined && termOf(text.slice(start, end), language) === term)
      found = text.slice(start, end).toLowerCase()
  })
  return found
}

const documentsWith = ({ segments }: IndexView, term: string): number =>
  segments.reduce((sum, held) => sum + (guarded(held, () => held.segment.postings(term))?.documents ?? 0), 0)
