/**
 * Term cache: surface → term, so that a word is folded and stemmed once and not each time it stands in a text.
 *
 * A table of buckets with four places each, as in a processor's cache: a hit moves one place up, a new word takes the
 * last place. So its size is fixed, frequent words stay, and no choice of words, however hostile, makes it slow or large.
 * A look-up reads the word where it stands in the text and allocates nothing. Equal terms are one string.
 */
import { pointAt, TextUnits } from './text-units.ts'
import { MAX_TERM_UNITS } from './term-fold.ts'
import { termOf } from './terms.ts'

interface Entry {
  readonly hash: number
  readonly surface: string
  readonly rules: string
  readonly term: string
}

const WAYS = 4
const EMPTY: Entry = { hash: 0, surface: '', rules: '', term: '' }

export class TermCache {
  readonly #mask: number
  readonly #entries: Entry[]
  readonly #one = new Map<string, string>()
  readonly #word = new TextUnits()

  /** `buckets` is a power of two; with four words each, the default takes some 20 MB when full. */
  constructor(buckets: number = 32_768) {
    this.#mask = buckets - 1
    this.#entries = Array.from({ length: buckets * WAYS }, () => EMPTY)
  }

  /**
   * `termOf` of the word at a place of a text, for rules as `termRulesOf` gives them: few, so that languages share words.
   * Whoever looks up many words of a text loads its units once.
   */
  termAt(text: string | TextUnits, start: number, end: number, rules: string): string {
    if (typeof text === 'string') return this.termAt(this.#word.load(text.slice(start, end)), 0, end - start, rules)
    const units = text.units
    const stop = end - start > MAX_TERM_UNITS ? cutEnd(units, start) : end
    let hash = 0x811c9dc5 // FNV-1a, a unit at a time.
    for (let at = start; at < stop; at++) hash = Math.imul(hash ^ units[at]!, 0x01000193)
    // The low bits choose the bucket, and FNV leaves little of a word's end in them.
    hash ^= hash >>> 15
    const entries = this.#entries
    const first = (hash & this.#mask) * WAYS
    for (let place = first; place < first + WAYS; place++) {
      const entry = entries[place]!
      if (entry.hash !== hash || entry.rules !== rules || !isAt(entry.surface, units, start, stop)) continue
      if (place !== first) {
        entries[place] = entries[place - 1]!
        entries[place - 1] = entry
      }
      return entry.term
    }
    const surface = copied(units, start, stop)
    const term = this.#oneOf(termOf(surface, rules))
    entries[first + WAYS - 1] = { hash, surface, rules, term }
    return term
  }

  #oneOf(term: string): string {
    const known = this.#one.get(term)
    if (known !== undefined) return known
    if (this.#one.size >= this.#entries.length) this.#one.clear()
    this.#one.set(term, term)
    return term
  }
}

function isAt(surface: string, units: Uint16Array, start: number, stop: number): boolean {
  if (surface.length !== stop - start) return false
  for (let at = 0; at < surface.length; at++) if (surface.charCodeAt(at) !== units[start + at]) return false
  return true
}

/** As `cutTo`: a word of data is cut, but no character in two. */
function cutEnd(units: Uint16Array, start: number): number {
  const end = start + MAX_TERM_UNITS
  return pointAt(units, end - 1) > 0xffff ? end - 1 : end
}

/** A word that does not hold on to its text, as `slice` does. */
function copied(units: Uint16Array, start: number, end: number): string {
  return String.fromCharCode(...units.subarray(start, end))
}
