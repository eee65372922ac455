/** 002 claim 7, in our words, and how it is answered: of prices nobody can be sure, of their order and of the tiers one can. */
import type { ClaimAnswer } from './claim.ts'
import { holds, percent } from '../experiments/servers/answer.ts'

export interface PaperPrices {
  readonly viewUsd: number
  readonly networkUsd: number
  readonly processingUsd: number
  readonly crawlerUsd: number
}

export interface TierSaving {
  readonly tier: string
  /** The best scheme of it. */
  readonly name: string
  /** Shares of what crawlers cost the site, in money and in bytes. */
  readonly money: number
  readonly bytes: number
}

export interface MoneyFinding {
  readonly web: string
  readonly settings: PaperPrices
  /** From little to spend to much. */
  readonly tiers: readonly TierSaving[]
  /** Why it cannot be told here. */
  readonly cannot?: string | undefined
  readonly shownIn: readonly string[]
}

/** In what serving costs of what a view brings: the paper has 1/25. */
const PAPER_RATIO = 1 / 25
/** Of the share of bytes: the best of a tier is chosen by money. */
const TOLERANCE = 0.02

export function moneyAnswer({ web, settings, tiers, cannot, shownIn }: MoneyFinding): ClaimAnswer {
  const { viewUsd, networkUsd, processingUsd, crawlerUsd } = settings
  const ratio = (networkUsd + processingUsd) / viewUsd
  const rises = tiers.every(({ bytes }, at) => at === 0 || bytes >= tiers[at - 1]!.bytes - TOLERANCE)
  const pays = tiers.every(({ money }) => money > 0)
  const isHeld = ratio <= PAPER_RATIO && networkUsd > processingUsd && pays && rises
  return {
    paper: '002',
    number: 7,
    claim:
      'A view brings at least 0.05 US$, serving a page costs at most 0.002, the network more of it than the processor, and a crawler about as much; with little to spend right HTTP/1.1 is best, with more meta-data, with still more differences or a filter.',
    web,
    verdict: cannot === undefined ? holds(isHeld) : 'cannot be tested',
    ours:
      `b ${viewUsd}, c_n ${networkUsd}, c_p ${processingUsd}, crawler ${crawlerUsd}: serving is ${percent(ratio)} of what a view brings; ` +
      `of what crawlers cost the site ${tiers.map(({ tier, name, money, bytes }) => `${tier} to spend saves ${percent(money)} of the money and ${percent(bytes)} of the bytes (${name})`).join(', ')}`,
    why:
      cannot ??
      'The prices are settings, as nobody can measure them here; bytes and processor times are measured. Held when the best of every tier saves the site money, each saves at least the bytes of the one before it, within 2 points, and the prices stand as the paper has them. The dearest tier need not save the most money: differences take processor time.',
    shownIn,
  }
}
