/**
 * Freshness: how fresh, and how old, a copy is on average when its page changes at a Poisson rate and is visited at a
 * given rate (Cho and Garcia-Molina, "Synchronizing a database to improve freshness").
 *
 * With r changes per visit, the share of time a copy is fresh and its mean age, in units of the visit interval:
 *
 *   fixed order    every page at equal intervals            what a calendar of visits does
 *   random order   once per round, in a new order each      what a shuffled list does
 *   random         any page at any moment                   what a Poisson process of visits does
 */
export const VISIT_PATTERNS = ['fixed order', 'random order', 'random'] as const
export type VisitPattern = (typeof VISIT_PATTERNS)[number]

/** Below this many changes per visit, differences of nearly equal numbers are replaced by the first terms of their series. */
const FEW = 1e-3

/** Share of the time that a copy is as its page is. */
export function freshnessOf(pattern: VisitPattern, changesPerDay: number, visitsPerDay: number): number {
  if (changesPerDay === 0) return 1
  if (visitsPerDay === 0) return 0
  const r = changesPerDay / visitsPerDay
  if (pattern === 'random') return 1 / (1 + r)
  const fixed = -Math.expm1(-r) / r
  if (pattern === 'fixed order') return fixed
  return r < FEW ? 1 - (7 / 12) * r + (r * r) / 4 : (1 - fixed * fixed) / r
}

/** Mean days since a copy stopped being as its page is; 0 while it is. */
export function ageOf(pattern: VisitPattern, changesPerDay: number, visitsPerDay: number): number {
  if (changesPerDay === 0) return 0
  if (visitsPerDay === 0) return Infinity
  const r = changesPerDay / visitsPerDay
  return agePerInterval(pattern, r) / visitsPerDay
}

function agePerInterval(pattern: VisitPattern, r: number): number {
  if (pattern === 'random') return r / (1 + r)
  const missed = -Math.expm1(-r) / (r * r)
  if (pattern === 'fixed order') return r < FEW ? r / 6 - (r * r) / 24 : 1 / 2 - 1 / r + missed
  return r < FEW ? r / 4 : 1 / 3 + (1 / 2 - 1 / r) ** 2 - missed ** 2
}
