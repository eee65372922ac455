/**
 * SiteEstimator: one site asked for what it says of its files: robots.txt, what it offers, then the list that says most. One
 * connection, a rest between requests, and nothing that robots.txt forbids.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalUrl, isAllowedInEverySpelling, robotsVerdict, siteOf } from '@comity/protocol'
import type { Instant, RobotsVerdict } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Scope } from '@comity/frontier'
import { AddressCache } from '../fetch/addresses.ts'
import { OFFER_POLLS, NO_REQUEST, OfferMemory, searchOffers, WHOLE_LISTINGS } from '@comity/follow'
import type { Inquiry, ReportedPage, Offer, OfferKind, ChangeOfferKind, Spent } from '@comity/follow'
import type { Documents } from '@comity/ingest'
import type { EstimateCall, SiteEstimate } from './estimate.ts'
import { EstimateTally, totalsOf } from './estimate-tally.ts'
import type { HeldRow } from './estimate-tally.ts'
import { locationOf } from '@comity/ingest'
import { productTokenOf } from '../options.ts'
import type { CrawlOptions } from '../options.ts'
import { isPrivateAddress } from '../fetch/private-address.ts'
import { robotsWork, rulesIn } from '../fetch/robots-handler.ts'
import { runScope } from '../run/run-scope.ts'
import { Asker, statusOf } from './asker.ts'
import { overrideFor } from '../fetch/site-override.ts'
import { trustOf } from '../fetch/trust.ts'
import { realWorld } from '../world.ts'

export interface EstimateParts {
  readonly call: EstimateCall
  readonly options: CrawlOptions
  readonly collection: Collection | undefined
  /** Who reads what the site answers. */
  readonly documents: Documents
}

const PAUSE_MS = 1_000
const MAX_REQUESTS = 500
const MAX_HOPS = 5
/** Of a site that told nothing. */
export const NOTHING_TOLD = { offers: [], isWhole: false, types: [], pages: 0, bytes: 0, unknownSize: 0 } as const

export class SiteEstimator {
  readonly #origin: string
  readonly #parts: EstimateParts
  readonly #asker: Asker
  readonly #token: string
  readonly #scope: Scope
  #verdict: RobotsVerdict = robotsVerdict({ kind: 'failed', reason: 'it was not asked for' })

  constructor(origin: string, parts: EstimateParts) {
    this.#origin = origin
    this.#parts = parts
    const { options, call, documents } = parts
    const world = call.world ?? realWorld
    const { lookup } = world
    const now = (): Instant => world.now()
    // Where the site has moved to is what its start page meant.
    this.#scope = runScope(options, [...options.seeds, `${origin}/`], new Set(), now())
    this.#token = productTokenOf(options.userAgent)
    const host = new URL(origin).hostname
    const isOwn = host === 'localhost' || isPrivateAddress(host.replace(/^\[|\]$/g, ''))
    const { proxy = options.proxy, insecureTls = options.insecureTls } = overrideFor(options.sites, origin) ?? {}
    const { signal } = call
    this.#asker = new Asker({
      origin,
      crawl: { ...options, proxy, insecureTls },
      addresses: new AddressCache({ lookup, allowPrivate: options.allowPrivate, now }),
      trust: trustOf(options.ca),
      documents,
      now,
      sleep: async (ms) => await sleep(ms, undefined, signal === undefined ? {} : { signal }),
      maxRequests: call.maxRequests ?? MAX_REQUESTS,
      pauseMs: call.pauseMs ?? (isOwn ? 0 : PAUSE_MS),
      onRequest: (request) => {
        signal?.throwIfAborted()
        call.onRequest?.(request)
      },
    })
  }

  async close(): Promise<void> {
    await this.#asker.close()
  }

  /** Another origin when the site has moved there. */
  async run(): Promise<SiteEstimate | string> {
    const moved = await this.#askRobots()
    if (moved !== undefined) return moved
    const { state, reason, robots } = this.#verdict
    if (state === 'unreachable') return this.#without([], `robots.txt is unreachable: ${reason}`)
    this.#asker.restAtLeast((robots.rulesFor(this.#token).crawlDelaySeconds ?? 0) * 1_000)
    const allows = (url: string): boolean => this.#allows(url)
    const search = searchOffers({ origin: this.#origin, robots, capabilityLists: [], allows })
    const { result } = await this.#asker.inquire(search)
    return await this.#ask(result?.offers ?? [])
  }

  /** Lists of everything first; a change list can at least say what has changed. */
  async #ask(offers: readonly Offer[]): Promise<SiteEstimate> {
    const kinds = offers.map(({ kind }) => kind)
    let problem: string | undefined
    for (const kind of [...WHOLE_LISTINGS, 'change-list'] as const) {
      for (const offer of offers.filter((one) => one.kind === kind)) {
        const isWhole = kind !== 'change-list'
        const tally = new EstimateTally(isWhole, this.#held())
        const { robots } = this.#verdict
        const tell = (told: ReportedPage): void => this.#count(tally, told)
        const memory = new OfferMemory()
        const talk = OFFER_POLLS[kind]({ origin: this.#origin, offer, memory, robots, tell, keep: () => undefined })
        const { result } = await this.#asker.inquire(this.#allowed(talk))
        problem = result === undefined ? this.#asker.stopped : result.problem
        if (result !== undefined && problem === undefined) return this.#told(kinds, kind, isWhole, tally)
        problem = `${kind}: ${problem ?? 'it was not answered to its end'}`
      }
    }
    return this.#without(
      kinds,
      problem ?? 'it offers no list of its pages: no sitemap, archives, change list or filter',
    )
  }

  #count(tally: EstimateTally, told: ReportedPage): void {
    const { options } = this.#parts
    const url = canonicalUrl(told.url, undefined, options.urlRules)
    if (url === undefined || siteOf(url) !== this.#origin || !this.#allows(url)) return
    if (this.#scope(url, { depth: 1, listed: true }) === undefined) tally.add(url, told)
  }

  /** Pages of this site with their content held, by URL. */
  #held(): ReadonlyMap<string, HeldRow> | undefined {
    const { collection } = this.#parts
    if (collection === undefined) return undefined
    const site = collection.findSite(this.#origin)
    const held = new Map<string, HeldRow>()
    for (const { key, value } of collection.pages()) {
      const url = value.site === site && value.body !== undefined ? collection.url(key) : undefined
      if (url !== undefined) held.set(url, value)
    }
    return held
  }

  *#allowed<Result>(inquiry: Inquiry<Result>): Inquiry<Result> {
    let step = inquiry.next()
    while (step.done !== true) {
      if (step.value === NO_REQUEST) {
        step = inquiry.next(yield NO_REQUEST)
        continue
      }
      const isFine = step.value.url.startsWith(`${this.#origin}/`) && this.#allows(step.value.url)
      const refusal = { kind: 'absent', status: 0, problem: 'robots.txt does not allow it' } as const
      step = inquiry.next(isFine ? yield step.value : refusal)
    }
    return step.value
  }

  async #askRobots(): Promise<string | undefined> {
    const { options } = this.#parts
    let url = `${this.#origin}/robots.txt`
    for (let hop = 0; hop <= MAX_HOPS; hop++) {
      const exchange = await this.#asker.ask(url)
      if (exchange?.kind !== 'answered') {
        this.#verdict = robotsVerdict({ kind: 'failed', reason: exchange?.message ?? 'it was not asked for' })
        return undefined
      }
      const status = statusOf(exchange)
      const target =
        status >= 300 && status < 400 ? locationOf(exchange.head.headers, url, options.urlRules) : undefined
      if (target !== undefined && new URL(target).origin !== this.#origin) return new URL(target).origin
      if (target === undefined) {
        const work = robotsWork(exchange, this.#token)
        const read = work === undefined ? undefined : await this.#parts.documents.work('rules', work)
        this.#verdict = robotsVerdict(rulesIn(exchange, read))
        return undefined
      }
      url = target
    }
    return undefined
  }

  #allows(url: string): boolean {
    if (this.#parts.options.ignoreRobots) return true
    return isAllowedInEverySpelling(this.#verdict.robots.rulesFor(this.#token), url).allowed
  }

  #told(offers: readonly OfferKind[], listing: ChangeOfferKind, isWhole: boolean, tally: EstimateTally): SiteEstimate {
    const { types, held, isCut } = tally
    const problem = isCut ? 'it lists more than is counted here' : undefined
    return {
      origin: this.#origin,
      offers,
      listing,
      isWhole,
      types,
      ...totalsOf(types),
      held,
      asked: this.#spent(),
      problem,
    }
  }

  #without(offers: readonly OfferKind[], problem: string): SiteEstimate {
    return { ...NOTHING_TOLD, origin: this.#origin, offers, asked: this.#spent(), problem }
  }

  #spent(): Spent {
    return { requests: this.#asker.requests, bytes: this.#asker.bytes }
  }
}
