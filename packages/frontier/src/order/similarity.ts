/**
 * Similarity: the importance IS(P, Q) of 003 §2, how much a text has to do with a driving query.
 *
 * Both are vectors with a weight a word: how often it stands there, words of a title counting for more, times its idf.
 * The similarity is their inner product, or their cosine, the inner product of the normalised vectors. The paper's idf is
 * one divided by the number of times the word stands in the whole collection, which a crawl can only estimate: from what
 * it has crawled so far (`WordCounts`), or from a table made at another time.
 */

/** One divided by how often a word stands in the collection; 1 for every word leaves idf out. */
export type Idf = (word: string) => number

export interface SimilarityOptions {
  readonly measure: 'inner' | 'cosine'
  /** Left out: every word counts alike. */
  readonly idf?: Idf | undefined
  /** How many words of the body a word of the title is worth. */
  readonly titleWeight: number
}

export const similarityDefaults: SimilarityOptions = { measure: 'cosine', titleWeight: 5 }

/** Words of a text, in lower case; how often each stands there. */
export function wordCounts(text: string, counts: Map<string, number> = new Map(), weight = 1): Map<string, number> {
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + weight)
  return counts
}

export function topicSimilarity(
  { title = '', body }: { readonly title?: string; readonly body: string },
  query: readonly string[],
  { measure, idf = () => 1, titleWeight }: SimilarityOptions = similarityDefaults,
): number {
  const page = wordCounts(title, wordCounts(body), titleWeight)
  const wanted = wordCounts(query.join(' '))
  let product = 0
  for (const [word, times] of wanted) product += times * (page.get(word) ?? 0) * idf(word) ** 2
  if (measure === 'inner' || product === 0) return product
  return product / (lengthOf(page, idf) * lengthOf(wanted, idf))
}

function lengthOf(counts: ReadonlyMap<string, number>, idf: Idf): number {
  let sum = 0
  for (const [word, times] of counts) sum += (times * idf(word)) ** 2
  return Math.sqrt(sum)
}

/** Words of a whole collection as far as it has been read: an idf that learns (IS' of 003 §2). */
export class WordCounts {
  readonly #counts = new Map<string, number>()
  readonly #maxWords: number

  /** Past `maxWords` no new word is learnt: those left are rare, and rare is what an unknown word counts as. */
  constructor(maxWords = 1_000_000) {
    this.#maxWords = maxWords
  }

  add(counts: ReadonlyMap<string, number>): void {
    for (const [word, times] of counts) {
      const known = this.#counts.get(word)
      if (known === undefined && this.#counts.size >= this.#maxWords) continue
      this.#counts.set(word, (known ?? 0) + times)
    }
  }

  get idf(): Idf {
    return (word) => 1 / (this.#counts.get(word) ?? 1)
  }
}

/** 003 §7: a page is hot that has one of the words in its title, or ten of them in its body. */
export const HOT_BODY_WORDS = 10

export function isHot(
  { title = '', body }: { readonly title?: string; readonly body: string },
  query: readonly string[],
): boolean {
  const words = new Set(query.flatMap((word) => [...wordCounts(word).keys()]))
  if ([...wordCounts(title).keys()].some((word) => words.has(word))) return true
  let times = 0
  for (const [word] of body.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu))
    if (words.has(word) && ++times >= HOT_BODY_WORDS) return true
  return false
}

/** Whether an anchor or a URL mentions one of the words, also as a part: `computer` in `supercomputers` (003 Figure 4). */
export function mentionsTopic(text: string, query: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return query.some((word) => lower.includes(word))
}
