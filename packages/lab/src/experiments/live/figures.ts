/** The plots and tables of live and simulated crawls. */
import type { RankCurve } from './agreement.ts'
import type { LiveRun } from './experiment.ts'
import type { Figure, Point, Table } from '../../report/model.ts'

/** Half a percent a step; the first pages, where most happens, one by one. */
const [STEPS, FIRST] = [200, 50]

export function liveFigure(id: string, { order, live, simulated, ideal }: LiveRun): Figure {
  const { mean, low, high } = simulated
  return {
    id,
    kind: 'lines',
    title: `${order}: live and simulated`,
    paperRef: '004 Figures 5 and 6',
    caption: 'The band is what w, k and r explain: pages on their way, and milliseconds more or less.',
    x: { label: 'Pages retrieved', unit: 'share', domain: [0, 1] },
    y: { label: 'Cumulative PageRank', unit: 'share', domain: [0, 1] },
    series: [
      { name: 'live', points: pointsOf(live) },
      { name: 'simulated', dashed: true, points: pointsOf(mean, low, high) },
      { name: 'the order itself', points: pointsOf(ideal) },
    ],
  }
}

function pointsOf(curve: RankCurve, low?: RankCurve, high?: RankCurve): Point[] {
  const last = Math.max(1, curve.length - 1)
  const points: Point[] = []
  for (let n = 0, next = 0; n < curve.length; n++) {
    if (n > FIRST && n < next && n < curve.length - 1) continue
    next = n + last / STEPS
    const point = { x: n / last, y: curve[n]! }
    points.push(low && high ? { ...point, low: low[n]!, high: high[n]! } : point)
  }
  return points
}

export function liveTables(id: string, runs: readonly LiveRun[]): Table[] {
  return [
    {
      id: `${id}-agreement`,
      title: 'Distance of live and simulated crawls',
      caption:
        'Vertical, as a share of all PageRank. "Explained" is how far the band reaches from the simulated line where it is widest; "outside" is how far the live line leaves the band, and "as far by chance" the share of the simulated crawls that get as far outside of the band of the others.',
      columns: [
        { label: 'Order' },
        { label: 'Mean distance', unit: 'share' },
        { label: 'Largest distance', unit: 'share' },
        { label: 'after', unit: 'pages' },
        { label: 'Explained', unit: 'share' },
        { label: 'Outside', unit: 'share' },
        { label: 'As far by chance', unit: 'share' },
        { label: 'Live from the order itself', unit: 'share' },
      ],
      rows: runs.map(({ order, agreement: { meanDistance, distance, at, explained, outside }, asFarOutside, cost }) => [
        order,
        meanDistance,
        distance,
        at,
        explained,
        outside,
        outside === 0 ? null : asFarOutside,
        cost,
      ]),
    },
    {
      id: `${id}-politeness`,
      title: 'What the servers saw',
      caption:
        'A rest is counted from the last answer of a connection to the next connection, as a server hears of a close late.',
      columns: [
        { label: 'Order' },
        { label: 'Pages fetched', unit: 'pages' },
        { label: 'Fetched again', unit: 'pages' },
        { label: 'Missed', unit: 'pages' },
        { label: 'Promises broken' },
        { label: 'Shortest rest', unit: 'ms' },
        { label: 'Median overhead of a request', unit: 'ms' },
      ],
      rows: runs.map((run) => [
        run.order,
        run.live.length - 1,
        run.repeated,
        run.missed,
        run.violations.length,
        Number.isFinite(run.shortestRestMs) ? run.shortestRestMs : null,
        run.medianOverheadMs,
      ]),
    },
  ]
}
