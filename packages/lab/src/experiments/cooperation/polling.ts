/**
 * When to ask for a site's metadata again (002 §6.5.3): after a fixed period, the same for all sites, or when the
 * probability that the copy is outdated passes a limit. Both are policies of the frontier, under simulated time, and the
 * rates of change that they need are estimated from what the polls find, as the crawler does it.
 *
 * What is polled is the file of a site: it is outdated as soon as one page of the site has changed, and current again with
 * the next poll.
 */
import { changeRate, NOTHING_SEEN, withVisit } from '@comity/frontier'
import type { RevisitFacts, RevisitPolicy } from '@comity/frontier'
import { DAY_MS } from '../../webs/history-window.ts'

/** When the file of a site changes, in days, rising. */
export type FileChanges = ArrayLike<number>

export interface PollingSettings {
  readonly days: number
  /** Not counted: nobody knows the sites yet. */
  readonly warmUpDays: number
}

export interface Polling {
  readonly pollsADay: number
  /** Polls that found the file as it was. */
  readonly needless: number
  /** Of the time, as a mean over the sites, and of the worst site. */
  readonly outdated: number
  readonly worst: number
}

/** As a revisit queue would, without a budget: each site is polled when the policy says that it is due at this price. */
export function poll(
  sites: readonly FileChanges[],
  policy: RevisitPolicy,
  price: number,
  settings: PollingSettings,
): Polling {
  const all = sites.map((changes) => pollSite(changes, policy, price, settings))
  const sum = (value: (one: SitePolling) => number): number => all.reduce((total, one) => total + value(one), 0)
  const counted = settings.days - settings.warmUpDays
  const polls = sum((one) => one.polls)
  return {
    pollsADay: polls / counted,
    needless: polls === 0 ? 0 : sum((one) => one.needless) / polls,
    outdated: sum((one) => one.outdatedDays) / (counted * sites.length),
    worst: Math.max(...all.map((one) => one.outdatedDays / counted)),
  }
}

interface SitePolling {
  readonly polls: number
  readonly needless: number
  readonly outdatedDays: number
}

/** Whoever polls more often than this has a site that changes all the time, and should be told instead of asking. */
const LEAST_INTERVAL_DAYS = 1 / 96

function pollSite(
  changes: FileChanges,
  policy: RevisitPolicy,
  price: number,
  { days, warmUpDays }: PollingSettings,
): SitePolling {
  let [stats, visited, next, polls, needless, outdatedDays] = [NOTHING_SEEN, 0, 0, 0, 0, 0]
  const lost = (from: number, until: number): number => Math.max(0, until - Math.max(from, warmUpDays))
  for (;;) {
    const facts = factsOf(visited, () => changeRate(stats))
    const due = Math.max(policy.dueAt(facts, price, visited * DAY_MS) / DAY_MS, visited + LEAST_INTERVAL_DAYS)
    const outdatedFrom = next < changes.length ? changes[next]! : Infinity
    if (due >= days) return { polls, needless, outdatedDays: outdatedDays + lost(outdatedFrom, days) }
    let last = -Infinity
    for (; next < changes.length && changes[next]! <= due; next++) last = changes[next]!
    const changed = last >= 0
    if (due >= warmUpDays) {
      polls++
      if (!changed) needless++
    }
    outdatedDays += lost(outdatedFrom, due)
    // The file is dated: it is known when the last of its changes was.
    stats = withVisit(stats, { days: due - visited, changed, ...(changed && { ageDays: due - last }) })
    visited = due
  }
}

/** The rate is worked out only for policies that look at it. */
function factsOf(visited: number, rate: () => number): RevisitFacts {
  let known: number | undefined
  return {
    importance: 1,
    visitedAt: visited * DAY_MS,
    dayMs: DAY_MS,
    get changeRate() {
      return (known ??= rate())
    },
    get hiddenRate() {
      return (known ??= rate())
    },
    signals: 0,
    suspicion: 0,
    intervalDays: 1,
    requestCost: 1,
    bodyCost: 0,
  }
}
