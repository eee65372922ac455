/**
 * Common words: the words of all documents of a shipment in one list, the most frequent first, so that their numbers are short.
 * Documents come with lists of their own, or with one that several share; those that are the same list are read once.
 */
import type { ShippedDocument, ShippedLine } from './shipped-document.ts'

/**
 * From this number on the order is by letters within bands, each twice as many words as all before it: who is found among words that
 * begin alike takes a third less room, and the numbers, which are of the same length, no more. Words whose numbers take three bytes are one
 * band.
 */
const FIRST_BAND = 1 << 7
const LAST_BAND = 1 << 14

export class CommonWords {
  readonly words: readonly string[]
  /** By list: the number of each word. */
  readonly #numbers: ReadonlyMap<readonly string[], Uint32Array>

  /** `inBands`: those about as frequent by their letters; by frequency alone otherwise. */
  constructor(documents: readonly ShippedDocument[], inBands: boolean) {
    const lists = countsOf(documents)
    const sorted = byFrequency(lists)
    this.words = inBands ? banded(sorted) : sorted
    const places = new Map(this.words.map((word, number) => [word, number]))
    const numbersOf = (list: readonly string[]): Uint32Array => Uint32Array.from(list, (word) => places.get(word) ?? 0)
    this.#numbers = new Map(Array.from(lists.keys(), (list) => [list, numbersOf(list)]))
  }

  /** Of each word of its list. */
  numbersOf({ words }: ShippedLine): Uint32Array {
    return this.#numbers.get(words)!
  }
}

/** How often each word of each list is used. */
function countsOf(documents: readonly ShippedDocument[]): Map<readonly string[], Uint32Array> {
  const lists = new Map<readonly string[], Uint32Array>()
  for (const { content } of documents) {
    if (content.kind !== 'line') continue
    let counts = lists.get(content.words)
    if (counts === undefined) lists.set(content.words, (counts = new Uint32Array(content.words.length)))
    for (const word of content.text) counts[word]!++
    for (const word of content.headings) counts[word]!++
  }
  return lists
}

/** Those alike by their letters. */
function byFrequency(lists: ReadonlyMap<readonly string[], Uint32Array>): string[] {
  const sums = new Map<string, number>()
  for (const [words, counts] of lists)
    for (let i = 0; i < counts.length; i++)
      if (counts[i]! > 0) sums.set(words[i]!, (sums.get(words[i]!) ?? 0) + counts[i]!)
  const sorted = [...sums].toSorted(([a, timesA], [b, timesB]) => timesB - timesA || compare(a, b))
  return sorted.map(([word]) => word)
}

function banded(words: string[]): string[] {
  const bands = [words.slice(0, FIRST_BAND)]
  for (let from = FIRST_BAND; from < words.length;) {
    const to = from < LAST_BAND ? from * 2 : words.length
    bands.push(words.slice(from, to).toSorted(compare))
    from = to
  }
  return bands.flat()
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
