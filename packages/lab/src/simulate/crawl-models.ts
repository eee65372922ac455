/**
 * Crawl models: how good a visiting order was, given what each page turned out to be worth (003 §3).
 *
 *   Crawl & Stop                 P_CS(K) = the part of the first K pages that belong to the K best
 *   Crawl & Stop with Threshold  P_ST(K) = the part of all hot pages, importance G or more, among the first K
 *   Limited Buffer Crawl         `simulate/crawl-model-buffer.ts`
 *
 * Each gives a curve: its value after every number of pages, at the cost of one sort.
 */

/** Value k is the performance after k pages, from 0 to 1; value 0 is before the first. */
export type Curve = Float64Array

/** P_ST: any page with importance `target` or more is hot. All 0 when none is. */
export function thresholdCurve(visits: Uint32Array, importance: Float64Array, target: number): Curve {
  const hot = hotCount(importance, target)
  const curve = new Float64Array(visits.length + 1)
  let found = 0
  for (const [at, page] of visits.entries()) {
    if (importance[page]! >= target) found++
    curve[at + 1] = hot === 0 ? 0 : found / hot
  }
  return curve
}

/**
 * P_CS: of the first K pages, those worth as much as the Kth best or more. Pages worth as much as that one all count,
 * so where many are worth the same the curve runs high, at random as well.
 */
export function stopCurve(visits: Uint32Array, importance: Float64Array): Curve {
  const { levelOf, levelOfBest } = levelsOf(importance)
  const seen = new Uint32Array(importance.length)
  const curve = new Float64Array(visits.length + 1)
  let [level, good] = [-1, 0]
  for (const [at, page] of visits.entries()) {
    const own = levelOf[page]!
    seen[own]!++
    if (own <= level) good++
    while (level < levelOfBest[at]!) good += seen[++level]!
    curve[at + 1] = good / (at + 1)
  }
  return curve
}

/**
 * P_CS without ties: exactly K pages are hot. Of those worth as much as the Kth best only some are, any of them as likely as
 * another, and a visit to one counts as much. At random it is K / T.
 */
export function untiedStopCurve(visits: Uint32Array, importance: Float64Array): Curve {
  const { levelOf, levelOfBest } = levelsOf(importance)
  const sizes = new Uint32Array(importance.length)
  for (const level of levelOf) sizes[level]!++
  const seen = new Uint32Array(importance.length)
  const curve = new Float64Array(visits.length + 1)
  // Pages above the level of the Kth best, and those of them that were visited.
  let [level, better, good] = [0, 0, 0]
  for (const [at, page] of visits.entries()) {
    const own = levelOf[page]!
    seen[own]!++
    if (own < level) good++
    while (level < levelOfBest[at]!) {
      good += seen[level]!
      better += sizes[level++]!
    }
    const part = (at + 1 - better) / sizes[level]!
    curve[at + 1] = (good + seen[level]! * part) / (at + 1)
  }
  return curve
}

/** P_CS of pages drawn at random: the part of all pages that count as the K best, which is K / T but for equals. */
export function randomStopCurve(importance: Float64Array): Curve {
  const { levelOf, levelOfBest } = levelsOf(importance)
  const sizes = new Uint32Array(importance.length)
  for (const level of levelOf) sizes[level]!++
  const curve = new Float64Array(importance.length + 1)
  let [level, hot] = [-1, 0]
  for (let k = 1; k <= importance.length; k++) {
    while (level < levelOfBest[k - 1]!) hot += sizes[++level]!
    curve[k] = hot / importance.length
  }
  return curve
}

export function hotCount(importance: Float64Array, target: number): number {
  let hot = 0
  for (const worth of importance) if (worth >= target) hot++
  return hot
}

/** I(R_K): what the Kth best page is worth; K from 1. Infinity for K = 0, as no page is that good. */
export function worthOfBest(importance: Float64Array, k: number): number {
  if (k < 1) return Infinity
  return importance.toSorted().at(-Math.min(k, importance.length)) ?? Infinity
}

interface Levels {
  /** 0 for the pages worth most, 1 for the next lower worth, and so on. */
  readonly levelOf: Uint32Array
  /** Level of the best page, the second best, and so on. */
  readonly levelOfBest: Uint32Array
}

function levelsOf(importance: Float64Array): Levels {
  const order = Uint32Array.from(importance.keys()).toSorted((a, b) => importance[b]! - importance[a]!)
  const levelOf = new Uint32Array(importance.length)
  const levelOfBest = new Uint32Array(importance.length)
  let level = 0
  for (const [at, page] of order.entries()) {
    if (at > 0 && importance[page] !== importance[order[at - 1]!]) level++
    levelOf[page] = level
    levelOfBest[at] = level
  }
  return { levelOf, levelOfBest }
}
