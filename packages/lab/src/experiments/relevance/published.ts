/**
 * What Lucene reaches on the relevance sets. Cranfield: Lucene 8.7, its English analyser (33 words left out, Porter's
 * stems) over title and text, every pair that is listed relevant. CACM: Anserini's published regression, the same
 * analyser over the text of the pages, 52 judged questions.
 */
import type { Measures } from './measures.ts'

export interface PublishedFigures {
  readonly set: string
  readonly who: string
  readonly k1: number
  readonly b: number
  readonly measures: Partial<Measures>
}

/** How far below a figure still counts as reaching it. */
export const TOLERANCE = 0.005

export const PUBLISHED: readonly PublishedFigures[] = [
  { set: 'Cranfield', who: 'Lucene 8.7', k1: 1.2, b: 0.75, measures: { map: 0.4054, ndcg10: 0.5007, p10: 0.296 } },
  { set: 'Cranfield', who: 'Lucene 8.7', k1: 0.9, b: 0.4, measures: { map: 0.3769 } },
  { set: 'CACM', who: 'Anserini', k1: 0.9, b: 0.4, measures: { map: 0.3123, p30: 0.1942 } },
]
