/** Tables of the simulated network. */
import type { BeyondOutcome, MixedOutcome } from './beyond.ts'
import { peakOf, plateauOf, valueAt } from './scenarios.ts'
import type { CaseOutcome, NetworkPoint } from './scenarios.ts'
import type { Table } from '../../report/model.ts'
import type { Interval } from '../servers/curve.ts'

const rounded = (value: number, places: number): number | null =>
  Number.isFinite(value) ? Math.round(value * 10 ** places) / 10 ** places : null

const PAPER_RATE = 0.0025
const PAPER_PEAKS: ReadonlyMap<string, number> = new Map([
  ['0 % crawlers', 222],
  ['20 % crawlers', 175],
  ['40 % crawlers', 120],
  ['indexing, 0 %', 220],
  ['indexing, 3 %', 220],
  ['indexing, 7 %', 220],
])

/** The gist: what is left for clients in each case. */
export function casesTable(id: string, outcomes: readonly CaseOutcome[]): Table {
  const [base] = outcomes
  const most = peakOf(base!).client.throughput.mean
  return {
    id: `${id}-cases`,
    title: 'What is left for clients',
    caption: `Largest client throughput, its half 95 % interval, what it is in the paper and what is missing against the first case; throughput past saturation; requests completed and their delay at ${PAPER_RATE} client requests a tick.`,
    columns: [
      { label: 'Case' },
      { label: 'Peak', unit: 'bits/tick' },
      { label: '±' },
      { label: 'Paper' },
      { label: 'Less', unit: 'share' },
      { label: 'Past it' },
      { label: 'Completed', unit: 'share' },
      { label: 'Delay', unit: 'ticks' },
    ],
    rows: outcomes.map((outcome) => {
      const { throughput } = peakOf(outcome).client
      const at = (measure: (point: NetworkPoint) => number): number =>
        valueAt(outcome.points, PAPER_RATE, ({ clientRate }) => clientRate, measure)
      return [
        outcome.name,
        rounded(throughput.mean, 1),
        rounded(half(throughput), 1),
        PAPER_PEAKS.get(outcome.name) ?? null,
        rounded(1 - throughput.mean / most, 4),
        rounded(plateauOf(outcome), 1),
        rounded(
          at(({ client }) => client.completed.mean),
          4,
        ),
        rounded(
          at(({ client }) => client.delay.mean),
          0,
        ),
      ]
    }),
  }
}

const half = ({ low, high }: Interval): number => (high - low) / 2

/** All that was measured, rate by rate. */
export function pointsTable(id: string, outcomes: readonly CaseOutcome[]): Table {
  return {
    id: `${id}-points`,
    title: 'Rate by rate',
    caption: 'Means over the runs. Lost and sent again are shares of all packets.',
    columns: [
      { label: 'Case' },
      { label: 'Client requests a tick' },
      { label: 'All requests a tick' },
      { label: 'To clients', unit: 'bits/tick' },
      { label: 'To crawlers' },
      { label: 'Index' },
      { label: 'Lost', unit: 'share' },
      { label: 'Sent again', unit: 'share' },
    ],
    rows: outcomes.flatMap(({ name, points }) =>
      points.map(({ clientRate, totalRate, client, crawler, index, lostShare, againShare }) => [
        name,
        clientRate,
        rounded(totalRate, 6),
        rounded(client.throughput.mean, 1),
        rounded(crawler.throughput.mean, 1),
        rounded(index.throughput.mean, 2),
        rounded(lostShare.mean, 4),
        rounded(againShare.mean, 4),
      ]),
    ),
  }
}

export function beyondTable(id: string, outcomes: readonly BeyondOutcome[]): Table {
  return {
    id: `${id}-beyond`,
    title: 'Beyond the paper: other networks',
    caption:
      'Largest client throughput without crawlers, and how much less it is with the largest share of crawlers, and with the largest overhead of indexing instead.',
    columns: [
      { label: 'Network' },
      { label: 'Peak', unit: 'bits/tick' },
      { label: 'Less with crawlers', unit: 'share' },
      { label: 'Less with indexing', unit: 'share' },
      { label: 'Indexing over crawling', unit: 'share' },
    ],
    rows: outcomes.map(({ name, base, crawled, indexed }) => {
      const [most, few, many] = [base, crawled, indexed].map((one) => peakOf(one).client.throughput.mean) as [
        number,
        number,
        number,
      ]
      return [
        name,
        rounded(most, 1),
        rounded(1 - few / most, 4),
        rounded(1 - many / most, 4),
        rounded(many / few - 1, 4),
      ]
    }),
  }
}

export function mixedTable(id: string, outcomes: readonly MixedOutcome[]): Table {
  return {
    id: `${id}-mixed`,
    title: 'Beyond the paper: some gateways index, crawlers visit the rest',
    caption:
      'Servers lie behind all gateways, which together are as fast as those of the paper. Those behind active gateways are not crawled.',
    columns: [
      { label: 'Active gateways', unit: 'share' },
      { label: 'Peak', unit: 'bits/tick' },
      { label: '±' },
      { label: 'To crawlers' },
      { label: 'Index' },
    ],
    rows: outcomes.map(({ activeShare, ...outcome }) => {
      const { client, crawler, index } = peakOf(outcome as CaseOutcome)
      return [
        activeShare,
        rounded(client.throughput.mean, 1),
        rounded(half(client.throughput), 1),
        rounded(crawler.throughput.mean, 1),
        rounded(index.throughput.mean, 2),
      ]
    }),
  }
}
