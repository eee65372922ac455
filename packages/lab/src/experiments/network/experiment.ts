/**
 * Network: the simulation of 001 §V and §VI. Do people get more of a network when routers index what they carry than when
 * crawlers fetch it?
 *
 *   cases × rates × seeds ──▶ packets ──▶ throughput, delay, completed ──▶ Figures 2 to 6 ──▶ claims 4 to 10
 *   other networks, mixed deployment                                   ──▶ two tables
 */
import { beyondCount, runBeyond, runMixed } from './beyond.ts'
import { networkClaims, PAPER_PEAK, PAPER_PLATEAU } from './claims.ts'
import type { NetworkFindings } from './claims.ts'
import {
  clientDelayFigure,
  clientThroughputFigure,
  completedFigure,
  crawlerDelayFigure,
  crawlerThroughputFigure,
} from './figures.ts'
import { paperCases, peakOf, runCase } from './scenarios.ts'
import type { CaseOutcome, NetworkCase } from './scenarios.ts'
import { networkDefaults, networkSettings } from './settings.ts'
import type { NetworkSettings } from './settings.ts'
import { beyondTable, casesTable, mixedTable, pointsTable } from './tables.ts'
import { webUnreadable } from '../../lab-error.ts'
import type { ExperimentResult, Parameter, Unit } from '../../report/model.ts'
import { formatNumber } from '../../report/number.ts'
import { percent } from '../servers/answer.ts'

const TRANSIT_STUB = 'transit-stub'

interface NetworkHooks {
  readonly onPart?: ((what: string, done: number, of: number) => void) | undefined
}

/** It runs on a network of its own. Throws a LabError for any other name. */
export function requireTransitStub(name: string): void {
  if (name !== TRANSIT_STUB)
    throw webUnreadable(
      name,
      `\`network\` runs on no web but on a network it makes, ${TRANSIT_STUB}: leave --web out, and set its sizes with --set.`,
    )
}

/** Throws a RangeError for settings that make no sense. */
export function runNetwork(
  given: Partial<NetworkSettings> = {},
  { onPart = () => undefined }: NetworkHooks = {},
): ExperimentResult {
  const settings = networkSettings(given)
  const { rates, seeds, beyondSeeds } = settings
  const cases = paperCases(settings)
  const parts =
    cases.filter((one, at) => at === 0 || !isSilent(one)).length * rates.length +
    (beyondSeeds === 0 ? 0 : beyondCount + 1)
  let done = 0
  const next = (what: string): void => onPart(what, done++, parts)
  const run = (one: NetworkCase): CaseOutcome =>
    runCase(one, settings, { rates, seeds, onRate: (rate) => next(`${one.name}, ${rate} requests a tick`) })
  const [none, ...others] = cases
  const base = run(none!)
  // No index message at all is no overhead: the same packets at the same times.
  const outcomes = [base, ...others.map((one) => (isSilent(one) ? Object.assign({}, base, one) : run(one)))]
  const found: NetworkFindings = {
    base,
    crawlers: outcomes.filter(({ crawlerShare }) => crawlerShare > 0),
    indexing: outcomes.filter(({ activeShare }) => activeShare > 0),
  }
  const hooks = { peakRate: peakOf(found.base).clientRate, onPart: next }
  const id = 'network'
  const told = casesTable(id, outcomes)
  const beyond =
    beyondSeeds === 0 ? [] : [beyondTable(id, runBeyond(settings, hooks)), mixedTable(id, runMixed(settings, hooks))]
  return {
    id,
    name: 'A network with crawlers, or with routers that index',
    paper: '001',
    finding: findingOf(found),
    parameters: parametersOf(settings),
    seeds,
    webs: [],
    figures: [
      clientThroughputFigure(id, outcomes, [PAPER_PEAK, PAPER_PLATEAU]),
      crawlerThroughputFigure(id, outcomes),
      clientDelayFigure(id, outcomes),
      crawlerDelayFigure(id, outcomes),
      completedFigure(id, outcomes),
    ],
    tables: [told, ...beyond, pointsTable(id, outcomes)],
    toldTable: told.id,
    claims: networkClaims(id, found, isCalibrated(settings)),
    notes: NOTES,
  }
}

const isSilent = ({ crawlerShare, overhead }: NetworkCase): boolean => crawlerShare === 0 && overhead === 0

/** Whether all that makes the network is as it was calibrated. */
const isCalibrated = (settings: NetworkSettings): boolean =>
  NETWORK_KEYS.every((key) => settings[key] === networkDefaults[key])

const FREE = new Set(['rates', 'seeds', 'beyondSeeds', 'crawlerShares', 'overheads', 'ticks', 'warmUpTicks'])
const NETWORK_KEYS = (Object.keys(networkDefaults) as (keyof NetworkSettings)[]).filter((key) => !FREE.has(key))

function findingOf({ base, crawlers, indexing }: NetworkFindings): string {
  const peak = (one: typeof base): number => peakOf(one).client.throughput.mean
  const bits = (one: typeof base): string => formatNumber(peak(one))
  const less = (one: typeof base): string => percent(1 - peak(one) / peak(base))
  const [many, dear] = [crawlers.at(-1)!, indexing.at(-1)!]
  return (
    `Clients get ${bits(base)} bits a tick at most; with ${many.name} ${bits(many)} (${less(many)} less), ` +
    `with ${dear.name} overhead ${bits(dear)} (${less(dear)} less).`
  )
}

const UNITS: Readonly<Partial<Record<keyof NetworkSettings, Unit>>> = {
  coreRate: 'bits/tick',
  gatewayRate: 'bits/tick',
  serverRate: 'bits/tick',
  siteRate: 'bits/tick',
  linkTicks: 'ticks',
  bufferTicks: 'ticks',
  packetBits: 'bits',
  ackBits: 'bits',
  window: 'packets',
  timeoutTicks: 'ticks',
  requestMean: 'bits',
  requestSd: 'bits',
  responseMean: 'bits',
  responseSd: 'bits',
  indexBits: 'bits',
  indexTicks: 'ticks',
  ticks: 'ticks',
  warmUpTicks: 'ticks',
}

const parametersOf = (settings: NetworkSettings): Parameter[] =>
  (Object.entries(settings) as [keyof NetworkSettings, number | string | readonly number[]][])
    .filter(([name]) => name !== 'seeds')
    .map(([name, value]) => {
      const shown = typeof value === 'object' ? value.join(', ') : value
      const unit = UNITS[name]
      return unit === undefined ? { name, value: shown } : { name, value: shown, unit }
    })

const NOTES: readonly string[] = [
  'The paper names numbers of routers and sites and the laws of sizes and times. Speeds of links, buffers, windows, timeouts and tries it does not name: they were set once, on the case without crawlers and overhead, and left so.',
  'All links of a kind are equally fast. The three gateways with servers behind them carry the most and are the bottleneck; three, as the paper has three active routers, which then see every page.',
  'What the paper says of crawlers’ messages is that they are shorter. Its log (27.3 % of the hits, 20.9 % of the bytes) makes them 0.70 as long. A share of crawlers is one of the bits; in the table beyond the paper also of the requests.',
  'A site may have few requests open at once; those that find no place are refused, and count as made and not completed. This bounds what is under way past saturation, and so there is a plateau and no collapse to nothing. Crawler sites together may have as many open as clients together.',
  'A page counts when it is complete. Index messages are acknowledged, and sent again when lost, as all else.',
  'With 0 % overhead no index message is sent, so this case is the one without crawlers, packet by packet.',
  'Page sizes of today are an assumption: answers 3.6 times as long with links as much faster; overhead is left at 7 % of all bits, though little of a page is HTML today.',
]
