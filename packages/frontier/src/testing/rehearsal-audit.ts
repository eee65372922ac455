/** RehearsalAudit: what no log of visits may ever show, whatever the sites did. Each finding is a sentence. */
import { siteOf } from '@comity/protocol'
import type { Task } from '../queue/lease.ts'
import { connectionPages } from '../queue/politeness.ts'
import type { Politeness } from '../queue/politeness.ts'
import type { GateChange, Visit } from './rehearsal.ts'

export function audit(
  { visits, gates }: { visits: readonly Visit[]; gates: readonly GateChange[] },
  politeness: Politeness,
): string[] {
  const byOpening = visits.toSorted((a, b) => a.openedAt - b.openedAt)
  return [
    ...restsBetween(byOpening, ({ site }) => site, politeness),
    ...restsBetween(byOpening, ({ address }) => address, politeness),
    ...visits.flatMap((visit) => tooMany(visit, politeness)),
    ...floorsBetweenRequests(byOpening, politeness),
    ...closedGates(visits, gates),
  ]
}

/** One connection at a time, and its rest before the next. */
function restsBetween(visits: readonly Visit[], nameOf: (visit: Visit) => string, { slowdown }: Politeness): string[] {
  const findings: string[] = []
  const last = new Map<string, Visit>()
  for (const visit of visits) {
    const name = nameOf(visit)
    const before = last.get(name)
    last.set(name, visit)
    if (before === undefined) continue
    if (visit.openedAt < before.closedAt) findings.push(`${name}: two connections at ${visit.openedAt}`)
    if (before.requests.length === 0 || before.delayMs === 0) continue
    const slowest = Math.max(...before.requests.map(({ reply }) => reply.tookMs))
    const rest = Math.max(before.delayMs, slowest * slowdown)
    if (visit.openedAt < before.closedAt + rest)
      findings.push(`${name}: ${visit.openedAt - before.closedAt} ms rest, not ${rest}`)
  }
  return findings
}

/** At most k on a connection; a site's own robots.txt is free. */
function tooMany({ siteId, site, requests }: Visit, politeness: Politeness): string[] {
  const isOwnRobots = (task: Task): boolean =>
    task.kind === 'prerequisite' && task.prerequisite.kind === 'robots' && task.prerequisite.onBehalfOf === siteId
  const counted = requests.filter(({ task }) => !isOwnRobots(task))
  return counted.length > connectionPages(politeness) ? [`${site}: ${counted.length} requests on one connection`] : []
}

/** Crawl-delay, Retry-After and back-off hold between requests to a site, on whichever connection. */
function floorsBetweenRequests(visits: readonly Visit[], politeness: Politeness): string[] {
  const findings: string[] = []
  const floors = new Map<string, number>()
  const delays = new Map<string, number>()
  for (const { site, requests } of visits) {
    let strikes = 0
    for (const { url, at, endedAt, reply } of requests) {
      const floor = floors.get(site) ?? 0
      if (at < floor) findings.push(`${url}: asked at ${at}, ${floor - at} ms before the site allowed it`)
      if (url === `${site}/robots.txt` && reply.crawlDelayMs !== undefined) delays.set(site, reply.crawlDelayMs)
      strikes = reply.overloaded ? strikes + 1 : 0
      if (strikes > 1) findings.push(`${url}: asked on a connection whose last answer was overloaded`)
      const asked = endedAt + (delays.get(site) ?? 0)
      const retryAt = endedAt + Math.min(reply.retryAfterMs ?? 0, politeness.maxRetryAfterMs)
      const backoff = reply.overloaded ? Math.max(retryAt, endedAt + politeness.backoffMs) : 0
      floors.set(site, Math.max(floor, asked, backoff))
    }
  }
  return findings
}

/** A page is asked for only while its site's gate is open; one promised on an open connection may come a little later. */
function closedGates(visits: readonly Visit[], gates: readonly GateChange[]): string[] {
  const pages = visits.flatMap(({ requests }) => requests.filter(({ task }) => task.kind === 'page'))
  return pages.flatMap(({ url, at }) => {
    const gate = gates.findLast((change) => change.site === siteOf(url) && change.at <= at)
    return gate === undefined || gate.until + HOLD_MS < at ? [`${url}: asked at ${at} with the gate closed`] : []
  })
}

const HOLD_MS = 2_000
