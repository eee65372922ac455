/**
 * Polling as its period tends to zero, and push as its limit (002 §6.1). A made site changes for some weeks; a copy of it is kept
 * by polls with shorter and shorter periods, and by being told of each change. Costs are those of the documents themselves, as the
 * site makes them at every poll that finds news; a poll that finds none costs the same each time, so it is made once.
 *
 *   changes ──▶ polls by a policy of the frontier ──▶ documents, bytes        freshness, age
 *        └────▶ posts, one for each change ─────────▶ contents, bytes
 */
import { policyNamed } from '@comity/frontier'
import { PUSHES, Told } from './push.ts'
import type { PushName } from './push.ts'
import { trafficBytes } from '../../cooperating/counted-line.ts'
import { CountedSite } from '../../cooperating/counted-site.ts'
import { editedBody, madePages } from '../../webs/made-pages.ts'
import { countedFollower } from '../../cooperating/counted-poller.ts'
import type { CountedPoller } from '../../cooperating/counted-poller.ts'
import { SITE_BASE } from '../../cooperating/server.ts'
import { createRandom, seedOf } from '@comity/testbed'
import type { Random } from '@comity/testbed'

export const PROCESSES = ['at random', 'in bursts'] as const
type ChangeProcess = (typeof PROCESSES)[number]

export const PERIOD_POLLS = ['change list, then GET', 'filter, differences'] as const
/** Those whose receiver ends with each version; a batch waits for others. */
const PERIOD_PUSHES: readonly PushName[] = PUSHES.filter((push) => push !== 'batch, sent')

interface PeriodOutcome {
  readonly hours: number
  readonly polls: number
  /** Polls that found something. */
  readonly news: number
  readonly freshness: number
  /** Of a page's copy, on average over pages and time. */
  readonly ageHours: number
  /** Bytes and requests a day, by the poll. */
  readonly bytes: Readonly<Record<string, number>>
  readonly requests: Readonly<Record<string, number>>
}

export interface PeriodCurves {
  readonly process: ChangeProcess
  readonly changes: number
  readonly days: number
  /** From the longest period to the shortest. */
  readonly periods: readonly PeriodOutcome[]
  readonly push: {
    readonly freshness: number
    readonly ageHours: number
    readonly bytes: Readonly<Record<string, number>>
  }
}

export interface PeriodPlan {
  readonly process: ChangeProcess
  readonly periodHours: readonly number[]
  readonly periodPages: number
  readonly periodDays: number
  readonly changesADay: number
  readonly meanBytes: number
  readonly editShare: number
  readonly pushSeconds: number
  readonly seed: number
}

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]
const BEGINS = Date.UTC(2026, 0, 2)

/** A change of one page, in milliseconds from the beginning. */
export interface PageEvent {
  readonly at: number
  readonly page: number
}

export async function periodCurves(plan: PeriodPlan): Promise<PeriodCurves> {
  const events = eventsOf(plan)
  const periods: PeriodOutcome[] = []
  for (const hours of plan.periodHours) periods.push(await polledAt(plan, events, hours))
  return {
    process: plan.process,
    changes: events.length,
    days: plan.periodDays,
    periods,
    push: await pushed(plan, events),
  }
}

/** Bursts are of so many changes within so long, all over the site. */
const [BURST, BURST_MS] = [10, HOUR_MS]

export function eventsOf({ process, periodPages, periodDays, changesADay, seed }: PeriodPlan): readonly PageEvent[] {
  const random = createRandom(seedOf(seed, 'period', process))
  const end = periodDays * DAY_MS
  const [size, width] = process === 'in bursts' ? [BURST, BURST_MS] : [1, 0]
  const events: PageEvent[] = []
  for (let at = 0; ;) {
    at += exponential(random, (size * DAY_MS) / changesADay)
    if (at >= end) break
    for (let one = 0; one < size; one++) {
      const when = at + random.next() * width
      if (when < end) events.push({ at: Math.floor(when), page: random.int(periodPages) })
    }
  }
  return events.toSorted((a, b) => a.at - b.at)
}

const exponential = (random: Random, mean: number): number => -Math.log(1 - random.next()) * mean

async function polledAt(plan: PeriodPlan, events: readonly PageEvent[], hours: number): Promise<PeriodOutcome> {
  const polls = pollTimes(hours, plan.periodDays)
  const site = await openSite(plan)
  const pollers = pollersOf(site)
  for (const { poll } of pollers) await poll()
  const random = createRandom(seedOf(plan.seed, 'edits'))
  let [next, news] = [0, 0]
  const bytes = new Map<string, number>()
  const requests = new Map<string, number>()
  const idle = new Map<string, { bytes: number; requests: number }>()
  const run = async (note: (name: string, bytes: number, requests: number) => void): Promise<void> => {
    for (const { name, line, poll } of pollers) {
      const before = line.traffic
      await poll()
      note(name, trafficBytes(line.traffic) - trafficBytes(before), line.traffic.requests - before.requests)
    }
  }
  // Past the moment when all pages were new, nothing has changed: what every needless poll costs.
  await change(site, plan, [{ at: 0, page: 0 }], random)
  await run(() => undefined)
  await run((name, cost, count) => void idle.set(name, { bytes: cost, requests: count }))
  for (const at of polls) {
    const since: PageEvent[] = []
    for (; next < events.length && events[next]!.at <= at; next++) since.push(events[next]!)
    if (since.length > 0) {
      news++
      await change(site, plan, since, random)
      site.moveTo(BEGINS + at)
      await run((name, cost, count) => {
        bytes.set(name, (bytes.get(name) ?? 0) + cost)
        requests.set(name, (requests.get(name) ?? 0) + count)
      })
    }
  }
  const aDay = (sums: ReadonlyMap<string, number>, key: 'bytes' | 'requests'): Record<string, number> =>
    Object.fromEntries(
      pollers.map(({ name }) => [
        name,
        ((sums.get(name) ?? 0) + (polls.length - news) * idle.get(name)![key]) / plan.periodDays,
      ]),
    )
  return {
    hours,
    polls: polls.length,
    news,
    ...staleness(events, plan, (at) => Math.min(plan.periodDays * DAY_MS, nextAfter(polls, at))),
    bytes: aDay(bytes, 'bytes'),
    requests: aDay(requests, 'requests'),
  }
}

/** When the frontier's policy of a fixed period is due, from visit to visit. */
function pollTimes(hours: number, days: number): readonly number[] {
  const policy = policyNamed('uniform')
  const facts = {
    importance: 1,
    dayMs: DAY_MS,
    changeRate: 0,
    hiddenRate: 0,
    signals: 0,
    suspicion: 0,
    intervalDays: 1,
    requestCost: 1,
    bodyCost: 0,
  }
  const times: number[] = []
  for (let visitedAt = 0; ;) {
    visitedAt = policy.dueAt({ ...facts, visitedAt }, hours / 24, visitedAt)
    if (!(visitedAt <= days * DAY_MS)) return times
    times.push(visitedAt)
  }
}

/** The first poll at or after a moment; the end of time when there is none. */
function nextAfter(polls: readonly number[], at: number): number {
  let [low, high] = [0, polls.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (polls[middle]! < at) low = middle + 1
    else high = middle
  }
  return polls[low] ?? Infinity
}

/** A copy is stale from its page's first change until somebody learns of it. */
export function staleness(
  events: readonly PageEvent[],
  { periodPages, periodDays }: Pick<PeriodPlan, 'periodPages' | 'periodDays'>,
  knownAt: (at: number) => number,
): { readonly freshness: number; readonly ageHours: number } {
  const until = new Map<number, number>()
  let [stale, age] = [0, 0]
  for (const { at, page } of events) {
    // Still stale from a change before: that one counts.
    if (at <= (until.get(page) ?? -1)) continue
    const end = knownAt(at)
    until.set(page, end)
    stale += end - at
    age += (end - at) ** 2 / 2
  }
  const all = periodPages * periodDays * DAY_MS
  return { freshness: 1 - stale / all, ageHours: age / all / HOUR_MS }
}

async function pushed(plan: PeriodPlan, events: readonly PageEvent[]): Promise<PeriodCurves['push']> {
  const site = await openSite(plan)
  const random = createRandom(seedOf(plan.seed, 'edits'))
  const told = await Told.open(site, PERIOD_PUSHES)
  await change(site, plan, events, random, async (path) => await told.change(path))
  const bytes: Record<string, number> = {}
  for (const push of PERIOD_PUSHES) bytes[push] = (await told.taken(push)) / plan.periodDays
  return { ...staleness(events, plan, (at) => at + plan.pushSeconds * 1_000), bytes }
}

const openSite = async ({ periodPages, meanBytes, seed }: PeriodPlan): Promise<CountedSite> =>
  await CountedSite.open(madePages({ pages: periodPages, meanBytes, seed, isEven: true }), {
    base: SITE_BASE,
    at: BEGINS - DAY_MS,
  })

async function change(
  site: CountedSite,
  { editShare }: PeriodPlan,
  events: readonly PageEvent[],
  random: Random,
  onChange: (path: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const { paths } = site
  for (const { at, page } of events) {
    const path = paths[page]!
    const body = editedBody(site.body(path)!, editShare, 'place', random)
    await site.put([{ path, body, modifiedAt: BEGINS + at }], BEGINS + at)
    await onChange(path)
  }
}

interface Poller extends CountedPoller {
  readonly name: string
}

const pollersOf = (site: CountedSite): readonly Poller[] => [
  { name: PERIOD_POLLS[0], ...countedFollower(site, 'change-list') },
  { name: PERIOD_POLLS[1], ...countedFollower(site, 'filter', { brings: 'difference', differences: 'delta' }) },
]
