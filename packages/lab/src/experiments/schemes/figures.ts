/** Plots of the replayed year. */
import type { Figure, Point } from '../../report/model.ts'
import type { ChangeSizes } from './differences.ts'
import type { SchemesOutcome } from './outcome.ts'
import { networkBytes } from './run.ts'
import type { SchemeCost } from './run.ts'

export function schemeFigures(id: string, outcome: SchemesOutcome): Figure[] {
  return [
    bars(id, outcome, {
      part: 'bytes',
      title: 'Bytes',
      caption: 'What the sockets carried both ways, after the first copy. The axis is logarithmic.',
      label: 'Bytes',
      unit: 'bytes',
      series: { bytes: networkBytes },
      isLog: true,
    }),
    bars(id, outcome, {
      part: 'requests',
      title: 'Requests',
      caption: 'The axis is logarithmic.',
      label: 'Requests',
      series: { requests: ({ requests }) => requests },
      isLog: true,
    }),
    bars(id, outcome, {
      part: 'cpu',
      title: 'Processor time',
      caption:
        'Measured, so it differs from run to run. The site’s is for answers, for what it sends, for its journal and for an agent’s sandbox together.',
      label: 'Processor time',
      unit: 's',
      series: {
        site: ({ serverMs, recordingMs }) => (serverMs + recordingMs) / 1_000,
        crawler: ({ cpuMs }) => cpuMs / 1_000,
      },
    }),
    staleFigure(id, outcome),
    priceFigure(id, outcome),
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
    paperRef: '002 Table 6.2',
    caption,
    x: { label: 'Scheme', categories: runs.map(({ form }) => form.name) },
    y: { label, ...(unit === undefined ? {} : { unit }), ...(isLog === true ? { scale: 'log' as const } : {}) },
    series: Object.entries(series).map(([name, value]) => ({
      name,
      points: runs.map(({ year }, x) => ({ x, y: value(year) })),
    })),
  }
}

function staleFigure(id: string, { byPeriod, runs, staleness }: SchemesOutcome): Figure {
  const sent = runs.filter(({ form }) => form.isStaleShown === true)
  return {
    id: `${id}-stale`,
    kind: 'lines',
    title: 'Pages that are not fresh, by period',
    paperRef: '002 §6.1',
    caption:
      'Every scheme that is polled keeps the copy as fresh as its period lets it. What is sent when it happens is where that tends to as the period tends to zero; a batch is where its schedule is.',
    x: { label: 'Time between polls', unit: 'hours', scale: 'log' },
    y: { label: 'Pages that are not fresh', unit: 'share', scale: 'log' },
    series: [
      { name: 'polled', points: byPeriod.map(([days, { stale }]): Point => ({ x: days * DAY_HOURS, y: stale })) },
    ],
    references: sent.map(({ form }) => ({ name: form.name, atY: staleness.get(form.id)!.stale })),
  }
}

const DAY_HOURS = 24

/** Forms whose price is drawn against the period: those that are polled, and those that are sent at once. */
const PRICED = [
  'none',
  'conditional',
  'archives',
  'filter-difference',
  'push-changes',
  'push-differences',
  'push-pages',
]

function priceFigure(id: string, { runs, equalFreshness, days }: SchemesOutcome): Figure {
  const shown = PRICED.flatMap((name) => runs.filter(({ form }) => form.id === name))
  return {
    id: `${id}-price`,
    kind: 'lines',
    title: 'Bytes a day to be as fresh as polls so often make it',
    paperRef: '002 §6.1',
    caption:
      'The oftener the polls, the more of them find nothing, and the more that costs. What is sent for each change costs the same however fresh others are. Between measured periods reckoned with polls that find nothing.',
    x: { label: 'Time between polls', unit: 'hours', scale: 'log' },
    y: { label: 'Bytes a day', unit: 'bytes', scale: 'log' },
    series: shown.map(({ form }) => ({
      name: form.name,
      dashed: form.kind === 'pushed',
      points: equalFreshness.flatMap(({ everyDays, costs }): Point[] => {
        const cost = costs.get(form.id)
        return cost === undefined ? [] : [{ x: everyDays * DAY_HOURS, y: networkBytes(cost) / days }]
      }),
    })),
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
