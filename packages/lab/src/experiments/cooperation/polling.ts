/**
 * When to ask for a site's metadata again (002 §6.5.3): after a fixed period, the same for all sites, or when the
 * probability that the copy is outdated passes a limit. The limit is the crawler's own rule, under simulated time; what it is
 * compared with are policies of the frontier. What they have to know is estimated from what the polls find, as the crawler does it.
 *
 * What is polled is the file of a site: it is outdated as soon as one page of the site has changed, and current again with
 * the next poll.
 */
import { paced, pollPeriodMs } from '@comity/follow'
import type { NewsPace } from '@comity/follow'
import { changeRate, NOTHING_SEEN, withVisit } from '@comity/frontier'
import type { RevisitFacts, RevisitPolicy } from '@comity/frontier'
import { DAY_MS } from '../../webs/history-window.ts'

/** When the file of a site changes, in days, rising. */
export type FileChanges = ArrayLike<number>

interface PollingSettings {
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

/** When one site is polled next; it learns from what polls find. Days. */
interface Poller {
  nextAfter(visited: number): number
  /** `lastChange` is that of the file, where it had changed. */
  found(visited: number, lastChange: number | undefined): void
}

/** Of each site anew. */
type PollRule = () => Poller

/** As the crawler asks sites what has changed (`choose/poll-period.ts` of follow), for a poll that costs a bare request. */
export const byLimit =
  (maxOutdated: number, longestDays: number): PollRule =>
  () => {
    const terms = { maxOutdated, minMs: LEAST_INTERVAL_DAYS * DAY_MS, maxMs: longestDays * DAY_MS }
    let [pace, before]: [NewsPace | undefined, number] = [undefined, 0]
    return {
      nextAfter: (visited) => visited + pollPeriodMs(pace, 0, terms) / DAY_MS,
      found: (visited, lastChange) => {
        pace = paced(pace, (visited - before) * DAY_MS, lastChange !== undefined)
        before = visited
      },
    }
  }

/** As a revisit queue would visit a page, without a budget: when the policy says that it is due at this price. */
export const byPolicy =
  (policy: RevisitPolicy, price: number): PollRule =>
  () => {
    let [stats, before] = [NOTHING_SEEN, 0]
    return {
      nextAfter: (visited) =>
        policy.dueAt(
          factsOf(visited, () => changeRate(stats)),
          price,
          visited * DAY_MS,
        ) / DAY_MS,
      found: (visited, lastChange) => {
        const changed = lastChange !== undefined
        // The file is dated: it is known when the last of its changes was.
        stats = withVisit(stats, { days: visited - before, changed, ...(changed && { ageDays: visited - lastChange }) })
        before = visited
      },
    }
  }

export function poll(sites: readonly FileChanges[], rule: PollRule, settings: PollingSettings): Polling {
  const all = sites.map((changes) => pollSite(changes, rule(), settings))
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

function pollSite(changes: FileChanges, poller: Poller, { days, warmUpDays }: PollingSettings): SitePolling {
  let [visited, next, polls, needless, outdatedDays] = [0, 0, 0, 0, 0]
  const lost = (from: number, until: number): number => Math.max(0, until - Math.max(from, warmUpDays))
  for (;;) {
    const due = Math.max(poller.nextAfter(visited), visited + LEAST_INTERVAL_DAYS)
    const outdatedFrom = next < changes.length ? changes[next]! : Infinity
    if (due >= days) return { polls, needless, outdatedDays: outdatedDays + lost(outdatedFrom, days) }
    let last: number | undefined
    for (; next < changes.length && changes[next]! <= due; next++) last = changes[next]!
    if (due >= warmUpDays) {
      polls++
      if (last === undefined) needless++
    }
    outdatedDays += lost(outdatedFrom, due)
    poller.found(due, last)
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
