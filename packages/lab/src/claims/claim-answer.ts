/** Claim answer: how an experiment answers a part of a claim, by its id alone; words and numbers come from the list of claims. */
import { claimPart, paperClaim } from './claim-list.ts'
import type { ClaimAnswer, Verdict } from './claim.ts'

interface Finding {
  readonly verdict: Verdict
  readonly ours: string
  readonly why: string
  /** Ids of figures and tables, without the prefix of the experiment. */
  readonly shownIn: readonly string[]
}

export interface AnswerContext {
  /** Prefix of the ids of figures and tables. */
  readonly id: string
  /** What it was tested on; left out when it is not about one web. */
  readonly web?: string
}

/** What the paper does not say stays unclaimed, whatever we found. A part that is in no list is a bug. */
export function answerTo(partId: string, { id, web }: AnswerContext, finding: Finding): ClaimAnswer {
  const part = claimPart(partId)
  if (part === undefined) throw new RangeError(`there is no part ${partId} of a claim`)
  const [paper = '', number = ''] = partId.split('.')
  const isOurs = part.standing?.verdict === 'not claimed'
  return {
    paper,
    number: Number.parseInt(number, 10),
    part: partId,
    claim: part.says,
    ...(web === undefined ? {} : { web }),
    ...finding,
    ...(isOurs ? { verdict: 'not claimed', why: `${part.standing?.why} ${finding.why}`.trim() } : {}),
    shownIn: finding.shownIn.map((one) => `${id}-${one}`),
  }
}

export const untested = (partId: string, context: AnswerContext, why: string, ours = ''): ClaimAnswer =>
  answerTo(partId, context, { verdict: 'cannot be tested here', ours, why, shownIn: [] })

/** Every part of a claim that a run could answer. */
export const untestedClaim = (claimId: string, context: AnswerContext, why: string, ours = ''): ClaimAnswer[] =>
  paperClaim(claimId)!
    .parts.filter(({ standing }) => standing === undefined)
    .map(({ id }) => untested(id, context, why, ours))

export const holds = (whether: boolean): Verdict => (whether ? 'holds' : 'does not hold here')

/** What was made so is no evidence, even where it is missed. */
export const holdsUnlessMade = (isMade: boolean, whether: boolean): Verdict =>
  isMade && whether ? 'holds by construction' : holds(whether)
