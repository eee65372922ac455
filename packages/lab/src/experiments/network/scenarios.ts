/**
 * The cases of 001 §V and §VI: the network with 0, 20 or 40 % crawler traffic, and with routers that index at 0, 3 or 7 %
 * overhead instead, each swept over the rate at which clients ask, with several seeds.
 */
import { CLIENT, CRAWLER, INDEX } from './measures.ts'
import type { NetworkOutcome } from './measures.ts'
import type { NetworkSettings } from './settings.ts'
import { simulateNetwork } from './simulation.ts'
import type { NetworkLoad } from './sources.ts'
import { transitStub } from './topology.ts'
import type { Topology } from './topology.ts'
import { intervalOf } from '../servers/curve.ts'
import type { Interval } from '../servers/curve.ts'

export interface NetworkCase {
  readonly name: string
  /** Part of the traffic that is of crawlers, and index bits over page bits. */
  readonly crawlerShare: number
  readonly overhead: number
  /** Part of the gateways with servers that index; what lies behind the others is left to the crawlers. */
  readonly activeShare: number
}

export const crawlerCase = (share: number): NetworkCase => ({
  name: `${inPercent(share)} crawlers`,
  crawlerShare: share,
  overhead: 0,
  activeShare: 0,
})
export const indexCase = (overhead: number): NetworkCase => ({
  name: `indexing, ${inPercent(overhead)}`,
  crawlerShare: 0,
  overhead,
  activeShare: 1,
})

export const paperCases = ({ crawlerShares, overheads }: NetworkSettings): NetworkCase[] => [
  crawlerCase(0),
  ...crawlerShares.map(crawlerCase),
  ...overheads.map(indexCase),
]

const inPercent = (share: number): string => `${Math.round(share * 1_000) / 10} %`

/** What came out at one rate, over the seeds. */
export interface NetworkPoint {
  /** Requests of clients, and of clients and crawlers, in a tick. */
  readonly clientRate: number
  readonly totalRate: number
  readonly client: KindIntervals
  /** Client throughput by seed, for differences from other cases with the same seeds. */
  readonly clientRuns: readonly number[]
  readonly crawler: KindIntervals
  readonly index: KindIntervals
  readonly lostShare: Interval
  readonly againShare: Interval
}

interface KindIntervals {
  readonly throughput: Interval
  readonly delay: Interval
  readonly completed: Interval
}

export interface CaseOutcome extends NetworkCase {
  readonly points: readonly NetworkPoint[]
}

export interface CaseRuns {
  readonly rates: readonly number[]
  readonly seeds: readonly number[]
  readonly onRate?: (rate: number) => void
}

export function runCase(
  one: NetworkCase,
  settings: NetworkSettings,
  { rates, seeds, onRate = () => undefined }: CaseRuns,
): CaseOutcome {
  const topology = transitStub(settings)
  const points = rates.map((rate) => {
    onRate(rate)
    const load = loadOf(one, rate, topology, settings)
    const outcomes = seeds.map((seed) => simulateNetwork(topology, load, settings, seed))
    return pointOf(load, outcomes)
  })
  return { ...one, points }
}

export function loadOf(
  { crawlerShare, overhead, activeShare }: NetworkCase,
  clientRate: number,
  { gateways, servers, gatewayOf }: Topology,
  settings: NetworkSettings,
): NetworkLoad {
  const active = gateways.slice(0, Math.round(settings.serverStubs * activeShare))
  const crawled = servers.filter((server) => !active.includes(gatewayOf[server]!))
  const whole = crawlerRateFor(crawlerShare, clientRate, settings)
  return { clientRate, crawlerRate: (whole * crawled.length) / servers.length, crawled, overhead, active }
}

/** Requests a tick of crawlers that make them such a share of the bits of answers, or of the requests. */
export function crawlerRateFor(
  share: number,
  clientRate: number,
  { shareOf, crawlerLength }: Pick<NetworkSettings, 'shareOf' | 'crawlerLength'>,
): number {
  const requests = (share / (1 - share)) * clientRate
  return shareOf === 'bits' ? requests / crawlerLength : requests
}

function pointOf({ clientRate, crawlerRate }: NetworkLoad, outcomes: readonly NetworkOutcome[]): NetworkPoint {
  const kinds = (['client', 'crawler', 'index'] as const).map((kind) => ({
    throughput: intervalOf(outcomes.map((outcome) => outcome[kind].throughput)),
    delay: intervalOf(outcomes.map((outcome) => outcome[kind].delay)),
    completed: shareInterval(outcomes.map((outcome) => outcome[kind].completed)),
  }))
  return {
    clientRate,
    totalRate: clientRate + crawlerRate,
    client: kinds[CLIENT]!,
    clientRuns: outcomes.map(({ client }) => client.throughput),
    crawler: kinds[CRAWLER]!,
    index: kinds[INDEX]!,
    lostShare: shareInterval(outcomes.map(({ lostShare }) => lostShare)),
    againShare: shareInterval(outcomes.map(({ againShare }) => againShare)),
  }
}

/** A share is within 0 and 1, whatever Student says. */
function shareInterval(values: readonly number[]): Interval {
  const { mean, low, high } = intervalOf(values)
  return { mean, low: Math.max(0, low), high: Math.min(1, high) }
}

/** The point with the largest client throughput. */
export const peakOf = ({ points }: CaseOutcome): NetworkPoint =>
  points.reduce((best, point) => (point.client.throughput.mean > best.client.throughput.mean ? point : best))

/** Client throughput past the peak: its mean over the rates from half as much again as that of the peak on; NaN if none. */
export function plateauOf(outcome: CaseOutcome): number {
  const from = peakOf(outcome).clientRate * PLATEAU_FROM
  const past = outcome.points
    .filter(({ clientRate }) => clientRate >= from)
    .map((point) => point.client.throughput.mean)
  return past.reduce((sum, value) => sum + value, 0) / past.length
}

const PLATEAU_FROM = 1.5

/** Between the rates that were run, by straight lines; NaN outside of them. */
export function valueAt(
  points: readonly NetworkPoint[],
  x: number,
  xOf: (point: NetworkPoint) => number,
  yOf: (point: NetworkPoint) => number,
): number {
  const after = points.findIndex((point) => xOf(point) >= x)
  const [right, left] = [points[after], points[after - 1]]
  if (right === undefined) return NaN
  if (xOf(right) === x) return yOf(right)
  if (left === undefined) return NaN
  const part = (x - xOf(left)) / (xOf(right) - xOf(left))
  return yOf(left) + part * (yOf(right) - yOf(left))
}
