/**
 * Speller: which words of the collection a mistyped word may have meant.
 *
 * It holds the most frequent words of the collection, the short ones first, in columns:
 *
 *     lengths   where the words of each length begin
 *     masks     which letters a word has, as 32 bits of their hashes
 *     counts    in how many pages it stands
 *     starts    where its letters begin in the pool
 *
 * A slip changes a word's length by at most one and its mask by at most two bits, so of the words of a likely length
 * all but about one in a hundred are refused by an XOR and a count of bits; the rest are measured (`query/edit-distance.ts`).
 * That loses nothing, not even words with a wrong first letter, and needs about 30 bytes a word, where an index of
 * deletions (SymSpell) needs a hundred entries for each.
 *
 * Words and terms are compared as they are: fold both in the same way.
 */
import { distanceWithin, unitsOf } from './edit-distance.ts'

interface Suggestion {
  readonly term: string
  readonly distance: number
  readonly frequency: number
}

type Pair = readonly [term: string, frequency: number]

/** More words than a language has roots; of a larger collection the rarer ones are left out, often typing errors. */
const MAX_SPELLER_TERMS = 200_000
/** A word that stands in one page only may be wrong itself. */
const MIN_FREQUENCY = 2
const MIN_LETTERS = 3
const MAX_LETTERS = 40
/** A suggestion must stand in this many times more pages than the word it replaces … */
const MORE_FREQUENT = 10
/** … and in as many more again for a second slip, when the word itself is known. */
const MORE_FREQUENT_PER_SLIP = 10
/** Words in up to one thousandth as many pages as the most frequent one are rare: below it stand most typing errors. */
const RARE_SHARE = 1_000
const RARE_AT_LEAST = 3

export class Speller {
  readonly #pool: Uint16Array
  readonly #starts: Uint32Array
  readonly #masks: Uint32Array
  readonly #counts: Uint32Array
  /** `#lengths[n]` is the first word of at least n units. */
  readonly #lengths: Uint32Array
  readonly #rareUpTo: number

  /** Of the pairs, which may come in any order but once each, the `most` most frequent are kept. */
  constructor(pairs: Iterable<Pair>, most: number = MAX_SPELLER_TERMS) {
    const frequent = new FrequentTerms(most)
    for (const pair of pairs) frequent.add(pair)
    const kept = frequent.list()
    const byLength = Array.from({ length: MAX_LETTERS + 1 }, (): Pair[] => [])
    for (const pair of kept) byLength[pair[0].length]!.push(pair)
    this.#pool = new Uint16Array(kept.reduce((sum, [term]) => sum + term.length, 0))
    this.#starts = new Uint32Array(kept.length + 1)
    this.#masks = new Uint32Array(kept.length)
    this.#counts = new Uint32Array(kept.length)
    this.#lengths = new Uint32Array(MAX_LETTERS + 2)
    let at = 0
    let used = 0
    let highest = 0
    for (const [length, words] of byLength.entries()) {
      for (const [term, frequency] of words) {
        const units = unitsOf(term)
        this.#pool.set(units, used)
        this.#masks[at] = maskOf(units)
        this.#counts[at] = frequency
        this.#starts[++at] = used += length
        highest = Math.max(highest, frequency)
      }
      this.#lengths[length + 1] = at
    }
    this.#rareUpTo = Math.max(RARE_AT_LEAST, Math.floor(highest / RARE_SHARE))
  }

  /** How many words it knows. */
  get size(): number {
    return this.#counts.length
  }

  /** The nearest known words other than this one; of equally near ones the most frequent first. */
  suggest(word: string, most = 5): Suggestion[] {
    const limit = slipsAllowed(word)
    if (limit === 0 || most < 1) return []
    const units = unitsOf(word)
    const mask = maskOf(units)
    const found: { at: number; distance: number }[] = []
    for (let length = Math.max(1, units.length - limit); length <= units.length + limit; length++) {
      const end = this.#lengths[Math.min(length + 1, MAX_LETTERS + 1)]!
      for (let at = this.#lengths[Math.min(length, MAX_LETTERS + 1)]!; at < end; at++) {
        if (bitsOf(mask ^ this.#masks[at]!) > 2 * limit) continue
        const distance = distanceWithin(units, this.#pool, this.#starts[at]!, this.#starts[at + 1]!, limit)
        if (distance > 0 && distance <= limit) found.push({ at, distance })
      }
    }
    return found
      .map(({ at, distance }) => ({ term: this.#termAt(at), distance, frequency: this.#counts[at]! }))
      .toSorted((a, b) => a.distance - b.distance || b.frequency - a.frequency || (a.term < b.term ? -1 : 1))
      .slice(0, most)
  }

  /** What a word that stands in `frequency` pages was probably meant to be; undefined when it is probably right. */
  correction(word: string, frequency: number): string | undefined {
    if (frequency > this.#rareUpTo) return undefined
    const isBetter = ({ distance, frequency: others }: Suggestion): boolean =>
      others >= frequency * MORE_FREQUENT * MORE_FREQUENT_PER_SLIP ** (distance - 1)
    return this.suggest(word).find(isBetter)?.term
  }

  #termAt(at: number): string {
    return String.fromCharCode(...this.#pool.subarray(this.#starts[at], this.#starts[at + 1]))
  }
}

function hasDigit(word: string): boolean {
  return /\p{N}/u.test(word)
}

/** In a short word, a second slip leaves nothing to recognise; a number has no spelling. */
function slipsAllowed(word: string): number {
  if (word.length > MAX_LETTERS || hasDigit(word)) return 0
  const letters = Array.from(word).length
  return letters < MIN_LETTERS ? 0 : letters <= 4 ? 1 : 2
}

/**
 * At most `most` of the pairs that are worth suggesting, the most frequent. Half of what was gathered is thrown away
 * whenever it is twice too much, so memory stays bounded however many come.
 */
/** The most frequent of the words that come by, as far as a word can be meant by another: never twice as many are held. */
export class FrequentTerms {
  readonly #most: number
  #kept: Pair[] = []

  constructor(most: number = MAX_SPELLER_TERMS) {
    this.#most = most
  }

  add(pair: Pair): void {
    const [term, frequency] = pair
    if (!(frequency >= MIN_FREQUENCY) || term.length < MIN_LETTERS || term.length > MAX_LETTERS || hasDigit(term))
      return
    if (this.#kept.push(pair) >= 2 * this.#most) this.#kept = cutTo(this.#kept, this.#most)
  }

  list(): Pair[] {
    return cutTo(this.#kept, this.#most)
  }
}

/** The `most` most frequent, in the order they came; of equals the first. */
function cutTo(pairs: Pair[], most: number): Pair[] {
  if (pairs.length <= most) return pairs
  const frequencies = Float64Array.from(pairs, ([, frequency]) => frequency).toSorted()
  const threshold = frequencies[pairs.length - most]!
  let equals = most
  for (const frequency of frequencies) if (frequency > threshold) equals--
  return pairs.filter(([, frequency]) => frequency > threshold || (frequency === threshold && equals-- > 0))
}

/** Letters by their hash; multiplied so that neither a Latin nor a Cyrillic alphabet folds onto itself. */
function maskOf(units: Uint16Array): number {
  let mask = 0
  for (const unit of units) mask |= 1 << (Math.imul(unit, 0x9e37_79b1) >>> 27)
  return mask >>> 0
}

/** Ones in 32 bits, by adding neighbours. */
function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x5555_5555)
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333)
  bits = (bits + (bits >>> 4)) & 0x0f0f_0f0f
  return Math.imul(bits, 0x0101_0101) >>> 24
}
