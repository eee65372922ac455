/**
 * Freshness run: a real RevisitQueue keeps a web fresh in simulated time, and what came of it is measured.
 *
 *   events ──changes──▶ store      ◀──visit──┐        at most one visit a site and rest, and the budget's visits a day
 *          └─signals──▶ queue ──take────────┘
 *
 * Copies are as their pages at the beginning. The first days, when nothing is known yet, do not count.
 */
import { RevisitQueue, policyNamed } from '@comity/frontier'
import type { SignalChannel } from '@comity/protocol'
import { CHANNEL_KINDS } from './channels.ts'
import { FreshnessRecord } from './record.ts'
import type { FreshnessWeb } from './web.ts'
import { DAY_MS } from '../../webs/history-window.ts'
import { createRandom, seedOf } from '@comity/testbed'

export interface FreshnessRunOptions {
  readonly policy: string
  /** Visits a page and day. */
  readonly budget: number
  readonly warmUpDays: number
  readonly restMinutes: number
  readonly maxOutdated: number
  readonly seed: number
  /** Called at the end of each day. */
  readonly onDay?: (day: number, queue: RevisitQueue) => void
}

export interface FreshnessRun {
  /** Share of the time that copies are as their pages, weighted by importance. */
  readonly freshness: number
  /** The same, all pages alike. */
  readonly plainFreshness: number
  /** Days since a copy stopped being as its page, on average, weighted by importance; 0 while it is. */
  readonly ageDays: number
  readonly plainAgeDays: number
  /** Share of visits that found nothing new. */
  readonly needless: number
  readonly requests: number
  /** Visits that count, by site. */
  readonly siteRequests: Uint32Array
  /** Of which page was visited when, all of them: two runs with the same made the same visits. */
  readonly visitsMark: number
}

export const CHANNEL: SignalChannel = 'sitemap'
const [BODY_BYTES, HEAD_BYTES] = [13_000, 300]

export function runFreshness(web: FreshnessWeb, options: FreshnessRunOptions): FreshnessRun {
  const { warmUpDays, maxOutdated, seed, onDay } = options
  const policy = policyNamed(options.policy, { maxOutdated })
  const random = createRandom(seedOf(seed, 'queue'))
  const pages = web.siteOf.length
  const queue = new RevisitQueue({
    policy,
    budget: { requestsPerSecond: (options.budget * pages) / 86_400 },
    random: () => random.next(),
  })
  const store = new FreshnessRecord(web.importance, warmUpDays * DAY_MS)
  for (const [page, site] of web.siteOf.entries())
    queue.added(page, { site, importance: web.importance[page]!, visitedAt: 0 }, 0)
  const freeAt = new Float64Array(web.kinds.length)
  const siteRequests = new Uint32Array(web.kinds.length)
  // Who makes nothing of signals is not given any: it stands for a crawler that nobody tells anything.
  const [end, rest, hears] = [web.days * DAY_MS, options.restMinutes * 60_000, policy.isDeaf !== true]
  let [now, next, requests, needless, day, visitsMark] = [0, 0, 0, 0, 1, 0]
  while (now < end) {
    for (let event = web.events[next]; event !== undefined && event.at * DAY_MS <= now; event = web.events[++next]) {
      if (!event.isSignal) store.changed(event.page, event.at * DAY_MS)
      else if (hears) queue.signalled(event.page, { url: '', change: 'updated', channel: CHANNEL }, event.at * DAY_MS)
    }
    for (; now >= day * DAY_MS; day++) onDay?.(day, queue)
    const taken = queue.take(now, (site) => freeAt[site]!)
    if (taken === undefined) {
      const heardAt = (web.events[next]?.at ?? Infinity) * DAY_MS
      now = Math.max(now + 1, Math.min(queue.nextAt(now), heardAt, end))
      continue
    }
    const isDated = CHANNEL_KINDS[web.kinds[taken.site]!].dated
    const lastModified = isDated ? store.changedAt(taken.page) : undefined
    const changed = store.visited(taken.page, now)
    queue.visited(taken.page, { at: now, changed, bytes: changed ? BODY_BYTES : HEAD_BYTES, lastModified })
    freeAt[taken.site] = now + rest
    visitsMark = (Math.imul(visitsMark ^ taken.page, 0x01000193) ^ Math.trunc(now)) >>> 0
    if (now < warmUpDays * DAY_MS) continue
    requests++
    siteRequests[taken.site]!++
    if (!changed) needless++
  }
  return { ...store.close(end), requests, needless: requests === 0 ? 0 : needless / requests, siteRequests, visitsMark }
}
