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
 * With signals that miss changes and raise false alarms (the setting of GREEDY-NCIS, Busa-Fekete, Zimmert, György et
 * al., WWW 2025). A change is announced with probability `recall`, false signals come at rate ν. Changes nobody announces
 * have the rate α = (1 − recall)·D, signals γ = recall·D + ν, and one signal is false with probability q = ν/γ. After t
 * days and n signals the copy is still fresh with probability e^−(αt + κn), κ = −ln q: a signal is worth β = κ/α days of
 * waiting. With R_n(x) the probability of more than n events where x are expected, a crawler that visits after ι such
 * effective days has
 *
 *   days between visits   ψ(ι) = Σ_{nβ<ι} R_n(γ(ι − nβ)) / γ
 *   fresh days of those   w(ι) = Σ_{nβ<ι} νⁿ/(α+γ)ⁿ⁺¹ · R_n((α+γ)(ι − nβ))
 *   value of a visit      V(τ) = μ · (w(τ) − ψ(τ) e^−ατ),  τ = t + βn
 *
 * That sum is exact for one channel. `expectedValue` is what stands in for it everywhere: the formula without signals at
 * x = αt + Σκn, exact without signals, close with them, and good for any number of channels.
 */

/** A page whose changes are announced by one channel, as it is. */
export interface NoisyPage {
  readonly importance: number
  /** Changes per day. */
  readonly changeRate: number
  /** Share of changes that are announced. */
  readonly recall: number
  /** False signals per day. */
  readonly falseRate: number
}

/** Below this the series is more exact than the difference. */
const SMALL = 1e-3
const BISECTIONS = 44
/** Beyond so much suspicion a copy is outdated for sure, and waiting adds nothing. */
const CERTAIN = 40

/** Probability of two changes or more where x are expected: how much of a page's value is due. */
export function r1(x: number): number {
  if (x < SMALL) return x * x * (1 / 2 - x * (1 / 3 - x / 8))
  return -Math.expm1(-x) - x * Math.exp(-x)
}

/** Value when the copy is outdated with probability 1 − e^−x. Without signals x is changeRate × days. */
export function expectedValue(importance: number, changeRate: number, x: number): number {
  return changeRate > 0 ? (importance / changeRate) * r1(x) : 0
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

/** Days between visits, and fresh days of those, when a page is visited after `effectiveDays`. Needs 0 < recall < 1. */
export function visitCycle(page: NoisyPage, effectiveDays: number): { readonly days: number; readonly fresh: number } {
  const { hidden, signals, perSignal } = ratesOf(page)
  const rate = hidden + signals
  // Past this many signals in the time nothing is left to add: ten standard deviations.
  const most = signals * effectiveDays + 10 * Math.sqrt(signals * effectiveDays) + 20
  let [days, fresh, weight] = [0, 0, 1 / rate]
  for (let n = 0; n * perSignal < effectiveDays && n <= most; n++) {
    const rest = effectiveDays - n * perSignal
    days += moreThan(n, signals * rest) / signals
    fresh += weight * moreThan(n, rate * rest)
    weight *= page.falseRate / rate
  }
  return { days, fresh }
}

/** Exact value of a visit, t days and n signals after the last. */
export function noisyValue(page: NoisyPage, days: number, signals: number): number {
  const { importance, changeRate, recall, falseRate } = page
  if (changeRate === 0) return 0
  const rates = ratesOf(page)
  // No signals, or signals that say nothing: they come as often whether the page changes or not.
  if (recall === 0 || rates.signals === 0) return expectedValue(importance, changeRate, changeRate * days)
  if (falseRate === 0) {
    if (signals > 0) return importance / changeRate
    const fresh = -Math.expm1(-changeRate * days) / changeRate
    const cycle = -Math.expm1(-rates.signals * days) / rates.signals
    return importance * (fresh - Math.exp(-rates.hidden * days) * cycle)
  }
  if (rates.hidden === 0) {
    const right = rates.doubt ** signals
    return (importance / rates.signals) * ((1 - right) / (1 - rates.doubt) - signals * right)
  }
  const effective = days + rates.perSignal * signals
  const cycle = visitCycle(page, effective)
  return importance * (cycle.fresh - cycle.days * Math.exp(-rates.hidden * effective))
}

function ratesOf({ changeRate, recall, falseRate }: NoisyPage): {
  readonly hidden: number
  readonly signals: number
  readonly doubt: number
  readonly perSignal: number
} {
  const hidden = (1 - recall) * changeRate
  const signals = recall * changeRate + falseRate
  const doubt = falseRate / signals
  return { hidden, signals, doubt, perSignal: -Math.log(doubt) / hidden }
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
