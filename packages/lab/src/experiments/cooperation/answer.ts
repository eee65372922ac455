/** The claims of 002 that are tested here, in our words. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import type { AnswerContext, Finding } from '../servers/answer.ts'

const CLAIMS: Readonly<Record<number, string>> = {
  2: '249 pages: HEAD on each takes 108,777 bytes, robots.rdf 61,504 in one request: more than 40 % saved.',
  3: 'With the list in one file a whole site is downloaded in one session, without parsing pages for links.',
  4: 'When one page changed, a large robots.rdf is a waste: split it, with important pages in a small part, as by levels.',
  5: 'What matters is the greatest probability of being outdated that is put up with, not a least period between visits.',
}

export function answerTo(number: number, { id, web }: AnswerContext, finding: Finding): ClaimAnswer {
  const shownIn = finding.shownIn.map((part) => `${id}-${part}`)
  return { paper: '002', number, claim: CLAIMS[number]!, web, ...finding, shownIn }
}

export const untested = (number: number, context: AnswerContext, why: string): ClaimAnswer =>
  answerTo(number, context, { verdict: 'cannot be tested', ours: '', why, shownIn: [] })
