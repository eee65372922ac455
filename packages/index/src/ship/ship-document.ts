/**
 * From a page to what is shipped of it, for programs that have this package: gateways. Words are those of `text/words.ts`; a text
 * that needs dictionaries is cut by them here, so it is a line like any other.
 */
import type { IndexDocument } from '../document.ts'
import type { ShippedDocument, ShippedLink } from './shipped-document.ts'
import { shippedLimits } from './shipped-document.ts'
import { cutTo } from '../text/term-fold.ts'
import { TextUnits } from '../text/text-units.ts'
import { Vocabulary } from '../text/vocabulary.ts'
import { HASHED, hashOf, mixed } from '../text/word-key.ts'
import { WordList } from '../text/words.ts'

export type ShippedPage = Pick<IndexDocument, 'url' | 'title' | 'headings' | 'text' | 'language' | 'type' | 'at'> & {
  /** `sha-256:` and 64 hexadecimal digits over the page's body. */
  readonly digest: string
  readonly links?: readonly ShippedLink[] | undefined
}

/** A list of words is begun anew when it has taken so much: who ships keeps it for as long as one of its pages waits. */
const MAX_WORDS_BYTES = 16 << 20

/** Places for short words: a key in two halves, its capitals, its number. */
const FIELDS = 4
const SHORT_BITS = 14
const SHORT_SHIFT = 32 - SHORT_BITS
/** Of the upper half of a key. */
const HIGH_BITS = 11
const CASE_BIT = 0x20

/** Ships page after page; the pages share a list of words. */
export class DocumentShipper {
  readonly #units = new TextUnits()
  readonly #list = new WordList()
  #words = new Vocabulary()
  /** Short words that were met last, by their keys: their numbers are found without a look at the words. */
  readonly #short = new Int32Array((1 << SHORT_BITS) * FIELDS)

  ship({ headings, text, links = [], title, ...page }: ShippedPage): ShippedDocument {
    const { maxWords, maxHeadings, maxLinks, maxTitle, maxAnchor } = shippedLimits
    if (this.#words.bytes > MAX_WORDS_BYTES) this.#begin()
    const line = this.#numbersOf(text, maxWords)
    const heading = new Set(this.#numbersOf(headings.join('\n'), maxHeadings))
    const words = this.#words.texts
    const content = { kind: 'line', words, text: line, headings: Uint32Array.from(heading) } as const
    const kept = links.slice(0, maxLinks).map(({ url, anchor }) => ({ url, anchor: cutTo(anchor, maxAnchor) }))
    return { ...page, language: page.language, title: cutTo(title, maxTitle), content, links: kept }
  }

  #numbersOf(text: string, most: number): Uint32Array {
    const { count, starts, ends, lows, highs } = this.#list.read(this.#units.load(text), most)
    const { units } = this.#units
    const numbers = new Uint32Array(count)
    const short = this.#short
    for (let i = 0; i < count; i++) {
      const [low, high, start, end] = [lows[i]!, highs[i]!, starts[i]!, ends[i]!]
      if (high === HASHED) {
        numbers[i] = this.#numberOf(text, start, end, low)
        continue
      }
      const capitals = capitalsOf(units, start, end)
      const place = (mixed(low, high ^ (capitals << HIGH_BITS)) >>> SHORT_SHIFT) * FIELDS
      if (short[place] === low && short[place + 1] === high && short[place + 2] === capitals)
        numbers[i] = short[place + 3]!
      else {
        const number = this.#numberOf(text, start, end, hashOf(units, start, end))
        short[place] = low
        short[place + 1] = high
        short[place + 2] = capitals
        short[place + 3] = numbers[i] = number
      }
    }
    return numbers
  }

  #numberOf(text: string, start: number, end: number, hashed: number): number {
    const known = this.#words.find(this.#units.units, start, end, hashed)
    if (known !== -1) return known
    return this.#words.numberOf(cutTo(text.slice(start, end), shippedLimits.maxWord).toWellFormed())
  }

  #begin(): void {
    this.#words = new Vocabulary()
    this.#short.fill(0)
  }
}

/** Which of the letters of a short word are capitals, a bit each: its key does not tell. A digit has the same bit as a small letter. */
function capitalsOf(units: Uint16Array, start: number, end: number): number {
  let capitals = 0
  for (let at = start; at < end; at++) capitals = (capitals << 1) | (~units[at]! & CASE_BIT)
  return capitals
}

/** One page alone. */
export const shipDocument = (page: ShippedPage): ShippedDocument => new DocumentShipper().ship(page)
