/**
 * Visit rates: how a budget of visits per day is best shared among pages whose change rates are known, when each is
 * visited at equal intervals. The yardstick that policies of revisits are measured against.
 *
 * For every page that is visited, (μ/D)·R1(D/f) = L (Cho and Garcia-Molina). L is the price of a visit: what the last
 * visit of the budget wins. Pages that change very often get few visits or none, as they are outdated again at once.
 */
import { expectedValue, chanceOfTwoChanges } from '../revisit/crawl-value.ts'

export interface RatedPage {
  readonly importance: number
  /** Changes per day. */
  readonly changeRate: number
}

const STEPS = 80
/** More changes than this between two visits, and the page counts as never visited. */
const MANY = 700

/** The best rates for visits at equal intervals: those at the price where they use up the budget. */
export function calendarRates(pages: readonly RatedPage[], budget: number): number[] {
  // Rates fall with the price; bisection over orders of magnitude.
  let [low, high] = [1e-30, 1e30]
  for (let step = 0; step < STEPS; step++) {
    const price = Math.sqrt(low * high)
    let used = 0
    for (const page of pages) used += rateAt(page, price)
    if (used > budget) low = price
    else high = price
  }
  return pages.map((page) => rateAt(page, high))
}

const rateAt = (page: RatedPage, price: number): number =>
  page.changeRate > 0 ? page.changeRate / changesPerVisit(page, price) : 0

/** Changes between two visits at which a visit is worth the price; Infinity when it never is. */
function changesPerVisit({ importance, changeRate }: RatedPage, price: number): number {
  if (importance / changeRate <= price) return Infinity
  const share = (price * changeRate) / importance
  let [low, high] = [0, MANY]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (chanceOfTwoChanges(middle) < share) low = middle
    else high = middle
  }
  return high
}

/** Weighted freshness of pages visited at equal intervals, from 0 to 1. */
export function calendarFreshness(pages: readonly RatedPage[], rates: readonly number[]): number {
  let [fresh, all] = [0, 0]
  for (const [i, { importance, changeRate }] of pages.entries()) {
    const changes = changeRate / rates[i]!
    all += importance
    fresh += importance * (changeRate === 0 ? 1 : rates[i] === 0 ? 0 : -Math.expm1(-changes) / changes)
  }
  return all === 0 ? 1 : fresh / all
}

/** What one more visit to each page would win at these rates, for checking that a share is the best one. */
export function calendarPrices(pages: readonly RatedPage[], rates: readonly number[]): number[] {
  return pages.map(({ importance, changeRate }, i) => expectedValue(importance, changeRate, changeRate / rates[i]!))
}
