/** From the settings of `comity crawl` to the options of a crawl. Pure, but for the lists and the hook that it is given. */
import { politeDefaults } from '@comity/frontier'
import type { Order } from '@comity/frontier'
import { crawlDefaults } from '@comity/crawler'
import type { CrawlerIdentity, CrawlOptions } from '@comity/crawler'
import { defaultUrlRules } from '@comity/protocol'
import { AS_IN_OPTIONS } from './flags.ts'
import type { CrawlSettings } from './flags.ts'
import type { HookModule } from '../terminal/hook-module.ts'
import { isMediaKind, isMediaType } from './media-kinds.ts'

/** What the settings name by a file. */
interface CrawlFiles {
  readonly seeds: readonly string[]
  readonly doNotCrawl: readonly string[]
  readonly order: Order
  /** How often words stand in some reference collection. */
  readonly wordCounts?: ReadonlyMap<string, number> | undefined
  /** Authorities to trust, in PEM. */
  readonly ca?: string | undefined
  readonly identity?: CrawlerIdentity | undefined
}

export function crawlOptionsOf(settings: CrawlSettings, files: CrawlFiles, hook: HookModule): Partial<CrawlOptions> {
  const { delay, pagesPerConnection, limits, proxy } = settings
  const { maxDecodedBytes, ...connectionLimits } = limits
  return {
    ...asTheyStand(settings),
    seeds: files.seeds.map(withScheme),
    order: hook.order ?? files.order,
    topic: {
      words: settings.topic,
      measure: settings.similarity,
      titleWeight: crawlDefaults.topic.titleWeight,
      idf: files.wordCounts ?? (settings.idf === 'crawled' ? 'crawled' : 'none'),
    },
    doNotCrawl: files.doNotCrawl.map(hostIn),
    kinds: settings.types.filter(isMediaKind),
    types: settings.types.filter(isMediaType),
    bytesPerSecond: settings.rate,
    politeness: { ...politeDefaults, ...(delay === undefined ? {} : { delayMs: delay }), pagesPerConnection },
    // Whoever names a delay means it for every host.
    privateDelayMs: delay ?? crawlDefaults.privateDelayMs,
    addressDelays: settings.addressDelay,
    siteBudget: { ...crawlDefaults.siteBudget, maxPages: settings.sitePages, maxBytes: settings.siteBytes },
    avoidSideEffects: !settings.programs,
    revisitAfterMs: settings.revisit,
    limits: connectionLimits,
    maxDecodedBytes,
    ...urlSettingsOf(settings),
    ...(proxy === undefined ? {} : { proxy }),
    ...(files.ca === undefined ? {} : { ca: files.ca }),
    ...(files.identity === undefined ? {} : { identity: files.identity }),
    patienceMs: settings.patience,
    hooks: hook.hooks,
  }
}

function asTheyStand(settings: CrawlSettings): Pick<CrawlSettings, (typeof AS_IN_OPTIONS)[number]> {
  return Object.fromEntries(AS_IN_OPTIONS.map((name) => [name, settings[name]])) as ReturnType<typeof asTheyStand>
}

/** Where nothing is said, a collection has its own rules, and a new one the usual. */
export function urlSettingsOf({
  urls,
  sites,
}: Pick<CrawlSettings, 'urls' | 'sites'>): Partial<Pick<CrawlOptions, 'urlRules' | 'sites'>> {
  return Object.keys(urls).length === 0 ? { sites } : { urlRules: { ...defaultUrlRules, ...urls }, sites }
}

/** `example.org/start` is what people type; browsers take it for a Web page too, a bare address for an old one. */
export function withScheme(seed: string): string {
  if (/^(?:localhost|\d+\.\d+\.\d+\.\d+)(?::\d+)?(?:[/?#]|$)/.test(seed)) return `http://${seed}`
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(seed) ? `https://${seed}` : seed
}

/** Lists of hosts often hold URLs. */
function hostIn(line: string): string {
  return (URL.parse(line)?.hostname || line).toLowerCase()
}
