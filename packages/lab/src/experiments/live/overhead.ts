/**
 * Live overhead: what a machine adds to each request. A simulation knows how long a site takes to answer and to send; a
 * real connection has to be opened and closed as well, timers are late, and the crawler has other things to do.
 */
import type { RequestLog } from '@comity/testbed'
import type { ServedWeb } from '../../webs/served/web.ts'

/** Milliseconds a request, one for each connection, in ascending order. */
export function overheadsOf(log: RequestLog, served: Pick<ServedWeb, 'web' | 'pageAt' | 'siteAt'>): Float64Array {
  const { latencyMs, bandwidth, bytes } = served.web
  const plannedMs = (address: string, path: string): number => {
    const site = served.siteAt(address)
    if (site === undefined) return 0
    const page = served.pageAt(address, path)
    return latencyMs[site]! + (page === undefined ? 0 : (bytes[page]! / bandwidth[site]!) * 1_000)
  }
  const requests = Map.groupBy(log.requests, ({ connectionId }) => connectionId)
  const added = log.connections.flatMap(({ connectionId, openedAt, closedAt }): number[] => {
    const asked = requests.get(connectionId) ?? []
    if (asked.length === 0 || closedAt === Infinity) return []
    const planned = asked.reduce((sum, { address, path }) => sum + plannedMs(address, path), 0)
    // A timer counts whole milliseconds and may be early by a part of one.
    return [Math.max(0, (closedAt - openedAt - planned) / asked.length)]
  })
  return Float64Array.from(added).toSorted()
}
