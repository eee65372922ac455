/**
 * DumpHandler: the first copy of a site from the site's own dump, or from its web archive (002 §6.2, "serve entire site in a
 * large file"): a few requests instead of one for each page. Each page in it is an answer of its own and goes the way of any answer, with the
 * source `dump`; its links are followed.
 *
 *   package ──whole──▶ every page: of this site, in scope, allowed, digest right ──▶ deposit
 *      │ cut: gone on with                                    │ not: it waits and is fetched like any other
 *      └─ failed, damaged: the pages wait likewise            └─ three in a hundred are fetched too, and compared
 *
 * Nothing is lost whatever a dump holds, as every page it names waits in the frontier first. Nor is it believed blindly: a
 * site that dumps other pages than it serves dumps no more for us, and what came from its dump is fetched again.
 */
import { canonicalUrl } from '@comity/protocol'
import type { Instant, ZipEntry } from '@comity/protocol'
import type { Frontier } from '@comity/frontier'
import type { CooperationStore, PackedEntry, DumpPlan, DumpTerms, Questions, Offer, Spent } from '@comity/follow'
import { DumpChecks } from './dump-checks.ts'
import {
  dumpLimits,
  dumpedHeaders,
  readDumpPackage,
  isSameOffer,
  MAX_PACKAGE_BYTES,
  answerOfSent,
} from '@comity/follow'
import type {
  DumpedPage,
  FaultAbout,
  FaultIsolation,
  PageHandler,
  PageTask,
  SettledVisit,
  ReadingPool,
} from '@comity/ingest'
import { FAULT } from '@comity/ingest'
import type { CrawlOptions } from '../options.ts'
import type { InFlightLimits } from '../run/in-flight-limits.ts'
import type { StartPages } from '../run/start-pages.ts'
import type { DumpReport, DumpTaking } from './dump-report.ts'
import { DumpScope } from './dump-scope.ts'
import { fetchPackage } from './package-fetch.ts'
import { FileUnreadable, RangedFile } from './ranged-file.ts'
import type { RobotsHandler } from '../fetch/robots-handler.ts'
import type { SitemapHandler } from '../fetch/sitemap-handler.ts'
import { planWacz, readWaczArchive } from './wacz-copy.ts'

interface DumpHandlerParts {
  readonly options: CrawlOptions
  readonly frontier: Frontier
  readonly store: CooperationStore
  readonly questions: Questions
  readonly robots: RobotsHandler
  readonly sitemaps: SitemapHandler
  readonly pages: PageHandler
  readonly pool: ReadingPool
  readonly faults: FaultIsolation
  readonly room: InFlightLimits
  readonly start: StartPages
  readonly now: () => Instant
  readonly random: () => number
  /** Pages that the limits of the crawl leave room for on a site. */
  readonly pagesLeft: (site: number) => number
}

/** A dump that was of no use is not asked for again for so long; doubles. */
const BROKEN_MS = 86_400_000
const MOST_BROKEN_MS = 30 * 86_400_000
const OUR_FAULT = 'a fault of ours while it was read'
const NOT_ALLOWED = 'robots.txt does not allow it'

export class DumpHandler {
  readonly #parts: DumpHandlerParts
  readonly #scope: DumpScope
  readonly #takings = new Map<number, DumpTaking>()
  readonly #busy = new Set<number>()
  readonly #checks: DumpChecks

  constructor(parts: DumpHandlerParts) {
    this.#parts = parts
    this.#scope = new DumpScope(parts)
    const { frontier, random } = parts
    this.#checks = new DumpChecks({
      random,
      visitAgain: (page) => frontier.revisit(page),
      onLie: (site) => this.#broken(site, 'it dumps other pages than it serves'),
    })
  }

  planTerms(site: number): DumpTerms {
    return {
      isWanted: (url, type) => this.#scope.wanted(site, url, type) !== undefined,
      room: this.#parts.pagesLeft(site),
      maxPackageBytes: MAX_PACKAGE_BYTES,
    }
  }

  /** Asks for what was planned, one package after the other. */
  take(site: number, { offer, packages, problem }: DumpPlan, asked: Spent): void {
    this.#takings.set(site, { offer, waiting: [...packages], packages: 0, pages: 0, ...asked, problem })
    for (const { urls } of packages) this.#offerAll(urls)
    this.#next(site)
  }

  /** The same from a web archive of the site's own. */
  takeArchive(site: number, offer: Offer, asked: Spent): void {
    const taking: DumpTaking = { offer, waiting: [], packages: 0, pages: 0, ...asked }
    const path = offer.url.slice(this.#originOf(site).length)
    const file = new RangedFile({ questions: this.#parts.questions, site, path })
    this.#takings.set(site, taking)
    if (!this.#scope.allows(site, offer.url)) return this.#broken(site, NOT_ALLOWED)
    this.#busy.add(site)
    // Whoever brought the last answer waits for it, and hears of what went wrong.
    this.#copyArchive(site, taking, file).then(
      () => file.close(),
      (error: unknown) => file.close(error),
    )
  }

  isBusy(site: number): boolean {
    return this.#busy.has(site)
  }

  mustBeWhole(page: number): boolean {
    return this.#checks.has(page)
  }

  settled(visit: SettledVisit): void {
    this.#checks.settled(visit)
  }

  get reports(): readonly DumpReport[] {
    return [...this.#takings].map(([site, { packages, pages, bytes, requests, problem }]) => {
      const { checked, different } = this.#checks.figuresOf(site)
      return { origin: this.#originOf(site), packages, pages, bytes, requests, checked, different, problem }
    })
  }

  /** Whatever becomes of the packages, now or when the crawl is cut short: these pages are known. */
  #offerAll(listed: readonly string[]): void {
    for (const told of listed) {
      const url = canonicalUrl(told, undefined, this.#parts.options.urlRules)
      if (url !== undefined) this.#parts.sitemaps.offer(url)
    }
  }

  async #copyArchive(site: number, taking: DumpTaking, file: RangedFile): Promise<void> {
    try {
      const { archives, urls, problem } = await planWacz(file, this.planTerms(site), this.#parts.pool)
      taking.problem = problem
      this.#offerAll(urls)
      for (const entry of archives) {
        if (this.#isStopping(site)) break
        await this.#takeArchived(site, taking, file, entry)
      }
    } catch (error) {
      const about = { key: `archive ${taking.offer.url}`, kind: 'delivered', from: taking.offer.url } as const
      const problem = error instanceof FileUnreadable ? error.message : OUR_FAULT
      if (problem === OUR_FAULT) this.#parts.faults.failed(about, error)
      this.#broken(site, `its archive: ${problem}`)
    } finally {
      taking.requests += file.spent.requests
      taking.bytes += file.spent.bytes
      this.#finish(site)
    }
  }

  async #takeArchived(site: number, taking: DumpTaking, file: RangedFile, entry: ZipEntry): Promise<void> {
    const { options, now, faults, pool } = this.#parts
    const terms = { now, faults, urlRules: options.urlRules, maxRecordBytes: options.maxDecodedBytes }
    taking.packages++
    for await (const page of readWaczArchive(file, entry, terms, pool)) {
      if (this.#isStopping(site)) return
      if (await this.#takePage(site, page, file.address)) taking.pages++
    }
  }

  #next(site: number): void {
    const taking = this.#takings.get(site)!
    const next = this.#isStopping(site) ? undefined : taking.waiting.shift()
    if (next !== undefined) return this.#fetch(site, taking, next.url)
    this.#finish(site)
  }

  #finish(site: number): void {
    this.#busy.delete(site)
    this.#checks.begin(site)
  }

  #fetch(site: number, taking: DumpTaking, url: string): void {
    const path = url.slice(this.#originOf(site).length)
    if (!this.#scope.allows(site, url)) {
      this.#broken(site, NOT_ALLOWED)
      return this.#next(site)
    }
    this.#busy.add(site)
    fetchPackage(this.#parts.questions, { site, path }, async (fetched, { requests, bytes }) => {
      taking.requests += requests
      taking.bytes += bytes
      if (fetched.kind === 'failed') this.#broken(site, `a package: ${fetched.problem}`)
      else {
        const about = { key: `package ${url}`, kind: 'delivered', from: url, body: fetched.bytes } as const
        await this.#apart(site, { ...about, holdsOthers: true }, () =>
          this.#takeIn(site, taking, url, fetched.bytes, fetched.address),
        )
      }
      this.#next(site)
    })
  }

  async #takeIn(site: number, taking: DumpTaking, url: string, bytes: Uint8Array, address: string): Promise<void> {
    const { options, pool } = this.#parts
    taking.packages++
    const limits = { ...dumpLimits, maxPageBytes: options.maxDecodedBytes }
    const isMissing = (page: PackedEntry): boolean => this.#scope.wanted(site, page.url, page.type) !== undefined
    const pages = readDumpPackage(bytes, url, isMissing, limits, undefined, pool)
    let step = await pages.next()
    for (; step.done !== true; step = await pages.next()) {
      if (this.#isStopping(site)) return void (await pages.return({ pages: 0, faults: 0 }))
      if (await this.#takePage(site, step.value, address)) taking.pages++
    }
    const { problem, faults } = step.value
    if (problem !== undefined) this.#broken(site, `a package: ${problem}`)
    else if (faults > 0) taking.problem ??= `${faults} of its pages are not what its manifest says`
  }

  async #apart(site: number, about: FaultAbout, work: () => Promise<void>): Promise<void> {
    if ((await this.#parts.faults.apart(about, work)) === FAULT) this.#broken(site, `a package: ${OUR_FAULT}`)
  }

  /** A page that we fail on waits, and is fetched like any other. */
  async #takePage(site: number, dumped: DumpedPage, address: string): Promise<boolean> {
    const { faults, frontier, options } = this.#parts
    const about = { key: `dumped ${dumped.url}`, kind: 'delivered', url: dumped.url, body: dumped.body } as const
    const came = await faults.apart({ ...about, from: this.#originOf(site) }, () => this.#take(site, dumped, address))
    if (came !== FAULT) return came
    const page = frontier.findUrl(canonicalUrl(dumped.url, undefined, options.urlRules) ?? '')
    if (page !== -1) frontier.settle(page, 'waiting')
    return false
  }

  async #take(site: number, dumped: DumpedPage, address: string): Promise<boolean> {
    const { frontier, pages, room, sitemaps, now } = this.#parts
    const url = this.#scope.wanted(site, dumped.url, dumped.type)
    if (url === undefined || sitemaps.offer(url) !== 1) return false
    await room.forPage()
    const page = frontier.findUrl(url)
    if (page === -1 || !frontier.takeOut(page)) return false
    const at = now()
    const answer = answerOfSent({ url, status: 200, headers: dumpedHeaders(dumped), body: dumped.body }, at)
    const task: PageTask = { kind: 'page', page, url, depth: frontier.pages.depthOf(page), tries: 0 }
    const as = dumped.headers === undefined ? 'resource' : 'answer'
    const origin = { how: 'dump', via: this.#originOf(site), as } as const
    const sent = { wireBytes: dumped.packedBytes, scheme: 'dump', source: 'dump' } as const
    await pages.ingest({ task, site, answer, address, origin, sent })
    this.#checks.took(site, page)
    return true
  }

  #isStopping(site: number): boolean {
    const { room } = this.#parts
    return room.isStopping || room.isEnough(site)
  }

  #broken(site: number, problem: string): void {
    const { store, now } = this.#parts
    const taking = this.#takings.get(site)
    const row = store.of(site).offers
    if (taking !== undefined) {
      taking.problem = problem
      taking.waiting.length = 0
    }
    if (row === undefined || taking === undefined) return
    const offers = row.offers.map((offer) => {
      if (!isSameOffer(offer, taking.offer)) return offer
      const restsUntil = now() + Math.min(MOST_BROKEN_MS, BROKEN_MS * 2 ** offer.failures)
      return { ...offer, failures: offer.failures + 1, problem, restsUntil }
    })
    store.note(site, { offers: { ...row, offers } })
  }

  #originOf(site: number): string {
    return this.#parts.frontier.sites[site]!.origin
  }
}
