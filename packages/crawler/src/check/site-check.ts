/**
 * Site check: what a crawler sees of a site: what robots.txt lets it read, whether pages need not be sent twice, what the site
 * offers to tell of its changes and whether that is true, and what each costs. Few requests, one after the other, none that
 * robots.txt forbids.
 *
 *   robots.txt ──▶ start page ──▶ what is offered ──▶ each offer ──▶ some pages, asked for twice ──▶ findings
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  decodeText,
  defaultUrlRules,
  headerOf,
  isAllowedInEverySpelling,
  linkTargets,
  mediaKindOf,
  readHtml,
  RESOURCESYNC_REL,
  robotsVerdict,
} from '@comity/protocol'
import type { HtmlPage, Instant, Robots, RobotsVerdict } from '@comity/protocol'
import { AddressCache } from '../fetch/addresses.ts'
import type { Lookup } from '../fetch/addresses.ts'
import type { CrawlerIdentity } from '../fetch/crawler-identity.ts'
import type { AnsweredExchange } from '@comity/ingest'
import { locationOf } from '@comity/ingest'
import type { BrokenDocument, Offer, ReportedPage } from '@comity/follow'
import { crawlOptions, productTokenOf, requireContact } from '../options.ts'
import { newOffer, searchOffers } from '@comity/follow'
import { isPrivateAddress } from '../fetch/private-address.ts'
import type { AllowPrivate } from '../fetch/private-address.ts'
import { Asker, statusOf } from './asker.ts'
import type { CheckRequest } from './asker.ts'
import { findingsOf } from './findings.ts'
import type { Finding } from './findings.ts'
import { checkOffer } from './offer.ts'
import type { OfferFacts } from './offer.ts'
import { checkPush } from './pushing.ts'
import { checkPage, plainBody } from './page.ts'
import type { CheckedPageFacts } from './page.ts'
import { startUrl } from '../run/start-url.ts'
import { trustOf } from '../fetch/trust.ts'

export interface SiteCheckOptions {
  readonly userAgent?: string | undefined
  /** Proves to the site who asks. */
  readonly identity?: CrawlerIdentity | undefined
  readonly allowPrivate?: AllowPrivate | undefined
  /** Rest between two requests; a second for strangers, none at one's own address, unless given. */
  readonly pauseMs?: number | undefined
  readonly maxRequests?: number | undefined
  /** Pages that are looked at. */
  readonly pages?: number | undefined
  readonly ca?: string | undefined
  readonly lookup?: Lookup | undefined
  readonly now?: (() => Instant) | undefined
  readonly onRequest?: ((request: CheckRequest) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface SiteCheck {
  /** Where the given address led. */
  readonly url: string
  readonly checkedAt: Instant
  readonly robots: {
    readonly state: RobotsVerdict['state']
    readonly reason: string
    readonly isAllowed: boolean
    readonly crawlDelaySeconds?: number | undefined
  }
  /** Undefined when the start page could not be had, with the reason. */
  readonly start: { readonly status: number; readonly problem?: string | undefined }
  readonly pages: readonly CheckedPageFacts[]
  readonly offers: readonly OfferFacts[]
  /** Documents that were to lead to offers, and do not. */
  readonly broken: readonly BrokenDocument[]
  /** Origins of documents that robots.txt names and that are not the site's own. */
  readonly elsewhere: readonly string[]
  /** Pages whose digest in a list is that of the page, and those where it is not. */
  readonly digests: { readonly right: number; readonly wrong: readonly string[] }
  readonly findings: readonly Finding[]
  readonly requests: readonly CheckRequest[]
  readonly bytes: number
  /** Why the check broke off. */
  readonly stopped?: string | undefined
}

const PAUSE_MS = 1_000
const MAX_REQUESTS = 60
const MAX_HOPS = 5

/** Throws by name for what is no address, and for a user agent that names nobody. */
export async function checkSite(address: string, options: SiteCheckOptions = {}): Promise<SiteCheck> {
  // Looked at as a start page for its complaints, and asked for as it was written.
  startUrl(address, defaultUrlRules)
  let url = new URL(address).href
  const requests: CheckRequest[] = []
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    const checked = await checkOrigin(url, options, requests)
    if (typeof checked !== 'string') return checked
    url = checked
  }
  return new OriginCheck(url, options, requests).result({ status: 0, problem: 'it leads on and on' })
}

/** Where the start page leads to, when that is another origin. */
async function checkOrigin(
  url: string,
  options: SiteCheckOptions,
  requests: CheckRequest[],
): Promise<SiteCheck | string> {
  const check = new OriginCheck(url, options, requests)
  try {
    return await check.run()
  } finally {
    await check.close()
  }
}

class OriginCheck {
  #url: string
  readonly #options: SiteCheckOptions
  readonly #requests: CheckRequest[]
  readonly #asker: Asker
  readonly #token: string
  #verdict: RobotsVerdict = robotsVerdict({ kind: 'failed', reason: 'it was not asked for' })
  readonly #pages: CheckedPageFacts[] = []
  readonly #offers: OfferFacts[] = []
  #broken: readonly BrokenDocument[] = []
  readonly #told = new Map<string, ReportedPage>()
  readonly #earlier = new Map<string, string>()

  constructor(url: string, options: SiteCheckOptions, requests: CheckRequest[]) {
    const { userAgent, identity, allowPrivate = false, ca, lookup, now = Date.now, onRequest, signal } = options
    const named = userAgent === undefined ? {} : { userAgent }
    const crawl = crawlOptions({ seeds: [url], allowPrivate, identity, ...named })
    requireContact(crawl)
    this.#url = url
    this.#options = options
    this.#requests = requests
    this.#token = productTokenOf(crawl.userAgent)
    const { origin, hostname } = new URL(url)
    const isOwn = hostname === 'localhost' || isPrivateAddress(hostname.replace(/^\[|\]$/g, ''))
    this.#asker = new Asker({
      origin,
      crawl,
      addresses: new AddressCache({ lookup, allowPrivate, now }),
      trust: trustOf(ca),
      now,
      sleep: async (ms) => await sleep(ms, undefined, signal === undefined ? {} : { signal }),
      maxRequests: (options.maxRequests ?? MAX_REQUESTS) - requests.length,
      pauseMs: options.pauseMs ?? (isOwn ? 0 : PAUSE_MS),
      onRequest: (request) => {
        signal?.throwIfAborted()
        requests.push(request)
        onRequest?.(request)
      },
    })
  }

  async close(): Promise<void> {
    await this.#asker.close()
  }

  async run(): Promise<SiteCheck | string> {
    const { origin } = this.#asker
    this.#verdict = await this.#askRobots()
    this.#asker.restAtLeast((this.#verdict.robots.rulesFor(this.#token).crawlDelaySeconds ?? 0) * 1_000)
    for (let hop = 0; hop <= MAX_HOPS; hop++) {
      if (!this.#allows(this.#url)) return this.result({ status: 0, problem: 'robots.txt does not let us ask for it' })
      const exchange = await this.#asker.ask(this.#url)
      if (exchange?.kind !== 'answered')
        return this.result({ status: 0, problem: exchange?.message ?? this.#asker.stopped ?? 'no answer' })
      const status = statusOf(exchange)
      const target =
        status >= 300 && status < 400 ? locationOf(exchange.head.headers, this.#url, defaultUrlRules) : undefined
      if (target === undefined) {
        await this.#askOffers(exchange, origin)
        await this.#askPages(exchange)
        return this.result({ status })
      }
      if (new URL(target).origin !== origin) return target
      this.#url = target
    }
    return this.result({ status: 0, problem: 'it leads on and on' })
  }

  async #askRobots(): Promise<RobotsVerdict> {
    let url = `${this.#asker.origin}/robots.txt`
    for (let hop = 0; hop <= MAX_HOPS; hop++) {
      const exchange = await this.#asker.ask(url)
      if (exchange?.kind !== 'answered')
        return robotsVerdict({ kind: 'failed', reason: exchange?.message ?? 'it was not asked for' })
      const status = statusOf(exchange)
      const target = status >= 300 && status < 400 ? locationOf(exchange.head.headers, url, defaultUrlRules) : undefined
      // Another host's robots.txt would be another connection; a crawl follows there, a check says that it leads there.
      if (target === undefined || new URL(target).origin !== this.#asker.origin)
        return robotsVerdict({ kind: 'answered', status, body: plainBody(exchange) ?? '' })
      url = target
    }
    return robotsVerdict({ kind: 'answered', status: 310, body: '' })
  }

  async #askOffers(answer: AnsweredExchange, origin: string): Promise<void> {
    const { robots } = this.#verdict
    const capabilityLists = linkTargets(answer.head.headers, RESOURCESYNC_REL, this.#url)
    const allows = (url: string): boolean => this.#allows(url)
    const feeds = this.#feedsIn(answer)
    const { result } = await this.#asker.inquire(searchOffers({ origin, robots, capabilityLists, feeds, allows }))
    this.#broken = result?.broken ?? []
    // Pages are asked for by name once some are known.
    const waiting = (result?.offers ?? []).toSorted((a, b) => Number(a.kind === 'batch') - Number(b.kind === 'batch'))
    for (let offer = waiting.shift(); offer !== undefined; offer = waiting.shift()) {
      const found = await this.#askOffer(offer)
      if (found.length > 0) waiting.unshift({ ...newOffer('feed', found[0]!), also: found.slice(1) })
    }
    if (result?.push !== undefined) this.#offers.push(await checkPush(this.#asker, result.push, allows))
  }

  /** Gives documents that turned out to be feeds. */
  async #askOffer(offer: Offer): Promise<readonly string[]> {
    const { kind, url } = offer
    if (!this.#allows(url)) {
      this.#offers.push({ kind, url, requests: 0, bytes: 0, isForbidden: true })
      return []
    }
    const known = this.#sample(2)
    const {
      facts,
      told,
      earlier,
      feeds = [],
    } = await checkOffer(this.#asker, offer, this.#verdict.robots, known.length > 0 ? known : [this.#url])
    if (facts !== undefined) this.#offers.push(facts)
    for (const [page, digest] of earlier) this.#earlier.set(page, digest)
    // Of a list of changes that was not read to its end the rest may tell of the same page once more.
    const isOutdated = kind === 'change-list' && facts?.isCut === true
    this.#learn(isOutdated ? told.map((one) => ({ ...one, digest: undefined })) : told)
    return feeds
  }

  #learn(told: readonly ReportedPage[]): void {
    for (const one of told) {
      const known = this.#told.get(one.url)
      const isBetter = one.digest !== undefined ? !isBefore(one, known) : known?.digest === undefined
      if (one.change === 'deleted') this.#told.delete(one.url)
      else if (isBetter) this.#told.set(one.url, one)
    }
  }

  async #askPages(answer: AnsweredExchange): Promise<void> {
    const wanted = this.#options.pages ?? 3
    const linked = this.#linksIn(answer)
    const listed = this.#sample(wanted)
    const sample = [...new Set([this.#url, ...listed, ...linked])].filter((url) => this.#allows(url)).slice(0, wanted)
    for (const [i, url] of sample.entries()) {
      const first = i === 0 ? { answer } : {}
      const facts = await checkPage(this.#asker, {
        url,
        isThorough: i === 0,
        earlierDigest: this.#earlier.get(url),
        ...first,
      })
      if (facts !== undefined) this.#pages.push(facts)
    }
  }

  /** Pages that were told of, from all over the list; those with an earlier version first. */
  #sample(count: number): readonly string[] {
    const pages = [...this.#told.values()].filter(
      ({ url, type }) => mediaKindOf(type, url) === 'page' && this.#allows(url),
    )
    const step = Math.max(1, Math.floor(pages.length / count))
    const spread = pages.filter((_, i) => i % step === 0).map(({ url }) => url)
    const earlier = [...this.#earlier.keys()].filter((url) => this.#told.has(url) && this.#allows(url))
    return [...new Set([...earlier.slice(0, 1), ...spread])].slice(0, count)
  }

  #linksIn(exchange: AnsweredExchange): readonly string[] {
    const { links = [], base } = this.#read(exchange) ?? {}
    return links.flatMap(({ href, kind }) => {
      const target = kind === 'page' ? this.#resolved(href, base) : null
      if (target === null || target.origin !== this.#asker.origin || target.search !== '') return []
      target.hash = ''
      return [target.href]
    })
  }

  #feedsIn(exchange: AnsweredExchange): readonly string[] {
    const { feeds = [], base } = this.#read(exchange) ?? {}
    return feeds.flatMap((href) => this.#resolved(href, base)?.href ?? [])
  }

  #resolved(href: string, base: string | undefined): URL | null {
    return URL.parse(href, URL.parse(base ?? '', this.#url)?.href ?? this.#url)
  }

  /** Undefined for what is no HTML. */
  #read(exchange: AnsweredExchange): HtmlPage | undefined {
    const body = plainBody(exchange)
    const type = headerOf(exchange.head.headers, 'content-type')
    return body === undefined || mediaKindOf(type, this.#url) !== 'page'
      ? undefined
      : readHtml(decodeText(body, type).text)
  }

  #allows(url: string): boolean {
    return isAllowedInEverySpelling(this.#verdict.robots.rulesFor(this.#token), url).allowed
  }

  result(start: SiteCheck['start']): SiteCheck {
    const { state, reason, robots } = this.#verdict
    const { crawlDelaySeconds } = robots.rulesFor(this.#token)
    const facts = {
      url: this.#url,
      checkedAt: (this.#options.now ?? Date.now)(),
      robots: { state, reason, isAllowed: this.#allows(this.#url), crawlDelaySeconds },
      start,
      pages: this.#pages,
      offers: this.#offers,
      broken: this.#broken,
      elsewhere: elsewhereIn(robots, this.#asker.origin),
      digests: this.#digests(),
      requests: this.#requests,
      bytes: this.#requests.reduce((sum, { bytes }) => sum + bytes, 0),
      stopped: this.#asker.stopped,
    }
    return { ...facts, findings: findingsOf(facts) }
  }

  #digests(): SiteCheck['digests'] {
    let right = 0
    const wrong: string[] = []
    for (const { url, digest } of this.#pages) {
      const told = this.#told.get(url)?.digest
      if (told === undefined || digest === undefined) continue
      if (told === digest) right++
      else wrong.push(url)
    }
    return { right, wrong }
  }
}

function elsewhereIn({ sitemaps, metadata }: Robots, origin: string): readonly string[] {
  const origins = [...sitemaps, ...metadata].flatMap((line) => URL.parse(line, `${origin}/`)?.origin ?? [])
  return [...new Set(origins.filter((one) => one !== origin))]
}

/** Lists are read in any order, and the newest word counts. */
function isBefore(one: ReportedPage, other: ReportedPage | undefined): boolean {
  return other?.digest !== undefined && dateOf(one) < dateOf(other)
}

const dateOf = ({ modifiedAt, changedAt }: ReportedPage): number => modifiedAt ?? changedAt ?? -Infinity
