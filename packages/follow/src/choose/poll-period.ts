/**
 * Poll period: when a site is asked again what has changed. Not after a fixed time: when the probability that something has
 * changed passes what is put up with (002 §6.5.3: "the important search engine parameter is not the minimum re-visiting
 * period, but the maximum acceptable outdated probability").
 *
 * How often a site has news is learnt from whether polls brought any. A poll that costs more is worth waiting for: where
 * a poll costs c and news comes at a rate r, the best period grows with √c (as in the reorder problem of stock-keeping), so
 * the probability put up with does as well. Pure.
 */
import { HEAD_BYTES } from '../request-price.ts'

/** What looks at a site brought; older ones count less. */
export interface NewsPace {
  readonly looks: number
  readonly withNews: number
  /** Time between those polls, all together. */
  readonly ms: number
}

interface PollTerms {
  /** Probability that there is news, at which a poll that costs one bare request is due. */
  readonly maxOutdated: number
  readonly minMs: number
  readonly maxMs: number
}

/** As the policy `outdated` has it. */
export const MAX_OUTDATED = 0.2

/** About the last twenty polls count. */
const FADING = 0.95
/** Before anything is known: news once in the longest period, as if half a piece of it had been seen; less with each poll. */
const PRIOR_NEWS = 0.5
/** However dear a poll is, news that is nearly certain is looked for. */
const MOST_OUTDATED = 0.9

export function paced(pace: NewsPace | undefined, ms: number, hadNews: boolean): NewsPace {
  const before = pace ?? { looks: 0, withNews: 0, ms: 0 }
  return {
    looks: before.looks * FADING + 1,
    withNews: before.withNews * FADING + (hadNews ? 1 : 0),
    ms: before.ms * FADING + Math.max(0, ms),
  }
}

/** News per millisecond. A poll that found some may have found several, which the logarithm makes up for (Cho's estimator). */
export function newsRate(pace: NewsPace | undefined, maxMs: number): number {
  const { looks, withNews, ms } = pace ?? { looks: 0, withNews: 0, ms: 0 }
  const news = looks === 0 ? 0 : looks * -Math.log((looks - withNews + 0.5) / (looks + 0.5))
  const prior = PRIOR_NEWS / (1 + looks)
  return (Math.max(0, news) + prior) / (ms + prior * maxMs)
}

/** From one poll to the next. `idleBytes` is what a poll costs that brings nothing, heads included. */
export function pollPeriodMs(pace: NewsPace | undefined, idleBytes: number, terms: PollTerms): number {
  const dearness = Math.sqrt(Math.max(HEAD_BYTES, idleBytes) / HEAD_BYTES)
  const accepted = Math.min(MOST_OUTDATED, terms.maxOutdated * dearness)
  const wanted = -Math.log(1 - accepted) / newsRate(pace, terms.maxMs)
  return Math.max(terms.minMs, Math.min(terms.maxMs, wanted))
}
