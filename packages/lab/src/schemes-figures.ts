/** Plots of the replayed year. */
import type { Figure, Point } from './report-model.ts'
import type { ChangeSizes } from './schemes-differences.ts'
import type { SchemesOutcome } from './schemes-outcome.ts'
import { networkBytes } from './schemes-run.ts'
import type { SchemeCost } from './schemes-run.ts'

export function schemeFigures(id: string, outcome: SchemesOutcome): Figure[] {
  return [
    bars(id, outcome, {
      part: 'bytes',
      title: 'Bytes of a year',
      caption: 'What the sockets carried both ways, after the first copy. The axis is logarithmic.',
      label: 'Bytes',
      unit: 'bytes',
      series: { bytes: networkBytes },
      isLog: true,
    }),
    bars(id, outcome, {
      part: 'requests',
      title: 'Requests of a year',
      caption: 'The axis is logarithmic.',
      label: 'Requests',
      series: { requests: ({ requests }) => requests },
      isLog: true,
    }),
    bars(id, outcome, {
      part: 'cpu',
      title: 'Processor time of a year',
      caption: 'Measured, so it differs from run to run. The site’s is for answers and for its journal together.',
      label: 'Processor time',
      unit: 's',
      series: {
        site: ({ serverMs, recordingMs }) => (serverMs + recordingMs) / 1_000,
        crawler: ({ cpuMs }) => cpuMs / 1_000,
      },
    }),
    freshnessFigure(id, outcome),
    differenceFigure(id, outcome.sizes),
  ]
}

interface BarsOf {
  readonly part: string
  readonly title: string
  readonly caption: string
  readonly label: string
  readonly unit?: string
  readonly series: Readonly<Record<string, (cost: SchemeCost) => number>>
  readonly isLog?: boolean
}

function bars(
  id: string,
  { runs }: SchemesOutcome,
  { part, title, caption, label, unit, series, isLog }: BarsOf,
): Figure {
  return {
    id: `${id}-${part}`,
    kind: 'bars',
    title,
    paperRef: '002 Table 6.2, pulled half',
    caption,
    x: { label: 'Scheme', categories: runs.map(({ form }) => form.name) },
    y: { label, ...(unit === undefined ? {} : { unit }), ...(isLog === true ? { scale: 'log' as const } : {}) },
    series: Object.entries(series).map(([name, value]) => ({
      name,
      points: runs.map(({ year }, x) => ({ x, y: value(year) })),
    })),
  }
}

function freshnessFigure(id: string, { freshnessBy, settings }: SchemesOutcome): Figure {
  return {
    id: `${id}-freshness`,
    kind: 'lines',
    title: 'Freshness by period',
    caption:
      'Every scheme that is polled keeps the copy as fresh as its period lets it; it is the price of a poll that decides the period.',
    x: { label: 'Days between polls', scale: 'log' },
    y: { label: 'Freshness', unit: 'share', domain: [0, 1] },
    series: [{ name: 'freshness', points: freshnessBy.map(([x, y]): Point => ({ x, y })) }],
    references: [{ name: 'polled here', atX: settings.everyDays }],
  }
}

const STEPS = 100

function differenceFigure(id: string, { year, changes }: ChangeSizes): Figure {
  const series = [
    { name: 'one change', sizes: changes },
    { name: 'a year', sizes: year },
  ].map(({ name, sizes }) => ({ name, points: cumulative(sizes) }))
  return {
    id: `${id}-differences`,
    kind: 'lines',
    title: 'How much of a changed page is another one',
    paperRef: '002 §6.3',
    caption:
      'Share of the changed pages whose difference (vcdiff, not packed) is no longer than that share of the page.',
    x: { label: 'Difference, as a share of the page', unit: 'share', domain: [0, 1] },
    y: { label: 'Changed pages', unit: 'share', domain: [0, 1] },
    series,
    references: [{ name: '5 %', atX: 0.05 }],
  }
}

function cumulative(sizes: readonly number[]): Point[] {
  const points: Point[] = []
  let below = 0
  for (let step = 0; step <= STEPS; step++) {
    const x = step / STEPS
    while (below < sizes.length && sizes[below]! <= x) below++
    points.push({ x, y: below / Math.max(1, sizes.length) })
  }
  return points
}
