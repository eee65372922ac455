/** Where the words of a query stand in a page's text, for its snippet. Whole phrases are one match each. */
import { isPlain, matchCandidates } from './match-candidates.ts'
import type { QueryLeaf } from '../query/query.ts'
import type { TextMatch } from './snippet.ts'
import { TermCache } from '../text/term-cache.ts'
import { foldWord, plainTerm } from '../text/term-fold.ts'
import { queryTerms, termRulesOf } from '../text/terms.ts'
import { TextUnits } from '../text/text-units.ts'
import { WordList, eachWord } from '../text/words.ts'

/** Matches of one page; more are not needed to choose a few lines. */
const MAX_MATCHES = 200
/** So many of each word will do: a page that is about it has them in its first lines, and need not be read to its end. */
const ENOUGH = 8
/** As far as a snippet looks. */
const MAX_CHARS = 200_000
/** Read between two looks whether that is enough; ends where a word does. */
const SLICE_CHARS = 8_192

const cache = new TermCache()
const units = new TextUnits()
/** One for all: a page has hundreds of pieces to look at, of a word or two each. */
const list = new WordList()

export function textMatches(text: string, leaves: readonly QueryLeaf[], language: string): TextMatch[] {
  const wanted = leaves.map((leaf) => wordsOf(leaf, language)).filter((tests) => tests.length > 0)
  if (wanted.length === 0) return []
  const search = new MatchSearch(wanted, termRulesOf(language))
  const length = Math.min(text.length, MAX_CHARS)
  const beginnings = wanted.flat().flatMap((word) => word.beginnings)
  if (isPlain(beginnings)) readCandidates(search, text, beginnings, length)
  else readAll(search, text, length)
  return search.found
}

function readCandidates(search: MatchSearch, text: string, beginnings: readonly string[], length: number): void {
  let before = 0
  for (const [start, end] of matchCandidates(text, beginnings, length)) {
    // What stood between was no wanted word, so no phrase goes on behind it.
    if (!/^\s*$/.test(text.slice(before, start))) search.pause()
    search.read(text.slice(start, end), start)
    before = end
    if (search.isEnough) return
  }
}

/** Word by word, for scripts in which words cannot be told by their first letters. */
function readAll(search: MatchSearch, text: string, length: number): void {
  for (let from = 0; from < length && !search.isEnough;) {
    const to = sliceEnd(text, from + SLICE_CHARS, length)
    search.read(text.slice(from, to), from)
    from = to
  }
}

function sliceEnd(text: string, from: number, length: number): number {
  // A text without spaces is cut anywhere.
  for (let at = from; at < Math.min(length, from + SLICE_CHARS); at++) if (text.charCodeAt(at) <= 0x20) return at
  return Math.min(length, from + SLICE_CHARS)
}

class MatchSearch {
  readonly found: TextMatch[] = []
  readonly #wanted: readonly Wanted[]
  readonly #rules: string
  readonly #letters: Uint8Array
  readonly #counts: Uint32Array
  /** The last words that were seen, as many as the longest phrase has. */
  readonly #longest: number
  readonly #starts: number[] = []
  readonly #terms: string[] = []

  constructor(wanted: readonly Wanted[], rules: string) {
    this.#wanted = wanted
    this.#rules = rules
    this.#letters = firstLetters(wanted)
    this.#counts = new Uint32Array(wanted.length)
    this.#longest = Math.max(...wanted.map(({ length }) => length))
  }

  get isEnough(): boolean {
    return this.found.length >= MAX_MATCHES || this.#counts.every((count) => count >= ENOUGH)
  }

  read(slice: string, offset: number): void {
    const { count, starts, ends } = list.read(units.load(slice))
    const [letters, points] = [this.#letters, units.units]
    for (let i = 0; i < count; i++) {
      const start = starts[i] as number
      // Nine words in ten begin with another letter than any that is wanted, and need not be stemmed.
      const letter = points[start] as number
      const isLike = letter >= 0x80 || letters[letter] === 1
      if (isLike || this.#longest > 1) this.#see(start, ends[i] as number, offset, isLike)
    }
  }

  /** Words that were passed over. */
  pause(): void {
    this.#starts.length = this.#terms.length = 0
  }

  #see(start: number, end: number, offset: number, isLike: boolean): void {
    const [starts, terms] = [this.#starts, this.#terms]
    starts.push(start + offset)
    terms.push(isLike ? cache.termAt(units, start, end, this.#rules) : '')
    if (terms.length > this.#longest) {
      starts.shift()
      terms.shift()
    }
    if (!isLike) return
    for (const [leaf, tests] of this.#wanted.entries()) {
      const first = terms.length - tests.length
      if (first < 0 || !tests.every(({ fits }, i) => fits(terms[first + i] as string))) continue
      this.found.push({ start: starts[first] as number, end: end + offset, term: leaf })
      this.#counts[leaf] = (this.#counts[leaf] as number) + 1
    }
  }
}

interface WantedWord {
  readonly fits: (term: string) => boolean
  /** What a word that fits begins with, or `''` when that can be anything. */
  readonly beginnings: readonly string[]
}

type Wanted = readonly WantedWord[]

/** Which ASCII characters a wanted word may begin with, in either case: neither folding nor stemming changes those. */
function firstLetters(wanted: readonly Wanted[]): Uint8Array {
  const letters = new Uint8Array(0x80)
  for (const beginning of wanted.flat().flatMap(({ beginnings }) => beginnings)) {
    const code = beginning.charCodeAt(0)
    // One that begins otherwise may stand for anything: Å folds to a, and ﬁ to f.
    if (!(code < 0x80)) letters.fill(1)
    for (const one of [beginning.toLowerCase(), beginning.toUpperCase()]) letters[one.charCodeAt(0)] = 1
  }
  return letters
}

/** A test for each word of a leaf, one after another. */
function wordsOf(leaf: QueryLeaf, language: string): Wanted {
  const words: string[] = []
  eachWord(leaf.text, (start, end) => void words.push(leaf.text.slice(start, end)))
  return words.map((word, i) => {
    const terms = queryTerms(word, [language])
    if (leaf.kind !== 'prefix' || i < words.length - 1)
      return { fits: (term) => terms.includes(term), beginnings: terms }
    const prefix = plainTerm(foldWord(word))
    return {
      fits: (term) => terms.includes(term) || (prefix !== '' && term.startsWith(prefix)),
      beginnings: [...terms, prefix],
    }
  })
}
