/**
 * Live overhead: what a machine adds to each request. A simulation knows how long a site takes to answer and to send; a
 * real connection has to be opened and closed as well, timers are late, and the crawler has other things to do.
 */
import type { ConnectionRecord, RequestLog } from './request-log.ts'
import type { ServedWeb } from './served-web.ts'

/** Milliseconds a request, the median over connections; 0 when there was none. */
export function overheadOf(log: RequestLog, { web, pageAt, siteAt }: Pick<ServedWeb, 'web' | 'pageAt' | 'siteAt'>): number {
  const requests = Map.groupBy(log.requests, ({ connectionId }) => connectionId)
  const plannedMs = (address: string, path: string): number => {
    const [site, page] = [siteAt(address), pageAt(address, path)]
    if (site === undefined) return 0
    const bytes = page === undefined ? 0 : web.bytes![page]!
    return web.latencyMs![site]! + (bytes / web.bandwidth![site]!) * 1_000
  }
  const added = log.connections.flatMap(({ connectionId, openedAt, closedAt }: ConnectionRecord): number[] => {
    const asked = requests.get(connectionId) ?? []
    if (asked.length === 0 || closedAt === Infinity) return []
    const planned = asked.reduce((sum, { address, path }) => sum + plannedMs(address, path), 0)
    return [(closedAt - openedAt - planned) / asked.length]
  })
  return Math.max(0, added.toSorted((a, b) => a - b)[added.length >> 1] ?? 0)
}
