/**
 * Paired differences: whether one order is ahead of another when both are run from the same start pages. Start pages differ
 * from each other by more than orders do, so only differences at the same one count.
 *
 * The interval is the bootstrap's, the test Wilcoxon's signed ranks: neither asks how the differences are distributed. Under six
 * start pages no test can tell at 5 %, so there all of them have to point the same way.
 */
import { createRandom } from '@comity/testbed'
import { toleranceOf } from '../claims/tolerances.ts'
import type { Verdict } from '../claims/claim.ts'

export interface PairedDifference {
  readonly mean: number
  /** 95 % of the means of samples drawn from the differences. */
  readonly low: number
  readonly high: number
  /** Two-sided. */
  readonly p: number
  readonly pairs: number
  /** Pairs in which the first is ahead. */
  readonly ahead: number
}

const SAMPLES = 2_000
const FEWEST = 6

export function pairedDifference(first: readonly number[], second: readonly number[]): PairedDifference {
  if (first.length !== second.length || first.length === 0) throw new RangeError('there are no pairs')
  const differences = first.map((value, n) => value - second[n]!)
  const means = sampleMeans(differences).toSorted((a, b) => a - b)
  return {
    mean: meanOf(differences),
    low: means[Math.floor(SAMPLES * 0.025)]!,
    high: means[Math.ceil(SAMPLES * 0.975) - 1]!,
    p: signedRankP(differences),
    pairs: differences.length,
    ahead: differences.filter((difference) => difference > 0).length,
  }
}

/** Whether the first is ahead; `cannot be tested here` where start pages disagree too much to tell. */
export function aheadVerdict({ mean, p, pairs, ahead }: PairedDifference): Verdict {
  const isTold = pairs >= FEWEST ? p < toleranceOf('significance') : ahead === pairs || ahead === 0
  if (!isTold) return 'cannot be tested here'
  return mean > 0 ? 'holds' : 'does not hold here'
}

/** Why it was told, or what it would take. */
export function aheadWhy(difference: PairedDifference): string {
  const { pairs } = difference
  if (aheadVerdict(difference) === 'cannot be tested here')
    return 'Start pages disagree by more than chance allows to tell. It takes more of them (starts, seeds).'
  if (pairs === 1) return 'From one start page: nothing is known of chance.'
  return pairs >= FEWEST
    ? 'Told from chance by Wilcoxon’s signed ranks over start pages.'
    : `Fewer than ${FEWEST} start pages: all point the same way, which no test can tell from chance.`
}

/** The same seed for all: a report must not differ from run to run. */
function sampleMeans(values: readonly number[]): number[] {
  const random = createRandom(1)
  const draw = (): number => values[random.int(values.length)]!
  return Array.from({ length: SAMPLES }, () => meanOf(values.map(draw)))
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Pairs up to which all signs are counted: 2^20 sums are a thousand times a table of them. */
const EXACT = 40

/** Wilcoxon's signed ranks, two-sided; pairs without a difference are left out, equal ones share their ranks. */
export function signedRankP(differences: readonly number[]): number {
  const signed = differences.filter((value) => value !== 0).toSorted((a, b) => Math.abs(a) - Math.abs(b))
  if (signed.length === 0) return 1
  const ranks = sharedRanks(signed.map(Math.abs))
  const sum = ranks.reduce((total, rank, n) => total + (signed[n]! > 0 ? rank : 0), 0)
  const all = ranks.reduce((total, rank) => total + rank, 0)
  const least = Math.min(sum, all - sum)
  return Math.min(1, signed.length <= EXACT ? 2 * exactTail(ranks, least) : 2 * normalTail(ranks, least))
}

/** Ranks from 1 on of values that rise, the mean of them for equals. */
function sharedRanks(rising: readonly number[]): number[] {
  return rising.map((value) => {
    const [from, to] = [rising.indexOf(value), rising.lastIndexOf(value)]
    return (from + to) / 2 + 1
  })
}

/** The part of all signs whose sum is at most this, by the number of ways to each sum; halves of ranks become whole. */
function exactTail(ranks: readonly number[], most: number): number {
  const doubled = ranks.map((rank) => Math.round(rank * 2))
  let ways = new Float64Array(doubled.reduce((sum, rank) => sum + rank, 0) + 1)
  ways[0] = 1
  for (const rank of doubled) ways = ways.map((count, sum) => (count + (ways[sum - rank] ?? 0)) / 2)
  return ways.subarray(0, Math.round(most * 2) + 1).reduce((sum, part) => sum + part, 0)
}

function normalTail(ranks: readonly number[], most: number): number {
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / 2
  const deviation = Math.sqrt(ranks.reduce((sum, rank) => sum + rank * rank, 0) / 4)
  const z = (most + 0.5 - mean) / deviation
  // Abramowitz and Stegun 7.1.26, to 10⁻⁷.
  const t = 1 / (1 + (0.3275911 * Math.abs(z)) / Math.SQRT2)
  const series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  const tail = (series * Math.exp((-z * z) / 2)) / 2
  return z < 0 ? tail : 1 - tail
}
