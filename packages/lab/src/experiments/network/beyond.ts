/**
 * Beyond 001: the same comparison on networks that the paper did not run. How much of the result is the topology's, the
 * definition's, the size's? And what if some gateways only take part?
 */
import { crawlerCase, indexCase, runCase } from './scenarios.ts'
import type { CaseOutcome, CaseRuns } from './scenarios.ts'
import type { NetworkSettings } from './settings.ts'

export interface BeyondOutcome {
  readonly name: string
  readonly base: CaseOutcome
  readonly crawled: CaseOutcome
  readonly indexed: CaseOutcome
}

export type MixedOutcome = CaseOutcome

/** Rates near the peak: that of 40 % crawlers lies lower than that of none. */
const RATES = [0.4, 0.55, 0.65, 0.8, 0.9, 1] as const
/** Many slow gateways saturate sooner than few fast ones. */
const MIXED_RATES = [0.15, 0.2, 0.25, 0.35, 0.45, 0.55] as const
const ACTIVE_SHARES: readonly number[] = [0, 0.25, 0.5, 0.75, 1]
/** What today's answers are over those of the paper, on the mean: some 36 kB (a page of 2.5 MB in 70 answers). */
const TODAY = 3.6

interface BeyondHooks {
  /** The rate at which clients got most in the paper's own network. */
  readonly peakRate: number
  readonly onPart: (what: string) => void
}

export const beyondCount = 7

export function runBeyond(settings: NetworkSettings, { peakRate, onPart }: BeyondHooks): BeyondOutcome[] {
  return networks(settings).map(([name, changed]) => {
    onPart(name)
    const other = { ...settings, ...changed }
    const runs = runsOf(
      settings,
      peakRate * (changed.gateways === undefined ? 1 : changed.gateways / settings.gateways),
    )
    return {
      name,
      base: runCase(crawlerCase(0), other, runs),
      crawled: runCase(crawlerCase(settings.crawlerShares.at(-1)!), other, runs),
      indexed: runCase(indexCase(settings.overheads.at(-1)!), other, runs),
    }
  })
}

function networks(settings: NetworkSettings): (readonly [name: string, changed: Partial<NetworkSettings>])[] {
  const { gatewayRate, serverStubs, servers } = settings
  return [
    ['the paper’s', {}],
    ['share of crawlers in requests, not bits', { shareOf: settings.shareOf === 'bits' ? 'requests' : 'bits' }],
    [
      'slow servers, fast gateways',
      { serverRate: (gatewayRate * serverStubs) / servers, gatewayRate: gatewayRate * 4, siteRate: gatewayRate * 4 },
    ],
    ['crawlers’ pages as long as clients’', { crawlerLength: 1 }],
    ['twice the size', sized(settings, 2)],
    ['four times the size', sized(settings, 4)],
    ['today’s page sizes, links as much faster', today(settings)],
  ]
}

function sized(settings: NetworkSettings, times: number): Partial<NetworkSettings> {
  const keys = ['coreRouters', 'gateways', 'servers', 'clients', 'crawlers', 'serverStubs'] as const
  return Object.fromEntries(keys.map((key) => [key, settings[key] * times]))
}

/** Packets stay as long as they are, so a page is of more of them. */
function today(settings: NetworkSettings): Partial<NetworkSettings> {
  const keys = ['responseMean', 'responseSd', 'coreRate', 'gatewayRate', 'serverRate', 'siteRate'] as const
  return Object.fromEntries(keys.map((key) => [key, settings[key] * TODAY]))
}

/** Servers behind every gateway, of which a share indexes and the crawlers visit what lies behind the others. */
export function runMixed(settings: NetworkSettings, { peakRate, onPart }: BeyondHooks): MixedOutcome[] {
  const { gateways, serverStubs, gatewayRate, servers } = settings
  const stubs = Math.min(gateways, servers)
  const spread = { ...settings, serverStubs: stubs, gatewayRate: (gatewayRate * serverStubs) / stubs }
  onPart('mixed deployment')
  return ACTIVE_SHARES.map((activeShare) =>
    runCase(
      {
        name: `${activeShare * 100} % active`,
        crawlerShare: settings.crawlerShares.at(-1)!,
        overhead: settings.overheads.at(-1)!,
        activeShare,
      },
      spread,
      runsOf(settings, peakRate, MIXED_RATES),
    ),
  )
}

const runsOf = (
  { seeds, beyondSeeds }: NetworkSettings,
  peakRate: number,
  parts: readonly number[] = RATES,
): CaseRuns => ({
  rates: parts.map((part) => part * peakRate),
  seeds: seeds.slice(0, beyondSeeds),
})
