/**
 * SpellingAdvice: another spelling for a query that finds little. Its words are the terms of the index, which are stems;
 * so that people are shown a word and not its stem, one page that has the term is read and the word taken from there.
 *
 * The list of terms is made when a rare word is first asked for, and again when the index has doubled: it takes seconds
 * where there are many terms, so it is made a slice at a time, and others are answered in between. It need not be new; nor is
 * it waited for: who has lost patience is answered without advice, and who asks later has it.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { IndexReader, IndexView } from '../read/index-reader.ts'
import { END } from '../read/posting-cursor.ts'
import { mapLeaves, showQuery, wantedLeaves } from './query.ts'
import type { ParsedQuery, QueryLeaf } from './query.ts'
import type { ContentSource } from '../rank/shown-results.ts'
import { DamagedSegment, documentsWith, guarded } from '../rank/ranked-search.ts'
import { FrequentTerms, Speller } from './spelling.ts'
import { allTerms } from '../read/term-list.ts'
import { queryTerms, termOf } from '../text/terms.ts'
import { eachWord } from '../text/words.ts'

const GROWTH = 2
/** A word that stands in more pages than this, or in more than a thousandth of all, is taken for right. */
const RARE = 3
const RARE_SHARE = 1_000
/** Pages looked at for the word behind a stem. */
const MAX_LOOKED = 3
/** Words looked up; to look one up takes about a millisecond for each language. */
const MAX_WORDS = 8
/** Terms looked at before others have their turn: some ten milliseconds. */
const SLICE = 2_000

/** A word of a query that probably should be another. */
interface Correction {
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

interface Preparing {
  /** A view of its own, which nobody changes meanwhile. */
  readonly open: () => IndexReader
  readonly patienceMs: number
  /** The list is there after all, though somebody has not waited for it. */
  readonly onLate?: () => void
}

export class SpellingAdvice implements Disposable {
  readonly #contentOf: ContentSource
  #isOver = false
  #speller: Speller | undefined
  #making: Promise<void> | undefined
  #madeAt = 0

  constructor(contentOf: ContentSource) {
    this.#contentOf = contentOf
  }

  /** Whether some word of a query is so rare that it may be misspelt. */
  isLikely(query: ParsedQuery, view: IndexView, languages: readonly string[]): boolean {
    if (query.tree === undefined || view.documents === 0) return false
    return wordsIn(query).some(({ word }) => isRare(frequencyOf(queryTerms(word, languages), view), view))
  }

  /** Before corrections are asked for: the list of terms is made, should it be missing or too old. */
  async prepare({ documents }: IndexView, { open, patienceMs, onLate }: Preparing): Promise<void> {
    if (this.#speller !== undefined && documents <= this.#madeAt * GROWTH) return
    const making = (this.#making ??= this.#make(open).finally(() => (this.#making = undefined)))
    if (await soonEnough(making, patienceMs)) return
    // Should it fail, who asks next hears of it.
    void making.then(onLate, () => undefined)
  }

  /** What is being made ends at its next slice. */
  [Symbol.dispose](): void {
    this.#isOver = true
  }

  async #make(open: () => IndexReader): Promise<void> {
    using reader = open()
    const terms = new FrequentTerms()
    let looked = 0
    try {
      for (const pair of allTerms(reader.view.segments)) {
        terms.add(pair)
        if (++looked % SLICE === 0) await setImmediate()
        if (this.#isOver) return
      }
    } catch (error) {
      // Whoever searches there next finds the damage and tells of it; until then there is no advice.
      if (error instanceof DamagedSegment) return
      throw error
    }
    this.#speller = new Speller(terms.list())
    this.#madeAt = reader.view.documents
  }

  /** What of a query may be misspelt; nothing before `prepare`. All that is asked of the index is asked here: it may change while pages are read. */
  corrections(query: ParsedQuery, view: IndexView, languages: readonly string[]): Correction[] {
    return wordsIn(query).flatMap(({ leaf, start, end, word }) => {
      const term = this.#correction(word, view, languages)
      return term === undefined ? [] : [{ leaf, start, end, term, pages: pagesWith(term, view, MAX_LOOKED) }]
    })
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
    const frequency = frequencyOf(terms, view)
    const speller = this.#speller
    if (speller === undefined || !isRare(frequency, view)) return undefined
    const corrections = terms.map((term) => speller.correction(term, frequency)).filter((one) => one !== undefined)
    return corrections.toSorted((a, b) => documentsWith(b, view) - documentsWith(a, view))[0]
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

async function soonEnough(working: Promise<void>, patienceMs: number): Promise<boolean> {
  if (patienceMs === Infinity) return await working.then(() => true)
  const timer = new AbortController()
  const impatience = sleep(patienceMs, false, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([working.then(() => true), impatience])
  } finally {
    timer.abort()
  }
}

/** The words of a query that may be misspelt: not those of prefixes, and of many only the first. */
function wordsIn({ tree }: ParsedQuery): (Pick<Correction, 'leaf' | 'start' | 'end'> & { readonly word: string })[] {
  const words: (Pick<Correction, 'leaf' | 'start' | 'end'> & { readonly word: string })[] = []
  for (const leaf of wantedLeaves(tree)) {
    if (leaf.kind === 'prefix') continue
    eachWord(leaf.text, (start, end) => void words.push({ leaf, start, end, word: leaf.text.slice(start, end) }))
  }
  return words.slice(0, MAX_WORDS)
}

const isRare = (frequency: number, { documents }: IndexView): boolean =>
  frequency <= Math.max(RARE, documents / RARE_SHARE)

const frequencyOf = (terms: readonly string[], view: IndexView): number =>
  Math.max(...terms.map((term) => documentsWith(term, view)))

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
