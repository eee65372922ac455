/** Claims 2 to 5 of 002, from what was measured. What counts as held is said in each. */
import { answerTo, holds, untestedClaim } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import type { Discovery } from './discovery.ts'
import type { MeanPolling, WorkloadOutcome } from './outcome.ts'
import type { CooperationSettings } from './settings.ts'
import { bytesOf, HEAD_EACH } from './wire.ts'
import type { SiteCosts, Traffic, VisitKind } from './wire.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'

/** Bytes a page, by HEAD and in robots.rdf. */
const [PAPER_HEAD, PAPER_RDF] = [434, 247]

export const PRINTED = 'robots.rdf as printed'
export const PACKED = 'robots.rdf, packed'
export const LEVELS = 'robots.rdf by levels'
const [TOP, SITEMAP, FILTER] = ['robots.rdf, top only', 'sitemap', 'filter']

export function trafficOf({ schemes }: SiteCosts, scheme: string, visit: VisitKind): Traffic {
  return schemes.find((one) => one.scheme === scheme)!.visits[visit]
}

const costOf = (costs: SiteCosts, scheme: string, visit: VisitKind): number => bytesOf(trafficOf(costs, scheme, visit))

const whole = (bytes: number): string => `${formatNumber(Math.round(bytes))} bytes`
const size = (bytes: number): string => (bytes < 10_000 ? whole(bytes) : formatQuantity(bytes, 'bytes'))

export function headClaims(context: AnswerContext, costs: SiteCosts, isMade: boolean): ClaimAnswer[] {
  const { pages } = costs
  const [head, rdf, packed] = [HEAD_EACH, PRINTED, PACKED].map((scheme) => costOf(costs, scheme, 'first'))
  const saved = 1 - rdf! / head!
  const { requests } = trafficOf(costs, PRINTED, 'first')
  const isNear = (bytes: number, paper: number): boolean =>
    Math.abs(bytes / pages / paper - 1) <= toleranceOf('head-bytes')
  const shownIn = ['costs', 'first']
  return [
    answerTo('002.2a', context, {
      verdict: holds(isNear(head!, PAPER_HEAD)),
      ours: `${whole(head!)} in ${formatNumber(pages)} requests, ${formatNumber(Math.round(head! / pages))} a page`,
      why: 'All of HTTP counts, both ways, over sockets. HEAD has the heads of our crawler and of a server on Node; the paper’s 108,777 bytes are 437 a page, not 434.',
      shownIn,
    }),
    answerTo('002.2b', context, {
      verdict: isMade && isNear(rdf!, PAPER_RDF) ? 'holds by construction' : holds(isNear(rdf!, PAPER_RDF)),
      ours: `${whole(rdf!)}, ${formatNumber(Math.round(rdf! / pages))} a page`,
      why: isMade
        ? 'URLs were made to have 64 characters, which 247 bytes a page imply.'
        : `URLs have ${formatNumber(Math.round(costs.urlChars))} characters here.`,
      shownIn,
    }),
    answerTo('002.2c', context, {
      verdict: holds(saved > toleranceOf('head-savings')),
      ours: `${percent(saved)} saved; valid and packed: ${whole(packed!)}, ${percent(1 - packed! / head!)} saved`,
      why: 'Of the bytes of HEAD on each page.',
      shownIn,
    }),
    answerTo('002.2d', context, {
      verdict: holds(requests === 1),
      ours: `${formatNumber(requests)} request${requests === 1 ? '' : 's'}, HEAD takes ${formatNumber(pages)}`,
      why: 'On a first visit.',
      shownIn,
    }),
  ]
}

export function sessionClaims(context: AnswerContext, found: Discovery): ClaimAnswer[] {
  const { pages, reached, rounds } = found
  const missed = pages - reached
  const shownIn = ['rounds', 'known']
  return [
    answerTo('002.3a', context, {
      verdict: holds(rounds.length > 1),
      ours: `links take ${rounds.length} rounds`,
      why: 'A round is a session of a crawler that works in batches, each fetching what the one before found.',
      shownIn,
    }),
    answerTo('002.3b', context, {
      verdict: 'holds by construction',
      ours: `links lead to ${formatNumber(reached)} of ${formatNumber(pages)} pages; a list names all of them before the first is downloaded`,
      why:
        missed > 0
          ? `A list of all pages is one. To ${percent(missed / pages)} of the pages no link of the site leads from where most are reached; a list has them too.`
          : 'A list of all pages is one. Every page can be reached by links, too, since each index leads to its folder.',
      shownIn,
    }),
  ]
}

export function splitClaims(context: AnswerContext, costs: SiteCosts): ClaimAnswer[] {
  const one = (scheme: string): number => costOf(costs, scheme, 'one')
  if (costs.rdfParts < 2)
    return untestedClaim(
      '002.4',
      context,
      `${formatNumber(costs.pages)} pages are one part: their file is not large. It takes a larger site.`,
      `one changed page costs ${size(one(PACKED))} packed, ${size(one(FILTER))} by filter`,
    )
  const [printed, packed, levels, filter] = [one(PRINTED), one(PACKED), one(LEVELS), one(FILTER)]
  const asked = trafficOf(costs, LEVELS, 'one').requests
  const shownIn = ['one', 'levels']
  return [
    answerTo('002.4a', context, {
      verdict: holds(packed > filter),
      ours: `one changed page: ${size(printed)} as printed, ${size(packed)} packed; ${size(filter)} by filter, which tells of that page alone`,
      why: 'A waste is what a scheme that tells of the one page alone does without.',
      shownIn,
    }),
    answerTo('002.4b', context, {
      verdict: holds(levels < toleranceOf('worth-splitting') * packed),
      ours:
        `${size(levels)} in ${formatNumber(costs.rdfParts)} parts by levels, ${size(packed)} whole; ` +
        `one of the ${formatNumber(costs.topPages)} pages at the top, the first part alone: ${size(costOf(costs, TOP, 'top'))}`,
      why:
        `Nothing says which part changed, so all ${formatNumber(asked)} are asked, and ${size(costOf(costs, LEVELS, 'nothing'))} go for nothing. ` +
        `An index with dates, as sitemaps have, leads to the one part: ${size(one(SITEMAP))}; lists of changes need no parts: archives ${size(one('metadata archives'))}, change list ${size(one('change list'))}.`,
      shownIn,
    }),
  ]
}

export function periodClaims(
  context: AnswerContext & { readonly web: string },
  { period, limits, sites, changes }: WorkloadOutcome,
  { maxOutdated, periodDays }: CooperationSettings,
): ClaimAnswer[] {
  const { limit, limited, fixed } = limits.find((one) => one.limit === maxOutdated[0])!
  const isWorse = wastedADay(period) > wastedADay(limited) || period.outdated.mean > limit
  const shownIn = ['polling', pollingFigureId(context.web)]
  return [
    answerTo('002.5a', context, {
      verdict: holds(limited.outdated.mean <= limit),
      ours: `P = ${limit}: ${percent(limited.outdated.mean)} outdated with ${formatNumber(limited.polls)} polls a site and day, ${percent(limited.needless)} needless`,
      why: 'By the crawler’s own rule for polling sites.',
      shownIn,
    }),
    answerTo('002.5b', context, {
      verdict: holds(isWorse),
      ours:
        `every ${formatNumber(periodDays)} day${periodDays === 1 ? '' : 's'}: ${percent(period.outdated.mean)} outdated with ${formatNumber(period.polls)}, ${percent(period.needless)} needless. ` +
        `With as many polls as the limit, a fixed period leaves ${percent(fixed.outdated.mean)} outdated, ${percent(fixed.needless)} needless; worst site ${percent(fixed.worst)} against ${percent(limited.worst)}`,
      why:
        `It has to be known beforehand that ${formatNumber(sites)} sites change ${formatNumber(changes)} times a day. ${isWorse ? '' : 'Here the period happens to suit them. '}` +
        'The limit needs no such knowledge, but it is no better use of the same requests: it visits in proportion to changes, which is worse than evenly where sites differ (Cho and Garcia-Molina). ' +
        (limited.worst < fixed.worst
          ? 'There it spares the worst site and needless polls, not the mean; `optimal` does that.'
          : 'It learns how often that is from whether polls find something, and these find too little.'),
      shownIn,
    }),
  ]
}

export const wastedADay = ({ polls, needless }: MeanPolling): number => polls * needless

/** The id of a workload's figure, without the prefix of the experiment. */
export const pollingFigureId = (name: string): string =>
  `outdated-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '')}`
