/** Revisit price: what a visit must be worth so that as many fall due as the budget pays for. */
import type { RevisitFacts, RevisitPolicy } from './policies.ts'

const STEPS = 50
/** Nobody is visited more often than every few minutes, whatever the price. */
const LEAST_DAYS = 0.003

/** The price at which these pages together fall due so many times a day, as long as nothing is heard of them. */
export function calibratedPrice(policy: RevisitPolicy, pages: readonly RevisitFacts[], visitsPerDay: number): number {
  let [low, high] = [1e-12, 1e12]
  for (let step = 0; step < STEPS; step++) {
    const price = Math.sqrt(low * high)
    let visits = 0
    for (const facts of pages) {
      const days = (policy.dueAt(facts, price, facts.visitedAt) - facts.visitedAt) / facts.dayMs
      visits += 1 / Math.max(days, LEAST_DAYS)
    }
    if (visits > visitsPerDay) low = price
    else high = price
  }
  return high
}
