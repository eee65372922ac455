/** How the parts of a claim of 004 are answered from one measurement: each by itself, from the same evidence. */
import { answerTo as answer, holds, untestedClaim } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import type { ClaimAnswer, Verdict } from '../../claims/claim.ts'

export interface SchedulingContext extends AnswerContext {
  readonly web: string
  /** The web was fitted to what the paper says of its own. */
  readonly isFitted: boolean
}

interface PartFinding {
  readonly part: string
  /** A truth, or a verdict where it is none of the two. */
  readonly found: boolean | Verdict
  readonly ours: string
  /** Besides what is said of all parts. */
  readonly why?: string
}

interface Evidence {
  readonly why: string
  /** Ids of figures and tables without the prefix of the experiment. */
  readonly shownIn: readonly string[]
}

export const answersOf = (
  context: SchedulingContext,
  { why, shownIn }: Evidence,
  findings: readonly PartFinding[],
): ClaimAnswer[] =>
  findings.map(({ part, found, ours, why: own = '' }) =>
    answer(part, context, {
      verdict: typeof found === 'boolean' ? holds(found) : found,
      ours,
      why: `${own} ${why}`.trim(),
      shownIn,
    }),
  )

export const untestable = (claim: string, context: SchedulingContext, ours: string, why: string): ClaimAnswer[] =>
  untestedClaim(claim, context, why, ours)
