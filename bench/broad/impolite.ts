/** What the sites saw of a crawler, and how much of it was impolite. Pure. */
import { overlaps } from '@comity/testbed'
import type { RequestLog } from '@comity/testbed'

export interface Seen {
  /** Requests for pages, and for robots.txt. */
  readonly pages: number
  readonly robots: number
  readonly connections: number
  /** Connections that were opened to an address while another to it was open. Each site has an address of its own. */
  readonly doubled: number
  /** Pages that were asked for sooner than the delay after the request for the page before them at that address … */
  readonly soonAfterRequest: number
  /** … and after its answer: what a rest is, as a crawler that asks a slow server once a second gives it none. */
  readonly soonAfterAnswer: number
}

/** The kernel and two event loops lie between a crawler's clock and a server's. */
const TOLERANCE_MS = 25

const isRobots = (path: string): boolean => path === '/robots.txt'

export function seenIn(log: RequestLog, delayMs: number): Seen {
  const pages = log.requests.filter(({ path }) => !isRobots(path))
  let [soonAfterRequest, soonAfterAnswer] = [0, 0]
  const last = new Map<string, { startedAt: number; endedAt: number }>()
  for (const { address, startedAt, endedAt } of pages) {
    const before = last.get(address)
    if (before !== undefined && startedAt < before.startedAt + delayMs - TOLERANCE_MS) soonAfterRequest++
    if (before !== undefined && startedAt < before.endedAt + delayMs - TOLERANCE_MS) soonAfterAnswer++
    last.set(address, { startedAt, endedAt: Math.max(endedAt, before?.endedAt ?? 0) })
  }
  return {
    pages: pages.length,
    robots: log.requests.length - pages.length,
    connections: log.connections.length,
    doubled: overlaps(log, 'address').filter(({ overlapMs }) => overlapMs > TOLERANCE_MS).length,
    soonAfterRequest,
    soonAfterAnswer,
  }
}
