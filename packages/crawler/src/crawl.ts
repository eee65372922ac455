/**
 * Crawl: the loop. Lease a site, visit it, learn from what it said, make it durable, until nothing waits or a limit is
 * reached. Everything it may touch outside itself comes in through `World`.
 *
 * Stopping is polite: visits under way finish their request, what was fetched is stored, and the same call goes on later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalUrl, siteOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { Collection, FORGOTTEN_SEED, forgottenSites } from '@comity/collection'
import type { CollectionOptions } from '@comity/collection'
import { Frontier } from '@comity/frontier'
import type { Scope, SiteRow } from '@comity/frontier'
import { AddressBook } from './addresses.ts'
import type { Lookup } from './addresses.ts'
import { BatchWatch } from './batch-watch.ts'
import { Bell } from './bell.ts'
import { ByteBudget } from './byte-budget.ts'
import { ContentKeeper } from './content-keeper.ts'
import { earlierVisits } from './earlier-visits.ts'
import { seedInvalid } from './errors.ts'
import { siteGivenUp } from './events.ts'
import { GroupCommit } from './group-commit.ts'
import { LinkDesk } from './link-desk.ts'
import { budgetFor, crawlOptions, mannersFor, productTokenOf, requireContact } from './options.ts'
import type { CrawlOptions } from './options.ts'
import type { SiteOutcome } from './outcome.ts'
import { PageDesk } from './page-desk.ts'
import type { ReadingOptions } from './reading.ts'
import { ReadingPool } from './reading-pool.ts'
import { RobotsDesk } from './robots-desk.ts'
import { runScope } from './run-scope.ts'
import { SitemapDesk } from './sitemap-desk.ts'
import { summaryOf } from './summary.ts'
import type { CrawlSummary, SiteReport } from './summary.ts'
import { Tally } from './tally.ts'
import type { Totals } from './tally.ts'
import { trustOf } from './trust.ts'
import { unfinishedSites } from './unfinished-sites.ts'
import { visit } from './visit.ts'
import type { VisitParts } from './visit.ts'

/** All a crawl may touch outside itself, besides the network and its directory. */
export interface World {
  now(): Instant
  random(): number
  readonly lookup?: Lookup
}

export const realWorld: World = { now: () => Date.now(), random: () => Math.random() }

/** A look at a running crawl, for progress lines. */
export interface CrawlProgress {
  readonly totals: Totals
  readonly waiting: number
  readonly visits: number
  readonly sitesReady: number
  readonly sites: number
}

export interface CrawlCall {
  readonly into: string
  readonly options?: Partial<CrawlOptions>
  readonly world?: World
  /** Aborting stops politely. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CrawlProgress) => void
  readonly collection?: Partial<CollectionOptions>
}

/** Unread bytes and pages that may wait for the readers and the disk. Together they bound the memory of a crawl. */
const MAX_UNREAD_BYTES = 4 << 20
const MAX_UNCOMMITTED_PAGES = 1_000
const MAX_UNCOMMITTED_BYTES = 8 << 20
/** Pages told to the order together while others wait to be read. */
const MAX_LAG = 32
const PROGRESS_EVERY_MS = 500

export async function crawl(call: CrawlCall): Promise<CrawlSummary> {
  const world = call.world ?? realWorld
  const options = crawlOptions(call.options ?? {})
  const seeds = options.seeds.map((seed) => {
    const url = canonicalUrl(seed, undefined, options.urlRules)
    if (url === undefined) throw seedInvalid(seed)
    return url
  })
  requireContact({ ...options, seeds })
  await using collection = await Collection.open(call.into, world.now(), call.collection)
  await using run = new Run({ ...options, seeds }, world, collection)
  return await run.toEnd(call.signal, call.onProgress)
}

class Run implements AsyncDisposable {
  readonly #options: CrawlOptions
  readonly #world: World
  readonly #collection: Collection
  readonly #frontier: Frontier
  readonly #tally: Tally
  readonly #pool: ReadingPool
  readonly #commit: GroupCommit
  readonly #parts: VisitParts
  readonly #links: LinkDesk
  readonly #bell = new Bell()
  readonly #stopSignal = new AbortController()
  readonly #seeds: string[]
  /** Where start pages have moved to. */
  readonly #moved: string[]
  readonly #givenUp = new Map<number, SiteReport>()
  #scope: Scope
  readonly #batches: BatchWatch
  readonly #keeper: ContentKeeper | undefined
  #visits = 0
  #unsettled = 0
  #unsettledBytes = 0
  #error: Error | undefined
  #startedAt: Instant
  readonly #pagesBefore: number

  constructor(options: CrawlOptions, world: World, collection: Collection) {
    this.#options = options
    this.#world = world
    this.#collection = collection
    this.#startedAt = world.now()
    this.#seeds = [...new Set([...((collection.meta('seeds') as string[] | undefined) ?? []), ...options.seeds])]
    this.#moved = [...((collection.meta('moved') as string[] | undefined) ?? [])]
    this.#scope = this.#createScope()
    this.#tally = new Tally(collection.meta('totals') as Totals | undefined)
    this.#pagesBefore = this.#tally.totals.pages
    this.#frontier = this.#createFrontier()
    this.#batches = new BatchWatch(options.parallel)
    if (options.keep < Infinity) this.#keeper = new ContentKeeper(collection, this.#frontier, options.keep)
    this.#links = new LinkDesk(this.#frontier, (url, found) => this.#scope(url, found))
    this.#pool = new ReadingPool(readingOptions(options), options.threads, MAX_UNREAD_BYTES)
    this.#commit = new GroupCommit(collection, this.#frontier, options.commitEveryMs, {
      // The totals travel with every commit, so that limits hold across a kill; a copy, as counting goes on meanwhile.
      before: () => collection.putMeta('totals', structuredClone(this.#tally.totals)),
      onError: (error) => this.#fail(error),
    })
    this.#parts = this.#createParts()
  }

  async toEnd(signal?: AbortSignal, onProgress?: (progress: CrawlProgress) => void): Promise<CrawlSummary> {
    await this.#restore()
    const stop = (): void => this.#stop()
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) this.#stop()
    const ticker = setInterval(() => onProgress?.(this.#progress()), PROGRESS_EVERY_MS)
    try {
      await this.#loop()
      await this.#finish()
    } finally {
      clearInterval(ticker)
      signal?.removeEventListener('abort', stop)
    }
    if (this.#error !== undefined) throw this.#error
    onProgress?.(this.#progress())
    return summaryOf(this.#frontier, this.#tally.totals, this.#seeds, {
      collection: this.#collection.dir,
      seconds: (this.#world.now() - this.#startedAt) / 1000,
      interrupted: signal?.aborted ?? false,
      linksForgotten: this.#links.overflow,
      pagesBefore: this.#pagesBefore,
      givenUp: [...this.#givenUp.values()],
      batches: this.#batches.reports(this.#world.now()),
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]()
  }

  async #loop(): Promise<void> {
    while (!this.#stopSignal.signal.aborted) {
      const lease = this.#mayLease() ? this.#frontier.lease(this.#world.now()) : undefined
      if (lease !== undefined) {
        this.#batches.look(this.#frontier.batch, ++this.#visits, this.#world.now())
        void visit(lease, this.#parts)
          .catch((error: unknown) => this.#fail(error as Error))
          .finally(() => {
            this.#batches.look(this.#frontier.batch, --this.#visits, this.#world.now())
            this.#bell.ring()
          })
        continue
      }
      const idle = this.#visits === 0 && this.#unsettled === 0
      if (idle && this.#keeper?.isDue) {
        await this.#giveBack()
        continue
      }
      if (idle && (this.#isSpent() || this.#restsTooLong())) return
      await this.#bell.wait(this.#waitMs())
    }
  }

  #waitMs(): number {
    if (!this.#mayLease()) return 1_000
    return Math.max(1, Math.min(this.#frontier.wakesAt() - this.#world.now(), 60_000))
  }

  #restsTooLong(): boolean {
    return this.#frontier.wakesAt() - this.#world.now() > this.#options.patienceMs
  }

  /** One more visit may start: there is a place for it, and its page cannot be one too many. */
  #mayLease(): boolean {
    return this.#visits < this.#options.parallel && !this.#isSpent() && !this.#keeper?.isDue
  }

  #isSpent(): boolean {
    const { totals, goodVisits } = this.#tally
    const { bytes } = totals
    // The limit is the collection's size, so that a crawl that was cut short ends where it would have. A run that
    // visits pages again adds none: there it limits the visits.
    const pages = this.#options.revisitAfterMs < Infinity ? goodVisits : totals.pages
    if (bytes + this.#unsettledBytes >= this.#options.maxBytes) return true
    return pages + this.#frontier.count('leased') >= this.#options.maxPages
  }

  async #finish(): Promise<void> {
    while (this.#visits > 0 || this.#unsettled > 0) await this.#bell.wait(60_000)
    const latest = this.#world.now() + this.#options.patienceMs
    for (const [site, outcome, problem] of unfinishedSites(this.#frontier, latest)) {
      if (!this.#givenUp.has(site)) this.#name(site, outcome, problem)
    }
    // Also after an error of a hook's, say: what was fetched and learnt until then is as good as ever.
    await this.#commit.flush()
    if (this.#error === undefined) await this.#giveBack()
  }

  async #giveBack(): Promise<void> {
    await this.#commit.flush()
    await this.#keeper?.giveBack(this.#world.now())
  }

  #stop(): void {
    this.#stopSignal.abort()
    this.#bell.ring()
  }

  #fail(error: Error): void {
    this.#error ??= error
    this.#stop()
  }

  /** What the collection remembers, then what this call adds. */
  async #restore(): Promise<void> {
    const now = this.#world.now()
    const source = {
      journal: () => this.#collection.journal(),
      sites: () => this.#collection.sites<SiteRow>(),
      addresses: () => this.#collection.addresses(),
      visits: () => earlierVisits(this.#collection, this.#options.topic.words),
    }
    const superseded = this.#frontier.restore(source, now, this.#collection.wasClosed)
    if (superseded > 1_000_000 && superseded > 2 * this.#frontier.pages.count) {
      await this.#collection.replaceJournal(this.#frontier.snapshot())
    }
    const forgotten = forgottenSites(this.#collection)
    for (const [seed, url] of this.#seeds.entries()) {
      if (!url.startsWith(FORGOTTEN_SEED) && !forgotten.has(siteOf(url))) this.#frontier.offer(url, { depth: 0, seed })
    }
    this.#keeper?.restore()
    if (this.#options.revisitAfterMs < Infinity) this.#readmit(now - this.#options.revisitAfterMs)
    this.#collection.putMeta('seeds', this.#seeds)
    this.#collection.putMeta('topic', this.#options.topic.words.join(' '))
    await this.#commit.flush()
  }

  #readmit(before: Instant): void {
    for (const { key, value } of this.#collection.pages()) if (value.visitedAt <= before) this.#frontier.admit(key)
  }

  #progress(): CrawlProgress {
    return {
      totals: this.#tally.totals,
      waiting: this.#frontier.count('waiting'),
      visits: this.#visits,
      sitesReady: this.#frontier.readySites,
      sites: this.#frontier.sites.length,
    }
  }

  #createScope(): Scope {
    const seeds = [...this.#seeds, ...this.#moved].filter((url) => !url.startsWith(FORGOTTEN_SEED))
    return runScope(this.#options, seeds, forgottenSites(this.#collection), this.#startedAt)
  }

  #createFrontier(): Frontier {
    const options = this.#options
    return new Frontier({
      order: options.order,
      importance: {
        topic: options.topic.words,
        nearHot: options.nearHot,
        promote: options.promote,
        location: options.location,
      },
      lag: () => (this.#pool.unreadBytes > 0 ? MAX_LAG : 0),
      ...(options.batch < Infinity && { batch: { size: options.batch, spread: true } }),
      mannersOf: ({ origin, address }) => mannersFor(options, origin, address),
      budgetOf: (origin) => budgetFor(options, origin),
      maxTries: options.maxTries,
      random: () => this.#world.random(),
      gates: !options.ignoreRobots,
      textOf: (page) => this.#collection.text(page),
    })
  }

  #createParts(): VisitParts {
    const [options, world, collection, frontier, tally] = [
      this.#options,
      this.#world,
      this.#collection,
      this.#frontier,
      this.#tally,
    ]
    const scope: Scope = (url, found) => this.#scope(url, found)
    const now = (): Instant => world.now()
    const { lookup } = world
    const productToken = productTokenOf(options.userAgent)
    const { sitemaps, maxTries, allowPrivate, manners, limits } = options
    const links = this.#links
    const onSeedMoved = (url: string): void => this.#moveSeed(url)
    const onDeposit = (): void => this.#commit.add()
    const onContent = (page: number): void => this.#keeper?.add(page)
    const giveUp = (site: number, outcome: SiteOutcome, problem: string): void => this.#giveUp(site, outcome, problem)
    const retryMs = manners.backoffMs
    return {
      options,
      frontier,
      collection,
      tally,
      now,
      addresses: new AddressBook({ lookup, allowPrivate, now, timeoutMs: limits.connectTimeoutMs }),
      budget: new ByteBudget(options.bytesPerSecond),
      pool: this.#pool,
      robots: new RobotsDesk(frontier, collection, { productToken, sitemaps, maxTries, retryMs, giveUp }),
      sitemaps: new SitemapDesk(frontier, { scope, urlRules: options.urlRules, seedOf: this.#seedFinder() }),
      pages: new PageDesk({ frontier, collection, links, scope, tally, options, onSeedMoved, onContent, onDeposit }),
      trust: trustOf(options.ca),
      sleepUntil: (at) => this.#sleepUntil(at),
      room: () => this.#room(),
      isStopping: () => this.#stopSignal.signal.aborted,
      isSpent: () => this.#isSpent(),
      track: (settled, bytes) => this.#track(settled, bytes),
      learnt: () => this.#commit.soon(),
      giveUp,
    }
  }

  async #room(): Promise<void> {
    await this.#pool.room()
    await this.#commit.room(MAX_UNCOMMITTED_PAGES, MAX_UNCOMMITTED_BYTES)
  }

  /** A page is on its way through the readers; it counts as unsettled until its deposit is in. */
  #track(settled: Promise<void>, bytes: number): void {
    this.#unsettled++
    this.#unsettledBytes += bytes
    void settled
      .catch((error: unknown) => this.#fail(error as Error))
      .finally(() => {
        this.#unsettled--
        this.#unsettledBytes -= bytes
        this.#bell.ring()
      })
  }

  async #sleepUntil(at: Instant): Promise<void> {
    const { signal } = this.#stopSignal
    // A rejection only says that the crawl stops; whoever slept looks for itself.
    await sleep(Math.max(0, at - this.#world.now()), undefined, { signal }).catch(() => undefined)
  }

  #giveUp(site: number, outcome: SiteOutcome, problem: string): void {
    this.#frontier.giveUp(site)
    this.#name(site, outcome, problem)
  }

  /** The first reason is the cause; those after it are its consequences. */
  #name(site: number, outcome: SiteOutcome, problem: string): void {
    if (this.#givenUp.has(site)) return
    const { origin } = this.#frontier.sites[site] as { origin: string }
    this.#givenUp.set(site, { origin, outcome, problem })
    if (siteGivenUp.hasSubscribers) siteGivenUp.publish({ origin, outcome, problem })
  }

  /** A start page has moved: where it leads is what the user meant. Kept with the page that said so. */
  #moveSeed(url: string): void {
    if (this.#seeds.includes(url) || this.#moved.includes(url)) return
    this.#moved.push(url)
    this.#collection.putMeta('moved', [...this.#moved])
    this.#scope = this.#createScope()
  }

  /** Pages that a sitemap lists count for the start page on their site, or for the first of all. */
  #seedFinder(): (origin: string) => number {
    const bySite = new Map(this.#seeds.map((url, seed): [string, number] => [siteOf(url), seed]).toReversed())
    return (origin) => bySite.get(origin) ?? 0
  }
}

function readingOptions(options: CrawlOptions): ReadingOptions {
  const { userAgent, urlRules, maxDecodedBytes, kinds, gzipLevel, topic } = options
  return { productToken: productTokenOf(userAgent), urlRules, maxDecodedBytes, kinds, gzipLevel, topic }
}
