/**
 * Simulation: a crawl of a web in memory by r robots over a link of B bytes a second, in simulated time (004 §4, §5).
 *
 *   idle ──lease──▶ connecting ──latency──▶ transferring ──▶ next page on the connection, or idle again
 *
 * Which site and which page come next, how many pages a connection carries (k) and how long a site then rests (w) is
 * decided by the frontier of the live crawler; here time passes and bytes flow. A connection costs the latency of its
 * site once; a further request on it costs `requestLatency` times that, 0 when not given, as "most of the latency of a
 * download is related to the connection time" (004 §6). There is no robots.txt, and no page fails.
 *
 * Bandwidth that is not used at a moment is lost, and each of the r robots answers for an equal part of the loss:
 *   slowSites  robots at work, since their sites answer or send slowly;
 *   politeness    idle ones for whom there is a site with waiting pages, if only it had rested;
 *   fewSites   idle ones for whom there is none, be it that all is fetched or that every such site is being visited.
 * So the three add up to B · T − ΣP, all that is lost (004 Figure 2), and none is negative.
 */
import type { Lease } from '@comity/frontier'
import type { Instant } from '@comity/protocol'
import { labOrder } from '../lab-orders.ts'
import { createRandom } from '@comity/testbed'
import { SharedLink } from './shared-link.ts'
import { SlotHeap } from './heap.ts'
import { trueRanks } from './oracle.ts'
import { ActivityRecorder, CurveRecorder } from './record.ts'
import { unknownSpeeds } from './settings.ts'
import type {
  SimulatedBatch,
  SimulationHooks,
  SimulationResult,
  SimulationSettings,
  UnknownSpeeds,
} from './settings.ts'
import { VirtualCrawl } from './virtual-crawl.ts'
import type { WebGraph } from '../webs/graph/web-graph.ts'

export function simulate(web: WebGraph, settings: SimulationSettings, hooks: SimulationHooks = {}): SimulationResult {
  const { robots, bandwidth } = settings
  if (!Number.isSafeInteger(robots) || robots < 1) throw new RangeError(`${robots} robots cannot crawl; 1 is the least`)
  if (!(bandwidth > 0 && bandwidth < Infinity)) throw new RangeError(`a link of ${bandwidth} bytes a second is no link`)
  return new Simulation(web, settings, hooks).run()
}

type Site = Lease['site']

class Simulation {
  readonly #web: WebGraph
  readonly #settings: SimulationSettings
  readonly #hooks: SimulationHooks
  readonly #unknown: UnknownSpeeds
  readonly #ranks: Float64Array
  readonly #maxPages: number
  readonly #crawl: VirtualCrawl
  readonly #link: SharedLink
  readonly #curve: CurveRecorder
  readonly #activity = new ActivityRecorder()
  readonly #batches: SimulatedBatch[] = []
  readonly #lost = { politeness: 0, slowSites: 0, fewSites: 0 }
  /** Of each robot: its lease, its page, when it connected, and when its answer begins. */
  readonly #leases: (Lease | undefined)[]
  readonly #pageOf: Uint32Array
  readonly #openedAt: Float64Array
  readonly #answersAt: Float64Array
  readonly #connecting: SlotHeap
  readonly #idle: number[]
  /** Sites of the frontier that have waiting pages and are not being visited. */
  readonly #hasWork: Uint8Array
  #sitesWithWork = 0
  #batch = 0
  #now: Instant = 0
  #begun = 0
  #fetched = 0
  #bytes = 0

  constructor(web: WebGraph, settings: SimulationSettings, hooks: SimulationHooks) {
    const { robots, order, seed, politeness, homes, batch, maxPagesPerSite } = settings
    this.#web = web
    this.#settings = settings
    this.#hooks = hooks
    this.#unknown = settings.unknown ?? unknownSpeeds
    const ranks = (this.#ranks = settings.ranks ?? trueRanks(web))
    const random = createRandom(seed)
    this.#maxPages = Math.min(settings.maxPages ?? Infinity, web.pages)
    this.#crawl = new VirtualCrawl(web, {
      order: labOrder(order),
      politeness,
      random: () => random.next(),
      oracle: (page) => ranks[page]!,
      batch,
      ...(homes && { homes }),
      ...(maxPagesPerSite !== undefined && { maxPagesPerSite }),
    })
    this.#link = new SharedLink(settings.bandwidth, robots)
    this.#curve = new CurveRecorder(this.#maxPages)
    this.#leases = Array.from({ length: robots })
    this.#pageOf = new Uint32Array(robots)
    this.#openedAt = new Float64Array(robots)
    this.#answersAt = new Float64Array(robots)
    this.#connecting = new SlotHeap(this.#answersAt)
    this.#idle = Array.from({ length: robots }, (_, n) => robots - 1 - n)
    this.#hasWork = new Uint8Array(web.sites)
  }

  run(): SimulationResult {
    this.#countAll()
    for (;;) {
      this.#sendRobots()
      const next = this.#nextEvent()
      if (next === Infinity) break
      this.#pass(next)
      this.#open()
      this.#close()
    }
    this.#curve.end(this.#now)
    return {
      pages: this.#fetched,
      bytes: this.#bytes,
      timeMs: this.#now,
      leastTimeMs: (this.#bytes / this.#settings.bandwidth) * 1_000,
      curve: { pages: this.#curve.pages, timeMs: this.#curve.timeMs, rank: this.#curve.rank },
      activity: this.#activity.end(this.#now),
      lost: this.#lost,
      batches: this.#batches,
    }
  }

  #sendRobots(): void {
    const { frontier } = this.#crawl
    while (this.#idle.length > 0 && this.#begun < this.#maxPages) {
      const lease = frontier.lease(this.#now)
      if (frontier.batch !== undefined && frontier.batch.number !== this.#batch) this.#noteBatch(frontier.batch)
      if (lease === undefined) return
      const robot = this.#idle.pop()!
      this.#leases[robot] = lease
      this.#openedAt[robot] = this.#now
      this.#count(lease.site)
      this.#ask(robot, lease, this.#latencyOf(this.#crawl.pageOf(lease)))
    }
  }

  #ask(robot: number, lease: Lease, latencyMs: number): void {
    this.#begun++
    this.#pageOf[robot] = this.#crawl.pageOf(lease)
    this.#answersAt[robot] = this.#now + latencyMs
    this.#connecting.push(robot)
  }

  #nextEvent(): Instant {
    const robot = this.#connecting.peek()
    const answerAt = robot === -1 ? Infinity : this.#answersAt[robot]!
    const hasFree = this.#idle.length > 0 && this.#begun < this.#maxPages
    return Math.min(answerAt, this.#link.nextEnd(), hasFree ? this.#crawl.frontier.wakesAt() : Infinity)
  }

  /** Time goes by; what the link did not carry is lost, see above. */
  #pass(next: Instant): void {
    // A transfer of a rounding error ends before it began.
    const until = Math.max(next, this.#now)
    const { robots, bandwidth } = this.#settings
    const idle = this.#idle.length
    const unused = (Math.max(0, bandwidth / 1_000 - this.#link.rate) * (until - this.#now)) / robots
    const polite = this.#begun < this.#maxPages ? Math.min(idle, this.#sitesWithWork) : 0
    this.#lost.politeness += unused * polite
    this.#lost.fewSites += unused * (idle - polite)
    this.#lost.slowSites += unused * (robots - idle)
    this.#activity.add(this.#now, until, robots - idle)
    this.#now = until
  }

  /** Answers that begin now. */
  #open(): void {
    for (let robot = this.#connecting.peek(); robot !== -1; robot = this.#connecting.peek()) {
      if (this.#answersAt[robot]! > this.#now) return
      this.#connecting.remove(robot)
      const page = this.#pageOf[robot]!
      this.#link.start(robot, this.#bytesOf(page), this.#speedOf(page), this.#now)
    }
  }

  /** Answers that are complete now. */
  #close(): void {
    while (this.#link.nextEnd() <= this.#now) this.#complete(this.#link.takeEnded())
  }

  #complete(robot: number): void {
    const { frontier } = this.#crawl
    const lease = this.#leases[robot]!
    const page = this.#pageOf[robot]!
    const latencyMs = this.#latencyOf(page)
    this.#fetch(page)
    frontier.answered(lease, { endedAt: this.#now, tookMs: latencyMs, overloaded: false })
    const isNext =
      this.#begun < this.#maxPages && frontier.next(lease, this.#now, this.#idle.length === 0) !== undefined
    if (isNext) return this.#ask(robot, lease, latencyMs * (this.#settings.requestLatency ?? 0))
    frontier.release(lease, this.#now)
    this.#count(lease.site)
    this.#leases[robot] = undefined
    this.#idle.push(robot)
    this.#hooks.onConnection?.(this.#web.siteOf[page]!, this.#openedAt[robot]!, this.#now, lease.requests)
  }

  #fetch(page: number): void {
    const { frontier } = this.#crawl
    const known = this.#crawl.known
    this.#crawl.fetched(page)
    for (let id = known; id < this.#crawl.known; id++) this.#count(frontier.sites[frontier.pages.siteOf(id)]!)
    this.#fetched++
    this.#bytes += this.#bytesOf(page)
    this.#curve.add(this.#ranks[page]!, this.#now)
    this.#hooks.onPage?.(page, this.#now)
  }

  #noteBatch({ number, pages, sites }: { number: number; pages: number; sites: number }): void {
    this.#batch = number
    this.#batches.push({ pages, sites, beganAt: this.#now, after: this.#fetched })
    this.#countAll()
  }

  #countAll(): void {
    for (const site of this.#crawl.frontier.sites) this.#count(site)
  }

  /** A site may have won or lost its work. While a robot is idle no such site is ready, so all of them rest. */
  #count(site: Site): void {
    const hasWork = site.place === 'resting' || site.place === 'ready' ? 1 : 0
    this.#sitesWithWork += hasWork - this.#hasWork[site.id]!
    this.#hasWork[site.id] = hasWork
  }

  #bytesOf(page: number): number {
    return this.#web.bytes?.[page] ?? this.#unknown.bytes
  }

  #latencyOf(page: number): number {
    return this.#web.latencyMs?.[this.#web.siteOf[page]!] ?? this.#unknown.latencyMs
  }

  #speedOf(page: number): number {
    const speed = this.#web.bandwidth?.[this.#web.siteOf[page]!] ?? 0
    return speed > 0 ? speed : this.#unknown.bandwidth
  }
}
