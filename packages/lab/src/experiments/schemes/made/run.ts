/**
 * All schemes on one made site, in one process: every change is recorded once, delivery workers go out when they are due, and at the
 * end of each period whoever polls polls. After each the copy has to be the site.
 *
 *   change ──▶ journal ──▶ delivery workers ──▶ intake ──▶ copies        polls at the end of a period ──▶ copies
 */
import type { AgentBundle } from '@comity/agent'
import { ownValue } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import { CountedSite } from '../../../cooperating/counted-site.ts'
import { CopyCheck } from '../check.ts'
import { SiteCopy } from '../../../cooperating/copy.ts'
import type { CopyNews } from '../../../cooperating/copy.ts'
import { beginMade, OPENS, subscribeMade } from './begin.ts'
import { MadePoller, MadeReceiver } from './contender.ts'
import type { RequestCosts } from './request.ts'
import { madeYear } from './year.ts'
import type { MadePlan, MadeYear } from './year.ts'
import type { PulledForm } from '../pulled.ts'
import type { PushedForm } from '../pushed.ts'
import { BASE_FORM, KEPT_FORM } from '../pulled.ts'
import { delaysOf, nothing, pollTimes, scaled, sum } from '../run.ts'
import type { SchemeCost, SchemeRun } from '../run.ts'
import { SITE_BASE } from '../../../cooperating/server.ts'
import { cpuMs } from '../worker.ts'
import type { SchemeForm } from '../table.ts'

interface MadeRuns {
  readonly made: MadeYear
  readonly runs: readonly SchemeRun[]
}

/** What all runs share. */
interface MadeShared {
  readonly costs: RequestCosts
  /** Of the agent, where there is one. */
  readonly bundle?: AgentBundle | undefined
}

export async function runMadeSite(
  count: number,
  plan: MadePlan,
  forms: readonly SchemeForm[],
  { costs, bundle }: MadeShared,
): Promise<MadeRuns> {
  const made = madeYear(count, plan)
  const site = await CountedSite.open(made.pages, { base: SITE_BASE, at: OPENS })
  const pollers = forms.flatMap((form) =>
    form.kind === 'pulled' && form.id !== KEPT_FORM ? [new MadePoller(form, new SiteCopy(), site, costs)] : [],
  )
  const receivers = forms.flatMap((form) =>
    form.kind === 'pushed' ? [new MadeReceiver(form, new SiteCopy(), site, costs)] : [],
  )
  await beginMade(site, made, pollers, receivers)
  for (const receiver of receivers) await subscribeMade(site, receiver, plan.everyDays, bundle)
  const runs = await new MadeLife(site, made, pollers, receivers, plan.everyDays).live()
  return { made, runs: forms.flatMap((form) => runs.get(form.id) ?? keptRun(form, runs.get(BASE_FORM), costs) ?? []) }
}

/** No cooperation over one connection is no cooperation, but for what connections take: it need not be done again. */
function keptRun(form: SchemeForm, base: SchemeRun | undefined, { each, kept }: RequestCosts): SchemeRun | undefined {
  if (form.id !== KEPT_FORM || base === undefined) return undefined
  const cheaper = (cost: SchemeCost, polls: number): SchemeCost => ({
    ...cost,
    connections: polls,
    cpuMs: cost.cpuMs - cost.requests * (each.askingMs - kept.askingMs),
    serverMs: cost.serverMs - cost.requests * (each.answeringMs - kept.answeringMs),
  })
  return { ...base, form, year: cheaper(base.year, base.polls), idle: cheaper(base.idle, 1) }
}

/** What a contender has spent, and when its copy became the site. */
interface Spent {
  cost: SchemeCost
  readonly check: CopyCheck
  /** Events up to this one have been compared. */
  upTo: number
  readonly synced: Instant[]
  readonly delays: number[]
}

class MadeLife {
  readonly #site: CountedSite
  readonly #made: MadeYear
  readonly #pollers: readonly MadePoller[]
  readonly #receivers: readonly MadeReceiver[]
  readonly #everyDays: number
  readonly #spent: ReadonlyMap<string, Spent>
  /** The site as it is: digests by path. */
  readonly #truth: Map<string, string>
  #next = 0
  #recordingMs = 0

  constructor(
    site: CountedSite,
    made: MadeYear,
    pollers: readonly MadePoller[],
    receivers: readonly MadeReceiver[],
    everyDays: number,
  ) {
    this.#site = site
    this.#made = made
    this.#pollers = pollers
    this.#receivers = receivers
    this.#everyDays = everyDays
    this.#truth = new Map(Array.from(site.journal.pages(), ({ path, digest }) => [path, hexOf(digest)]))
    this.#spent = new Map(
      [...pollers, ...receivers].map(({ form, copy }) => {
        const check = new CopyCheck(form.name, (content, digest) => content === digest)
        check.note(newsOf(copy))
        return [form.id, { cost: nothing, check, upTo: 0, synced: [], delays: [] }]
      }),
    )
  }

  async live(): Promise<ReadonlyMap<string, SchemeRun>> {
    const { year } = this.#made
    for (const at of pollTimes(year, this.#everyDays)) {
      await this.#until(at)
      for (const poller of this.#pollers) this.#note(poller, await poller.poll(this.#listed(poller)), at, 0)
    }
    for (const one of [...this.#pollers, ...this.#receivers]) this.#compareAll(one)
    const runs = new Map<string, SchemeRun>()
    for (const receiver of this.#receivers)
      runs.set(receiver.form.id, this.#runOf(receiver.form, await receiver.idle()))
    for (const poller of this.#pollers) runs.set(poller.form.id, this.#runOf(poller.form, await this.#idle(poller)))
    return runs
  }

  /** Pages that there are; of who knows that for nothing, those that changed. */
  #listed({ form }: MadePoller): readonly string[] {
    if (form.knows !== true) return this.#site.paths
    const { upTo } = this.#spent.get(form.id)!
    return [...new Set(this.#made.year.events.slice(upTo, this.#next).map(({ path }) => path))]
  }

  async #until(end: Instant): Promise<void> {
    const { events } = this.#made.year
    for (;;) {
      const due = this.#receivers.reduce((soonest, { dueAt }) => Math.min(soonest, dueAt), Infinity)
      const at = Math.min(events[this.#next]?.at ?? Infinity, Math.max(this.#site.now, due))
      if (at > end) break
      await this.#change(at)
      for (const receiver of this.#receivers) {
        if (receiver.dueAt > at) continue
        const cost = await receiver.send(at)
        if (cost !== undefined) this.#note(receiver, cost, at, cost.tookMs)
      }
    }
    this.#site.moveTo(end)
  }

  async #change(at: Instant): Promise<void> {
    this.#site.moveTo(at)
    const event = this.#made.year.events[this.#next]
    if (event?.at !== at) return
    this.#next++
    const body = this.#made.edit(this.#site.body(event.path)!)
    const began = cpuMs()
    await this.#site.put([{ path: event.path, body, modifiedAt: at }], at)
    this.#recordingMs += cpuMs() - began
    this.#truth.set(event.path, hexOf(this.#site.journal.page(event.path)!.digest))
  }

  #note(one: MadePoller | MadeReceiver, cost: SchemeCost, at: Instant, tookMs: number): void {
    const spent = this.#spent.get(one.form.id)!
    this.#compare(one)
    spent.cost = sum(spent.cost, { ...nothing, ...pickCost(cost) })
    spent.synced.push(at + tookMs)
    if (tookMs > 0) spent.delays.push(tookMs)
  }

  /** What changed on either side since the last time: all else is as it was. */
  #compare({ form, copy }: MadePoller | MadeReceiver): void {
    const spent = this.#spent.get(form.id)!
    const changed = this.#made.year.events.slice(spent.upTo, this.#next).map(({ path }) => path)
    spent.upTo = this.#next
    const news = copy.takeNews()
    spent.check.note(news)
    spent.check.compare(this.#truth, [...news.map(([path]) => path), ...changed])
  }

  /** At the end everybody has the site, whatever was said to have changed. */
  #compareAll({ form, copy }: MadePoller | MadeReceiver): void {
    const { check } = this.#spent.get(form.id)!
    check.note(newsOf(copy))
    check.compareAll(this.#truth)
  }

  /** A poll that finds nothing. Who asks for all pages does the same each time. */
  async #idle(poller: MadePoller): Promise<SchemeCost> {
    const { cost, synced } = this.#spent.get(poller.form.id)!
    return poller.form.tells ? await poller.poll(this.#site.paths) : scaled(cost, 1 / Math.max(1, synced.length))
  }

  #runOf(form: PulledForm | PushedForm, idle: SchemeCost): SchemeRun {
    const { cost, synced, delays, check } = this.#spent.get(form.id)!
    const isTimed = form.kind === 'pulled' || form.push.when === 'each period' || form.push.when === 'agent'
    return {
      form,
      everyDays: isTimed ? this.#everyDays : 0,
      polls: synced.length,
      first: nothing,
      year: { ...cost, recordingMs: form.site.door === 'helping' ? this.#recordingMs : 0 },
      idle,
      synced,
      delayMs: form.kind === 'pulled' ? undefined : delaysOf(delays),
      compared: check.compared,
    }
  }
}

/** Without what is not of costs. */
const pickCost = (cost: SchemeCost): SchemeCost =>
  Object.fromEntries(
    Object.keys(nothing).map((key) => [key, ownValue<unknown>({ ...cost }, key)]),
  ) as unknown as SchemeCost

/** `sha-256:` and digits, without what goes before them. */
const hexOf = (digest: string): string => digest.slice('sha-256:'.length)

/** All of it. */
const newsOf = ({ pages }: SiteCopy): CopyNews => Array.from(pages, ([path, { digest }]) => [path, digest])
