/**
 * Freshness rehearsal: pages that change by chance, sites that announce it more or less honestly, and a real RevisitQueue
 * in between, under fake time. Measures what share of the time the copies were as their pages are, weighted by importance.
 *
 * Pages and sites follow the measured Web as far as it is known: a third never changes, the rest lognormal around once in
 * twenty days; importance lognormal. Channels are honest (nine of ten changes announced, one signal in twenty false), stale
 * (half, four in ten false), lying (six of ten, nineteen of twenty false) or silent.
 */
import type { Instant, SignalChannel } from '@comity/protocol'
import type { RevisitPolicy } from '../revisit/policies.ts'
import { RevisitQueue } from '../revisit/queue.ts'

const DAY = 86_400_000

export interface Announcer {
  readonly recall: number
  readonly precision: number
}

export const ANNOUNCERS: Readonly<Record<'honest' | 'stale' | 'lying' | 'silent', Announcer>> = {
  honest: { recall: 0.9, precision: 0.95 },
  stale: { recall: 0.5, precision: 0.6 },
  lying: { recall: 0.6, precision: 0.05 },
  silent: { recall: 0, precision: 1 },
}

export interface RehearsedWeb {
  readonly pages: readonly { readonly site: number; readonly importance: number; readonly changeRate: number }[]
  /** In order of time: a change of the page, or a signal about it. */
  readonly events: readonly { readonly at: Instant; readonly page: number; readonly isSignal: boolean }[]
  readonly days: number
}

interface FreshnessReport {
  /** Weighted by importance, after the warm-up. */
  readonly freshness: number
  readonly visits: number
  /** Share of visits that found nothing new. */
  readonly needless: number
}

/** A web of as many sites of each announcer in turn. */
export function rehearsedWeb(
  random: () => number,
  settings: { readonly sites: number; readonly pagesPerSite: number; readonly days: number },
  announcers: readonly Announcer[],
): RehearsedWeb {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const pages: { site: number; importance: number; changeRate: number }[] = []
  const events: { at: Instant; page: number; isSignal: boolean }[] = []
  for (let page = 0; page < settings.sites * settings.pagesPerSite; page++) {
    const site = page % settings.sites
    const isStill = random() < 0.35
    const changeRate = isStill ? 0 : Math.min(7, Math.max(0.0005, 0.05 * Math.exp(1.75 * normal())))
    pages.push({ site, importance: Math.exp(normal()), changeRate })
    const { recall, precision } = announcers[site % announcers.length]!
    for (const at of arrivals(random, changeRate, settings.days)) {
      events.push({ at, page, isSignal: false })
      if (random() < recall) events.push({ at: at + 60_000, page, isSignal: true })
    }
    // False alarms come to still pages as to others: by the mean rate, not the page's own.
    const falseRate = recall === 0 ? 0 : (MEAN_RATE * recall * (1 - precision)) / precision
    for (const at of arrivals(random, falseRate, settings.days)) events.push({ at, page, isSignal: true })
  }
  return { pages, events: events.toSorted((a, b) => a.at - b.at), days: settings.days }
}

/** Mean of the rates above. */
const MEAN_RATE = 0.14

function arrivals(random: () => number, perDay: number, days: number): Instant[] {
  const instants: Instant[] = []
  if (perDay === 0) return instants
  for (let at = 0; ;) {
    at -= Math.log(1 - random()) / perDay
    if (at >= days) return instants
    instants.push(at * DAY)
  }
}

/** Keep a web fresh for its days with this policy. `heard: false` keeps all signals from it. */
export function rehearseFreshness(
  web: RehearsedWeb,
  policy: RevisitPolicy,
  settings: {
    readonly visitsPerDay: number
    readonly warmUpDays: number
    readonly random: () => number
    readonly heard?: boolean
    readonly channel?: SignalChannel
    readonly auditShare?: number
  },
): FreshnessReport {
  const queue = new RevisitQueue({
    policy,
    budget: { requestsPerSecond: settings.visitsPerDay / 86_400 },
    random: settings.random,
    outPerSite: 1,
    ...(settings.auditShare !== undefined && { auditShare: settings.auditShare }),
  })
  const store = new FreshnessRecord(web, settings.warmUpDays * DAY)
  for (const [page, { site, importance }] of web.pages.entries())
    queue.added(page, { site, importance, visitedAt: 0 }, 0)
  let [now, next, visits, needless] = [0, 0, 0, 0]
  const end = web.days * DAY
  while (now < end) {
    for (let event = web.events[next]; event !== undefined && event.at <= now; event = web.events[++next]) {
      if (!event.isSignal) store.changed(event.page, event.at)
      else if (settings.heard ?? true) {
        const channel = settings.channel ?? 'sitemap'
        queue.signalled(event.page, { url: '', change: 'updated', channel }, event.at)
      }
    }
    const taken = queue.take(now, () => 0)
    if (taken === undefined) {
      const wake = Math.min(queue.nextAt(now), web.events[next]?.at ?? Infinity, end)
      now = Math.max(wake, now + 1)
      continue
    }
    const changed = store.visited(taken.page, now)
    visits++
    if (!changed) needless++
    queue.visited(taken.page, { at: now, changed, bytes: changed ? 13_000 : 300 })
  }
  return { freshness: store.freshness(end), visits, needless: needless / visits }
}

/** Since when each copy is outdated, and for how long all were fresh. */
class FreshnessRecord {
  readonly #web: RehearsedWeb
  readonly #from: Instant
  readonly #outdatedAt: Float64Array
  #lost = 0

  constructor(web: RehearsedWeb, from: Instant) {
    this.#web = web
    this.#from = from
    this.#outdatedAt = new Float64Array(web.pages.length).fill(Infinity)
  }

  changed(page: number, at: Instant): void {
    this.#outdatedAt[page] = Math.min(this.#outdatedAt[page]!, at)
  }

  /** Whether the copy was outdated. */
  visited(page: number, at: Instant): boolean {
    const since = this.#outdatedAt[page]!
    if (since === Infinity) return false
    this.#lost += this.#web.pages[page]!.importance * Math.max(0, at - Math.max(since, this.#from))
    this.#outdatedAt[page] = Infinity
    return true
  }

  freshness(end: Instant): number {
    let all = 0
    for (const [page, { importance }] of this.#web.pages.entries()) {
      this.visited(page, end)
      all += importance * (end - this.#from)
    }
    return 1 - this.#lost / all
  }
}
