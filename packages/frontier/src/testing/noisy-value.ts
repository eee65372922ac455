/**
 * Noisy value: what a visit is worth, exactly, where signals of one channel miss changes and raise false alarms. The
 * yardstick of the formulas in `crawl-value.ts` and `value.ts`.
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
 */
import { expectedValue, moreThan } from '../revisit/crawl-value.ts'

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
