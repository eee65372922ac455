/**
 * Visit rates: how a budget of visits per day is best shared among pages whose change rates are known. The yardsticks
 * that a calendar of visits is measured against.
 *
 *   calendar    equal intervals, freshness (Cho and Garcia-Molina): (μ/D)·R1(D/f) = L for every page that is visited
 *   random      visits at random moments, freshness (Azar et al., PNAS 2018): f = √(μD/L) − D, or nothing, or a floor
 *   harmonic    the same against staleness that weighs a neglected page without bound (LambdaCrawl, Kolobov et al.,
 *               NeurIPS 2019): f = (−D + √(D² + 4μD/L)) / 2, never nothing
 *   polite      `random` where the pages of a host together may have no more than its cap: a capped host has its own L
 *
 * L is the price of a visit: what the last visit of the budget wins. Pages that change very often get few visits or none
 * under freshness, as they are outdated again at once.
 */
import { expectedValue, r1 } from './crawl-value.ts'

export interface RatedPage {
  readonly importance: number
  /** Changes per day. */
  readonly changeRate: number
}

export interface HostedPage extends RatedPage {
  readonly host: number
}

const STEPS = 80
/** More changes than this between two visits, and the page counts as never visited. */
const MANY = 700

/** The best rates for visits at equal intervals. */
export function calendarRates(pages: readonly RatedPage[], budget: number): number[] {
  return priced(pages, budget, (page, price) => page.changeRate / changesPerVisit(page, price))
}

/** The best rates for visits at random moments; each page has at least `floor`. */
export function randomRates(pages: readonly RatedPage[], budget: number, floor = 0): number[] {
  const rates = pages.map(() => floor)
  // Sorted by what the first visit above the floor wins; the rest at the end get the floor and no more.
  const gain = ({ importance, changeRate }: RatedPage): number =>
    changeRate > 0 ? (importance * changeRate) / (changeRate + floor) ** 2 : 0
  const order = pages.map((_, i) => i).toSorted((a, b) => gain(pages[b]!) - gain(pages[a]!))
  let [roots, changes] = [0, 0]
  for (const i of order) {
    roots += Math.sqrt(pages[i]!.importance * pages[i]!.changeRate)
    changes += pages[i]!.changeRate
  }
  for (let kept = order.length; kept > 0; kept--) {
    const last = pages[order[kept - 1]!]!
    const rest = budget - floor * (order.length - kept)
    if (gain(last) > (roots / (rest + changes)) ** 2) {
      for (const i of order.slice(0, kept)) {
        const { importance, changeRate } = pages[i]!
        rates[i] = (Math.sqrt(importance * changeRate) * (rest + changes)) / roots - changeRate
      }
      break
    }
    roots -= Math.sqrt(last.importance * last.changeRate)
    changes -= last.changeRate
  }
  return rates
}

/** The best rates for visits at random moments when no page may be forgotten. */
export function harmonicRates(pages: readonly RatedPage[], budget: number): number[] {
  return priced(pages, budget, ({ importance, changeRate }, price) => {
    return (-changeRate + Math.sqrt(changeRate * changeRate + (4 * importance * changeRate) / price)) / 2
  })
}

/** The best rates for visits at random moments when a host's pages together have at most its cap. */
export function politeRates(pages: readonly HostedPage[], budget: number, capOf: (host: number) => number): number[] {
  // The price at which a host's pages use just its cap does not depend on the others; below it, the host pays its own.
  const hostPrice = new Map<number, number>()
  for (const [host, own] of Map.groupBy(pages, (page) => page.host)) {
    hostPrice.set(host, priceFor(own, capOf(host), randomRate))
  }
  return priced(pages, budget, (page, price) => randomRate(page, Math.max(price, hostPrice.get(page.host) ?? 0)))
}

function randomRate({ importance, changeRate }: RatedPage, price: number): number {
  return Math.max(0, Math.sqrt((importance * changeRate) / price) - changeRate)
}

/** The rates at the price where they use up the budget. */
function priced<Page extends RatedPage>(
  pages: readonly Page[],
  budget: number,
  rateAt: (page: Page, price: number) => number,
): number[] {
  const price = priceFor(pages, budget, rateAt)
  return pages.map((page) => (page.changeRate > 0 ? rateAt(page, price) : 0))
}

/** The price at which these pages use up this budget. Rates fall with the price; bisection over orders of magnitude. */
function priceFor<Page extends RatedPage>(
  pages: readonly Page[],
  budget: number,
  rateAt: (page: Page, price: number) => number,
): number {
  let [low, high] = [1e-30, 1e30]
  for (let step = 0; step < STEPS; step++) {
    const price = Math.sqrt(low * high)
    let used = 0
    for (const page of pages) if (page.changeRate > 0) used += rateAt(page, price)
    if (used > budget) low = price
    else high = price
  }
  return high
}

/** Changes between two visits at which a visit is worth the price; Infinity when it never is. */
function changesPerVisit({ importance, changeRate }: RatedPage, price: number): number {
  if (importance / changeRate <= price) return Infinity
  const share = (price * changeRate) / importance
  let [low, high] = [0, MANY]
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2
    if (r1(middle) < share) low = middle
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
