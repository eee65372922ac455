/**
 * Live audit: whether a crawl kept its rests, where the servers share an event loop with the crawler.
 *
 * A server hears of a closed connection when the loop comes round to it, and every stall of the loop shortens the rest
 * that it sees by as much. To allow for the longest stall would allow for any rest at all where w is short. So a connection
 * counts until its last answer here: the server ends that before the crawler has it, the crawler closes after that and
 * then rests for w, so no stall can make this rest look shorter than w. What it cannot see is the moment between the last
 * answer and the close, a millisecond or two.
 */
import { gaps, violations } from '@comity/testbed'
import type { Violation, RequestLog } from '@comity/testbed'

export interface LiveAudit {
  readonly violations: readonly Violation[]
  /** The shortest rest of a site from its last answer to the next connection; Infinity when none had two. */
  readonly shortestRestMs: number
}

/** The crawler counts whole milliseconds and the servers fractions, so each end of a rest may be off by one. */
const CLOCKS_MS = 2

export function auditOf(log: RequestLog, waitMs: number): LiveAudit {
  const answered = untilLastAnswer(log)
  const rests = gaps(answered, 'connections', 'address')
  return {
    violations: violations(answered, { connectionGapMs: waitMs, toleranceMs: CLOCKS_MS }),
    shortestRestMs: rests.reduce((least, { gapMs }) => Math.min(least, gapMs), Infinity),
  }
}

/** A connection that asked nothing keeps its own end. */
function untilLastAnswer({ connections, requests }: RequestLog): RequestLog {
  const lastAnswers = new Map<number, number>()
  for (const { connectionId, endedAt } of requests)
    lastAnswers.set(connectionId, Math.max(lastAnswers.get(connectionId) ?? 0, endedAt))
  return {
    requests,
    connections: connections.map((connection) =>
      Object.assign({}, connection, { closedAt: lastAnswers.get(connection.connectionId) ?? connection.closedAt }),
    ),
  }
}
