/**
 * ChangeDumpHandler: pages that are due and said to have changed, out of a site's change dump (ResourceSync 1.1 §14; 002 §6.2).
 *
 *   due ──▶ plan (`bulk/change-dump-plan.ts` of follow) ──▶ one package after the other ──▶ each page: its digest right, and the version
 *                     │ nothing worth it                                     that was announced ──▶ taken in
 *                     └──────────────────────▶ whatever was not taken in is fetched otherwise ◀──┘ not
 *
 * A dump may be older than what the site says elsewhere, so a page counts as seen only in the version that its signal told
 * of, and only as of the moment when the list of packages was asked for: what changed since is news.
 */
import { canonicalUrl } from '@comity/protocol'
import type { Instant, UrlRules } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import {
  afterBulk,
  planChangeDump,
  dumpLimits,
  dumpedHeaders,
  isOutdated,
  readDumpPackage,
  SiteTalk,
} from '@comity/follow'
import type {
  ChangeDumpPlan,
  CooperationStore,
  Deliveries,
  DuePage,
  Estimate,
  PackedEntry,
  Questions,
  Offer,
  Spent,
} from '@comity/follow'
import { schemeOf } from './delivered-pages.ts'
import type { DeliveredPages } from './delivered-pages.ts'
import type { InFlightLimits } from '../run/in-flight-limits.ts'
import type { RevisitHandler } from '../watch/revisit-handler.ts'
import type { WatchFigures } from '../watch/watch-figures.ts'
import type { Documents, DumpedPage, FaultIsolation } from '@comity/ingest'
import { FAULT } from '@comity/ingest'
import { fetchPackage } from './package-fetch.ts'
import type { Fetched } from './package-fetch.ts'

interface ChangeDumpHandlerParts {
  readonly frontier: Frontier
  readonly collection: Collection
  readonly questions: Questions
  readonly faults: FaultIsolation
  readonly delivered: DeliveredPages
  readonly room: InFlightLimits
  readonly handler: RevisitHandler
  readonly store: CooperationStore
  readonly figures: WatchFigures
  readonly documents: Documents
  readonly urlRules: UrlRules
  readonly maxDecodedBytes: number
  readonly now: () => Instant
  readonly allows: (site: number, url: string) => boolean
  readonly costOf: (estimate: Estimate) => number
  /** Pages that did not come are to be fetched in another way. */
  readonly fetchOtherwise: (site: number, pages: readonly number[]) => void
  readonly onBroken: (site: number, problem: string) => void
}

/** Pages that are due at a site, and said to have changed. */
interface ChangedPages {
  readonly pages: ReadonlyMap<number, DuePage>
  /** When the oldest of our copies was made. */
  readonly since: Instant
  /** How they come otherwise. */
  readonly otherwise: Deliveries
}

interface Taking {
  readonly site: number
  readonly offer: Offer
  readonly startedAt: Instant
  /** Not here yet. */
  readonly open: Set<number>
  readonly waiting: string[]
  taken: number
  requests: number
  bytes: number
  /** When something was last heard. */
  heardAt: Instant
}

/** A question that was not answered after this time was lost with its site. */
const PATIENCE_MS = 600_000

export class ChangeDumpHandler {
  readonly #parts: ChangeDumpHandlerParts
  readonly #takings = new Map<number, Taking>()

  constructor(parts: ChangeDumpHandlerParts) {
    this.#parts = parts
  }

  /** One dump of a site is taken at a time. */
  isBusy(site: number): boolean {
    return this.#takings.has(site)
  }

  ask(site: number, offer: Offer, { pages, since, otherwise }: ChangedPages): void {
    const { now, questions, allows, costOf } = this.#parts
    const startedAt = now()
    const taking: Taking = {
      site,
      offer,
      startedAt,
      open: new Set(pages.keys()),
      waiting: [],
      taken: 0,
      requests: 0,
      bytes: 0,
      heardAt: startedAt,
    }
    this.#takings.set(site, taking)
    const origin = this.#originOf(site)
    const pageOf = (entry: PackedEntry): number | undefined => this.#pageOf(taking, entry)
    new SiteTalk<ChangeDumpPlan>({
      site,
      origin,
      inquiry: planChangeDump({ origin, offer, due: pages, pageOf, since, otherwise, costOf }),
      allows: (url) => allows(site, url),
      ask: (question) => {
        taking.heardAt = now()
        questions.ask(question)
      },
      ended: (plan, spent) => this.#planned(taking, plan, spent),
    }).begin()
  }

  giveUpWaiting(now: Instant): void {
    for (const taking of this.#takings.values()) if (now - taking.heardAt >= PATIENCE_MS) this.#end(taking)
  }

  #planned(taking: Taking, plan: ChangeDumpPlan | undefined, spent: Spent): void {
    if (this.#takings.get(taking.site) !== taking) return
    const problem = plan === undefined ? 'it was not answered to its end' : plan.problem
    taking.requests += spent.requests
    taking.bytes += spent.bytes
    taking.waiting.push(...(plan?.packages ?? []))
    if (problem !== undefined) this.#parts.onBroken(taking.site, problem)
    this.#next(taking)
  }

  #next(taking: Taking): void {
    const { questions, allows, now } = this.#parts
    const url = taking.open.size === 0 ? undefined : taking.waiting.shift()
    if (url === undefined) return this.#end(taking)
    if (!allows(taking.site, url)) return this.#next(taking)
    taking.heardAt = now()
    const path = url.slice(this.#originOf(taking.site).length)
    fetchPackage(questions, { site: taking.site, path }, (fetched, spent) => {
      if (this.#takings.get(taking.site) !== taking) return
      taking.requests += spent.requests
      taking.bytes += spent.bytes
      this.#parts.room.track(this.#fetched(taking, url, fetched), spent.bytes)
    })
  }

  async #fetched(taking: Taking, url: string, fetched: Fetched): Promise<void> {
    const problem = fetched.kind === 'failed' ? fetched.problem : await this.#takeIn(taking, url, fetched)
    if (problem !== undefined) {
      this.#parts.onBroken(taking.site, `a package: ${problem}`)
      taking.waiting.length = 0
    }
    this.#next(taking)
  }

  /** Returns what is wrong with the package, if anything is. */
  async #takeIn(taking: Taking, url: string, fetched: Fetched & { kind: 'whole' }): Promise<string | undefined> {
    const about = {
      key: `package ${url}`,
      kind: 'delivered',
      from: url,
      body: fetched.bytes,
      holdsOthers: true,
    } as const
    const came = await this.#parts.faults.apart(about, () => this.#takePages(taking, url, fetched))
    return came === FAULT ? 'a fault of ours while it was read' : came
  }

  async #takePages(taking: Taking, url: string, fetched: Fetched & { kind: 'whole' }): Promise<string | undefined> {
    const limits = { ...dumpLimits, maxPageBytes: this.#parts.maxDecodedBytes }
    const isWanted = (entry: PackedEntry): boolean => this.#pageOf(taking, entry) !== undefined
    const pages = readDumpPackage(fetched.bytes, url, isWanted, limits, undefined, this.#parts.documents)
    let step = await pages.next()
    for (; step.done !== true; step = await pages.next()) await this.#take(taking, step.value, fetched.address)
    return step.value.problem
  }

  async #take(taking: Taking, dumped: DumpedPage, address: string): Promise<void> {
    const url = canonicalUrl(dumped.url, undefined, this.#parts.urlRules)
    const page = url === undefined ? -1 : this.#parts.frontier.findUrl(url)
    if (url === undefined || !taking.open.delete(page)) return
    const { site, startedAt: at } = taking
    const sent = { url, status: 200, headers: dumpedHeaders(this.#withCharset(page, dumped)), body: dumped.body }
    const arrival = { site, way: 'change-dump', address, at, askedAt: at } as const
    if (await this.#parts.delivered.take(page, sent, arrival, dumped.packedBytes)) taking.taken++
    else taking.open.add(page)
  }

  /** Manifests have types without parameters; those of our copy most likely still hold. */
  #withCharset(page: number, dumped: DumpedPage): DumpedPage {
    const held = this.#parts.collection.page(page)?.type
    const isSame = dumped.type !== undefined && held?.split(';', 1)[0]?.trim().toLowerCase() === dumped.type
    return isSame ? { ...dumped, type: held } : dumped
  }

  /** The page that is still wanted and stands here as it was announced. */
  #pageOf({ site, open }: Taking, entry: PackedEntry): number | undefined {
    const { frontier, collection, urlRules, handler, now } = this.#parts
    const url = canonicalUrl(entry.url, undefined, urlRules)
    if (url === undefined || !url.startsWith(`${this.#originOf(site)}/`)) return undefined
    const page = frontier.findUrl(url)
    const isRight = open.has(page) && handler.isAsAnnounced(page, entry, now())
    return isRight && !isOutdated(entry, collection.page(page)) ? page : undefined
  }

  #end(taking: Taking): void {
    const { site, offer, open, taken, requests, bytes } = taking
    this.#takings.delete(site)
    if (taken > 0) this.#brought(site, offer, taken, { requests, bytes })
    if (open.size > 0) this.#parts.fetchOtherwise(site, [...open])
  }

  #brought(site: number, offer: Offer, news: number, spent: Spent): void {
    const { store, figures, now } = this.#parts
    const row = store.of(site).offers
    figures.looked(schemeOf('change-dump'), spent.bytes, spent.requests)
    if (row !== undefined) store.note(site, { offers: afterBulk(row, offer, { at: now(), news, spent }) })
  }

  #originOf(site: number): string {
    return this.#parts.frontier.sites[site]!.origin
  }
}
