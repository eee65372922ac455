/**
 * Settings of the network of 001 §V. What the paper says is the default. It does not say how fast links are, how long buffers,
 * windows and timeouts: these were set once so that the case without crawlers and without indexing has the paper's peak and
 * plateau (222 and 140 bits a tick), and were not touched when the other cases were run.
 */
import { settingsWithin } from '../../setting-bounds.ts'
import type { Bound } from '../../setting-bounds.ts'

export interface NetworkSettings {
  /** 001 §V: 4, 12, 20, 60 and 4. */
  readonly coreRouters: number
  readonly gateways: number
  readonly servers: number
  readonly clients: number
  readonly crawlers: number
  /** Gateways with servers behind them. Three, so that the paper's three active routers see all pages. */
  readonly serverStubs: number
  /** Bits a tick of links between cores, between gateway and core, of a server, and of any other site. */
  readonly coreRate: number
  readonly gatewayRate: number
  readonly serverRate: number
  readonly siteRate: number
  /** Ticks that a bit travels on a link. */
  readonly linkTicks: number
  /** What waits for a link at most, by the ticks it takes to send it; packets that find no room are lost. */
  readonly bufferTicks: number
  /** The longest packet, and an acknowledgement. */
  readonly packetBits: number
  readonly ackBits: number
  /** Packets of a message that are under way at once. */
  readonly window: number
  /** Without progress for so long, what was not acknowledged is sent again, so many times; each wait is longer by `backoff`. */
  readonly timeoutTicks: number
  readonly backoff: number
  readonly tries: number
  /** Requests of a client site that are open at once; others are refused. Crawler sites have as many together as clients. */
  readonly outstanding: number
  /** Lognormal, in bits (001 §V). */
  readonly requestMean: number
  readonly requestSd: number
  readonly responseMean: number
  readonly responseSd: number
  /** Mean answer to a crawler over that to a client: 27.3 % of the hits and 20.9 % of the bytes (001 §III) make 0.70. */
  readonly crawlerLength: number
  /** What the share of crawlers is of: `bits` or `requests`. */
  readonly shareOf: string
  readonly crawlerShares: readonly number[]
  /** Index bits over bits of pages. */
  readonly overheads: readonly number[]
  readonly indexBits: number
  /** What a router has accumulated in such a period it sends evenly over the next. */
  readonly indexTicks: number
  /** Requests of all clients in a tick. */
  readonly rates: readonly number[]
  /** Of a run, and of its beginning that does not count. */
  readonly ticks: number
  readonly warmUpTicks: number
  /** One run each. */
  readonly seeds: readonly number[]
  /** Of the cases beyond the paper so many seeds are run; 0 leaves them out. */
  readonly beyondSeeds: number
}

export const networkDefaults: NetworkSettings = {
  coreRouters: 4,
  gateways: 12,
  servers: 20,
  clients: 60,
  crawlers: 4,
  serverStubs: 3,
  coreRate: 400,
  gatewayRate: 99,
  serverRate: 200,
  siteRate: 200,
  linkTicks: 1,
  bufferTicks: 6_060,
  packetBits: 12_000,
  ackBits: 320,
  window: 4,
  timeoutTicks: 6_800,
  backoff: 1,
  tries: 5,
  outstanding: 3,
  requestMean: 2_880,
  requestSd: 848,
  responseMean: 80_000,
  responseSd: 200_000,
  crawlerLength: 0.7,
  shareOf: 'bits',
  crawlerShares: [0.2, 0.4],
  overheads: [0, 0.03, 0.07],
  indexBits: 10_000,
  indexTicks: 50_000,
  rates: [0.0005, 0.001, 0.0015, 0.00175, 0.002, 0.00225, 0.0025, 0.00275, 0.003, 0.0035, 0.004, 0.005, 0.006, 0.008],
  ticks: 3_000_000,
  warmUpTicks: 300_000,
  seeds: [1, 2, 3, 4, 5, 6, 7, 8],
  beyondSeeds: 4,
}

type NetworkBound = Bound<NetworkSettings>

const WHOLE: readonly NetworkBound[] = [
  ['coreRouters', 1, 100],
  ['gateways', 1, 1_000],
  ['servers', 1, 2_000],
  ['clients', 1, 2_000],
  ['crawlers', 1, 1_000],
  ['serverStubs', 1, 1_000],
  ['window', 1, 1_000],
  ['tries', 0, 100],
  ['outstanding', 1, 10_000],
  ['beyondSeeds', 0, 100],
]
const AMOUNTS: readonly NetworkBound[] = [
  ...(['coreRate', 'gatewayRate', 'serverRate', 'siteRate'] as const).map((key) => [key, 0.001, 1e9] as const),
  ['linkTicks', 0, 1e6],
  ['bufferTicks', 1, 1e9],
  ['packetBits', 100, 1e6],
  ['ackBits', 1, 1e5],
  ['timeoutTicks', 1, 1e9],
  ['backoff', 1, 10],
  ...(['requestMean', 'responseMean', 'indexBits'] as const).map((key) => [key, 1, 1e9] as const),
  ...(['requestSd', 'responseSd'] as const).map((key) => [key, 0, 1e10] as const),
  ['crawlerLength', 0.01, 100],
  ['indexTicks', 1, 1e9],
  ['ticks', 1_000, 1e9],
  ['warmUpTicks', 0, 1e9],
]
const MAX_SEEDS = 100
/** Routes between all nodes are held, and links of each. */
const MAX_NODES = 3_000

/** Fills in the defaults. Throws a RangeError that says what to change. */
export function networkSettings(given: Partial<NetworkSettings> = {}): NetworkSettings {
  const settings = settingsWithin(given, networkDefaults, { whole: WHOLE, amounts: AMOUNTS })
  const { coreRouters, gateways, servers, clients, crawlers, serverStubs, seeds, ticks, warmUpTicks, shareOf } =
    settings
  const nodes = coreRouters + gateways + servers + clients + crawlers
  if (nodes > MAX_NODES) throw new RangeError(`${nodes} routers and sites are too many; give at most ${MAX_NODES}`)
  if (serverStubs > Math.min(gateways, servers))
    throw new RangeError(`serverStubs is ${serverStubs}; there are ${gateways} gateways and ${servers} servers`)
  if (warmUpTicks >= ticks) throw new RangeError(`warmUpTicks is ${warmUpTicks}; give less than ${ticks}, all of a run`)
  if (shareOf !== 'bits' && shareOf !== 'requests') throw new RangeError(`shareOf is ${shareOf}; give bits or requests`)
  if (settings.requestMean > settings.packetBits) throw new RangeError('requestMean is longer than a packet')
  if (settings.indexBits > settings.packetBits) throw new RangeError('indexBits is longer than a packet')
  if (seeds.length === 0 || seeds.length > MAX_SEEDS || !seeds.every(Number.isSafeInteger))
    throw new RangeError(`seeds are ${seeds.join(', ')}; give 1 to ${MAX_SEEDS} whole numbers`)
  checkList('rates', settings.rates, 1e-9, 1)
  checkList('crawlerShares', settings.crawlerShares, 0.001, 0.9)
  checkList('overheads', settings.overheads, 0, 1)
  return settings
}

function checkList(name: string, values: readonly number[], least: number, most: number): void {
  const isRising = values.every((value, at) => at === 0 || value > values[at - 1]!)
  if (values.length === 0 || !isRising || values.some((value) => !(value >= least && value <= most)))
    throw new RangeError(`${name} are ${values.join(', ')}; give some from ${least} to ${most}, rising`)
}
