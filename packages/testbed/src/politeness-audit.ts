/**
 * Politeness audit: read a request log and name every broken promise in it. Pure, so handmade logs test it.
 *
 * All figures are the server's. It hears of a closed connection a little later than the crawler closed it, so a gap
 * seen here can be shorter than the one the crawler kept by what the kernel and two event loops take: pass that as
 * `toleranceMs` when sockets are real, and 0 when the log is handmade.
 */
import { ownValue } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { ConnectionRecord, RequestLog, RequestRecord } from './request-log.ts'

type LogKey = 'address' | 'site'

/** Two connections to one address (or site) that were open at the same time: from accept to close. */
interface Overlap {
  readonly key: string
  readonly first: ConnectionRecord
  readonly second: ConnectionRecord
  readonly overlapMs: number
}

interface Gap {
  readonly key: string
  /** Between what: the connections or the requests that followed each other. */
  readonly of: 'connections' | 'requests'
  readonly from: Instant
  readonly until: Instant
  /** From the end of one to the start of the next; negative when they overlap. */
  readonly gapMs: number
  readonly path?: string
}

/** What a polite crawler owes these servers. */
export interface Floors {
  /** Least rest between two connections, for each site and for each address. */
  readonly connectionGapMs: number
  /** By site: least rest between two requests, as its `Crawl-delay` asks. */
  readonly crawlDelayMs?: Readonly<Record<string, number>>
  /** True for what robots.txt forbids. */
  readonly disallowed?: (site: string, path: string) => boolean
  readonly toleranceMs?: number
}

export type ViolatedRule =
  | 'two-connections-to-address'
  | 'two-connections-to-site'
  | 'connection-too-soon-for-address'
  | 'connection-too-soon-for-site'
  | 'request-before-crawl-delay'
  | 'request-before-retry-after'
  | 'disallowed-path'

export interface Violation {
  readonly rule: ViolatedRule
  readonly key: string
  readonly at: Instant
  readonly sentence: string
}

/**
 * For each connection that opened while another to the same key was open, the pair with the one that stayed longest.
 * One pair a connection keeps the list linear even for a crawler that opens a thousand at once.
 */
export function overlaps(log: RequestLog, by: LogKey): Overlap[] {
  const found: Overlap[] = []
  for (const [key, connections] of connectionsBy(log, by)) {
    let longest: ConnectionRecord | undefined
    for (const second of connections) {
      if (longest !== undefined && longest.closedAt > second.openedAt) {
        const overlapMs = Math.min(longest.closedAt, second.closedAt) - second.openedAt
        found.push({ key, first: longest, second, overlapMs })
      }
      if (longest === undefined || second.closedAt > longest.closedAt) longest = second
    }
  }
  return found
}

/** The rests between what followed each other, for each key. `closedAt` of a connection still open counts as Infinity. */
export function gaps(log: RequestLog, of: Gap['of'], by: LogKey = 'site'): Gap[] {
  if (of === 'connections') {
    return [...connectionsBy(log, by)].flatMap(([key, list]) =>
      gapsOf(
        key,
        of,
        list.map(({ openedAt, closedAt }) => ({ from: openedAt, until: closedAt })),
      ),
    )
  }
  return [...Map.groupBy(log.requests, (request) => request[by])].flatMap(([key, list]) =>
    gapsOf(
      key,
      of,
      list.map(({ startedAt, endedAt, path }) => ({ from: startedAt, until: endedAt, path })),
    ),
  )
}

export function violations(log: RequestLog, floors: Floors): Violation[] {
  const toleranceMs = floors.toleranceMs ?? 0
  return [
    ...(['address', 'site'] as const).flatMap((by) =>
      connectionViolations(log, by, floors.connectionGapMs, toleranceMs),
    ),
    ...crawlDelayViolations(log, floors.crawlDelayMs ?? {}, toleranceMs),
    ...retryAfterViolations(log, toleranceMs),
    ...log.requests.filter(({ site, path }) => floors.disallowed?.(site, path) === true).map(disallowedViolation),
  ].toSorted((a, b) => a.at - b.at)
}

function connectionViolations(log: RequestLog, by: LogKey, floorMs: number, toleranceMs: number): Violation[] {
  const doubled = overlaps(log, by)
    .filter(({ overlapMs }) => overlapMs > toleranceMs)
    .map(({ key, first, second, overlapMs }): Violation => ({
      rule: `two-connections-to-${by}`,
      key,
      at: second.openedAt,
      sentence: `connections ${first.connectionId} and ${second.connectionId} to ${key} were both open for ${overlapMs} ms`,
    }))
  // A gap below zero is an overlap and was named above.
  const hasty = gaps(log, 'connections', by)
    .filter(({ gapMs }) => gapMs >= -toleranceMs && gapMs < floorMs - toleranceMs)
    .map(({ key, until, gapMs }): Violation => ({
      rule: `connection-too-soon-for-${by}`,
      key,
      at: until,
      sentence: `a connection to ${key} came ${gapMs} ms after the last one closed; ${floorMs} ms were owed`,
    }))
  return [...doubled, ...hasty]
}

function crawlDelayViolations(
  log: RequestLog,
  floors: Readonly<Record<string, number>>,
  toleranceMs: number,
): Violation[] {
  return gaps(log, 'requests').flatMap(({ key, until, gapMs, path }): Violation[] => {
    const floorMs = ownValue(floors, key)
    if (floorMs === undefined || gapMs >= floorMs - toleranceMs) return []
    const sentence = `${key}${path ?? ''} was asked ${gapMs} ms after the last answer; its Crawl-delay is ${floorMs} ms`
    return [{ rule: 'request-before-crawl-delay', key, at: until, sentence }]
  })
}

function retryAfterViolations(log: RequestLog, toleranceMs: number): Violation[] {
  const closedUntil = new Map<string, Instant>()
  return log.requests.flatMap((request): Violation[] => {
    const { site: key, startedAt: at, path, retryAt } = request
    const until = closedUntil.get(key) ?? -Infinity
    if (retryAt !== undefined) closedUntil.set(key, Math.max(until, retryAt))
    if (at >= until - toleranceMs) return []
    const sentence = `${key}${path} was asked ${until - at} ms before the instant that Retry-After named`
    return [{ rule: 'request-before-retry-after', key, at, sentence }]
  })
}

const disallowedViolation = ({ site, path, startedAt }: RequestRecord): Violation => ({
  rule: 'disallowed-path',
  key: site,
  at: startedAt,
  sentence: `${site}${path} was asked although robots.txt forbids it`,
})

function connectionsBy(log: RequestLog, by: LogKey): Map<string, ConnectionRecord[]> {
  const groups = new Map<string, ConnectionRecord[]>()
  for (const connection of log.connections) {
    for (const key of by === 'address' ? [connection.address] : connection.sites) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [connection])
      else group.push(connection)
    }
  }
  return groups
}

/** `spans` in the order of their start. The rest is counted from the latest end so far, not from the last start. */
function gapsOf(key: string, of: Gap['of'], spans: readonly { from: Instant; until: Instant; path?: string }[]): Gap[] {
  let latest = -Infinity
  return spans.flatMap((span, index): Gap[] => {
    const from = latest
    latest = Math.max(latest, span.until)
    if (index === 0) return []
    const gap = { key, of, from, until: span.from, gapMs: span.from - from }
    return [span.path === undefined ? gap : { ...gap, path: span.path }]
  })
}
