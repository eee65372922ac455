/**
 * RunIntake: sites that push, as far as a run that keeps a collection fresh has to do with them: what they sent is taken in
 * (`push/intake-handler.ts`), those worth hearing are subscribed to (`push/subscription-handler.ts`), and the receiver gets its proofs fetched.
 */
import type { Instant } from '@comity/protocol'
import { forgottenSites, inboxCursor } from '@comity/collection'
import type { Collection, Subscription } from '@comity/collection'
import type { Frontier } from '@comity/frontier'
import { PushStore, SitePriority } from '@comity/follow'
import { PushCounters } from './push-counters.ts'
import type { PushFigures, CooperationStore, Questions } from '@comity/follow'
import type { GatewayRows, SettledVisit } from '@comity/ingest'
import { IntakeHandler } from './intake-handler.ts'
import type { IntakeListener } from './intake-listener.ts'
import type { FetchedProof, IntakePort } from './intake-port.ts'
import type { CrawlOptions } from '../options.ts'
import { SearchableDelay } from './searchable-delay.ts'
import { SubscriptionHandler } from './subscription-handler.ts'
import type { VisitParts } from '../fetch/visit.ts'
import type { Bell } from '../run/bell.ts'
import type { HeardPages } from '../watch/heard-pages.ts'
import type { OfferHandler } from '../watch/offer-handler.ts'
import type { WatchOptions } from '../watch-options.ts'

interface RunIntakeParts {
  readonly intake: IntakePort
  readonly options: CrawlOptions
  readonly watch: WatchOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly store: CooperationStore
  readonly questions: Questions
  readonly visits: VisitParts
  readonly heard: HeardPages
  readonly offers: OfferHandler
  /** Rung when there is something to do. */
  readonly bell: Bell
  readonly now: () => Instant
  readonly random: () => number
}

/** A proof that was not fetched by then: whoever needs it asks again later. */
const PROOF_MS = 30_000
const MOST_PROOF_BYTES = 256 << 10
const STOPPING = 'the crawl stops'
/** How often the endpoints are asked how things stand. */
const FIGURES_MS = 1_000

export class RunIntake {
  readonly #parts: RunIntakeParts
  readonly #handler: IntakeHandler
  readonly #subscriptions: SubscriptionHandler
  readonly #worth: SitePriority
  readonly #calls: PushStore
  readonly #figures: PushCounters
  readonly #delay = new SearchableDelay()
  /** When each site that is subscribed to was first known to be; a guess before its hub has verified it. */
  readonly #callingSince = new Map<string, { readonly at: Instant; readonly isGuess: boolean }>()
  /** Proofs that are being fetched, and how each is told that it will not come. */
  readonly #fetching = new Set<(problem: string) => void>()
  #figuresAt: Instant = 0
  #hasBegun = false
  #isStopping = false

  constructor(parts: RunIntakeParts) {
    this.#parts = parts
    const { dayMs, subscriptions, subscribeTo, hitsHalfLifeDays } = parts.watch
    this.#worth = new SitePriority(dayMs)
    this.#calls = new PushStore(parts.store, parts.frontier)
    this.#figures = new PushCounters(parts.now())
    this.#handler = new IntakeHandler({
      ...parts,
      inbox: parts.intake,
      dayMs,
      halfLifeMs: hitsHalfLifeDays * dayMs,
      listener: this.#listener(),
    })
    const forgotten = forgottenSites(parts.collection)
    // Who has no agents gains nothing by hearing what agents say.
    const schemes = subscribeTo.filter((scheme) => scheme !== 'agent' || parts.intake.agents !== undefined)
    const terms = { most: subscriptions, schemes, dayMs, worth: this.#worth, forgotten }
    this.#subscriptions = new SubscriptionHandler({ ...parts, ...terms })
  }

  #listener(): IntakeListener {
    const { frontier, offers, now } = this.#parts
    return {
      onTaken: (item, outcome) => {
        this.#calls.taken(item, outcome)
        this.#figures.taken(item, outcome, now())
      },
      onNews: (origin) => {
        const site = frontier.siteIfRoom(origin)
        if (site !== -1) offers.hurry(site, now())
      },
      onAwaited: (page, changedAt, heardAt) => {
        if (this.#wasCalling(page, changedAt)) this.#delay.told(page, changedAt, heardAt)
      },
    }
  }

  async begin(): Promise<void> {
    const { intake, frontier, store, collection, bell, visits } = this.#parts
    for (const { id } of frontier.sites) {
      const { worth } = store.of(id)
      if (worth !== undefined) this.#worth.restore(id, worth)
    }
    // Also endpoints that could not be opened have to be closed: something of them may be there.
    this.#hasBegun = true
    await intake.begin({
      after: inboxCursor(collection),
      fetchFrom: (origin, path) => this.#fetch(origin, path),
      ring: () => bell.ring(),
      failed: (error) => visits.room.track(rejection(error), 0),
    })
  }

  turn(now: Instant): void {
    this.#handler.turn(now)
    this.#subscriptions.tick(now)
    if (now < this.#figuresAt) return
    this.#figuresAt = now + FIGURES_MS
    void this.askEndpoints()
  }

  /** A receiver that has gone has said so itself; the last figures stay. */
  async askEndpoints(): Promise<void> {
    await this.#ask().catch(() => undefined)
  }

  settled(visit: SettledVisit): void {
    const { store, heard } = this.#parts
    const { page, row, before, at } = visit
    this.#handler.settled(visit)
    this.#delay.settled(visit)
    const isOther = before !== undefined && row.changes > before.changes
    if (isOther) store.note(row.site, { worth: this.#worth.changed(row.site, heard.importanceOf(page), at) })
  }

  /** It is fetched to be compared with what was sent. */
  mustBeWhole(page: number): boolean {
    return this.#handler.mustBeWhole(page)
  }

  save(): void {
    this.#handler.save()
    this.#calls.save()
    this.#delay.save()
  }

  /** Letting go of what is durable can wait; that it could not is told by the receiver. */
  committed(): void {
    this.#delay.committed(this.#parts.collection.lastChange, this.#parts.now())
    void this.#handler.committed().catch(() => undefined)
  }

  /** The index has come to this change of the collection. */
  searchable(number: number): void {
    this.#delay.searchable(number, this.#parts.now())
  }

  /** What gateways came to; undefined where none is heard. */
  get gateways(): GatewayRows | undefined {
    return this.#handler.gateways
  }

  sample(now: Instant): PushFigures {
    return this.#figures.sample(now, this.#delay.figures)
  }

  nextAt(now: Instant): Instant {
    return Math.max(now, Math.min(this.#handler.nextAt(now), this.#subscriptions.nextAt(), this.#figuresAt))
  }

  /** Proofs that were not fetched by now are not waited for: the endpoints could not be closed before. */
  stopping(): void {
    this.#isStopping = true
    for (const giveUp of this.#fetching) giveUp(STOPPING)
  }

  async end(): Promise<void> {
    this.stopping()
    this.#handler.end()
    if (this.#hasBegun) await this.#parts.intake.end()
  }

  /** What changed before its site was subscribed to says nothing of how soon it tells. */
  #wasCalling(page: number, changedAt: Instant | undefined): boolean {
    const { frontier } = this.#parts
    const since = this.#callingSince.get(frontier.sites[frontier.pages.siteOf(page)]?.origin ?? '')
    // Dates of HTTP are whole seconds.
    return changedAt !== undefined && changedAt + 1_000 > (since?.at ?? 0)
  }

  #noteCalling({ origin, confirmedAt }: Subscription, now: Instant): void {
    const known = this.#callingSince.get(origin)
    // Not before now, as it is not verified yet.
    if (confirmedAt === undefined && known?.isGuess !== false)
      this.#callingSince.set(origin, { at: now, isGuess: true })
    if (confirmedAt === undefined) return
    this.#callingSince.set(origin, { at: Math.min(confirmedAt, known?.at ?? Infinity), isGuess: false })
  }

  async #ask(): Promise<void> {
    const { intake } = this.#parts
    const [subscriptions, heard] = await Promise.all([intake.subscriptions(), intake.figures?.()])
    this.#calls.subscribed(subscriptions)
    this.#figures.subscribed(subscriptions)
    for (const one of subscriptions) this.#noteCalling(one, this.#parts.now())
    if (heard !== undefined) {
      this.#calls.heard(heard)
      this.#figures.heard(heard)
    }
    // A hub that said yes is worth a commit of its own: nothing else may happen for long.
    if (this.#calls.isUnsaved) this.#parts.visits.commit.soon()
  }

  /** When the site's turn comes, on its one connection, like all that is asked of it. */
  #fetch(origin: string, path: string): Promise<FetchedProof> {
    const { frontier, questions, bell } = this.#parts
    if (this.#isStopping) return Promise.resolve({ problem: STOPPING })
    const site = frontier.siteIfRoom(origin)
    if (site === -1) return Promise.resolve({ problem: 'no more sites can be visited' })
    const { promise, resolve } = Promise.withResolvers<FetchedProof>()
    const question = questions.ask({
      site,
      path,
      maxBodyBytes: MOST_PROOF_BYTES,
      answered: (exchange) => {
        if (exchange.kind === 'failed') resolve({ problem: exchange.message })
        else resolve({ status: exchange.head.status, headers: exchange.head.headers, body: exchange.body })
      },
    })
    const giveUp = (problem: string): void => resolve({ problem })
    const timer = setTimeout(() => giveUp('it was not asked in time'), PROOF_MS)
    this.#fetching.add(giveUp)
    bell.ring()
    return promise.finally(() => {
      clearTimeout(timer)
      this.#fetching.delete(giveUp)
      // Nobody waits for it any more: the site is not to be asked in vain.
      questions.withdraw(question)
    })
  }
}

/** Whoever tracks work hears of it. */
// oxlint-disable-next-line typescript/require-await -- it does nothing but fail.
async function rejection(error: Error): Promise<never> {
  throw error
}
