/**
 * StaticScores: what a page is worth whatever the question, for every document of a segment, with bounds for runs of
 * 256 documents so that a search can pass over those that are worth little.
 */

const RUN = 256

export interface StaticScores {
  /** Most that any document has. */
  readonly most: number
  scoreOf(doc: number): number
  /** Most that any document has from `doc` to `endAt(doc)`. */
  boundAt(doc: number): number
  endAt(doc: number): number
}

export const NO_STATICS: StaticScores = {
  most: 0,
  scoreOf: () => 0,
  boundAt: () => 0,
  endAt: () => 0x7ffffffe,
}

/** From a score for each document, in units. */
export function staticScores(scores: Float64Array): StaticScores {
  const bounds = new Float64Array(Math.ceil(scores.length / RUN))
  for (const [doc, score] of scores.entries()) {
    const run = Math.floor(doc / RUN)
    bounds[run] = Math.max(bounds[run] as number, score)
  }
  return {
    most: bounds.reduce((most, bound) => Math.max(most, bound), 0),
    scoreOf: (doc) => scores[doc] as number,
    boundAt: (doc) => bounds[Math.floor(doc / RUN)] as number,
    endAt: (doc) => (Math.floor(doc / RUN) + 1) * RUN - 1,
  }
}
