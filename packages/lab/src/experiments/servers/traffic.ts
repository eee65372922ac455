/** What an access log says of 000 §4 and §5: claims 10 to 12, Figures 4 and 5. */
import { answerTo, holds, holdsUnlessMade, untested } from '../../claims/claim-answer.ts'
import type { AnswerContext } from '../../claims/claim-answer.ts'
import type { ClaimAnswer } from '../../claims/claim.ts'
import { toleranceOf } from '../../claims/tolerances.ts'
import type { Figure } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'
import { percent } from './answer.ts'
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

const [PAPER_REQUESTS, PAPER_BYTES] = [0.66, 0.3]

const isNear = (share: number, paper: number): boolean => Math.abs(share - paper) <= toleranceOf('media-share')

export function mediaClaims(context: AnswerContext, crawls: readonly MediaCrawl[], isMade: boolean): ClaimAnswer[] {
  const [html, metadata] = [crawls[0]!, crawls[1]!]
  const why = isMade
    ? 'The mix was made from these two figures. What metadata would leave of the waste follows from it.'
    : 'Files that were asked for and got, by their endings; those without one count as HTML. Other sites, another mix.'
  const shownIn = ['fig4', 'media']
  return [
    answerTo('000.11a', context, {
      verdict: holdsUnlessMade(isMade, isNear(html.needlessRequests, PAPER_REQUESTS)),
      ours: `${percent(html.needlessRequests)} of the requests; by metadata ${percent(metadata.needlessRequests)}`,
      why,
      shownIn,
    }),
    answerTo('000.11b', context, {
      verdict: holdsUnlessMade(isMade, isNear(html.needlessBytes, PAPER_BYTES)),
      ours: `${percent(html.needlessBytes)} of the bytes; by metadata ${percent(metadata.needlessBytes)}`,
      why,
      shownIn,
    }),
  ]
}

const PAPER_NOT_MODIFIED = 0.13

export function notModifiedClaim(context: AnswerContext, { crawlers, requests }: LogFacts): ClaimAnswer {
  const { addresses, withNotModified } = crawlers
  if (addresses === 0)
    return untested('000.10a', context, 'Nobody asked for robots.txt. It takes a log with crawlers in it.')
  const share = withNotModified / addresses
  return answerTo('000.10a', context, {
    verdict: holds(Math.abs(share - PAPER_NOT_MODIFIED) <= toleranceOf('not-modified')),
    ours: `${percent(share)}: ${withNotModified} of ${addresses} addresses, in ${formatNumber(requests)} requests`,
    why: 'The longer a log, the more of them come back and may be told so.',
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
  return answerTo('000.12a', context, {
    verdict: 'cannot be tested here',
    ours:
      `${percent(sum('byRobots') / requests)} of ${formatNumber(Math.round(requests / days))} hits a day by addresses that asked for robots.txt, ` +
      `${percent(sum('crawlers') / requests)} by crawlers, told by name and by what they do; from hour to hour ${formatNumber(slope * 100 * 100)} points for each 100 hits more`,
    why: 'The claim compares servers by their traffic, and a log is of one server: its hours are no substitute. It takes logs of several servers.',
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
