/** Claims 2 to 5 of 002, from what was measured. What counts as held is said in each. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import { answerTo, untested } from './answer.ts'
import type { Discovery } from './discovery.ts'
import type { MeanPolling, WorkloadOutcome } from './outcome.ts'
import type { CooperationSettings } from './settings.ts'
import { bytesOf, HEAD_EACH } from './wire.ts'
import type { SiteCosts, Traffic, VisitKind } from './wire.ts'
import { formatNumber, formatQuantity } from '../../report/number.ts'
import { holds, percent } from '../servers/answer.ts'
import type { AnswerContext } from '../servers/answer.ts'

const PAPER_SAVED = 0.4

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

export function headClaim(context: AnswerContext, costs: SiteCosts, isMade: boolean): ClaimAnswer {
  const { pages } = costs
  const [head, rdf, packed] = [HEAD_EACH, PRINTED, PACKED].map((scheme) => costOf(costs, scheme, 'first'))
  const saved = 1 - rdf! / head!
  const { requests } = trafficOf(costs, PRINTED, 'first')
  return answerTo(2, context, {
    verdict: holds(saved > PAPER_SAVED && requests === 1),
    ours:
      `HEAD on each page: ${whole(head!)} in ${formatNumber(pages)} requests, ${formatNumber(Math.round(head! / pages))} a page; ` +
      `robots.rdf as printed: ${whole(rdf!)} in one, ${formatNumber(Math.round(rdf! / pages))} a page: ${percent(saved)} saved. ` +
      `Valid and packed: ${whole(packed!)}, ${percent(1 - packed! / head!)} saved`,
    why:
      'All of HTTP counts, both ways, over sockets. HEAD has the heads of our crawler and of a server on Node; the paper’s 108,777 bytes are 437 a page, not 434. ' +
      (isMade
        ? `URLs were made to have 64 characters, which 247 bytes a page imply, so only HEAD is ours to find. `
        : `URLs have ${formatNumber(Math.round(costs.urlChars))} characters here. `) +
      'Minutes are not told, as no report may differ from run to run: it is as many round trips as requests.',
    shownIn: ['costs', 'first'],
  })
}

export function sessionClaim(context: AnswerContext, found: Discovery): ClaimAnswer {
  const { pages, reached, rounds } = found
  const missed = pages - reached
  return answerTo(3, context, {
    verdict: holds(rounds.length > 1),
    ours:
      `links take ${rounds.length} rounds and lead to ${formatNumber(reached)} of ${formatNumber(pages)} pages; ` +
      `a list names all of them before the first is downloaded`,
    why:
      `A round is a session of a crawler that works in batches, each fetching what the one before found. ` +
      (missed > 0
        ? `To ${percent(missed / pages)} of the pages no link of the site leads from where most are reached; a list has them too.`
        : 'Every page can be reached by links, since each index leads to its folder.'),
    shownIn: ['rounds', 'known'],
  })
}

/** Less than this share of the packed whole is worth splitting for. */
const WORTH_SPLITTING = 0.5

export function splitClaim(context: AnswerContext, costs: SiteCosts): ClaimAnswer {
  if (costs.rdfParts < 2)
    return untested(
      4,
      context,
      `${formatNumber(costs.pages)} pages are one part: their file is not large. One changed page costs ${size(costOf(costs, PACKED, 'one'))} packed, ${size(costOf(costs, FILTER, 'one'))} by filter.`,
    )
  const [printed, packed, levels] = [PRINTED, PACKED, LEVELS].map((scheme) => costOf(costs, scheme, 'one'))
  const asked = trafficOf(costs, LEVELS, 'one').requests
  return answerTo(4, context, {
    verdict: holds(levels! < WORTH_SPLITTING * packed!),
    ours:
      `one changed page: ${size(printed!)} as printed, ${size(packed!)} packed, ${size(levels!)} in ${formatNumber(costs.rdfParts)} parts by levels; ` +
      `one of the ${formatNumber(costs.topPages)} pages at the top, the first part alone: ${size(costOf(costs, TOP, 'top'))}`,
    why:
      `Held when parts cost less than half of the packed whole. But nothing says which part changed, so all ${formatNumber(asked)} are asked, and ${size(costOf(costs, LEVELS, 'nothing'))} go for nothing. ` +
      `An index with dates, as sitemaps have, leads to the one part: ${size(costOf(costs, SITEMAP, 'one'))}; lists of changes need no parts: archives ${size(costOf(costs, 'metadata archives', 'one'))}, change list ${size(costOf(costs, 'change list', 'one'))}, filter ${size(costOf(costs, FILTER, 'one'))}.`,
    shownIn: ['one', 'levels'],
  })
}

export function periodClaim(
  context: AnswerContext,
  { period, limits, sites, changes }: WorkloadOutcome,
  { maxOutdated, periodDays }: CooperationSettings,
): ClaimAnswer {
  const { limit, limited, fixed } = limits.find((one) => one.limit === maxOutdated[0])!
  const keeps = limited.outdated.mean <= limit
  const isWorse = wastedADay(period) > wastedADay(limited) || period.outdated.mean > limit
  return answerTo(5, context, {
    verdict: holds(keeps && isWorse),
    ours:
      `P = ${limit}: ${percent(limited.outdated.mean)} outdated with ${formatNumber(limited.polls)} polls a site and day, ${percent(limited.needless)} needless; ` +
      `every ${formatNumber(periodDays)} day${periodDays === 1 ? '' : 's'}: ${percent(period.outdated.mean)} outdated with ${formatNumber(period.polls)}, ${percent(period.needless)} needless. ` +
      `With as many polls, a fixed period leaves ${percent(fixed.outdated.mean)} outdated, ${percent(fixed.needless)} needless; worst site ${percent(fixed.worst)} against ${percent(limited.worst)}`,
    why:
      `Held when less than P is outdated, and the period wastes more polls or leaves more than P outdated: it has to be known beforehand that ${formatNumber(sites)} sites change ${formatNumber(changes)} times a day. ${isWorse ? '' : 'Here it happens to suit them. '}` +
      'The limit needs no such knowledge, but it is no better use of the same requests: it visits in proportion to changes, which is worse than evenly where sites differ (Cho and Garcia-Molina). ' +
      (limited.worst < fixed.worst
        ? 'There it spares the worst site and needless polls, not the mean; `optimal` does that.'
        : 'It learns how often that is from whether polls find something, and these find too little.'),
    shownIn: ['polling', pollingFigureId(context.web)],
  })
}

export const wastedADay = ({ polls, needless }: MeanPolling): number => polls * needless

/** The id of a workload's figure, without the prefix of the experiment. */
export const pollingFigureId = (name: string): string =>
  `outdated-${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '')}`
