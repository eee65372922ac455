/** The claims of 004 that this experiment answers, and 9 of 002, in our words; and how an answer is put together. */
import type { ClaimAnswer, Verdict } from '../../claims/claim.ts'

const claims = {
  sizes: ['004', 1, 'Site sizes follow a power law.'],
  least: ['004', 2, 'No crawl is faster than T* = ΣP / B; politeness, slow sites and too few sites waste the rest.'],
  alone: [
    '004',
    3,
    'With one robot Length beats Depth, Batch and Partial; Batch is a little better than Depth; Partial is close to random.',
  ],
  optimal: ['004', 4, 'Optimal leads at first and is overtaken past 75 % of the pages.'],
  stable: ['004', 5, 'With more robots Length stays more stable than Depth, and Depth improves.'],
  speedUp: [
    '004',
    6,
    'Robots speed a crawl up nearly in proportion to their number on a wide link, and ever less on narrower ones (Table 1).',
  ],
  connection: [
    '004',
    7,
    '100 pages a connection instead of one shorten a batch, more so on a wide link (9 to 3 hours) than on a narrow one (33 to 29), and keep more robots at work.',
  ],
  days: [
    '004',
    8,
    'Half of the pages, by day 2 of 8, hold 80 % of PageRank; 80 % of the pages, by day 4, more than 95 %; mean PageRank falls by day.',
  ],
  depth: ['004', 9, 'PageRank and depth go together in the first levels only, not past 3 or 4 clicks.'],
  siteSize: ['002', 9, 'The size of a site and the mean PageRank of its pages do not correlate.'],
} as const

type SchedulingClaim = keyof typeof claims

export interface Finding {
  readonly verdict: Verdict
  readonly ours: string
  readonly why: string
  readonly shownIn: readonly string[]
}

export function answerTo(key: SchedulingClaim, web: string, finding: Finding): ClaimAnswer {
  const [paper, number, claim] = claims[key]
  return { paper, number, claim, web, ...finding }
}

/** A claim of several parts holds when all of them do; the answer says which did not. */
export function verdictOf(parts: readonly (readonly [part: string, holds: boolean])[]): {
  readonly verdict: Verdict
  readonly failed: string
} {
  const failed = parts.filter(([, holds]) => !holds).map(([part]) => part)
  return {
    verdict: failed.length === 0 ? 'holds here' : 'does not hold here',
    failed: failed.length === 0 ? 'Every part of the claim holds.' : `Not so here: ${failed.join('; ')}.`,
  }
}

export const untestable = (ours: string, why: string): Finding => ({
  verdict: 'cannot be tested',
  ours,
  why,
  shownIn: [],
})
