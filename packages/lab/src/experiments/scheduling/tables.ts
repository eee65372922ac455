/** Table 1 of 004, where the bandwidth went, and the numbers behind the figures. */
import type { Cell, Table } from '../../report/model.ts'
import type { SchedulingOutcome, SpeedRun } from './outcome.ts'
import { area, rankAtShare } from './statistics.ts'
import type { SimulationResult } from '../../simulate/settings.ts'

const HOUR_MS = 3_600_000
const SHARES = [0.1, 0.25, 0.5, 0.75, 0.9]

/** 004 Table 1. */
const paperRobots: readonly number[] = [1, 64, 256]
export const paperSpeedUps: readonly { readonly bandwidth: number; readonly speedUps: readonly number[] }[] = [
  { bandwidth: 20_000_000, speedUps: [1.0, 54.6, 220.1] },
  { bandwidth: 2_000_000, speedUps: [1.0, 54.3, 204.3] },
  { bandwidth: 200_000, speedUps: [1.0, 43.0, 114.1] },
  { bandwidth: 20_000, speedUps: [1.0, 27.0, 83.3] },
  { bandwidth: 2_000, speedUps: [0.7, 3.8, 16.0] },
  { bandwidth: 200, speedUps: [0.2, 1.6, 3.0] },
]

export function schedulingTables(id: string, outcome: SchedulingOutcome): Table[] {
  return [orders(id, outcome), speedUps(id, outcome), losses(id, outcome), batchTimes(id, outcome), days(id, outcome)]
}

function orders(id: string, { crawls }: SchedulingOutcome): Table {
  return {
    id: `${id}-orders`,
    title: 'Orders compared',
    caption: 'The area under the line of Figures 5 and 6: 100 % would be all PageRank with the first page.',
    columns: [
      { label: 'Robots' },
      { label: 'Order', align: 'left' },
      { label: 'Area', unit: 'share' },
      ...SHARES.map((share) => ({
        label: `PageRank at ${share * 100} % of pages`,
        unit: 'share',
      })),
      { label: 'Time', unit: 'hours' },
    ],
    rows: [...crawls].flatMap(([robots, results]) =>
      [...results].map(([order, result]) => orderRow(robots, order, result)),
    ),
  }
}

function orderRow(robots: number, order: string, { curve, timeMs }: SimulationResult): Cell[] {
  return [robots, order, area(curve), ...SHARES.map((share) => rankAtShare(curve, share)), timeMs / HOUR_MS]
}

function speedUps(id: string, { speeds, settings }: SchedulingOutcome): Table {
  const { robots, bandwidths } = settings
  const cell = (bandwidth: number, count: number): SpeedRun =>
    speeds.find((run) => run.bandwidth === bandwidth && run.robots === count)!
  const rowOf = (bandwidth: number): Cell[] => [
    bandwidth,
    ...robots.map((count) => cell(bandwidth, count).speedUp),
    ...robots.map((count) => cell(bandwidth, count).halfSpeedUp),
    ...robots.map((count) => paperSpeedUp(bandwidth, count)),
  ]
  return {
    id: `${id}-table1`,
    title: 'Speed-ups by parallelism',
    paperRef: '004 Table 1',
    caption:
      `Relative to ${robots[0]} robot on the widest link, order Length: for all pages, for the first half of them, ` +
      `and what the paper has.`,
    columns: [
      { label: 'Bandwidth', unit: 'bytes a second' },
      ...robots.map((count) => ({ label: `r = ${count}` })),
      ...robots.map((count) => ({ label: `r = ${count}, first half` })),
      ...robots.map((count) => ({ label: `r = ${count}, paper` })),
    ],
    rows: bandwidths.map(rowOf),
  }
}

function paperSpeedUp(bandwidth: number, robots: number): number | null {
  const at = paperRobots.indexOf(robots)
  return (at === -1 ? undefined : paperSpeedUps.find((row) => row.bandwidth === bandwidth)?.speedUps[at]) ?? null
}

function losses(id: string, { speeds }: SchedulingOutcome): Table {
  return {
    id: `${id}-losses`,
    title: 'Where the bandwidth went',
    paperRef: '004 Figures 1 and 2',
    caption:
      'T* is all bytes over the bandwidth. Of B · T, what was not used: each robot answers for an equal part, to slow ' +
      'sites while it works, to politeness while it waits for a site that rests, to too few sites when there is none.',
    columns: [
      { label: 'Bandwidth', unit: 'bytes a second' },
      { label: 'Robots' },
      { label: 'T*', unit: 'hours' },
      { label: 'T', unit: 'hours' },
      { label: 'T / T*' },
      { label: 'Used', unit: 'share' },
      { label: 'Slow sites', unit: 'share' },
      { label: 'Politeness', unit: 'share' },
      { label: 'Too few sites', unit: 'share' },
    ],
    rows: speeds.map(({ bandwidth, robots, result: { timeMs, leastTimeMs, bytes, lost } }) => {
      const all = (bandwidth * timeMs) / 1_000
      const shares = [bytes, lost.slowSites, lost.politeness, lost.fewSites].map((part) => part / all)
      return [bandwidth, robots, leastTimeMs / HOUR_MS, timeMs / HOUR_MS, timeMs / leastTimeMs, ...shares]
    }),
  }
}

function batchTimes(id: string, { tails }: SchedulingOutcome): Table {
  return {
    id: `${id}-batch`,
    title: 'Time for a batch',
    paperRef: '004 Figure 7',
    columns: [
      { label: 'Bandwidth', unit: 'bytes a second' },
      { label: 'Pages a connection' },
      { label: 'T*', unit: 'hours' },
      { label: 'T', unit: 'hours' },
      { label: 'Mean robots at work' },
    ],
    rows: tails.map(({ bandwidth, pagesPerConnection, result }) => [
      bandwidth,
      pagesPerConnection,
      result.leastTimeMs / HOUR_MS,
      result.timeMs / HOUR_MS,
      meanRobots(result),
    ]),
  }
}

export function meanRobots({ activity, timeMs }: SimulationResult): number {
  const last = activity.robots.length - 1
  const lengthOf = (n: number): number => (n === last ? timeMs - last * activity.stretchMs : activity.stretchMs)
  return activity.robots.reduce((sum, robots, n) => sum + robots * lengthOf(n), 0) / timeMs
}

function days(id: string, outcome: SchedulingOutcome): Table {
  return {
    id: `${id}-days`,
    title: 'The crawl by days',
    paperRef: '004 Figures 8 and 9',
    caption: 'A day is an eighth of the crawl. 1 is the mean PageRank over all pages.',
    columns: [
      { label: 'Day' },
      { label: 'Pages', unit: 'share' },
      { label: 'PageRank', unit: 'share' },
      { label: 'Mean PageRank of the day' },
    ],
    rows: outcome.days.map(({ number, pages, rank, mean }) => [number, pages, rank, Number.isNaN(mean) ? null : mean]),
  }
}
