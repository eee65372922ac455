/**
 * Revisit value: what a visit is worth where some changes are announced, from rates that are only estimated.
 *
 * The formula without signals at x = αt + Σκn (`expectedValue`) is exact for a site that says nothing and close after a
 * signal. Between signals it is not: at a site that announces nine of ten changes it counts a visit that looks for the
 * tenth at a tenth of its worth, as it takes the days between visits for x/D where they are as many as pass until the next
 * signal. So the crawler leant on silence too much: hidden changes waited, and visits went to sites nobody heard from.
 *
 * Here the sums of `revisit/crawl-value.ts` are taken for as many signals as it needs; beyond that, and for channels whose signals
 * say next to nothing, the plain formula is good and stands in. Both rise with x, so the larger of them does.
 */
import { expectedValue, moreThan, chanceOfTwoChanges, suspicionWorth } from './crawl-value.ts'

export interface ValuedPage {
  readonly importance: number
  /** Changes per day, and of them those that nobody announces. */
  readonly changeRate: number
  readonly hiddenRate: number
  /** Signals per day that are to be expected, right and false; 0 when there are none. */
  readonly signalRate: number
}

/** Signals worth less than this are as good as none. */
const LEAST_WEIGHT = 0.3
/** After so many signals the plain formula does. */
const MOST_SIGNALS = 5
/** A signal is never right for sure. */
const LEAST_DOUBT = Math.exp(-5)

/** Value of a visit when the copy is outdated with probability 1 − e^−x. */
export function announcedValue(page: ValuedPage, x: number): number {
  const { importance, changeRate, hiddenRate, signalRate } = page
  const plain = expectedValue(importance, changeRate, x)
  if (!(signalRate > 0) || hiddenRate >= changeRate) return plain
  const doubt = Math.max(LEAST_DOUBT, 1 - (changeRate - hiddenRate) / signalRate)
  const weight = -Math.log(doubt)
  if (!(weight > LEAST_WEIGHT)) return plain
  const [most, rate] = [Math.min(x, MOST_SIGNALS * weight), hiddenRate + signalRate]
  let [days, fresh, chance] = [0, 0, 1 / rate]
  for (let n = 0; n * weight < most; n++) {
    const rest = (most - n * weight) / hiddenRate
    days += exceeds(n, signalRate * rest) / signalRate
    fresh += chance * exceeds(n, rate * rest)
    chance *= (doubt * signalRate) / rate
  }
  // A doubt that was raised to the least there is makes the sums pass the top by a hair.
  return Math.min(importance / changeRate, Math.max(plain, importance * (fresh - days * Math.exp(-most))))
}

/** Probability of more than n events where x are expected. The first two terms are all that most pages need. */
const exceeds = (n: number, x: number): number =>
  n === 0 ? -Math.expm1(-x) : n === 1 ? chanceOfTwoChanges(x) : moreThan(n, x)

/** Beyond so much suspicion a copy is outdated for sure, and waiting adds nothing. */
const CERTAIN = 40
const NONE = 1e-9
/** Halvings of the logarithm between the two: to a ten-thousandth. A day is not met more exactly. */
const STEPS = 18

/** Value for its cost: a request at any rate, and a body when the page turns out to have changed. */
export function announcedValuePerCost(page: ValuedPage, x: number, requestCost: number, bodyCost: number): number {
  return announcedValue(page, x) / (requestCost - Math.expm1(-x) * bodyCost)
}

/** The x at which a visit is worth `price`; Infinity when it never is. */
export function announcedWorth(price: number, page: ValuedPage, requestCost: number, bodyCost: number): number {
  // Where nobody announces anything the day is that of the plain formula, to the last digit.
  if (!(page.signalRate > 0)) return suspicionWorth(price, page.importance, page.changeRate, requestCost, bodyCost)
  if (announcedValuePerCost(page, CERTAIN, requestCost, bodyCost) <= price) return Infinity
  let [low, high] = [NONE, CERTAIN]
  for (let step = 0; step < STEPS; step++) {
    const middle = Math.sqrt(low * high)
    if (announcedValuePerCost(page, middle, requestCost, bodyCost) < price) low = middle
    else high = middle
  }
  return high
}
