/**
 * Shipped terms: what the words of a shipment are in this index. Pages of a shipment share one list of words, so each word
 * becomes a term once for each set of rules that is met, when it is first met.
 */
import { languageOf } from '../text/language-guess.ts'
import type { ShippedDocument, ShippedLine } from './shipped-document.ts'
import { termOf } from '../text/terms.ts'
import type { Vocabulary } from '../text/vocabulary.ts'

const UNKNOWN = -1
/** Words of a sample, as `text/language-guess.ts` takes them, and how many samples it takes. */
const SAMPLE_WORDS = 100
const SAMPLES = 3

export class ShippedTerms {
  readonly #vocabulary: Vocabulary
  #words: readonly string[] = []
  /** By rules, the number of the term of each word, or `UNKNOWN`. */
  readonly #numbers = new Map<string, Int32Array>()

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** To be called when the vocabulary is cleared. */
  forget(): void {
    this.#words = []
    this.#numbers.clear()
  }

  /** The terms of the first `count` of some words of a line, by their numbers in the vocabulary, into `into`. */
  numbersOf({ words }: ShippedLine, line: Uint32Array, count: number, rules: string, into: Int32Array): void {
    const numbers = this.#numbersOf(words, rules)
    for (let i = 0; i < count; i++) {
      const word = line[i]!
      let number = numbers[word]!
      if (number === UNKNOWN) numbers[word] = number = this.#vocabulary.numberOf(termOf(words[word]!, rules))
      into[i] = number
    }
  }

  #numbersOf(words: readonly string[], rules: string): Int32Array {
    if (words !== this.#words) {
      this.forget()
      this.#words = words
    }
    let numbers = this.#numbers.get(rules)
    if (numbers === undefined) {
      numbers = new Int32Array(words.length).fill(UNKNOWN)
      this.#numbers.set(rules, numbers)
    }
    return numbers
  }
}

/**
 * The language of a page that came as a line. The guess looks at a hundred words in the middle, at the begin and at the end
 * of a text; here it is given just these, in that order, and so sees the same words.
 */
export function shippedLanguage({ language, title }: ShippedDocument, { words, text }: ShippedLine): string {
  if (text.length === 0) return languageOf(language, title)
  const { length } = text
  const middle = (length - SAMPLE_WORDS) >> 1
  const places =
    length > SAMPLES * SAMPLE_WORDS
      ? [text.subarray(middle, middle + SAMPLE_WORDS), text.subarray(0, SAMPLE_WORDS), text.subarray(-SAMPLE_WORDS)]
      : [text]
  const sample = places.flatMap((numbers) => Array.from(numbers, (number) => words[number]!))
  return languageOf(language, sample.join(' '))
}
