/** Figures 2 to 6 of 001, and what comes of them beyond the paper. */
import type { CaseOutcome, NetworkPoint } from './scenarios.ts'
import type { Figure, Point, Series } from '../../report/model.ts'
import type { Interval } from '../servers/curve.ts'

type Measure = (point: NetworkPoint) => Interval

const line = ({ name, points }: CaseOutcome, xOf: (point: NetworkPoint) => number, measure: Measure): Series => ({
  name,
  points: points.map((point): Point => {
    const { mean, low, high } = measure(point)
    return { x: xOf(point), y: mean, low: Math.max(0, low), high }
  }),
})

const RUNS = 'Mean over the runs; the band is its 95 % t-interval.'

export function clientThroughputFigure(id: string, outcomes: readonly CaseOutcome[], marks: readonly number[]): Figure {
  return {
    ...clientFigure(id, 'fig2', outcomes, ({ client }) => client.throughput),
    title: 'Client throughput',
    paperRef: '001 Figure 2',
    caption: `Bits of complete pages that clients get in a tick. ${RUNS} Thin lines: the paper's peak and plateau without crawlers.`,
    y: { label: 'Client throughput', unit: 'bits/tick' },
    references: marks.map((atY) => ({ name: `the paper, ${atY}`, atY })),
  }
}

export function clientDelayFigure(id: string, outcomes: readonly CaseOutcome[]): Figure {
  return {
    ...clientFigure(id, 'fig4', outcomes, ({ client }) => client.delay),
    title: 'Client delay',
    paperRef: '001 Figure 4',
    caption: `From a request to its complete page, of those that are completed. ${RUNS}`,
    y: { label: 'Mean delay', unit: 'ticks' },
  }
}

export function completedFigure(id: string, outcomes: readonly CaseOutcome[]): Figure {
  return {
    ...clientFigure(id, 'fig6', outcomes, ({ client }) => client.completed),
    title: 'Completed client requests',
    paperRef: '001 Figure 6',
    caption: `Requests of clients that are completed, of all that are made. ${RUNS} The thin line is at the rate that the paper speaks of.`,
    y: { label: 'Completed', unit: 'share', domain: [0, 1] },
    references: [{ name: '0.0025', atX: 0.0025 }],
  }
}

const clientFigure = (id: string, part: string, outcomes: readonly CaseOutcome[], measure: Measure) =>
  ({
    id: `${id}-${part}`,
    kind: 'lines',
    x: { label: 'Client requests a tick' },
    series: outcomes.map((outcome) => line(outcome, ({ clientRate }) => clientRate, measure)),
  }) as const

export function crawlerThroughputFigure(id: string, outcomes: readonly CaseOutcome[]): Figure {
  return {
    ...crawlerFigure(id, 'fig3', outcomes, ({ crawler }) => crawler.throughput),
    title: 'Crawler throughput',
    paperRef: '001 Figure 3',
    caption: `Bits of complete pages that crawlers get in a tick, against the requests of clients and crawlers together. ${RUNS}`,
    y: { label: 'Crawler throughput', unit: 'bits/tick' },
  }
}

export function crawlerDelayFigure(id: string, outcomes: readonly CaseOutcome[]): Figure {
  return {
    ...crawlerFigure(id, 'fig5', outcomes, ({ crawler }) => crawler.delay),
    title: 'Crawler delay',
    paperRef: '001 Figure 5',
    caption: `From a request of a crawler to its complete page, against the requests of all. ${RUNS}`,
    y: { label: 'Mean delay', unit: 'ticks' },
  }
}

const crawlerFigure = (id: string, part: string, outcomes: readonly CaseOutcome[], measure: Measure) =>
  ({
    id: `${id}-${part}`,
    kind: 'lines',
    x: { label: 'Requests of all a tick' },
    series: outcomes
      .filter(({ crawlerShare }) => crawlerShare > 0)
      .map((outcome) => line(outcome, ({ totalRate }) => totalRate, measure)),
  }) as const
