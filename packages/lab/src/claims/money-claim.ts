/** 002 claim 7, in our words, and how it is answered: of prices nobody can be sure, of their order and of the tiers one can. */
import { answerTo, holds, holdsUnlessMade, untested, untestedClaim } from './claim-answer.ts'
import type { AnswerContext } from './claim-answer.ts'
import type { ClaimAnswer } from './claim.ts'
import { toleranceOf } from './tolerances.ts'
import { percent } from '../experiments/servers/answer.ts'

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
  readonly context: AnswerContext
  readonly settings: PaperPrices
  /** From little to spend to much. */
  readonly tiers: readonly TierSaving[]
  /** Why it cannot be told here. */
  readonly cannot?: string | undefined
  /** Without the prefix of the experiment. */
  readonly shownIn: readonly string[]
}

/** In what serving costs of what a view brings: the paper has 1/25. */
const PAPER_RATIO = 1 / 25
const TIER_PARTS = ['002.7c', '002.7d', '002.7e'] as const
const SETTING_WHY =
  'The prices are settings, as nobody can measure them here, and stand as in the paper unless they are set.'

export function moneyAnswers({ context, settings, tiers, cannot, shownIn }: MoneyFinding): ClaimAnswer[] {
  if (cannot !== undefined) return untestedClaim('002.7', context, cannot)
  const { viewUsd, networkUsd, processingUsd } = settings
  const ratio = (networkUsd + processingUsd) / viewUsd
  return [
    answerTo('002.7a', context, {
      verdict: holdsUnlessMade(true, ratio <= PAPER_RATIO),
      ours: `b ${viewUsd}, c_n ${networkUsd}, c_p ${processingUsd}: serving is ${percent(ratio)} of what a view brings`,
      why: SETTING_WHY,
      shownIn,
    }),
    answerTo('002.7b', context, {
      verdict: holdsUnlessMade(true, networkUsd > processingUsd),
      ours: `c_n ${networkUsd}, c_p ${processingUsd}`,
      why: SETTING_WHY,
      shownIn,
    }),
    ...TIER_PARTS.map((part, at) => tierAnswer(part, at, { context, tiers, shownIn })),
  ]
}

function tierAnswer(
  part: string,
  at: number,
  { context, tiers, shownIn }: Pick<MoneyFinding, 'context' | 'tiers' | 'shownIn'>,
): ClaimAnswer {
  const [own, before] = [tiers[at], tiers[at - 1]]
  if (own === undefined) return untested(part, context, 'No scheme of this tier was measured. It takes one.')
  const rises = before === undefined || own.bytes >= before.bytes - toleranceOf('tier-bytes')
  return answerTo(part, context, {
    verdict: holds(own.money > 0 && rises),
    ours: `${own.name}: ${percent(own.money)} of the money that crawlers cost, and ${percent(own.bytes)} of the bytes${before === undefined ? '' : `, against ${percent(before.bytes)} with ${before.tier} to spend`}`,
    why: 'Bytes and processor times are measured. Held when the best scheme of the tier saves money, and no fewer bytes than that of the one before. It need not save the most money: differences take processor time.',
    shownIn,
  })
}
