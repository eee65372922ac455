/**
 * Vocabulary: every distinct term once, under a number. Words on their way into a segment are numbers, which are told
 * apart, kept and counted far faster than strings; only who writes or shows a term asks for its text.
 */

/** Bits that the number of a term has room in. */
export const TERM_BITS = 24

/** What a term takes in memory beside its letters, about: a string, a place in a list, an entry of a table. */
const BYTES_A_TERM = 120

export class Vocabulary {
  readonly #numbers = new Map<string, number>()
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
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#texts.length
    const own = copyOf(text)
    this.#numbers.set(own, number)
    this.#texts.push(own)
    this.#bytes += BYTES_A_TERM + text.length
    return number
  }

  textOf(number: number): string {
    const text = this.#texts[number]
    if (text === undefined) throw new RangeError(`no term has the number ${number}`)
    return text
  }

  /** Forget all terms. Numbers given out before mean nothing afterwards. */
  clear(): void {
    this.#numbers.clear()
    this.#texts.length = 0
    this.#bytes = 0
  }
}

/** V8 keeps a slice of this length or more as a view of the text it was cut from, which would be held with it. */
const LEAST_SLICE = 13

function copyOf(text: string): string {
  return text.length < LEAST_SLICE ? text : Buffer.from(text, 'utf16le').toString('utf16le')
}
