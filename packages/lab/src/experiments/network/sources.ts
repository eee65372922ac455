/**
 * Where the packets of the network come from: clients and crawlers that ask at random times (Poisson), for pages of lognormal
 * sizes, and routers that send what they have indexed (001 §V).
 */
import { lognormal } from '../../webs/generated/distributions.ts'
import { CLIENT, CRAWLER } from './measures.ts'
import type { ExchangeKind } from './measures.ts'
import type { NetworkSettings } from './settings.ts'
import type { Topology } from './topology.ts'
import { createRandom, seedOf } from '@comity/testbed'

/** Who asks for how much, and which gateways index what. */
export interface NetworkLoad {
  /** Requests a tick of all clients and of all crawlers. */
  readonly clientRate: number
  readonly crawlerRate: number
  /** Servers that crawlers visit; all when left out. */
  readonly crawled?: readonly number[] | undefined
  /** Index bits over page bits, of the active gateways. */
  readonly overhead: number
  readonly active: readonly number[]
}

/** A request and its answer. What its two ends know stands together, as neither looks at what the other knows. */
export interface Exchange {
  readonly number: number
  readonly generation: number
  readonly kind: ExchangeKind
  readonly site: number
  readonly server: number
  readonly requestBits: number
  readonly responseBits: number
  readonly packets: number
  readonly startedAt: number
  deadline: number
  tries: number
  isBegun: boolean
  isOver: boolean
  /** Of the answer: packets acknowledged, the next to send, those ever sent, and the one the receiver takes next. */
  acknowledged: number
  next: number
  sentTo: number
  expected: number
}

export interface RequestSource {
  readonly kind: ExchangeKind
  /** Requests of a site that may be open at once. */
  readonly outstanding: number
  /** Ticks until the next request. */
  nextGap(): number
  draw(): Pick<Exchange, 'site' | 'server' | 'requestBits' | 'responseBits'>
}

export function requestSources(
  { clients, crawlers, servers }: Topology,
  { clientRate, crawlerRate, crawled = servers }: NetworkLoad,
  settings: NetworkSettings,
  seed: number,
): RequestSource[] {
  const { outstanding, crawlerLength } = settings
  const perCrawler = Math.max(1, Math.round((outstanding * clients.length) / crawlers.length))
  return [
    sourceOf(CLIENT, clients, servers, clientRate, outstanding, 1, settings, seedOf(seed, 'clients')),
    sourceOf(CRAWLER, crawlers, crawled, crawlerRate, perCrawler, crawlerLength, settings, seedOf(seed, 'crawlers')),
  ].filter((_, at) => [clientRate, crawlerRate][at]! > 0)
}

/** A stream of its own: the same clients ask for the same pages at the same times, whoever else is there. */
function sourceOf(
  kind: ExchangeKind,
  sites: readonly number[],
  servers: readonly number[],
  rate: number,
  outstanding: number,
  length: number,
  settings: NetworkSettings,
  seed: number,
): RequestSource {
  const random = createRandom(seed)
  const request = lognormalLaw(settings.requestMean, settings.requestSd)
  const response = lognormalLaw(settings.responseMean * length, settings.responseSd * length)
  return {
    kind,
    outstanding,
    nextGap: () => -Math.log(1 - random.next()) / rate,
    draw: () => ({
      site: random.pick(sites),
      server: random.pick(servers),
      requestBits: Math.min(settings.packetBits, Math.ceil(lognormal(random, request.median, request.sigma))),
      responseBits: Math.ceil(lognormal(random, response.median, response.sigma)),
    }),
  }
}

/** Median and spread of the logarithm for a mean and a standard deviation. */
export function lognormalLaw(mean: number, sd: number): { readonly median: number; readonly sigma: number } {
  const variance = Math.log(1 + (sd / mean) ** 2)
  return { median: mean / Math.exp(variance / 2), sigma: Math.sqrt(variance) }
}

/**
 * What an active router has gathered in a period it sends in the next, in messages of equal length and at equal intervals: "all
 * routers should spend the same time to transmit the indexing data as was used to accumulate it" (001 §V).
 */
export interface IndexSender {
  readonly gateway: number
  gather(bits: number): void
  /** Whether a message goes now; the period turns over when it is over. */
  takeMessage(now: number): boolean
  next(now: number): number
}

export function indexSenders({ active, overhead }: NetworkLoad, settings: NetworkSettings): IndexSender[] {
  return overhead === 0 ? [] : active.map((gateway) => senderOf(gateway, settings))
}

function senderOf(gateway: number, { indexBits, indexTicks }: NetworkSettings): IndexSender {
  let [gathered, left, gap, period] = [0, 0, indexTicks, 0]
  return {
    gateway,
    gather: (bits) => void (gathered += bits),
    takeMessage: (now) => {
      if (left > 0) {
        left--
        return true
      }
      if (now < (period + 1) * indexTicks) return false
      period = Math.floor(now / indexTicks)
      left = Math.floor(gathered / indexBits)
      // What makes no whole message waits for the next period.
      gathered -= left * indexBits
      gap = indexTicks / (left + 1)
      return false
    },
    next: (now) => (left > 0 ? now + gap : Math.max((period + 1) * indexTicks, now)),
  }
}
