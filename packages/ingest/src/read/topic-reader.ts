/**
 * TopicReader: what a page has to do with the topic of a crawl, IS(P, Q) of 003 §2. One a thread: an idf that is learnt
 * from the pages read is estimated from those that this thread has read, a sample of the crawl.
 */
import { WordCounts, isHot, topicSimilarity, wordCounts } from '@comity/frontier'
import type { SimilarityOptions } from '@comity/frontier'

/** The driving query Q and how likeness to it is measured. Plain data, as it crosses to threads. */
export interface Topic {
  readonly words: readonly string[]
  readonly measure: SimilarityOptions['measure']
  readonly titleWeight: number
  /** Every word alike, as rare as in the pages read so far, or by how often it stands in some reference collection. */
  readonly idf: 'none' | 'crawled' | ReadonlyMap<string, number>
}

export interface TopicSense {
  readonly similarity?: number | undefined
  readonly isHot?: boolean | undefined
}

export class TopicReader {
  readonly #topic: Topic
  readonly #seen = new WordCounts()

  constructor(topic: Topic) {
    this.#topic = topic
  }

  read(text: { readonly title: string; readonly body: string }): TopicSense {
    const { words, measure, titleWeight, idf } = this.#topic
    if (words.length === 0) return {}
    if (idf === 'crawled') this.#seen.add(wordCounts(text.title, wordCounts(text.body)))
    const learnt = idf === 'crawled' ? this.#seen.idf : undefined
    const table = typeof idf === 'object' ? (word: string): number => 1 / (idf.get(word) ?? 1) : undefined
    return {
      similarity: topicSimilarity(text, words, { measure, titleWeight, idf: learnt ?? table }),
      isHot: isHot(text, words),
    }
  }
}
