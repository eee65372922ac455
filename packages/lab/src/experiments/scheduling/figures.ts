/** The figures of 004, and Figure 6.4 of 002, from what was measured. */
import { formatNumber } from '../../report/number.ts'
import type { Figure, Point, Series } from '../../report/model.ts'
import type { SchedulingOutcome } from './outcome.ts'
import { mean } from './statistics.ts'
import { DEEP } from './web.ts'
import type { Curve } from '../../simulate/record.ts'

const HOUR_MS = 3_600_000
/** Dots closer than a hundredth of a power of ten lie on each other. */
const DOT_STEP = 0.01
/** 002 drew 25,000 sites; this many make the same cloud. */
const MAX_DOTS = 3_000
/** Levels with fewer pages say more about those pages than about depth. */
const MIN_LEVEL_PAGES = 10

const pagesAxis = { label: 'Pages retrieved', unit: 'share', domain: [0, 1] as const }
const rankAxis = { label: 'Cumulative PageRank', unit: 'share', domain: [0, 1] as const }
const diagonal = {
  name: 'as many per cent of PageRank as of pages',
  points: [
    { x: 0, y: 0 },
    { x: 1, y: 1 },
  ],
}

export function schedulingFigures(id: string, outcome: SchedulingOutcome): Figure[] {
  return [
    siteSizes(id, outcome),
    alone(id, outcome),
    aloneByTime(id, outcome),
    ...parallel(id, outcome),
    stability(id, outcome),
    ...tails(id, outcome),
    byDay(id, outcome),
    meanByDay(id, outcome),
    byDepth(id, outcome),
    bySiteSize(id, outcome),
  ]
}

function siteSizes(id: string, { shape }: SchedulingOutcome): Figure {
  const sizes = shape.siteSizes.toSorted()
  const points: Point[] = []
  let last = -Infinity
  for (let at = 0; at < sizes.length; at++) {
    const x = sizes[at]!
    if (x === sizes[at - 1] || Math.log10(x) - last < DOT_STEP) continue
    last = Math.log10(x)
    points.push({ x, y: (sizes.length - at) / sizes.length })
  }
  const law = shape.sizeLaw
  const fit =
    law &&
    [law.from, sizes.at(-1)!].map((x) => ({
      x,
      y: (law.count / sizes.length) * (x / law.from) ** (1 - law.exponent),
    }))
  return {
    id: `${id}-fig3`,
    kind: 'dots',
    title: 'Site sizes',
    paperRef: '004 Figure 3',
    caption:
      'A straight line on two logarithmic axes is a power law. The dashed line is the law fitted to the larger sites.',
    x: { label: 'Pages of a site', scale: 'log' },
    y: { label: 'Sites with at least as many', unit: 'share', scale: 'log' },
    series: [
      { name: 'sites', points },
      ...(fit ? [{ name: 'power law', points: fit, style: 'line' as const, dashed: true }] : []),
    ],
  }
}

function alone(id: string, outcome: SchedulingOutcome): Figure {
  const [robots] = outcome.settings.robots
  return {
    id: `${id}-fig5`,
    kind: 'lines',
    title: `Cumulative PageRank against pages, r = ${robots}`,
    paperRef: '004 Figure 5',
    caption: 'The higher the line, the earlier the important pages came. Every crawl ends with all of them.',
    x: pagesAxis,
    y: rankAxis,
    series: curvesOf(outcome, robots!),
    references: [diagonal],
  }
}

function aloneByTime(id: string, outcome: SchedulingOutcome): Figure {
  const [robots] = outcome.settings.robots
  const series = [...outcome.crawls.get(robots!)!].map(([name, { curve }]) => ({
    name,
    points: curve.timeMs.map((at, n) => ({ x: at / HOUR_MS, y: curve.rank[n]! })),
  }))
  return {
    id: `${id}-fig5-time`,
    kind: 'lines',
    title: `Cumulative PageRank against time, r = ${robots}`,
    caption: 'The same crawls by the clock: an order that runs out of sites waits for those that rest.',
    x: { label: 'Time', unit: 'hours' },
    y: rankAxis,
    series,
  }
}

function parallel(id: string, outcome: SchedulingOutcome): Figure[] {
  return outcome.settings.robots.slice(1).map((robots) => ({
    id: `${id}-fig6-${robots}`,
    kind: 'lines',
    title: `Cumulative PageRank against pages, r = ${robots}`,
    paperRef: '004 Figure 6',
    caption: 'With many robots an order chooses among fewer sites: those that are neither resting nor being visited.',
    x: pagesAxis,
    y: rankAxis,
    series: curvesOf(outcome, robots),
    references: [diagonal],
  }))
}

function stability(id: string, { crawls, settings }: SchedulingOutcome): Figure {
  const series = ['length', 'depth'].flatMap((order) =>
    settings.robots.flatMap((robots) => {
      const result = crawls.get(robots)?.get(order)
      return result === undefined ? [] : [{ name: `${order}, r = ${robots}`, points: pointsOf(result.curve) }]
    }),
  )
  return {
    id: `${id}-fig6`,
    kind: 'lines',
    title: 'Length and Depth, by the number of robots',
    paperRef: '004 Figure 6',
    caption: 'An order is stable when its lines for all numbers of robots lie on each other.',
    x: pagesAxis,
    y: rankAxis,
    series,
  }
}

function tails(id: string, { tails: runs, tailWeb, settings }: SchedulingOutcome): Figure[] {
  return settings.tailBandwidths.map((bandwidth) => ({
    id: `${id}-fig7-${bandwidth}`,
    kind: 'lines',
    title: `Robots at work on a batch, ${formatNumber(bandwidth)} bytes a second`,
    paperRef: '004 Figure 7',
    caption:
      `The batch of ${formatNumber(tailWeb.pages)} pages on ${formatNumber(tailWeb.sites)} sites under way in ` +
      `the middle of the crawl, alone, by ${settings.tailRobots} robots with k pages a connection.`,
    x: { label: 'Time', unit: 'hours' },
    y: { label: 'Robots at work' },
    series: runs
      .filter((run) => run.bandwidth === bandwidth)
      .map(({ pagesPerConnection, result: { activity } }) => ({
        name: `k = ${pagesPerConnection}`,
        points: activity.robots.map((y, n) => ({ x: ((n + 0.5) * activity.stretchMs) / HOUR_MS, y })),
      })),
  }))
}

function byDay(id: string, { inBatches: { curve, timeMs, pages } }: SchedulingOutcome): Figure {
  const total = curve.rank.at(-1)!
  const day = timeMs / 8
  const along = (values: readonly number[], of: number): Point[] =>
    curve.timeMs.map((at, n) => ({ x: at / day, y: values[n]! / of }))
  return {
    id: `${id}-fig8`,
    kind: 'lines',
    title: 'Pages and PageRank by day of crawl',
    paperRef: '004 Figure 8',
    caption: `A day is an eighth of the crawl, ${(day / HOUR_MS).toFixed(1)} hours here, as the paper's took eight days.`,
    x: { label: 'Day', domain: [0, 8] },
    y: { label: 'Downloaded', unit: 'share', domain: [0, 1] },
    series: [
      { name: 'PageRank', points: along(curve.rank, total) },
      { name: 'pages', points: along(curve.pages, pages) },
    ],
  }
}

function meanByDay(id: string, { days }: SchedulingOutcome): Figure {
  return {
    id: `${id}-fig9`,
    kind: 'histogram',
    title: 'Mean PageRank by day of crawl',
    paperRef: '004 Figure 9',
    caption: '1 is the mean over all pages. A day is an eighth of the crawl.',
    x: { label: 'Day', domain: [0, 8] },
    y: { label: 'Mean PageRank' },
    series: [{ name: 'mean PageRank', points: days.map(({ number, mean: y }) => ({ x: number - 1, x2: number, y })) }],
  }
}

function byDepth(id: string, { shape }: SchedulingOutcome): Figure {
  const points = shape.levels
    .filter(({ pages }) => pages >= MIN_LEVEL_PAGES)
    .map(({ depth, mean: y }) => ({ x: depth, y }))
  return {
    id: `${id}-fig10`,
    kind: 'lines',
    title: 'Mean PageRank by depth',
    paperRef: '004 Figure 10',
    caption: `1 is the mean over all pages; depth is clicks from the nearest home page. Levels with fewer than ${MIN_LEVEL_PAGES} pages are left out.`,
    x: { label: 'Depth' },
    y: { label: 'Mean PageRank' },
    series: [{ name: 'mean PageRank', points }],
    references: [{ name: `${DEEP} clicks`, atX: DEEP }],
  }
}

function bySiteSize(id: string, { shape }: SchedulingOutcome): Figure {
  const { siteSizes: sizes, siteMeans } = shape
  const step = Math.max(1, Math.ceil(sizes.length / MAX_DOTS))
  const points: Point[] = []
  for (let site = 0; site < sizes.length; site += step) points.push({ x: sizes[site]!, y: siteMeans[site]! })
  return {
    id: `${id}-fig64`,
    kind: 'dots',
    title: 'Mean PageRank against site size',
    paperRef: '002 Figure 6.4',
    caption: `One dot a site${step > 1 ? `, every ${step}th shown` : ''}; 1 is the mean PageRank over all pages. The correlation of the logarithms is ${shape.sizeCorrelation.toFixed(2)}.`,
    x: { label: 'Pages of a site', scale: 'log' },
    y: { label: 'Mean PageRank of its pages', scale: 'log' },
    series: [{ name: 'sites', points }],
  }
}

function curvesOf({ crawls, atRandom, settings }: SchedulingOutcome, robots: number): Series[] {
  return [...crawls.get(robots)!].map(([name, { curve }]) => {
    const isSpread = name === 'random' && robots === settings.robots[0] && atRandom.length > 1
    return { name, points: isSpread ? spreadOf(atRandom) : pointsOf(curve) }
  })
}

function pointsOf({ pages, rank }: Curve): Point[] {
  const all = pages.at(-1)!
  return pages.map((count, n) => ({ x: count / all, y: rank[n]! }))
}

/** Curves of one web have their points at the same pages. */
function spreadOf(curves: readonly Curve[]): Point[] {
  return pointsOf(curves[0]!).map(({ x }, n) => {
    const values = curves.map(({ rank }) => rank[n]!)
    return { x, y: mean(values), low: Math.min(...values), high: Math.max(...values) }
  })
}
