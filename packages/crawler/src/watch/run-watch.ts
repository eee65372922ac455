/**
 * RunWatch: what a run does besides crawling when it keeps a collection fresh. The loop gives it a turn before each lease;
 * it sends for pages that are due (`watch/delivery-router.ts`), asks sites what changed, and holds all requests to one budget.
 */
import type { Instant, Signal } from '@comity/protocol'
import type { Collection } from '@comity/collection'
import { EXCLUDED } from '@comity/frontier'
import type { Frontier, Revisit } from '@comity/frontier'
import { capabilityListsOf } from '../fetch/capability-links.ts'
import { recordsOf, ExpiresCalendar, recordWatchRun } from '@comity/follow'
import { FAULT } from '@comity/ingest'
import type { IntakePort } from '../push/intake-port.ts'
import { HeardPages } from './heard-pages.ts'
import { OfferHandler } from './offer-handler.ts'
import type { CrawlOptions } from '../options.ts'
import type { Bell } from '../run/bell.ts'
import type { FreshParts } from '../run/run-parts.ts'
import type { RunSwitch } from '../control/run-switch.ts'
import type { SettledVisit, IngestEvents } from '@comity/ingest'
import type { Questions, WatchSample } from '@comity/follow'
import { DeliveryRouter } from './delivery-router.ts'
import { RunIntake } from '../push/run-intake.ts'
import type { VisitParts } from '../fetch/visit.ts'
import { estimateFreshness } from './watch-figures.ts'
import type { WatchOptions } from '../watch-options.ts'

interface RunWatchParts extends FreshParts {
  readonly options: CrawlOptions
  readonly watch: WatchOptions
  readonly frontier: Frontier
  readonly collection: Collection
  readonly questions: Questions
  readonly visits: VisitParts
  readonly taken: IngestEvents
  readonly runSwitch: RunSwitch
  /** Where sites that push are heard. */
  readonly intake?: IntakePort | undefined
  /** Rung when somebody has something to do. */
  readonly bell: Bell
  readonly random: () => number
  readonly now: () => Instant
}

export class RunWatch {
  readonly #parts: RunWatchParts
  readonly #heard: HeardPages
  readonly #router: DeliveryRouter
  readonly #offers: OfferHandler
  readonly #expires = new ExpiresCalendar()
  readonly #intake: RunIntake | undefined

  constructor(parts: RunWatchParts) {
    this.#parts = parts
    this.#heard = new HeardPages(parts.revisits, parts.figures, parts.now)
    this.#router = new DeliveryRouter({ ...parts, handler: parts.revisits })
    this.#offers = this.#createOffers()
    const { intake } = parts
    if (intake !== undefined)
      this.#intake = new RunIntake({ ...parts, intake, heard: this.#heard, offers: this.#offers })
    this.#listen()
  }

  #listen(): void {
    const { taken, runSwitch } = this.#parts
    taken.follow('deposit', (visit) => this.#settled(visit))
    taken.follow('committing', () => this.#save())
    taken.follow('committed', () => this.#intake?.committed())
    taken.follow('searchable', ({ change }) => this.#intake?.searchable(change))
    // Nobody who waits for something of others is kept waiting when the run is to end.
    runSwitch.onStop(() => this.#intake?.stopping())
  }

  async restore(now: Instant): Promise<void> {
    const { frontier } = this.#parts
    this.#parts.revisits.restore(now)
    await this.#intake?.begin()
    for (const site of frontier.sites) if (site.visited > 0) this.#offers.lookAt(site.id, now)
  }

  /** Before a lease: perhaps somebody is to be asked what changed, or a page is due. */
  turn(now: Instant): void {
    const { frontier } = this.#parts
    this.#offers.tick(now)
    this.#router.tick(now)
    this.#intake?.turn(now)
    const urlOf = (page: number): string => frontier.urlOf(page)
    for (let signal = this.#expires.take(now, urlOf); signal !== undefined; signal = this.#expires.take(now, urlOf)) {
      this.#heardApart(signal)
    }
    const revisit = this.#parts.watch.visits ? this.#parts.revisits.take(now) : undefined
    if (revisit !== undefined) this.#send(revisit, now)
  }

  /** It is fetched to be compared with what was delivered. */
  mustBeWhole(page: number): boolean {
    return this.#router.mustBeWhole(page) || this.#intake?.mustBeWhole(page) === true
  }

  #settled(visit: SettledVisit): void {
    const { page, row, at, headers, feeds } = visit
    // Seen by a gateway where no start page leads: it is held, and neither it nor its site is asked for anything.
    if (this.#parts.frontier.pages.stateOf(page) === EXCLUDED) {
      this.#parts.figures.settled(visit)
      this.#intake?.settled(visit)
      return
    }
    this.#parts.revisits.settled(visit)
    this.#parts.figures.settled(visit)
    this.#router.settled(visit)
    this.#intake?.settled(visit)
    if (!this.#parts.watch.signals) return
    if (headers !== undefined) {
      this.#expires.visited(page, row.site, { status: row.status, headers }, at)
      this.#offers.linked(row.site, capabilityListsOf(visit, this.#parts.frontier.urlOf(page)), at)
    }
    if (feeds !== undefined) this.#offers.linkedFeeds(row.site, this.#parts.frontier.urlOf(page), feeds, at)
    this.#offers.lookAt(row.site, at)
  }

  sample(now: Instant): WatchSample {
    const { watch, frontier, random } = this.#parts
    const { requestsPerSecond, dayMs } = watch
    const { queue } = this.#parts.revisits
    const estimate = estimateFreshness(frontier.pages.count, (page) => queue.factsOf(page, now), now, random)
    const terms = { policy: watch.policy.name, requestsPerSecond, dayMs }
    const told = { pushes: this.#intake?.sample(now), gateways: this.#intake?.gateways }
    return this.#parts.figures.sample(terms, queue.size, estimate, this.#offers.spent, told)
  }

  /** Goes with the commit that begins. */
  #save(): void {
    const { collection, watch, now } = this.#parts
    this.#parts.revisits.save()
    this.#intake?.save()
    const { queue } = this.#parts.revisits
    recordWatchRun(collection, {
      at: now(),
      price: queue.price,
      bytesPerSecond: watch.bytesPerSecond,
      sample: this.sample(now()),
    })
  }

  /** The run ends: what the endpoints have to say goes with its last commit. */
  async lastLook(): Promise<void> {
    await this.#intake?.askEndpoints()
  }

  /** The run is over: nobody is heard any more. */
  async end(): Promise<void> {
    await this.#intake?.end()
  }

  nextAt(now: Instant): Instant {
    const intakeAt = this.#intake?.nextAt(now) ?? Infinity
    return Math.min(
      this.#parts.watch.visits ? this.#parts.revisits.nextAt(now) : Infinity,
      Math.max(now, this.#offers.nextAt()),
      this.#expires.nextAt(),
      intakeAt,
    )
  }

  #send(revisit: Revisit, now: Instant): void {
    const { frontier, visits } = this.#parts
    const { page } = revisit
    const about = { kind: 'page', url: frontier.urlOf(page), page } as const
    const came = visits.faults.apartNow(about, () => this.#router.send(revisit, now))
    // It was by which way it comes that we failed: it comes like any page.
    if (came === FAULT) frontier.revisit(page)
  }

  #heardApart(signal: Signal): void {
    this.#parts.visits.faults.apartNow({ kind: 'notice', url: signal.url }, () => this.#heard.signal(signal))
  }

  /** By a document of the site's. */
  #told(signal: Signal, site: number): string {
    const verdict = this.#heard.signal(signal)
    const { frontier, now } = this.#parts
    if (verdict === 'counted') this.#router.told(site, frontier.findUrl(signal.url), now())
    return verdict
  }

  #createOffers(): OfferHandler {
    const { options, watch, visits, revisits, now } = this.#parts
    const { robots, sitemaps, faults } = visits
    return new OfferHandler({
      ...this.#parts,
      options: watch,
      urlRules: options.urlRules,
      faults,
      rules: options.ignoreRobots ? { allows: () => true, of: (site) => robots.of(site) } : robots,
      router: this.#router,
      listener: {
        onSignal: (signal, site) => this.#told(signal, site),
        onListed: (url, { type }) => void sitemaps.list(url, type),
        onListedAgain: (url, type) => void sitemaps.list(url, type),
        onTold: (site, channel) => revisits.listened(site, channel, now()),
      },
      trustOf: (site) => recordsOf(revisits.queue.trustOf(site)),
    })
  }
}
