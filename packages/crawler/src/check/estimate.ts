/**
 * Estimate: how large a crawl would be, from what sites say of themselves (000 §3.1): pages and bytes by media type, and
 * what has changed since a collection's last visit. No page is fetched.
 *
 *   robots.txt ──▶ what is offered ──▶ the list that says most ──▶ added up
 *
 * One site after the other, one connection each, a rest between requests, and nothing that robots.txt forbids.
 */
import { siteOf } from '@comity/protocol'
import { Collection } from '@comity/collection'
import { DocumentThread, ownDocuments } from '@comity/ingest'
import { NOTHING_TOLD, SiteEstimator } from './estimate-site.ts'
import type { EstimateParts } from './estimate-site.ts'
import { sumTypes, totalsOf } from './estimate-tally.ts'
import type { HeldEstimate, TypeEstimate } from './estimate-tally.ts'
import { crawlOptions, requireContact } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import type { CheckRequest } from './asker.ts'
import type { OfferKind, ChangeOfferKind, Spent } from '@comity/follow'
import { startUrls } from '../run/start-url.ts'
import { statedUrlRules } from '../run/stated-url-rules.ts'
import type { World } from '../world.ts'

export interface EstimateCall {
  readonly options: Partial<CrawlOptions>
  /** A collection to compare with; it is only read. */
  readonly into?: string | undefined
  /** Rest between two requests; a second for strangers, none at one's own address, unless given. */
  readonly pauseMs?: number | undefined
  /** Requests to one site. */
  readonly maxRequests?: number | undefined
  readonly world?: World | undefined
  readonly signal?: AbortSignal | undefined
  readonly onRequest?: ((request: CheckRequest) => void) | undefined
}

export interface SiteEstimate {
  readonly origin: string
  /** What it offers crawlers, whether it was asked or not. */
  readonly offers: readonly OfferKind[]
  /** What told; undefined when nothing did. */
  readonly listing?: ChangeOfferKind | undefined
  /** It names all there is, and not only what changed. */
  readonly isWhole: boolean
  readonly types: readonly TypeEstimate[]
  readonly pages: number
  readonly bytes: number
  /** Of the pages, those whose size nobody tells. */
  readonly unknownSize: number
  /** Undefined without a collection. */
  readonly held?: HeldEstimate | undefined
  readonly asked: Spent
  /** What is missing, or went wrong. */
  readonly problem?: string | undefined
}

export interface CheckEstimate {
  readonly sites: readonly SiteEstimate[]
  readonly types: readonly TypeEstimate[]
  readonly pages: number
  readonly bytes: number
  readonly unknownSize: number
  readonly asked: Spent
}

const MAX_HOPS = 5

/** Throws by name for what is no address, and for a user agent that names nobody. */
export async function estimateSites(call: EstimateCall): Promise<CheckEstimate> {
  const options = crawlOptions(call.options)
  const stated = statedUrlRules(call.options)
  await using collection = call.into === undefined ? undefined : Collection.openReadOnly(call.into)
  const urlRules = collection?.urlRules(stated) ?? stated ?? options.urlRules
  const seeds = startUrls(options.seeds, urlRules)
  requireContact({ ...options, seeds })
  await using thread = new DocumentThread()
  const documents = options.threads === 0 ? ownDocuments : thread
  const sites: SiteEstimate[] = []
  for (const origin of new Set(seeds.map(siteOf))) {
    call.signal?.throwIfAborted()
    sites.push(await estimateSite(origin, { call, options: { ...options, urlRules, seeds }, collection, documents }))
  }
  return summed(sites)
}

/** A site that has moved is estimated where it is now. */
async function estimateSite(first: string, parts: EstimateParts): Promise<SiteEstimate> {
  let origin = first
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const site = new SiteEstimator(origin, parts)
    try {
      const result = await site.run()
      if (typeof result !== 'string') return result
      origin = result
    } finally {
      await site.close()
    }
  }
  return { ...NOTHING_TOLD, origin: first, asked: { requests: MAX_HOPS, bytes: 0 }, problem: 'it leads on and on' }
}

function summed(sites: readonly SiteEstimate[]): CheckEstimate {
  const types = sumTypes(sites.map((site) => site.types))
  const requests = sites.reduce((sum, { asked }) => sum + asked.requests, 0)
  const bytes = sites.reduce((sum, { asked }) => sum + asked.bytes, 0)
  return { sites, types, ...totalsOf(types), asked: { requests, bytes } }
}
