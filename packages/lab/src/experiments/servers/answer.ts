/** The claims of 000 in our words, and how an answer to one is put together. */
import type { ClaimAnswer, Verdict } from '../../claims/claim.ts'
import { formatNumber } from '../../report/number.ts'

const CLAIMS: Readonly<Record<number, string>> = {
  1: 'An entry of date, path and size is 64 bytes plain and about 22 compressed.',
  2: 'The metadata of most sites fits one file of 100 KB, about 5,000 pages.',
  3: 'Segments of 2,000 entries make files of at most about 42 KB; five types and 100,000 pages make about 250 archives.',
  4: 'Who wants what changed since a date downloads at most one archive of irrelevant entries, 42 KB, of each type.',
  5: 'Groups of 50 entries or fewer merge into "other"; types under 5 % of the pages are together about 15 %.',
  6: 'Compressing a file of 42 KB takes 0.010 CPU seconds; metadata is 0.16 % of the content.',
  7: '23 % of the pages change at least once a day, more than 30 % less than once in four months.',
  8: 'Of R requests for a page that changes C times at least R − (C + 1) are needless.',
  9: 'Of daily visits about 77 % are needless; the share rises fast with the number of visits and then levels off.',
  10: 'Only 13 % of the addresses that asked for robots.txt ever got a 304.',
  11: 'When images are found through HTML, 66 % of the requests and 30 % of the bytes are not images.',
  12: 'The share of crawlers falls with the traffic of a server, by 0.47 points for each 1,000 hits a day.',
  13: 'With metadata all pages are fresh at about a fifth of the bandwidth that it takes without.',
  14: 'Metadata keeps up to 25 % more pages fresh at low bandwidth; the gain shrinks past 0.22 of the repository a day.',
  15: 'At 80 % freshness metadata saves 62 % of the bandwidth.',
}

export interface Finding {
  readonly verdict: Verdict
  readonly ours: string
  readonly why: string
  /** Ids of figures and tables without the prefix of the experiment. */
  readonly shownIn: readonly string[]
}

export interface AnswerContext {
  /** Prefix of the ids of figures and tables. */
  readonly id: string
  /** What it was tested on. */
  readonly web: string
}

export function answerTo(number: number, { id, web }: AnswerContext, finding: Finding): ClaimAnswer {
  const shownIn = finding.shownIn.map((part) => `${id}-${part}`)
  return { paper: '000', number, claim: CLAIMS[number]!, web, ...finding, shownIn }
}

export const untested = (number: number, context: AnswerContext, why: string, ours = ''): ClaimAnswer =>
  answerTo(number, context, { verdict: 'cannot be tested', ours, why, shownIn: [] })

export const holds = (whether: boolean): Verdict => (whether ? 'holds here' : 'does not hold here')

export const percent = (share: number): string =>
  Number.isNaN(share) ? '–' : `${formatNumber(Math.round(share * 1_000) / 10)} %`

/** `22.1 % (21.9 to 22.3)`, the 95 % interval of the mean. */
export const percentWithin = ({ mean, low, high }: { mean: number; low: number; high: number }): string =>
  high - low < 0.0005 ? percent(mean) : `${percent(mean)} (${percent(low).replace(' %', '')} to ${percent(high)})`
