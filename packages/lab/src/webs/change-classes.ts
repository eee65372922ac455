/**
 * Change classes: how often pages change, in the five bars of 000 Figure 2: up to a day, a week, a month, four months,
 * and longer. A page's interval is drawn within its bar, evenly on a logarithmic scale.
 */
import type { Random } from '@comity/testbed'

export const CLASS_NAMES: readonly string[] = ['1 day or less', 'to 1 week', 'to 1 month', 'to 4 months', 'longer']
/** Where a bar ends, in days; the last has no end. */
export const CLASS_DAYS: readonly number[] = [1, 7, 30, 120]
const LAST = CLASS_DAYS.length

export function classOf(intervalDays: number): number {
  const index = CLASS_DAYS.findIndex((end) => intervalDays <= end)
  return index === -1 ? LAST : index
}

export interface ClassMix {
  /** Of the five bars; they add up to 1. */
  readonly shares: readonly number[]
  /** No page has a longer interval. */
  readonly longestDays: number
}

/** The interval of each page, in days. Those of the first bar have one of a day: 000 §6 lets none change more often. */
export function drawIntervals(pages: number, { shares, longestDays }: ClassMix, random: Random): Float64Array {
  return Float64Array.from({ length: pages }, () => {
    const index = drawClass(shares, random.next())
    if (index === 0) return CLASS_DAYS[0]!
    const [from, to] = [CLASS_DAYS[index - 1]!, CLASS_DAYS[index] ?? longestDays]
    return from * (to / from) ** random.next()
  })
}

function drawClass(shares: readonly number[], draw: number): number {
  let left = draw
  for (let index = 0; index < LAST; index++) {
    left -= shares[index]!
    if (left < 0) return index
  }
  return LAST
}

/** The share of the pages that change on a day, expected of a mix: the mean of 1 / interval. */
export function changedADay({ shares, longestDays }: ClassMix): number {
  const rates = shares.map((share, index) => {
    if (index === 0) return share
    const [from, to] = [CLASS_DAYS[index - 1]!, CLASS_DAYS[index] ?? longestDays]
    return (share * (1 / from - 1 / to)) / Math.log(to / from)
  })
  return rates.reduce((sum, rate) => sum + rate, 0)
}

/** The mix with all bars but the last shrunk alike, so that this share of the pages changes on a day. */
export function shrunkTo(target: number, mix: ClassMix): ClassMix {
  const mostly = (factor: number): ClassMix => {
    const changing = mix.shares.slice(0, LAST).map((share) => share * factor)
    return { ...mix, shares: [...changing, 1 - changing.reduce((sum, share) => sum + share, 0)] }
  }
  const [none, all] = [changedADay(mostly(0)), changedADay(mix)]
  // Both are linear in the factor.
  return mostly(Math.min(1, Math.max(0, (target - none) / (all - none))))
}

/** Shares of the five bars, by how many days of `days` each page was seen changed. 000 §4.1 tells intervals so. */
export function measuredShares(changedDays: ArrayLike<number>, days: number): number[] {
  const counts = Array.from({ length: LAST + 1 }, () => 0)
  for (let page = 0; page < changedDays.length; page++) {
    const changes = changedDays[page]!
    counts[changes === 0 ? LAST : classOf(days / changes)]!++
  }
  return counts.map((count) => count / Math.max(1, changedDays.length))
}
