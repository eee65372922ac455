/**
 * One scheme on a made site: who polls it, and who is sent to. Each knows what it has cost so far, as a run of the replayed
 * year does: the two sides’ processor times, what requests take as such (schemes-made-request.ts), and what was weighed.
 */
import type { Instant } from '@comity/protocol'
import type { Post, PostRequest } from '@comity/site'
import type { CountedLine } from '../../../cooperating/counted-line.ts'
import type { CountedSite } from '../../../cooperating/counted-site.ts'
import { endedChildrenMs } from '../../../cooperating/agent.ts'
import type { SiteCopy } from '../../../cooperating/copy.ts'
import type { Answered, Asked, Line, Traffic } from '../../../cooperating/http.ts'
import { PushIntake } from '../../../cooperating/intake.ts'
import { postHeaders, postTraffic } from './post.ts'
import type { RequestCost, RequestCosts } from './request.ts'
import type { Poll, PulledForm } from '../pulled.ts'
import type { PushedForm } from '../pushed.ts'
import { nothing, sum } from '../run.ts'
import type { SchemeCost } from '../run.ts'
import { SECRET } from '../../../cooperating/sender.ts'
import type { Sender } from '../../../cooperating/sender.ts'
import { cpuMs } from '../worker.ts'

/** A line whose asking is timed: what is done there is the site's work, or nobody's. */
class TimedLine implements Line {
  readonly #line: CountedLine
  spentMs = 0

  constructor(line: CountedLine) {
    this.#line = line
  }

  get traffic(): Traffic {
    return this.#line.traffic
  }

  get siteMs(): number {
    return this.#line.siteMs
  }

  async ask(asked: Asked): Promise<Answered> {
    const began = cpuMs()
    const answer = await this.#line.ask(asked)
    this.spentMs += cpuMs() - began
    return answer
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

export class MadePoller {
  readonly form: PulledForm
  readonly copy: SiteCopy
  readonly #line: TimedLine
  readonly #site: CountedSite
  readonly #poll: Poll
  readonly #unit: RequestCost

  constructor(form: PulledForm, copy: SiteCopy, site: CountedSite, costs: RequestCosts) {
    this.form = form
    this.copy = copy
    this.#line = new TimedLine(site.line(form.site.door))
    this.#site = site
    this.#poll = form.start(copy)
    this.#unit = form.line === 'each' ? costs.each : costs.kept
  }

  async poll(listed: readonly string[]): Promise<SchemeCost> {
    const [line, copy] = [this.#line, this.copy]
    const before = { traffic: line.traffic, siteMs: line.siteMs, spentMs: line.spentMs, counts: copy.counts }
    const began = cpuMs()
    await this.#poll(line, listed, this.#site.now)
    const crawlerMs = cpuMs() - began - (line.spentMs - before.spentMs)
    const { requests, sent, received } = line.traffic
    const asked = requests - before.traffic.requests
    return {
      ...nothing,
      requests: asked,
      connections: this.form.line === 'each' ? asked : 1,
      sent: sent - before.traffic.sent,
      received: received - before.traffic.received,
      cpuMs: crawlerMs + asked * this.#unit.askingMs,
      serverMs: line.siteMs - before.siteMs + asked * this.#unit.answeringMs,
      fetched: copy.counts.fetched - before.counts.fetched,
      changes: copy.counts.changes - before.counts.changes,
      broken: copy.counts.broken - before.counts.broken,
    }
  }
}

export class MadeReceiver {
  readonly form: PushedForm
  readonly copy: SiteCopy
  readonly #line: TimedLine
  readonly #intake: PushIntake
  readonly #costs: RequestCosts
  #sender: Sender | undefined
  #posted: SchemeCost = nothing
  /** Of the time that sending took: what was the crawler's, and what was weighing. */
  #notSitesMs = 0

  constructor(form: PushedForm, copy: SiteCopy, site: CountedSite, costs: RequestCosts) {
    this.form = form
    this.copy = copy
    this.#costs = costs
    this.#line = new TimedLine(site.line())
    this.#intake = new PushIntake({ copy, terms: form.push, secret: SECRET, base: site.base, line: this.#line })
  }

  /** Where its site's delivery worker posts to. */
  readonly post: Post = async (request) => {
    const began = cpuMs()
    const status = request.method === 'OPTIONS' ? 204 : 202
    const headers = postHeaders(request)
    const traffic = postTraffic(request, headers, status)
    if (status === 202) await this.#receive({ ...request, headers })
    const { askingMs, answeringMs } = this.#costs.each
    this.#posted = sum(this.#posted, { ...nothing, ...traffic, cpuMs: answeringMs, serverMs: askingMs })
    this.#notSitesMs += cpuMs() - began
    return { status, headers: [], body: new Uint8Array(0) }
  }

  set sender(sender: Sender) {
    this.#sender = sender
  }

  get dueAt(): Instant {
    return this.#sender?.dueAt ?? Infinity
  }

  /** Undefined when there was nothing to be sent. */
  async send(now: Instant): Promise<(SchemeCost & { readonly tookMs: number }) | undefined> {
    const { copy } = this
    const counts = copy.counts
    const [began, startedAt, children] = [cpuMs(), performance.now(), endedChildrenMs()]
    this.#posted = nothing
    this.#notSitesMs = 0
    await this.#sender!.send(now)
    const sandboxMs = endedChildrenMs() - children
    const serverMs = cpuMs() - began - this.#notSitesMs + sandboxMs
    const tookMs = performance.now() - startedAt
    if (this.form.push.scheme === 'site') await this.#timed(() => this.#intake.siteEnded())
    const { trouble } = this.#sender!
    if (trouble !== undefined) throw new Error(`${this.form.name}: ${trouble}`)
    if (this.#posted.requests === 0) return undefined
    return {
      ...sum(this.#posted, { ...nothing, serverMs }),
      fetched: copy.counts.fetched - counts.fetched,
      changes: copy.counts.changes - counts.changes,
      broken: copy.counts.broken - counts.broken,
      tookMs,
    }
  }

  /** What a run of an agent takes that finds nothing new. */
  async idle(): Promise<SchemeCost> {
    const [began, children] = [cpuMs(), endedChildrenMs()]
    const content = await this.#sender!.idleRun()
    const serverMs = cpuMs() - began + endedChildrenMs() - children
    return content === 'none' ? nothing : { ...nothing, serverMs }
  }

  async #receive(request: PostRequest): Promise<void> {
    await this.#timed(async () => void (await this.#intake.receive(request)))
  }

  /** The crawler's work, and what it asks for because of it: on a connection for each delivery. */
  async #timed(work: () => Promise<void>): Promise<void> {
    const line = this.#line
    const before = { traffic: line.traffic, siteMs: line.siteMs, spentMs: line.spentMs }
    const began = cpuMs()
    await work()
    const crawlerMs = cpuMs() - began - (line.spentMs - before.spentMs)
    const { requests, sent, received } = line.traffic
    const asked = requests - before.traffic.requests
    const { each, kept } = this.#costs
    const times = (unit: 'askingMs' | 'answeringMs'): number =>
      asked === 0 ? 0 : each[unit] + (asked - 1) * kept[unit]
    this.#posted = sum(this.#posted, {
      ...nothing,
      requests: asked,
      connections: asked === 0 ? 0 : 1,
      sent: sent - before.traffic.sent,
      received: received - before.traffic.received,
      cpuMs: crawlerMs + times('askingMs'),
      serverMs: line.siteMs - before.siteMs + times('answeringMs'),
    })
  }
}
