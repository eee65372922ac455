/**
 * Term cache: surface → term, so that a word is folded and stemmed once and not each time it stands in a text.
 *
 * A table of buckets with four places each, as in a processor's cache: a hit moves one place up, a new word takes the
 * last place. So its size is fixed, frequent words stay, and no choice of words, however hostile, makes it slow or large.
 * A look-up reads the word where it stands in the text and allocates nothing.
 *
 *   place = the two halves of the word's key · rules · number of the term
 *
 * A number is four bytes, so a bucket is one line of a processor's cache. Under other rules a word has another bucket:
 * where pages of many languages come in turn, their common words would drive each other out. Of a word that is not its
 * own key (`text/word-key.ts`), the upper half says where its surface stands among all surfaces, with its length.
 */
import { MAX_TERM_UNITS } from './term-fold.ts'
import { termOf } from './terms.ts'
import { pointAt, TextUnits } from './text-units.ts'
import { Vocabulary } from './vocabulary.ts'
import { HASHED, hashOf, mixed, WordKey } from './word-key.ts'
import type { WordList } from './words.ts'

const WAYS = 4
const LOW = 0
const HIGH = 1
const RULES = 2
const TERM = 3
const FIELDS = 4
/** A span has the sign bit, by which it is told from the half of a key; the place of the surface; and its length. */
const SPAN = 1 << 31
/** Bits for the length, at most `MAX_TERM_UNITS`. */
const LENGTH_BITS = 7
const LENGTH_MASK = (1 << LENGTH_BITS) - 1
/** Units of surface that a place of the table has, in the mean. */
const UNITS_A_PLACE = 12
/** Terms that `termAt` gathers before it begins anew. */
const MAX_TERMS = 1 << 17

/** Rules by which words that differ in case are different: their numbers are odd. */
const CASED = 1
const CASED_RULES: ReadonlySet<string> = new Set(['tr', 'az'])

export class TermCache {
  readonly vocabulary: Vocabulary = new Vocabulary()
  /** How far a mixed key is shifted to have the number of its bucket. */
  readonly #shift: number
  readonly #table: Int32Array
  /** Surfaces of words that are not their own keys, one behind the other; without more room all begins anew. */
  readonly #surfaces: Uint16Array
  #used = 0
  /** Names of rules, by half of their number. */
  readonly #rules: string[] = []
  readonly #word = new TextUnits()
  readonly #key = new WordKey()

  /** `buckets` is a power of two; with four words each, the default takes 5 MB when full, beside the vocabulary. */
  constructor(buckets: number = 32_768) {
    this.#shift = Math.clz32(buckets) + 1
    this.#table = new Int32Array(buckets * WAYS * FIELDS)
    this.#surfaces = new Uint16Array(Math.max(MAX_TERM_UNITS, buckets * WAYS * UNITS_A_PLACE))
  }

  /** The number by which `numbersOf` knows rules: those that `termRulesOf` gives are few, so that languages share words. */
  rulesNumber(rules: string): number {
    const known = this.#rules.indexOf(rules)
    const place = known === -1 ? this.#rules.push(rules) - 1 : known
    return place * 2 + (CASED_RULES.has(rules) ? CASED : 0)
  }

  /** `termOf` of the first `count` words of a text, by their numbers in the vocabulary, into `numbers`. */
  numbersOf(source: TextUnits, words: WordList, count: number, rules: number, numbers: Int32Array): void {
    const { starts, ends, lows, highs } = words
    const table = this.#table
    const shift = this.#shift
    const isCased = (rules & CASED) !== 0
    for (let i = 0; i < count; i++) {
      const low = lows[i]!
      const high = highs[i]!
      const place = (mixedBy(rules, low, high) >>> shift) * (WAYS * FIELDS)
      // Most words are where they are looked for first.
      const isFirst = table[place + LOW] === low && table[place + HIGH] === high && table[place + RULES] === rules
      numbers[i] =
        isFirst && !isCased ? table[place + TERM]! : this.#numberAt(source, starts[i]!, ends[i]!, low, high, rules)
    }
  }

  /** The same as a text, for who looks up words now and then; numbers that `numbersOf` gave may mean nothing afterwards. */
  termAt(text: string | TextUnits, start: number, end: number, rules: string): string {
    if (typeof text === 'string') return this.termAt(this.#word.load(text.slice(start, end)), 0, end - start, rules)
    if (this.vocabulary.size >= MAX_TERMS) this.forget()
    const { low, high } = this.#key.read(text.units, start, end)
    return this.vocabulary.textOf(this.#numberAt(text, start, end, low, high, this.rulesNumber(rules)))
  }

  /** Begin anew, with an empty vocabulary. */
  forget(): void {
    this.#forgetSurfaces()
    this.vocabulary.clear()
  }

  #forgetSurfaces(): void {
    this.#table.fill(0)
    this.#used = 0
  }

  #numberAt(source: TextUnits, start: number, end: number, low: number, high: number, rules: number): number {
    if (high < 0) return this.#hashedNumberAt(source, start, end, low, rules)
    if ((rules & CASED) !== 0) return this.#hashedNumberAt(source, start, end, hashOf(source.units, start, end), rules)
    const table = this.#table
    const first = (mixedBy(rules, low, high) >>> this.#shift) * (WAYS * FIELDS)
    for (let place = first; place < first + WAYS * FIELDS; place += FIELDS) {
      if (table[place + LOW] !== low || table[place + HIGH] !== high || table[place + RULES] !== rules) continue
      const term = table[place + TERM]!
      if (place !== first) this.#moveUp(place)
      return term
    }
    return this.#learn(source, start, end, first, low, high, rules)
  }

  #hashedNumberAt(source: TextUnits, start: number, end: number, low: number, rules: number): number {
    const { units } = source
    const stop = Math.min(end, start + MAX_TERM_UNITS)
    const table = this.#table
    const first = (mixedBy(rules, low, HASHED) >>> this.#shift) * (WAYS * FIELDS)
    for (let place = first; place < first + WAYS * FIELDS; place += FIELDS) {
      if (table[place + LOW] !== low || table[place + RULES] !== rules) continue
      if (!this.#isAt(table[place + HIGH]!, units, start, stop)) continue
      const term = table[place + TERM]!
      if (place !== first) this.#moveUp(place)
      return term
    }
    return this.#learn(source, start, stop, first, low, this.#keep(units, start, stop), rules)
  }

  #isAt(span: number, units: Uint16Array, start: number, stop: number): boolean {
    if (span >= 0 || (span & LENGTH_MASK) !== stop - start) return false
    const surfaces = this.#surfaces
    let from = (span & ~SPAN) >>> LENGTH_BITS
    for (let at = start; at < stop; at++) if (surfaces[from++] !== units[at]) return false
    return true
  }

  /** Change places with the one before. */
  #moveUp(place: number): void {
    const table = this.#table
    for (let field = place; field < place + FIELDS; field++) {
      const value = table[field]!
      table[field] = table[field - FIELDS]!
      table[field - FIELDS] = value
    }
  }

  /** Keep a surface; gives its span. */
  #keep(units: Uint16Array, start: number, stop: number): number {
    const length = stop - start
    if (this.#used + length > this.#surfaces.length) this.#forgetSurfaces()
    const from = this.#used
    this.#used += length
    for (let at = 0; at < length; at++) this.#surfaces[from + at] = units[start + at]!
    return SPAN | (from << LENGTH_BITS) | length
  }

  #learn(
    source: TextUnits,
    start: number,
    stop: number,
    first: number,
    low: number,
    high: number,
    rules: number,
  ): number {
    const surface = source.text.slice(start, wholeEnd(source.units, stop))
    const term = this.vocabulary.numberOf(termOf(surface, this.#rules[rules >> 1]!))
    const table = this.#table
    const place = first + (WAYS - 1) * FIELDS
    table[place + LOW] = low
    table[place + HIGH] = high
    table[place + RULES] = rules
    table[place + TERM] = term
    return term
  }
}

/** The same word has another bucket under other rules. */
function mixedBy(rules: number, low: number, high: number): number {
  return mixed(low ^ (rules << 24), high)
}

/** As `cutTo`: a word of data is cut, but no character in two. */
function wholeEnd(units: Uint16Array, end: number): number {
  return pointAt(units, end - 1) > 0xffff ? end - 1 : end
}
