/** Figures and tables of the crawlers in a log. */
import type { RobotCount, TypeCount } from './count.ts'
import { crawlerShareOf as shareOf, SIDES, SIDE_WORDS, trafficOfAll } from '../site/traffic.ts'
import type { SharedTraffic } from '../site/traffic.ts'
import type { Figure, Table } from '../../report/model.ts'
import { slopeOf } from '../../experiments/servers/traffic.ts'

const hitsOf = (traffic: SharedTraffic): number => trafficOfAll(traffic, 'requests')

export function dayFigure(id: string, days: readonly SharedTraffic[]): Figure {
  const points = (key: 'requests' | 'bytes'): { x: number; y: number }[] =>
    days.map((day, at) => ({ x: at + 1, y: shareOf(day, key) }))
  return {
    id: `${id}-days`,
    kind: 'lines',
    title: 'Crawlers in the hits and bytes of each day',
    paperRef: '001 Figure 1',
    caption: 'Days with requests, in order; the first and the last may not be whole.',
    x: { label: 'Day' },
    y: { label: 'By crawlers', unit: 'share', domain: [0, 1] },
    series: [
      { name: 'of hits', points: points('requests') },
      { name: 'of bytes', points: points('bytes') },
    ],
  }
}

/** The straight line nearest to the shares of crawlers, by least squares. */
export interface TrafficLine {
  readonly slope: number
  /** Mean hits. */
  readonly middle: number
  at(hits: number): number
}

export function trafficLine(all: readonly SharedTraffic[]): TrafficLine {
  const points = all.map((one) => [hitsOf(one), shareOf(one, 'requests')] as const)
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [slope, middle, level] = [slopeOf(points), mean(0), mean(1)]
  return { slope, middle, at: (hits) => level + (hits - middle) * slope }
}

export function lineFigure(id: string, hours: readonly SharedTraffic[], line: TrafficLine): Figure {
  const most = hours.reduce((so, hour) => Math.max(so, hitsOf(hour)), 0)
  const least = hours.reduce((so, hour) => Math.min(so, hitsOf(hour)), most)
  return {
    id: `${id}-line`,
    kind: 'dots',
    title: 'Crawlers against traffic',
    paperRef: '000 Figure 5(b)',
    caption: 'One dot an hour; in the paper a dot is a server. The line is fitted by least squares.',
    x: { label: 'Hits in the hour' },
    y: { label: 'By crawlers', unit: 'share' },
    series: [
      { name: 'an hour', points: hours.map((hour) => ({ x: hitsOf(hour), y: shareOf(hour, 'requests') })) },
      ...(Number.isFinite(line.slope)
        ? [{ name: 'fitted line', style: 'line' as const, points: [least, most].map((x) => ({ x, y: line.at(x) })) }]
        : []),
    ],
  }
}

/** More rows are for machines, not for people. */
const MOST_ROWS = 100

export function dayTable(id: string, days: readonly SharedTraffic[]): Table {
  return {
    id: `${id}-by-day`,
    title: 'Crawlers by day',
    ...(days.length > MOST_ROWS && { caption: `The last ${MOST_ROWS} of ${days.length} days.` }),
    columns: [
      { label: 'Day' },
      { label: 'Hits' },
      { label: 'By crawlers' },
      { label: 'Share', unit: 'share' },
      { label: 'Bytes', unit: 'bytes' },
      { label: 'To crawlers', unit: 'bytes' },
      { label: 'Share of bytes', unit: 'share' },
    ],
    rows: days
      .map((day, at) => [
        at + 1,
        hitsOf(day),
        day.crawlers.requests,
        orNull(shareOf(day, 'requests')),
        trafficOfAll(day, 'bytes'),
        day.crawlers.bytes,
        orNull(shareOf(day, 'bytes')),
      ])
      .slice(-MOST_ROWS),
  }
}

export function kindTable(id: string, traffic: SharedTraffic): Table {
  const share = (bytesOrHits: 'requests' | 'bytes', value: number): number | null =>
    orNull(value / trafficOfAll(traffic, bytesOrHits))
  return {
    id: `${id}-kinds`,
    title: 'Who comes',
    caption:
      'Feed readers come back for lists of news that somebody subscribed to, previews for one page that somebody posted or asked about; tools are commands, libraries and monitors. Only crawlers go from page to page by themselves.',
    columns: [
      { label: 'Who' },
      { label: 'Hits' },
      { label: 'Share', unit: 'share' },
      { label: 'Bytes', unit: 'bytes' },
      { label: 'Share of bytes', unit: 'share' },
    ],
    rows: SIDES.map((side) => {
      const { requests, bytes } = traffic[side]
      return [SIDE_WORDS[side], requests, share('requests', requests), bytes, share('bytes', bytes)]
    }),
  }
}

export function robotTable(id: string, robots: readonly RobotCount[]): Table {
  return {
    id: `${id}-crawlers`,
    title: 'Which robots ever got a 304',
    caption: `Answers with 304 are what an If-Modified-Since or If-None-Match brings.${robots.length > MOST_ROWS ? ` The ${MOST_ROWS} of ${robots.length} with most hits.` : ''}`,
    columns: [
      { label: 'Robot' },
      { label: 'Purpose' },
      { label: 'Hits' },
      { label: 'Bytes', unit: 'bytes' },
      { label: 'HEAD' },
      { label: '304' },
      { label: 'Kind' },
    ],
    rows: robots
      .slice(0, MOST_ROWS)
      .map(({ name, purpose, kind, hits, bytes, heads, notModified }) => [
        name,
        purpose,
        hits,
        bytes,
        heads,
        notModified,
        kind,
      ]),
  }
}

export function typeTable(id: string, types: readonly TypeCount[]): Table {
  const total = (side: 'crawlers' | 'people', key: 'hits' | 'bytes'): number =>
    types.reduce((sum, type) => sum + type[side][key], 0)
  const share = (type: TypeCount, side: 'crawlers' | 'people', key: 'hits' | 'bytes'): number | null =>
    orNull(type[side][key] / total(side, key))
  return {
    id: `${id}-types`,
    title: 'What crawlers and people ask for',
    caption:
      '001 §III: crawlers of 2001 fetched HTML only, and asked for heads before; so their bytes were fewer than their hits.',
    columns: [
      { label: 'Type' },
      { label: 'Crawlers’ hits', unit: 'share' },
      { label: 'Crawlers’ bytes', unit: 'share' },
      { label: 'People’s hits', unit: 'share' },
      { label: 'People’s bytes', unit: 'share' },
    ],
    rows: types.map((type) => [
      type.type,
      share(type, 'crawlers', 'hits'),
      share(type, 'crawlers', 'bytes'),
      share(type, 'people', 'hits'),
      share(type, 'people', 'bytes'),
    ]),
  }
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? Math.round(value * 10_000) / 10_000 : null)
