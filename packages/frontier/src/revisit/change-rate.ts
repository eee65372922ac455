/**
 * Change rate: how often a page changes, in changes per day, from what its visits found.
 *
 * A visit after t days says one bit: changed, or not. With Poisson changes the most likely rate D solves
 *
 *   Σ over changed visits t / (e^{Dt} − 1)  =  Σ over unchanged visits t
 *
 * (Cho and Garcia-Molina, "Estimating frequency of change"; for irregular visits Kolobov et al., NeurIPS 2019). When a
 * change comes with its own instant, a Last-Modified or a change log, it is known that nothing happened since: a term
 * 1/D on the left and the days since on the right. So five numbers per page do for all of it: the right side, how many
 * changes were dated, and how many were not, with the sum of the logarithms of their intervals and of their squares.
 *
 * Approximate is only the last: the left sum is taken over three intervals that stand for a lognormal spread with those
 * two moments (Gauss-Hermite), not over each. Where all intervals are alike it is exact; where they differ by a factor
 * of two up and down it is within 3 % of the exact solution nineteen times of twenty, which is far less than what chance
 * does to the solution itself. Long intervals that ended in a change hardly count, in the sum as in the spread.
 *
 * What is not known yet comes from imaginary visits, as a prior: a changed and an unchanged one of half a day (Kolobov),
 * or, once the page's site is known, a Gamma distribution around the site's rate, which is the same thing with dated
 * changes.
 */

/** Rates are kept between these, per day: once in five years, and every quarter of an hour. */
export const LEAST_RATE = 0.0005
export const MOST_RATE = 100

export interface ChangeStats {
  /** Days in which nothing happened, for sure. */
  readonly quietDays: number
  /** Changes whose instant is known. */
  readonly dated: number
  /** Visits that found a change some time since the visit before. */
  readonly changed: number
  /** Sum of ln(days) over those, and of its square. */
  readonly logDays: number
  readonly logSquares: number
}

/** Imaginary changed visits, each after so many days, and imaginary quiet days. With 0 days it is a Gamma prior. */
export interface RatePrior {
  readonly changes: number
  readonly changeDays: number
  readonly quietDays: number
}

/** One visit to a page: how long after the one before, and what it found. */
export interface RateVisit {
  readonly days: number
  readonly changed: boolean
  /** Days since the last change, when the site dates it and the date can be believed. */
  readonly ageDays?: number
  /** For a change that was found: the share of changes that are announced, and that none of was for so long. */
  readonly recall?: number
  /** For a change that signals tell of: how many there were, by expectation. */
  readonly datedChanges?: number
}

export const NOTHING_SEEN: ChangeStats = { quietDays: 0, dated: 0, changed: 0, logDays: 0, logSquares: 0 }

/** One changed and one unchanged visit of half a day: finite rates for pages that always, or never, changed. */
export const HALF_DAY_PRIOR: RatePrior = { changes: 1, changeDays: 0.5, quietDays: 0.5 }

/** What is remembered of older visits at each new one: about fifty count, so that a page may change its habits. */
const MEMORY = 0.98

/** An interval below a tenth of a second has nothing to say, and its logarithm too much. */
const LEAST_DAYS = 1e-6
const STEPS = 36
const SPREAD = Math.sqrt(3)

/** A page nobody has visited twice is thought to be like its site: a Gamma prior of this shape around the site's rate. */
export function sitePrior(ratePerDay: number, shape = 1): RatePrior {
  return { changes: shape, changeDays: 0, quietDays: shape / clampRate(ratePerDay) }
}

/** The statistics after one more visit; older ones fade by `memory`. */
export function withVisit(stats: ChangeStats, visit: RateVisit, memory: number = MEMORY): ChangeStats {
  const { changed, ageDays, recall = 0, datedChanges } = visit
  const days = Math.max(visit.days, LEAST_DAYS)
  const isDated = changed && datedChanges === undefined && ageDays !== undefined && ageDays < days
  const isUndated = changed && datedChanges === undefined && !isDated
  const hiddenQuiet = isDated ? (1 - recall) * Math.max(ageDays, 0) : 0
  const log = Math.log((1 - recall) * days)
  return {
    quietDays: stats.quietDays * memory + (changed ? recall * days + hiddenQuiet : days),
    dated: stats.dated * memory + (changed ? (datedChanges ?? (isDated ? 1 : 0)) : 0),
    changed: stats.changed * memory + (isUndated ? 1 : 0),
    logDays: stats.logDays * memory + (isUndated ? log : 0),
    logSquares: stats.logSquares * memory + (isUndated ? log * log : 0),
  }
}

/** The rate that the statistics and the prior make most likely. */
export function changeRate(stats: ChangeStats, prior: RatePrior = HALF_DAY_PRIOR): number {
  const mean = stats.changed > 0 ? stats.logDays / stats.changed : 0
  const variance = stats.changed > 0 ? Math.max(0, stats.logSquares / stats.changed - mean * mean) : 0
  const middle = Math.exp(mean)
  const factor = Math.exp(SPREAD * Math.sqrt(variance))
  return solve(stats.quietDays + prior.quietDays, (rate) => {
    const undated =
      (4 * pull(rate, middle) + pull(rate, middle / factor) + pull(rate, middle * factor)) * (stats.changed / 6)
    return undated + stats.dated / rate + prior.changes * pull(rate, prior.changeDays)
  })
}

/** The rate that a prior alone makes most likely. */
export function priorRate(prior: RatePrior): number {
  return prior.changeDays === 0 ? clampRate(prior.changes / prior.quietDays) : changeRate(NOTHING_SEEN, prior)
}

const clampRate = (ratePerDay: number): number => Math.min(MOST_RATE, Math.max(LEAST_RATE, ratePerDay))

/** How strongly a change within so many days speaks for a higher rate. */
function pull(rate: number, days: number): number {
  return days === 0 ? 1 / rate : days / Math.expm1(rate * days)
}

/** Where a falling function of the rate comes down to `level`, by bisection over orders of magnitude. */
function solve(level: number, falling: (rate: number) => number): number {
  let [low, high] = [LEAST_RATE, MOST_RATE]
  for (let step = 0; step < STEPS; step++) {
    const middle = Math.sqrt(low * high)
    if (falling(middle) > level) low = middle
    else high = middle
  }
  return Math.sqrt(low * high)
}
