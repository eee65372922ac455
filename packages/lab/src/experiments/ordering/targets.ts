/** Targets G: from which importance on a page is hot (003 §6). A target that fits no web but the paper's is moved. */
import { hotCount, worthOfBest } from '../../simulate/crawl-models.ts'

export interface Target {
  /** What the paper has. */
  readonly paper: number
  /** The share of hot pages that it found, where the text says so. */
  readonly paperShare: number | undefined
  readonly used: number
  readonly hot: number
  readonly share: number
}

/** Fewer hot pages than this draw stairs, not curves. */
export const LEAST_HOT = 20

export function targetFor(importance: Float64Array, paper: number, paperShare: number): Target {
  const best = Math.max(LEAST_HOT, Math.round(paperShare * importance.length))
  const used = hotCount(importance, paper) >= LEAST_HOT ? paper : worthOfBest(importance, best)
  const hot = hotCount(importance, used)
  return { paper, paperShare, used, hot, share: importance.length === 0 ? 0 : hot / importance.length }
}

/** 003 §6, Graph 1. */
export const BACKLINK_TARGETS: readonly (readonly [target: number, share: number])[] = [
  [3, 0.47],
  [10, 0.1],
  [100, 0.008],
]
/** Graph 4. The text gives no share; that of Graph 2's hot pages is the nearest. */
export const RANK_TARGET: readonly [target: number, share: number] = [13, 0.008]
/** Graph 5. The text gives no share. */
export const SITE_TARGET: readonly [target: number, share: number] = [5, 0.3]

export function targetNote(name: string, { paper, used, hot }: Target): string | undefined {
  if (used === paper) return undefined
  return (
    `${name}: fewer than ${LEAST_HOT} pages reach the paper's G = ${paper}, so G = ${rounded(used)} is used, ` +
    `which makes ${hot} pages hot, the paper's share as nearly as equal pages allow.`
  )
}

export const rounded = (value: number): string => String(Number(value.toPrecision(4)))
