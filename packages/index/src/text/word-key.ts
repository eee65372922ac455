/**
 * Word key: a word as two numbers of 32 bits, so that a table finds it without reading it.
 *
 *   short, of ASCII letters and digits   six bits a character, whatever its case, in `high` and `low`: the word itself
 *   any other                            `HASHED` in `high`, and a hash of its units in `low`; who finds it in a table
 *                                        must look whether it is the same word
 *
 * Four of five words in a text of English are short; to compare letters would take longer than all else of a look-up.
 * Words that differ in the case of such letters alone have one key, as they have one term in every language but Turkish
 * and Azerbaijani.
 */

/** Characters of a word that is its own key, six bits each: no more than leave the sign of `high` alone. */
export const MAX_SHORT = 10
export const SIX = 6
/** The bits that go from `low` to `high` with each character. */
const CARRY = 32 - SIX
export const HASHED = -1

/** By UTF-16 unit: 1 and more for ASCII letters and digits, 0 for any other. */
const SIXES = sixes()

function sixes(): Uint8Array {
  const table = new Uint8Array(0x1_0000)
  for (const [place, character] of Array.from('0123456789abcdefghijklmnopqrstuvwxyz').entries())
    for (const form of [character, character.toUpperCase()]) table[form.charCodeAt(0)] = place + 1
  return table
}

export class WordKey {
  low = 0
  high = 0

  /** The key of the units from `start` to `end`. */
  read(units: Uint16Array, start: number, end: number): this {
    this.low = this.high = 0
    if (end - start > MAX_SHORT) return this.hash(units, start, end)
    for (let at = start; at < end; at++) {
      const six = SIXES[units[at]!]!
      if (six === 0) return this.hash(units, start, end)
      this.high = (this.high << SIX) | (this.low >>> CARRY)
      this.low = (this.low << SIX) | six
    }
    return this
  }

  /** The key of a word that is not short, or whose case matters. */
  hash(units: Uint16Array, start: number, end: number): this {
    this.low = hashOf(units, start, end)
    this.high = HASHED
    return this
  }
}

export const HASH_SEED: number = 0x811c9dc5 | 0
export const HASH_FACTOR = 0x01000193

/** FNV-1a, a unit at a time. */
export function hashOf(units: Uint16Array, start: number, end: number): number {
  let hash = HASH_SEED
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ units[at]!, HASH_FACTOR)
  return hash
}

/** A number in which all bits of a key have a part, the highest the most. */
export function mixed(low: number, high: number): number {
  const sum = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b)
  return Math.imul(sum ^ (sum >>> 15), 0xc2b2ae35)
}
