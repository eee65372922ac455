/**
 * Term cache: surface → term, so that a word is folded and stemmed once and not each time it stands in a text.
 *
 * A table of buckets with four places each, as in a processor's cache: a hit moves one place up, a new word takes the
 * last place. So its size is fixed, frequent words stay, and no choice of words, however hostile, makes it slow or large.
 * A look-up reads the word where it stands in the text and allocates nothing.
 *
 *   place = hash · where the surface stands among all surfaces, and its length · rules · number of the term
 *
 * A number is four bytes, so a bucket is one line of a processor's cache.
 */
import { MAX_TERM_UNITS } from './term-fold.ts'
import { termOf } from './terms.ts'
import { pointAt, TextUnits } from './text-units.ts'
import { Vocabulary } from './vocabulary.ts'
import { hashOf } from './words.ts'

const WAYS = 4
const HASH = 0
const SPAN = 1
const RULES = 2
const TERM = 3
const FIELDS = 4
/** Bits of a span that hold the length, at most `MAX_TERM_UNITS`; the others hold the place. */
const LENGTH_BITS = 7
const LENGTH_MASK = (1 << LENGTH_BITS) - 1
/** Units of surface that a place of the table has, in the mean. */
const UNITS_A_PLACE = 12
/** Terms that `termAt` gathers before it begins anew. */
const MAX_TERMS = 1 << 17

export class TermCache {
  readonly vocabulary: Vocabulary = new Vocabulary()
  readonly #mask: number
  readonly #table: Int32Array
  /** All surfaces, one behind the other; when there is no more room, the whole cache begins anew. */
  readonly #surfaces: Uint16Array
  #used = 0
  /** Names of rules, by number. */
  readonly #rules: string[] = []
  readonly #word = new TextUnits()

  /** `buckets` is a power of two; with four words each, the default takes 5 MB when full, beside the vocabulary. */
  constructor(buckets: number = 32_768) {
    this.#mask = buckets - 1
    this.#table = new Int32Array(buckets * WAYS * FIELDS)
    this.#surfaces = new Uint16Array(Math.max(MAX_TERM_UNITS, buckets * WAYS * UNITS_A_PLACE))
  }

  /** The number by which `numberAt` knows rules: those that `termRulesOf` gives are few, so that languages share words. */
  rulesNumber(rules: string): number {
    const known = this.#rules.indexOf(rules)
    return known === -1 ? this.#rules.push(rules) - 1 : known
  }

  /** `termOf` of the word at a place of a text, by its number in the vocabulary. `hash` is `hashOf` its units. */
  numberAt(source: TextUnits, start: number, end: number, hash: number, rules: number): number {
    const units = source.units
    const stop = Math.min(end, start + MAX_TERM_UNITS)
    const table = this.#table
    // The low bits choose the bucket, and FNV leaves little of a word's end in them.
    const mixed = hash ^ (hash >>> 15)
    const first = (mixed & this.#mask) * (WAYS * FIELDS)
    for (let place = first; place < first + WAYS * FIELDS; place += FIELDS) {
      if (table[place + HASH] !== mixed || table[place + RULES] !== rules) continue
      if (!this.#isAt(table[place + SPAN]!, units, start, stop)) continue
      const term = table[place + TERM]!
      if (place !== first) this.#moveUp(place)
      return term
    }
    return this.#learn(source, start, stop, mixed, rules, first + (WAYS - 1) * FIELDS)
  }

  /** The same as a text, for who looks up words now and then; numbers that `numberAt` gave may mean nothing afterwards. */
  termAt(text: string | TextUnits, start: number, end: number, rules: string): string {
    if (typeof text === 'string') return this.termAt(this.#word.load(text.slice(start, end)), 0, end - start, rules)
    if (this.vocabulary.size >= MAX_TERMS) this.forget()
    const hash = hashOf(text.units, start, end)
    return this.vocabulary.textOf(this.numberAt(text, start, end, hash, this.rulesNumber(rules)))
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

  #isAt(span: number, units: Uint16Array, start: number, stop: number): boolean {
    if ((span & LENGTH_MASK) !== stop - start) return false
    const surfaces = this.#surfaces
    let from = span >>> LENGTH_BITS
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

  #learn(source: TextUnits, start: number, stop: number, hash: number, rules: number, place: number): number {
    const length = stop - start
    if (this.#used + length > this.#surfaces.length) this.#forgetSurfaces()
    const from = this.#used
    this.#used += length
    for (let at = 0; at < length; at++) this.#surfaces[from + at] = source.units[start + at]!
    const surface = source.text.slice(start, wholeEnd(source.units, stop))
    const term = this.vocabulary.numberOf(termOf(surface, this.#rules[rules]!))
    const table = this.#table
    table[place + HASH] = hash
    table[place + SPAN] = (from << LENGTH_BITS) | length
    table[place + RULES] = rules
    table[place + TERM] = term
    return term
  }
}

/** As `cutTo`: a word of data is cut, but no character in two. */
function wholeEnd(units: Uint16Array, end: number): number {
  return pointAt(units, end - 1) > 0xffff ? end - 1 : end
}
