/**
 * Crawl value: what a visit to a page is worth at this moment, and so which page to visit next.
 *
 * The value of a visit is the freshness it wins over a visit a little later, per visit: the derivative of what the best
 * schedule does. It grows while a page waits, and a crawler that always visits the page of highest value, or each when
 * its value reaches a common price, is as fresh as the optimum of Cho and Garcia-Molina.
 *
 * Without signals, importance μ, change rate D, t days since the last visit:
 *
 *   V = μ/D · R1(Dt)      R1(x) = 1 − e^−x − x e^−x
 *
 * With signals, `expectedValue` stands in for the exact sums of GREEDY-NCIS (Busa-Fekete, Zimmert, György et al., WWW
 * 2025), which the tests hold it against: the formula without signals at x = αt + Σκn, where α is the rate of changes that
 * nobody announces and κ what a signal is worth. Exact without signals, close with them, good for any number of channels.
 */

/** Below this the series is more exact than the difference. */
const SMALL = 1e-3
const BISECTIONS = 44
/** Beyond so much suspicion a copy is outdated for sure, and waiting adds nothing. */
const CERTAIN = 40

/** Probability of two changes or more where x are expected: how much of a page's value is due. */
export function chanceOfTwoChanges(x: number): number {
  if (x < SMALL) return x * x * (1 / 2 - x * (1 / 3 - x / 8))
  return -Math.expm1(-x) - x * Math.exp(-x)
}

/** Value when the copy is outdated with probability 1 − e^−x. Without signals x is changeRate × days. */
export function expectedValue(importance: number, changeRate: number, x: number): number {
  return changeRate > 0 ? (importance / changeRate) * chanceOfTwoChanges(x) : 0
}

/** Value of a visit per unit of cost: a request at any rate, and a body when the page turns out to have changed. */
export function valuePerCost(
  importance: number,
  changeRate: number,
  x: number,
  requestCost: number,
  bodyCost: number,
): number {
  return expectedValue(importance, changeRate, x) / (requestCost - Math.expm1(-x) * bodyCost)
}

/**
 * The x at which a visit is worth `price`; Infinity when it never is. The quotient rises with x, as its derivative is
 * e^−x (requestCost·x + bodyCost·(x − 1 + e^−x)) over a square, so bisection finds it.
 */
export function suspicionWorth(
  price: number,
  importance: number,
  changeRate: number,
  requestCost: number,
  bodyCost: number,
): number {
  if (valuePerCost(importance, changeRate, CERTAIN, requestCost, bodyCost) <= price) return Infinity
  let [low, high] = [0, CERTAIN]
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2
    if (valuePerCost(importance, changeRate, middle, requestCost, bodyCost) < price) low = middle
    else high = middle
  }
  return high
}

/** Probability of more than n events where x are expected: the regularised lower incomplete gamma function P(n+1, x). */
export function moreThan(n: number, x: number): number {
  if (x <= 0) return 0
  let logTerm = -x
  for (let j = 1; j <= n; j++) logTerm += Math.log(x / j)
  // Few of many: what is left over after n. Many of few: one less what n make up. Each is the sum that does not cancel.
  if (x < n + 1) {
    let term = Math.exp(logTerm) * (x / (n + 1))
    let sum = 0
    for (let j = n + 2; term > sum * 1e-17; j++) {
      sum += term
      term *= x / j
    }
    return sum
  }
  let term = Math.exp(logTerm)
  let sum = 0
  for (let j = n; j >= 0 && term > sum * 1e-17; j--) {
    sum += term
    term *= j / x
  }
  return 1 - sum
}
