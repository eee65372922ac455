/** Figures of the advice for a site. */
import type { PricedCost, SiteSavings } from './savings.ts'
import { trafficOfAll } from './traffic.ts'
import type { SharedTraffic, SiteTraffic, Traffic } from './traffic.ts'
import type { Figure, Point } from '../../report/model.ts'
import type { CrawlerAccount } from './account.ts'

/** A scheme that costs many times as much would leave no room for the others; it stands in the table. */
const MOST_TIMES = 3

type Row = { readonly name: string; readonly cost: PricedCost }

const rowsOf = ({ logged, schemes }: SiteSavings, value: (cost: PricedCost) => number): readonly Row[] =>
  [{ name: 'as it was', cost: logged }, ...schemes.map(({ scheme, cost }) => ({ name: scheme.name, cost }))].filter(
    ({ cost }) => value(cost) <= MOST_TIMES * value(logged),
  )

export function schemeFigure(id: string, savings: SiteSavings): Figure {
  const rows = rowsOf(savings, ({ bytes }) => bytes)
  return {
    id: `${id}-bytes`,
    kind: 'bars',
    title: 'Bytes of crawlers, as they were and by each scheme',
    paperRef: '002 Table 6.2, network',
    caption: `Heads and bodies, both ways, for the time of the log. Schemes of more than ${MOST_TIMES} times as much are left out.`,
    x: { label: 'Scheme', categories: rows.map(({ name }) => name) },
    y: { label: 'Bytes', unit: 'bytes' },
    series: [{ name: 'bytes', points: rows.map(({ cost }, x) => ({ x, y: cost.bytes })) }],
    references: [{ name: 'as it was', atY: savings.logged.bytes }],
  }
}

export function moneyFigure(id: string, savings: SiteSavings, perYear: number): Figure {
  const rows = rowsOf(savings, ({ money }) => money.site)
  const points = (value: (cost: PricedCost) => number): Point[] =>
    rows.map(({ cost }, x) => ({ x, y: value(cost) * perYear }))
  return {
    id: `${id}-money`,
    kind: 'bars',
    title: 'What crawlers cost, in money',
    paperRef: '002 §6.4',
    caption: `US$ a year, for such days as those of the log: the site’s network and processor, and the crawlers’ own cost. Schemes of more than ${MOST_TIMES} times as much are left out.`,
    x: { label: 'Scheme', categories: rows.map(({ name }) => name) },
    y: { label: 'US$ a year' },
    series: [
      { name: 'site, network', points: points(({ money }) => money.network) },
      { name: 'site, processor', points: points(({ money }) => money.processing) },
      { name: 'crawlers', points: points(({ money }) => money.crawler) },
    ],
  }
}

const MOST = 8

export function needlessFigure(id: string, crawlers: readonly CrawlerAccount[]): Figure {
  const shown = crawlers.slice(0, MOST)
  const points = (value: (account: CrawlerAccount) => number): Point[] =>
    shown.map((account, x) => ({ x, y: value(account) })).filter(({ y }) => y > 0)
  return {
    id: `${id}-needless`,
    kind: 'bars',
    title: 'What crawlers asked for',
    paperRef: '000 §4.1',
    caption: 'Requests of the crawlers that asked the most. For nothing: the page came once more, and had not changed.',
    x: { label: 'Crawler', categories: shown.map(({ name }) => name) },
    y: { label: 'Requests' },
    series: [
      { name: 'first time', points: points(({ first }) => first.count) },
      { name: 'had changed', points: points(({ changed }) => changed.count) },
      { name: 'for nothing', points: points(({ needless }) => needless.count) },
      { name: '304', points: points(({ notModified }) => notModified.count) },
      { name: 'others', points: points(({ other }) => other.count) },
    ],
  }
}

/** Hours are put together until there are not more points than can be seen. */
const MOST_POINTS = 200

const share = (group: readonly SharedTraffic[], key: keyof Traffic): number => {
  const sum = (of: (hour: SharedTraffic) => number): number => group.reduce((total, hour) => total + of(hour), 0)
  return sum(({ crawlers }) => crawlers[key]) / sum((hour) => trafficOfAll(hour, key))
}

export function trafficFigure(id: string, { hours }: SiteTraffic): Figure {
  const width = Math.max(1, Math.ceil(hours.length / MOST_POINTS))
  const groups = Array.from({ length: Math.ceil(hours.length / width) }, (_, at) =>
    hours.slice(at * width, (at + 1) * width),
  )
  const points = (key: keyof Traffic): Point[] => groups.map((group, at) => ({ x: at * width, y: share(group, key) }))
  return {
    id: `${id}-traffic`,
    kind: 'lines',
    title: 'Crawlers in the traffic',
    paperRef: '001 §III',
    caption: `Their share of hits and of bytes, ${width === 1 ? 'hour by hour' : `${width} hours at a time`}; hours without any request are left out.`,
    x: { label: 'Hours with requests' },
    y: { label: 'By crawlers', unit: 'share', domain: [0, 1] },
    series: [
      { name: 'of hits', points: points('requests') },
      { name: 'of bytes', points: points('bytes') },
    ],
  }
}
