/**
 * Relevance measures: how good a list of pages is, when people have said which pages answer the question. As trec_eval
 * computes them, with a page either relevant or not:
 *
 *   average precision   the precision at the place of each relevant page, summed, over the number of relevant pages
 *   nDCG@10             Σ 1 / log2(place + 1) over relevant pages among the first ten, over the most there could be
 *   P@10, P@30          relevant pages among the first ten, thirty; a shorter list has nothing in the places it lacks
 *   recall              the part of the relevant pages that is in the list at all
 */
export interface Measures {
  /** Mean average precision. */
  readonly map: number
  readonly ndcg10: number
  readonly p10: number
  readonly p30: number
  readonly recall: number
}

/** What was found for one question, best first, and what should have been. Neither names a page twice. */
export interface JudgedRanking {
  readonly ranking: readonly number[]
  /** At least one. */
  readonly relevant: ReadonlySet<number>
}

/** The means over all questions; NaN without any. */
export function measuresOf(rankings: readonly JudgedRanking[]): Measures {
  const mean = (measure: (one: JudgedRanking) => number): number =>
    rankings.reduce((sum, one) => sum + measure(one), 0) / rankings.length
  return {
    map: mean(averagePrecision),
    ndcg10: mean((one) => ndcgAt(10, one)),
    p10: mean((one) => precisionAt(10, one)),
    p30: mean((one) => precisionAt(30, one)),
    recall: mean(recallOf),
  }
}

export function averagePrecision({ ranking, relevant }: JudgedRanking): number {
  let [found, sum] = [0, 0]
  for (const [i, page] of ranking.entries()) if (relevant.has(page)) sum += ++found / (i + 1)
  return sum / relevant.size
}

export function ndcgAt(places: number, { ranking, relevant }: JudgedRanking): number {
  const gain = ranking.slice(0, places).reduce((sum, page, i) => sum + (relevant.has(page) ? gainAt(i) : 0), 0)
  let most = 0
  for (let i = 0; i < Math.min(places, relevant.size); i++) most += gainAt(i)
  return gain / most
}

const gainAt = (i: number): number => 1 / Math.log2(i + 2)

export function precisionAt(places: number, { ranking, relevant }: JudgedRanking): number {
  return ranking.slice(0, places).filter((page) => relevant.has(page)).length / places
}

export function recallOf({ ranking, relevant }: JudgedRanking): number {
  return ranking.filter((page) => relevant.has(page)).length / relevant.size
}

/** At recall 0, 0.1, … 1: the best precision at that recall or any higher, the mean over all questions. */
export function precisionCurve(rankings: readonly JudgedRanking[]): number[] {
  const sums = Array.from({ length: RECALL_STEPS + 1 }, () => 0)
  for (const one of rankings) for (const [level, best] of interpolated(one).entries()) sums[level]! += best
  return sums.map((sum) => sum / rankings.length)
}

export const RECALL_STEPS = 10

function interpolated({ ranking, relevant }: JudgedRanking): number[] {
  const best = Array.from({ length: RECALL_STEPS + 1 }, () => 0)
  let found = 0
  for (const [i, page] of ranking.entries()) {
    if (!relevant.has(page)) continue
    // The steps that this page reaches. In whole numbers: 3 of 10 are three steps, whatever 3 / 10 is in binary.
    const reached = Math.floor((++found * RECALL_STEPS) / relevant.size)
    for (let step = 0; step <= reached; step++) best[step] = Math.max(best[step]!, found / (i + 1))
  }
  return best
}
