/** A bench for the offer handler: a real frontier, collection and connection, and a clock that goes only when it is told to. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultUrlRules, isAllowedIn, parseRobots } from '@comity/protocol'
import type { Instant, PageEntry, Signal } from '@comity/protocol'
import { Collection } from '@comity/collection'
import { Frontier, orderNamed, politeDefaults } from '@comity/frontier'
import type { Lease, Task } from '@comity/frontier'
import { ByteBudget } from '../fetch/byte-budget.ts'
import { Connection } from '../fetch/connection.ts'
import { CooperationStore, Questions } from '@comity/follow'
import type { ChannelRecords, Offer, OfferKind, SiteOffers } from '@comity/follow'
import type { FaultIsolation } from '@comity/ingest'
import { createFaults } from '@comity/ingest/testing'
import { OfferHandler } from '../watch/offer-handler.ts'
import type { OfferHandlerParts } from '../watch/offer-handler.ts'
import { crawlOptions } from '../options.ts'
import { TellingSite } from './telling-site-fixture.ts'
import type { TellingSiteOptions } from './telling-site-fixture.ts'
import { watchOptions } from '../watch-options.ts'

/** A moment in 2026; sites and crawler begin here. */
export const START: Instant = Date.UTC(2026, 10, 14)
const { limits } = crawlOptions({ seeds: ['http://127.0.0.1/'] })

interface Copy {
  readonly visitedAt: Instant
  readonly digest?: string | undefined
}

export class OfferBench implements AsyncDisposable {
  readonly origin: string
  readonly collection: Collection
  readonly frontier: Frontier
  readonly questions: Questions
  readonly store: CooperationStore
  handler: OfferHandler
  readonly site: number
  now: Instant = START
  /** What is held, by path; the judge of signals compares with it. */
  readonly held: Map<string, Copy> = new Map()
  readonly signals: Signal[] = []
  readonly listed: PageEntry[] = []
  trust: ChannelRecords | undefined
  readonly #dir: string
  readonly #faults: FaultIsolation
  readonly #more: Partial<OfferHandlerParts>

  private constructor(origin: string, dir: string, collection: Collection, more: Partial<OfferHandlerParts>) {
    this.origin = origin
    this.#dir = dir
    this.collection = collection
    this.#more = more
    this.frontier = new Frontier({
      order: orderNamed('depth'),
      politenessOf: () => ({ ...politeDefaults, delayMs: 0 }),
      budgetOf: () => ({ maxPages: 1e6, maxBytes: 1e12, maxKnown: 1e6 }),
      maxTries: 1,
      random: () => 0.5,
      gates: false,
      textOf: (page) => collection.text(page),
    })
    this.site = this.frontier.site(origin)
    this.#faults = createFaults(dir)
    this.questions = new Questions(this.frontier, this.#faults)
    this.store = new CooperationStore(collection)
    this.handler = this.newHandler()
  }

  static async open(origin: string, more: Partial<OfferHandlerParts> = {}): Promise<OfferBench> {
    const dir = mkdtempSync(join(tmpdir(), 'comity-offers-'))
    return new OfferBench(origin, dir, await Collection.open(dir, START), more)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.collection[Symbol.asyncDispose]()
    rmSync(this.#dir, { recursive: true, force: true })
  }

  /** As after a restart: all that it knows is in the store. */
  newHandler(): OfferHandler {
    const { frontier, collection, store, questions } = this
    return new OfferHandler({
      frontier,
      collection,
      store,
      questions,
      options: watchOptions({ minPollMs: 60_000 }),
      urlRules: defaultUrlRules,
      now: () => this.now,
      random: () => 0.5,
      faults: this.#faults,
      rules: {
        allows: (site, url) => this.#allows(site, url),
        of: (site) => parseRobots(collection.robots(site)?.body ?? ''),
      },
      listener: {
        onSignal: (signal) => this.#heard(signal),
        onListed: (url, entry) => {
          this.listed.push(entry)
          frontier.offer(url, { depth: 1, seed: 0 })
        },
      },
      trustOf: () => this.trust,
      ...this.#more,
    })
  }

  /** Pages that were fetched just now. */
  hold(paths: Iterable<string>): void {
    for (const path of paths) {
      this.frontier.offer(`${this.origin}${path}`, { depth: 1, seed: 0 })
      this.held.set(path, { visitedAt: this.now })
    }
  }

  async readRobots(): Promise<void> {
    const answer = await fetch(`${this.origin}/robots.txt`)
    const body = new Uint8Array(await answer.arrayBuffer())
    const row = { fetchedAt: this.now, expiresAt: this.now + 86_400_000, status: answer.status, body }
    this.collection.putRobots(this.site, { ...row, verdict: answer.ok ? 'rules' : 'allow-all' })
  }

  /** Everything that is due now is asked, and answered. */
  async settle(): Promise<void> {
    for (let rounds = 0; rounds < 10_000; rounds++) {
      const begun = this.handler.tick(this.now)
      const lease = this.frontier.lease(this.now)
      if (lease !== undefined) await this.#converse(lease)
      else if (this.#isAsking()) this.now = Math.max(this.now, Math.min(this.frontier.wakesAt(), this.now + 3_600_000))
      else if (begun === 0 && this.handler.nextAt() > this.now) return
    }
    assert.fail('the handler never comes to rest')
  }

  /** Let time pass up to the next question of the handler's. Returns how long that was. */
  async next(): Promise<number> {
    const before = this.now
    assert.ok(this.handler.nextAt() < Infinity, 'the handler has something to do')
    this.now = Math.max(this.now, this.handler.nextAt())
    await this.settle()
    return this.now - before
  }

  async search(): Promise<void> {
    await this.readRobots()
    this.handler.lookAt(this.site, this.now)
    await this.settle()
  }

  get row(): SiteOffers {
    const row = this.handler.offersOf(this.site)
    assert.ok(row)
    return row
  }

  offer(kind: OfferKind): Offer | undefined {
    return this.row.offers.find((offer) => offer.kind === kind)
  }

  /** Signals since the last call, as `channel change path`. */
  takeSignals(): string[] {
    return this.signals
      .splice(0)
      .map(({ channel, change, url }) => `${channel} ${change} ${url.slice(this.origin.length)}`)
  }

  takeListed(): string[] {
    return this.listed.splice(0).map(({ url }) => url.slice(this.origin.length))
  }

  #isAsking(): boolean {
    return this.frontier.sites[this.site]!.prerequisites.length > 0
  }

  #allows(site: number, url: string): boolean {
    const row = this.collection.robots(site)
    return row !== undefined && isAllowedIn(parseRobots(row.body).rulesFor('comity'), url).allowed
  }

  #heard(signal: Signal): string {
    const copy = this.held.get(signal.url.slice(this.origin.length))
    if (copy === undefined) return 'unknown page'
    if (signal.digest !== undefined && signal.digest === copy.digest) return 'known'
    if (signal.changedAt !== undefined && signal.changedAt <= copy.visitedAt) return 'late'
    this.signals.push(signal)
    return 'counted'
  }

  async #converse(lease: Lease): Promise<void> {
    const budget = new ByteBudget(Infinity)
    const now = (): Instant => this.now
    const connection = new Connection({
      origin: this.origin,
      address: '127.0.0.1',
      budget,
      now,
      insecureTls: false,
      limits,
    })
    this.frontier.place(lease, '127.0.0.1', this.now)
    for (let step: { task: Task } | undefined = { task: lease.first }; step !== undefined && connection.isOpen;) {
      await this.#run(step.task, lease, connection)
      step = connection.isOpen ? this.frontier.next(lease, this.now) : undefined
    }
    await connection.close()
    this.frontier.release(lease, this.now)
  }

  /** Questions are asked; pages count as fetched. */
  async #run(task: Task, lease: Lease, connection: Connection): Promise<void> {
    if (task.kind === 'page') return this.frontier.settle(task.page, 'done')
    const question = this.questions.of(task.prerequisite)
    if (question === undefined) return
    const exchange = await connection.request(
      question.path,
      { 'accept-encoding': 'gzip', ...question.headers },
      question,
    )
    this.frontier.answered(lease, { endedAt: this.now, tookMs: 1, overloaded: false })
    await this.questions.answered(task.prerequisite, exchange, '127.0.0.1')
  }
}

export const PATHS: readonly string[] = [
  '/a.html',
  '/b.html',
  '/c.html',
  '/d/e.html',
  '/d/f.html',
  '/d/g.html',
  '/d/h.html',
  '/d/i/j.html',
]
export const textsOf = (paths: readonly string[], text = 'first'): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, `${text} ${path}`]))
export const DAY = 86_400_000

export interface Scene extends AsyncDisposable {
  readonly site: TellingSite
  readonly bench: OfferBench
}

/** A site whose pages we hold, all of them fetched just now. */
export async function openScene(
  options: TellingSiteOptions = {},
  more: Partial<OfferHandlerParts> = {},
): Promise<Scene> {
  const site = await new TellingSite(options).listen()
  site.put(START - DAY, textsOf(PATHS))
  const bench = await OfferBench.open(site.origin, more)
  bench.hold(PATHS)
  const dispose = async (): Promise<void> => {
    await bench[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  }
  return { site, bench, [Symbol.asyncDispose]: dispose }
}

/** A page changes, one is new, one is gone; told at the next poll. */
export function changeSome(site: TellingSite, at: number): void {
  site.put(at, { '/b.html': `second ${at}` })
  site.put(at + 1_000, { '/new.html': 'new' })
  site.remove(at + 2_000, '/c.html')
}
