/** What an access log says of 000 §4 and §5: claims 10 to 12, Figures 4 and 5. */
import type { ClaimAnswer } from '../../claims/claim.ts'
import type { Figure } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'
import { answerTo, holds, percent, untested } from './answer.ts'
import type { AnswerContext } from './answer.ts'
import type { LogFacts, LogHour } from './log-facts.ts'
import type { MediaCrawl, MediaMix } from './media.ts'

export function mixFigure(id: string, { name, groups }: MediaMix): Figure {
  const total = (key: 'files' | 'bytes'): number => groups.reduce((sum, group) => sum + group[key], 0)
  const series = (['files', 'bytes'] as const).map((key) => ({
    name: key,
    // None are bytes that nobody told us of.
    points: groups.map((group, x) => ({ x, y: group[key] / total(key) })).filter(({ y }) => y > 0),
  }))
  return {
    id: `${id}-fig4`,
    kind: 'bars',
    title: `Files by type: ${name}`,
    paperRef: '000 Figure 4',
    caption:
      'Shares of files and of bytes. Types under 5 % of the files are "other", about 15 % in the paper. Of its figure the text tells only how HTML and images compare, 66 to 34 in files and 30 to 70 in bytes.',
    x: { label: 'Type', categories: groups.map(({ type }) => type) },
    y: { label: 'Share', unit: 'share' },
    series,
  }
}

const [PAPER_REQUESTS, PAPER_BYTES, MEDIA_TOLERANCE] = [0.66, 0.3, 0.1]

export function mediaClaim(context: AnswerContext, crawls: readonly MediaCrawl[], isMade: boolean): ClaimAnswer {
  const [html, metadata] = [crawls[0]!, crawls[1]!]
  const ours =
    `${percent(html.needlessRequests)} of the requests and ${percent(html.needlessBytes)} of the bytes; ` +
    `by metadata ${percent(metadata.needlessRequests)} and ${percent(metadata.needlessBytes)}`
  const shownIn = ['fig4', 'media']
  if (isMade) {
    const why = 'The mix was made from these two figures. What metadata would leave of the waste follows from it.'
    return answerTo(11, context, { verdict: 'cannot be tested', ours, why, shownIn })
  }
  const isAlike =
    Math.abs(html.needlessRequests - PAPER_REQUESTS) <= MEDIA_TOLERANCE &&
    Math.abs(html.needlessBytes - PAPER_BYTES) <= MEDIA_TOLERANCE
  return answerTo(11, context, {
    verdict: holds(isAlike),
    ours,
    why: `Files that were asked for and got, by their endings; those without one count as HTML. Alike within ${percent(MEDIA_TOLERANCE)} of both; other sites, another mix.`,
    shownIn,
  })
}

const [PAPER_NOT_MODIFIED, NOT_MODIFIED_TOLERANCE] = [0.13, 0.05]

export function notModifiedClaim(context: AnswerContext, { crawlers, requests }: LogFacts): ClaimAnswer {
  const { addresses, withNotModified } = crawlers
  if (addresses === 0) return untested(10, context, 'Nobody asked for robots.txt.')
  const share = withNotModified / addresses
  return answerTo(10, context, {
    verdict: holds(Math.abs(share - PAPER_NOT_MODIFIED) <= NOT_MODIFIED_TOLERANCE),
    ours: `${percent(share)}: ${withNotModified} of ${addresses} addresses, in ${formatNumber(requests)} requests`,
    why: `Alike within ${percent(NOT_MODIFIED_TOLERANCE)}. The longer a log, the more of them come back and may be told so.`,
    shownIn: ['fig5'],
  })
}

const byTraffic = (hours: readonly LogHour[]): readonly LogHour[] => hours.filter(({ hits }) => hits > 0)

export function trafficFigure(id: string, { hours }: LogFacts): Figure {
  const dots = (share: (hour: LogHour) => number): { x: number; y: number }[] =>
    byTraffic(hours).map((hour) => ({ x: hour.hits, y: share(hour) / hour.hits }))
  return {
    id: `${id}-fig5`,
    kind: 'dots',
    title: 'Crawlers in the traffic, hour by hour',
    paperRef: '000 Figure 5(b)',
    caption:
      'One dot an hour of one server; in the paper a dot is a server. Crawlers are told by robots.txt, as there, or by name and by what they do; feed readers, previews and tools are none.',
    x: { label: 'Requests in the hour' },
    y: { label: 'By crawlers', unit: 'share' },
    series: [
      { name: 'asked for robots.txt', points: dots(({ byRobots }) => byRobots) },
      { name: 'by name and behaviour', points: dots(({ crawlers }) => crawlers) },
    ],
  }
}

export function trafficClaim(context: AnswerContext, facts: LogFacts): ClaimAnswer {
  const { hours, requests, days } = facts
  const sum = (key: 'byRobots' | 'crawlers'): number => hours.reduce((total, hour) => total + hour[key], 0)
  const slope = slopeOf(byTraffic(hours).map(({ hits, crawlers }) => [hits, crawlers / hits]))
  return answerTo(12, context, {
    verdict: 'cannot be tested',
    ours:
      `${percent(sum('byRobots') / requests)} of ${formatNumber(Math.round(requests / days))} hits a day by addresses that asked for robots.txt, ` +
      `${percent(sum('crawlers') / requests)} by crawlers, told by name and by what they do; from hour to hour ${formatNumber(slope * 100 * 100)} points for each 100 hits more`,
    why: 'The claim compares servers by their traffic, and a log is of one server: its hours are no substitute.',
    shownIn: ['fig5'],
  })
}

/** Of the straight line nearest to the points, by least squares; NaN when they lie at one x. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  let [over, under] = [0, 0]
  for (const [x, y] of points) {
    over += (x - meanX) * (y - meanY)
    under += (x - meanX) ** 2
  }
  return under === 0 ? NaN : over / under
}
