/**
 * Vocabulary: every distinct term once, under a number. Words on their way into a segment are numbers, which are told
 * apart, kept and counted far faster than strings; only who writes or shows a term asks for its text.
 *
 * Terms are found by a table of their hashes, faster than by a Map, which goes to the memory of every string it compares.
 * A term whose place is taken gets the next, but few steps further at the most: whoever makes terms collide on purpose
 * fills the Map beside the table, whose hashes nobody knows beforehand.
 */
import { HASH_FACTOR, HASH_SEED, mixed } from './word-key.ts'

/** Bits that the number of a term has room in. */
export const TERM_NUMBER_BITS = 24

/** What a term takes in memory beside its letters, about: a string, a place in a list, up to four places of the table. */
const BYTES_A_TERM = 120

/** A place of the table: the number of a term, from 1 on, or 0 for none; and its hash. */
const FIELDS = 2
const LEAST_PLACES = 1 << 10
const MAX_STEPS = 16

export class Vocabulary {
  /** At most half full; the number of places is a power of two. */
  #table: Int32Array = new Int32Array(LEAST_PLACES * FIELDS)
  /** Terms that have no place in the table. */
  readonly #others = new Map<string, number>()
  readonly #texts: string[] = []
  #bytes = 0

  get size(): number {
    return this.#texts.length
  }
  /** Memory taken, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** The number of a term, a new one when it was not met before: from 0 on, without gaps. */
  numberOf(text: string): number {
    const table = this.#table
    const hash = hashOf(text)
    let place = firstPlace(hash, table)
    for (let step = 0; step < MAX_STEPS && table[place] !== 0; step++) {
      if (table[place + 1] === hash && this.#texts[table[place]! - 1] === text) return table[place]! - 1
      place = nextPlace(place, table)
    }
    const known = this.#others.size === 0 ? undefined : this.#others.get(text)
    return known ?? this.#add(text, hash)
  }

  /**
   * The number of the term whose units stand from `start` to `end`, `hashed` by `hashOf` of `text/word-key.ts`; -1 for one that was not
   * met, or has no place in the table.
   */
  find(units: Uint16Array, start: number, end: number, hashed: number): number {
    const table = this.#table
    const hash = mixed(hashed, 0)
    let place = firstPlace(hash, table)
    for (let step = 0; step < MAX_STEPS && table[place] !== 0; step++) {
      if (table[place + 1] === hash && isText(this.#texts[table[place]! - 1]!, units, start, end))
        return table[place]! - 1
      place = nextPlace(place, table)
    }
    return -1
  }

  /** All terms, by number; grows with them. */
  get texts(): readonly string[] {
    return this.#texts
  }

  textOf(number: number): string {
    const text = this.#texts[number]
    if (text === undefined) throw new RangeError(`no term has the number ${number}`)
    return text
  }

  /** Forget all terms. Numbers given out before mean nothing afterwards. */
  clear(): void {
    this.#table = new Int32Array(LEAST_PLACES * FIELDS)
    this.#others.clear()
    this.#texts.length = 0
    this.#bytes = 0
  }

  #add(text: string, hash: number): number {
    const number = this.#texts.push(copyOf(text)) - 1
    this.#bytes += BYTES_A_TERM + text.length
    if (this.#texts.length * 2 * FIELDS > this.#table.length) this.#grow()
    this.#place(number, hash)
    return number
  }

  #place(number: number, hash: number): void {
    const table = this.#table
    let place = firstPlace(hash, table)
    for (let step = 0; step < MAX_STEPS; step++) {
      if (table[place] === 0) {
        table[place] = number + 1
        table[place + 1] = hash
        return
      }
      place = nextPlace(place, table)
    }
    this.#others.set(this.#texts[number]!, number)
  }

  #grow(): void {
    const before = this.#table
    this.#table = new Int32Array(before.length * 2)
    for (let place = 0; place < before.length; place += FIELDS)
      if (before[place] !== 0) this.#place(before[place]! - 1, before[place + 1]!)
  }
}

function hashOf(text: string): number {
  let hash = HASH_SEED
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_FACTOR)
  return mixed(hash, 0)
}

function isText(text: string, units: Uint16Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== units[start + at]) return false
  return true
}

function firstPlace(hash: number, table: Int32Array): number {
  return (hash << 1) & (table.length - FIELDS)
}

function nextPlace(place: number, table: Int32Array): number {
  return (place + FIELDS) & (table.length - FIELDS)
}

/** V8 keeps a slice of this length or more as a view of the text it was cut from, which would be held with it. */
const LEAST_SLICE = 13

function copyOf(text: string): string {
  return text.length < LEAST_SLICE ? text : Buffer.from(text, 'utf16le').toString('utf16le')
}
