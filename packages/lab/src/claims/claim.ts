/**
 * Claim: what a paper says, and what we found when we looked for ourselves.
 *
 * A claim has parts (`claim-part.ts`), and an experiment answers a part once for each web it ran on, because it may hold on one
 * web and fail on the next. The table of claims shows every answer; the line above those of a part adds them up.
 *
 *   holds                    measured, and as the paper says, within the tolerance that was written down before
 *   does not hold here       measured, and not so
 *   holds by construction    a setting or a web that was fitted makes it so: it shows that we measure right, and no more
 *   cannot be tested here    with what would be needed
 *   not claimed              our reading or our variant; the paper does not say it
 */
import { paperClaim, PAPER_CLAIMS } from './claim-list.ts'
import type { ClaimPart, PaperClaim } from './claim-part.ts'

export type Verdict = 'holds' | 'does not hold here' | 'holds by construction' | 'cannot be tested here' | 'not claimed'

export const verdicts: readonly Verdict[] = [
  'holds',
  'does not hold here',
  'holds by construction',
  'cannot be tested here',
  'not claimed',
]

export interface ClaimAnswer {
  /** Number of the paper, as in `003`. */
  readonly paper: string
  /** Number of the claim within the paper. */
  readonly number: number
  /** Which part of it: `003.3a`. */
  readonly part: string
  /** The part in our own words, the same in every answer to it. */
  readonly claim: string
  /** Name of the web it was tested on; left out when it is not about one web. */
  readonly web?: string
  readonly verdict: Verdict
  /** Our figure, ready to read: `47.1 % found after 20 % of the crawl`. */
  readonly ours: string
  readonly why: string
  /** Ids of the figures and tables that show it. */
  readonly shownIn: readonly string[]
}

/** All the answers to one claim, by its parts. */
export interface Claim {
  readonly paper: string
  readonly number: number
  readonly claim: string
  readonly parts: readonly AnsweredPart[]
}

export interface AnsweredPart {
  readonly id: string
  readonly claim: string
  readonly answers: readonly ClaimAnswer[]
}

/** Claims in the order of papers and numbers, parts in theirs, whatever order the experiments ran in; answers keep theirs. */
export function claimsOf(answers: readonly ClaimAnswer[]): Claim[] {
  const groups = Map.groupBy(answers, ({ paper, number }) => `${paper}.${number}`)
  const claims = Array.from(groups, ([id, group]) => ({
    paper: group[0]!.paper,
    number: group[0]!.number,
    claim: paperClaim(id)?.title ?? group[0]!.claim,
    parts: partsOf(group),
  }))
  return claims.toSorted((a, b) => compareText(a.paper, b.paper) || a.number - b.number)
}

function partsOf(group: readonly ClaimAnswer[]): AnsweredPart[] {
  const parts = Map.groupBy(group.filter(isFirst), ({ part }) => part)
  return Array.from(parts, ([id, answers]) => ({ id, claim: answers[0]!.claim, answers })).toSorted((a, b) =>
    compareText(a.id, b.id),
  )
}

/** What depends on no web is the same from whichever one it was found, and counts once. */
const isFirst = (answer: ClaimAnswer, at: number, all: readonly ClaimAnswer[]): boolean =>
  answer.web !== undefined ||
  all.findIndex((one) => one.part === answer.part && one.web === undefined && one.ours === answer.ours) === at

/** These answers, and one for each part of all the papers that they leave out: how it stands, or what it would need. */
export function withAllParts(answers: readonly ClaimAnswer[]): ClaimAnswer[] {
  const answered = new Set(answers.map(({ part }) => part))
  const missing = PAPER_CLAIMS.flatMap((claim) =>
    claim.parts.filter(({ id }) => !answered.has(id)).map((part) => unanswered(claim, part)),
  )
  return [...answers, ...missing]
}

function unanswered({ id: claimId, needs }: PaperClaim, { id, says, standing }: ClaimPart): ClaimAnswer {
  const [paper = '', number = ''] = claimId.split('.')
  const { verdict, why } = standing ?? { verdict: 'cannot be tested here', why: `It takes: ${needs}` }
  return { paper, number: Number(number), part: id, claim: says, verdict, ours: '', why, shownIn: [] }
}

interface Overall {
  /** The verdict of every web that could test it; undefined when they disagree. */
  readonly verdict: Verdict | undefined
  readonly text: string
}

/** Only what was measured speaks for it or against it: a web that was made so, or that cannot test it, spoils no agreement. */
export function overall(answers: readonly ClaimAnswer[]): Overall {
  const count = (verdict: Verdict): number => answers.filter((answer) => answer.verdict === verdict).length
  const [held, failed, made, untested] = verdicts.map(count) as [number, number, number, number]
  if (held + failed === 0) {
    const verdict = answers.find((answer) => answer.verdict !== 'cannot be tested here')?.verdict
    return { verdict: verdict ?? 'cannot be tested here', text: verdict ?? 'cannot be tested here' }
  }
  const verdict = failed === 0 ? 'holds' : held === 0 ? 'does not hold here' : undefined
  if (answers.length === 1) return { verdict, text: verdict ?? '' }
  const tested = held + failed
  const rest = [
    made === 0 ? [] : `by construction on ${made} more`,
    untested === 0 ? [] : `${untested} cannot test it`,
  ].flat()
  return { verdict, text: [`holds on ${held} of ${tested} ${tested === 1 ? 'web' : 'webs'}`, ...rest].join(', ') }
}

/** How many parts, by the verdict of all their webs together. */
export function tallyParts(claims: readonly Claim[]): ReadonlyMap<Verdict | 'depends on the web', number> {
  const counts = new Map<Verdict | 'depends on the web', number>()
  for (const { answers } of claims.flatMap(({ parts }) => parts)) {
    const verdict = overall(answers).verdict ?? 'depends on the web'
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  }
  return counts
}

// By code unit: the order of a locale may differ between machines, and the report must not.
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
