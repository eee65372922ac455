/**
 * StartPages: what a crawl starts from, in this run and in those before it, and the scope that follows from it. A start
 * page that is added, or that has moved, widens the scope at once; both are stored with the next commit.
 */
import { siteOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { FACTS, FORGOTTEN_SEED_MARK, forgottenSites } from '@comity/collection'
import type { Collection } from '@comity/collection'
import { holdsForKnown } from '@comity/frontier'
import type { ScopeFacts, Frontier, ExclusionReason, Scope } from '@comity/frontier'
import type { CrawlOptions } from '../options.ts'
import { runScope } from './run-scope.ts'

export class StartPages {
  readonly #options: CrawlOptions
  readonly #collection: Collection
  readonly #startedAt: Instant
  readonly #forgotten: ReadonlySet<string>
  /** Canonical URLs, each with its number. */
  readonly #numbers = new Map<string, number>()
  /** The first start page of each site. */
  readonly #bySite = new Map<string, number>()
  /** Where start pages have moved to. */
  readonly #moved: Set<string>
  readonly #movedSites: Set<string>
  #scope: Scope
  readonly #everywhere: Scope
  /** Without a plug-in, which is asked once. */
  readonly #written: Scope

  constructor(options: CrawlOptions, collection: Collection, startedAt: Instant) {
    this.#options = options
    this.#collection = collection
    this.#startedAt = startedAt
    this.#forgotten = forgottenSites(collection)
    const before = collection.fact(FACTS.seeds) ?? []
    for (const url of [...before, ...options.seeds]) this.#enter(url)
    this.#moved = new Set(collection.fact(FACTS.moved))
    this.#movedSites = new Set([...this.#moved].map(siteOf))
    this.#scope = this.#createScope()
    this.#everywhere = runScope({ ...options, scope: 'any' }, [], this.#forgotten, startedAt)
    this.#written = runScope({ ...options, scope: 'any', hooks: {} }, [], this.#forgotten, startedAt)
  }

  get urls(): readonly string[] {
    return [...this.#numbers.keys()]
  }

  /** Why a URL is excluded, if it is. */
  reasonFor(url: string, found: ScopeFacts): ExclusionReason | undefined {
    return this.#scope(url, found)
  }

  /** The same for a page that needs no start page to lead there, as somebody read it. */
  reasonForRead(url: string): ExclusionReason | undefined {
    return this.#everywhere(url, { depth: 1, listed: true })
  }

  /**
   * Why a page that is known already is not to be asked for: an operator may have excluded it since it was found. Start pages are
   * named by somebody, and meant. What else keeps pages out was decided when they were found, by what was known of them then.
   */
  reasonSince(url: string): ExclusionReason | undefined {
    if (this.#numbers.has(url) || this.#moved.has(url)) return undefined
    const reason = this.#written(url, { depth: 1, listed: true })
    return reason !== undefined && holdsForKnown(reason) ? reason : undefined
  }

  /** Pages that a sitemap lists count for the start page on their site, or for the first of all. */
  ofSite(origin: string): number {
    return this.#bySite.get(origin) ?? 0
  }

  /** Whether it is a start page, or where one has moved to. */
  isStart(url: string): boolean {
    return this.#numbers.has(url) || this.#moved.has(url)
  }

  /** Whether a start page is on it, or has moved there. */
  isStartSite(origin: string): boolean {
    return this.#bySite.has(origin) || this.#movedSites.has(origin)
  }

  offerAll(frontier: Frontier): void {
    for (const [url, seed] of this.#numbers) {
      // What is at home in another shard is a start page there.
      const isHere = !this.#forgotten.has(siteOf(url)) && frontier.elsewhere?.of(siteOf(url)) === undefined
      if (!url.startsWith(FORGOTTEN_SEED_MARK) && isHere) frontier.offer(url, { depth: 0, seed })
    }
    this.#collection.putFact(FACTS.seeds, this.urls)
  }

  /** More of them, canonical. Returns those that were no start pages before; all are offered in any case. */
  add(urls: readonly string[], frontier: Frontier): ReadonlySet<string> {
    const fresh = new Set(urls.filter((url) => !this.#numbers.has(url)))
    for (const url of fresh) this.#enter(url)
    if (fresh.size > 0) {
      this.#collection.putFact(FACTS.seeds, this.urls)
      this.#scope = this.#createScope()
    }
    for (const url of urls) {
      if (frontier.elsewhere?.of(siteOf(url)) !== undefined) continue
      frontier.offer(url, { depth: 0, seed: this.#numbers.get(url) as number })
    }
    return fresh
  }

  /** A start page has moved: where it leads is what the user meant. Kept with the page that said so. */
  move(url: string): void {
    if (this.#numbers.has(url) || this.#moved.has(url)) return
    this.#moved.add(url)
    this.#movedSites.add(siteOf(url))
    this.#collection.putFact(FACTS.moved, [...this.#moved])
    this.#scope = this.#createScope()
  }

  #enter(url: string): void {
    if (this.#numbers.has(url)) return
    const seed = this.#numbers.size
    this.#numbers.set(url, seed)
    const site = siteOf(url)
    if (!this.#bySite.has(site)) this.#bySite.set(site, seed)
  }

  #createScope(): Scope {
    const reached = [...this.#numbers.keys(), ...this.#moved].filter((url) => !url.startsWith(FORGOTTEN_SEED_MARK))
    return runScope(this.#options, reached, this.#forgotten, this.#startedAt)
  }
}
