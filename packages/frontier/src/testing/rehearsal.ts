/**
 * Rehearsal: a whole crawl under fake time, with a log of every connection and request that an audit can read.
 *
 * It stands where the crawler stands: it leases, resolves, connects, asks and settles, several visits at once, and takes
 * what the sites on its stage answer. No clock, no network; the same stage and frontier give the same log.
 */
import { siteOf } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { Frontier } from '../queue/frontier.ts'
import type { Disposition, Lease, Task } from '../queue/lease.ts'
import type { Prerequisite } from '../queue/site.ts'

/** What a site says to one request. */
export interface Reply {
  readonly tookMs: number
  readonly overloaded?: boolean
  /** Counted from the end of the request. */
  readonly retryAfterMs?: number
  /** Links of a page; found one click deeper. */
  readonly links?: readonly string[]
  readonly disposition?: Disposition
  /** For robots.txt: where it redirects to, or that it cannot be had, or what it asks for. */
  readonly movedTo?: string
  readonly unreachable?: boolean
  readonly crawlDelayMs?: number
}

export interface Stage {
  readonly addressOf: (origin: string, now: Instant) => string
  readonly answer: (url: string, now: Instant) => Reply
}

export interface Visit {
  readonly siteId: number
  readonly site: string
  readonly address: string
  readonly openedAt: Instant
  closedAt: Instant
  readonly delayMs: number
  readonly requests: Request[]
}

/** robots.txt became known, or known to be out of reach. */
export interface GateChange {
  readonly site: string
  readonly at: Instant
  /** Open until then; 0 when closed. */
  readonly until: Instant
}

interface Request {
  readonly url: string
  readonly task: Task
  readonly at: Instant
  readonly endedAt: Instant
  readonly reply: Reply
}

interface RehearsalOptions {
  /** Visits at once: r of 004 §4.3. */
  readonly parallel: number
  readonly from: Instant
  readonly until: Instant
  /** Time from a lease to the address of its site. */
  readonly resolveMs?: number
  /** Time from an answer to the settling of its page, which the crawler does in another thread. */
  readonly readMs?: number
  readonly gateMs?: number
}

const ROBOTS_RETRY_MS = 30_000

export class Rehearsal {
  readonly visits: Visit[] = []
  readonly gates: GateChange[] = []
  readonly #frontier: Frontier
  readonly #stage: Stage
  readonly #options: RehearsalOptions
  #events: { readonly at: Instant; readonly run: () => void }[] = []
  #out = 0
  now: Instant

  constructor(frontier: Frontier, stage: Stage, options: RehearsalOptions) {
    this.#frontier = frontier
    this.#stage = stage
    this.#options = options
    this.now = options.from
  }

  /** Run until nothing is left to do, or the time is over: then as if everything had been cut off. */
  run(): this {
    for (;;) {
      while (this.#out < this.#options.parallel && this.#lease());
      const wakesAt = this.#out < this.#options.parallel ? this.#frontier.wakesAt() : Infinity
      const next = Math.min(wakesAt, this.#events[0]?.at ?? Infinity)
      if (next > this.#options.until) return this
      this.now = Math.max(this.now, next)
      while (this.#events[0] !== undefined && this.#events[0].at <= this.now) this.#events.shift()?.run()
    }
  }

  #at(at: Instant, run: () => void): void {
    const place = this.#events.findIndex((event) => event.at > at)
    this.#events.splice(place < 0 ? this.#events.length : place, 0, { at, run })
  }

  #lease(): boolean {
    const lease = this.#frontier.lease(this.now)
    if (lease === undefined) return false
    this.#out++
    this.#at(this.now + (this.#options.resolveMs ?? 0), () => this.#connect(lease))
    return true
  }

  #connect(lease: Lease): void {
    const { origin, id } = lease.site
    const address = this.#stage.addressOf(origin, this.now)
    if (!this.#frontier.place(lease, address, this.now)) {
      this.#out--
      return
    }
    const { delayMs } = lease.politeness
    const visit: Visit = {
      siteId: id,
      site: origin,
      address,
      openedAt: this.now,
      closedAt: Infinity,
      delayMs,
      requests: [],
    }
    this.visits.push(visit)
    this.#ask(lease, visit, lease.first)
  }

  #ask(lease: Lease, visit: Visit, task: Task): void {
    const reply = this.#stage.answer(task.url, this.now)
    const endedAt = this.now + reply.tookMs
    visit.requests.push({ url: task.url, task, at: this.now, endedAt, reply })
    this.#at(endedAt, () => this.#answered(lease, visit, task, reply))
  }

  #answered(lease: Lease, visit: Visit, task: Task, reply: Reply): void {
    const { tookMs, overloaded = false, retryAfterMs } = reply
    const answer = { endedAt: this.now, tookMs, overloaded }
    this.#frontier.answered(
      lease,
      retryAfterMs === undefined ? answer : { ...answer, retryAt: this.now + retryAfterMs },
    )
    if (task.kind === 'page') this.#at(this.now + (this.#options.readMs ?? 0), () => this.#settle(task, reply))
    else if (task.prerequisite.kind === 'robots') this.#robots(task.prerequisite, reply)
    const step = this.#frontier.next(lease, this.now)
    if (step !== undefined) return this.#at(step.at, () => this.#ask(lease, visit, step.task))
    visit.closedAt = this.now
    this.#frontier.release(lease, this.now)
    this.#out--
  }

  #settle(task: Extract<Task, { kind: 'page' }>, { links = [], disposition, overloaded }: Reply): void {
    const seed = this.#frontier.pages.seedOf(task.page)
    for (const url of links) this.#frontier.offer(url, { depth: task.depth + 1, seed, parent: task.page })
    this.#frontier.settle(task.page, disposition ?? (overloaded ? 'retry' : 'done'), 1_000)
  }

  #robots(prerequisite: Prerequisite, { movedTo, unreachable, overloaded, crawlDelayMs = 0 }: Reply): void {
    const frontier = this.#frontier
    if (movedTo !== undefined && prerequisite.hops < 5) {
      const origin = siteOf(movedTo)
      frontier.runPrerequisite(frontier.site(origin), {
        ...prerequisite,
        path: movedTo.slice(origin.length),
        hops: prerequisite.hops + 1,
      })
      return
    }
    const until = unreachable || overloaded ? 0 : this.now + (this.#options.gateMs ?? 86_400_000)
    this.gates.push({ site: frontier.sites[prerequisite.onBehalfOf]!.origin, at: this.now, until })
    if (until === 0) frontier.closeGate(prerequisite.onBehalfOf, this.now + ROBOTS_RETRY_MS)
    else frontier.openGate(prerequisite.onBehalfOf, until, crawlDelayMs, this.now)
  }
}
