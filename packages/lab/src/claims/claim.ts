/**
 * Claim: what a paper says, and what we found when we looked for ourselves.
 *
 * An experiment answers a claim once for each web it ran on, because a claim may hold on one web and fail on the next.
 * The table of claims shows every answer; the line above them adds the answers up without inventing a fourth verdict.
 */
export type Verdict = 'holds here' | 'does not hold here' | 'cannot be tested'

export const verdicts: readonly Verdict[] = ['holds here', 'does not hold here', 'cannot be tested']

export interface ClaimAnswer {
  /** Number of the paper, as in `003`. */
  readonly paper: string
  /** Number of the claim within the paper. */
  readonly number: number
  /** The claim in our own words, the same in every answer to it. */
  readonly claim: string
  /** Name of the web it was tested on; left out when the claim is not about one web. */
  readonly web?: string
  readonly verdict: Verdict
  /** Our figure beside the paper's, ready to read: `47.1 % found after 20 % of the crawl, the paper has 60 %`. */
  readonly ours: string
  readonly why: string
  /** Ids of the figures and tables that show it. */
  readonly shownIn: readonly string[]
}

/** All the answers to one claim. */
export interface Claim {
  readonly paper: string
  readonly number: number
  readonly claim: string
  readonly answers: readonly ClaimAnswer[]
}

/** Claims in the order of papers and numbers, whatever order the experiments ran in; answers keep theirs. */
export function claimsOf(answers: readonly ClaimAnswer[]): Claim[] {
  const groups = Map.groupBy(answers, (answer) => `${answer.paper}\u0000${answer.number}`)
  const claims = [...groups.values()].map((group) => ({
    paper: group[0]!.paper,
    number: group[0]!.number,
    claim: group[0]!.claim,
    answers: group,
  }))
  return claims.toSorted((a, b) => compareText(a.paper, b.paper) || a.number - b.number)
}

interface Overall {
  /** The verdict of every web that could test the claim; undefined when they disagree. */
  readonly verdict: Verdict | undefined
  readonly text: string
}

/** A web that cannot test a claim says nothing for it or against it, so it does not spoil the agreement of the rest. */
export function overall(answers: readonly ClaimAnswer[]): Overall {
  const tested = answers.filter(({ verdict }) => verdict !== 'cannot be tested')
  if (tested.length === 0) return { verdict: 'cannot be tested', text: 'cannot be tested' }
  const held = tested.filter(({ verdict }) => verdict === 'holds here').length
  const verdict = held === tested.length ? 'holds here' : held === 0 ? 'does not hold here' : undefined
  const untested = answers.length - tested.length
  const rest = untested === 0 ? '' : `, ${untested} cannot test it`
  if (answers.length === 1) return { verdict, text: verdict ?? '' }
  return { verdict, text: `holds here on ${held} of ${tested.length} ${tested.length === 1 ? 'web' : 'webs'}${rest}` }
}

/** How many claims, by the verdict of all their webs together. */
export function tallyClaims(claims: readonly Claim[]): ReadonlyMap<Verdict | 'depends on the web', number> {
  const counts = new Map<Verdict | 'depends on the web', number>()
  for (const { answers } of claims) {
    const verdict = overall(answers).verdict ?? 'depends on the web'
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
  }
  return counts
}

// By code unit: the order of a locale may differ between machines, and the report must not.
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
