/**
 * Live crawl: the crawler itself let loose on a served web, over real sockets and into a real collection, and what the
 * served side saw of it: which pages came in which order, how long they took, and whether anybody was disturbed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crawl, crawlDefaults } from '@comity/crawler'
import type { CrawlOptions, CrawlSummary } from '@comity/crawler'
import { orderNamed } from '@comity/frontier'
import type { Instant } from '@comity/protocol'
import { auditOf } from './audit.ts'
import type { LiveAudit } from './audit.ts'
import { overheadsOf } from './overhead.ts'
import type { LiveSettings } from './settings.ts'
import type { RequestLog } from '@comity/testbed'
import { politenessOf } from '../scheduling/runs.ts'
import { createRandom } from '@comity/testbed'
import { serveWeb } from '../../webs/served/web.ts'
import type { ServedGraph, ServedWeb } from '../../webs/served/web.ts'
import type { WebGraph } from '../../webs/graph/web-graph.ts'

export interface LiveCrawl {
  /** The web as it was served, which is the one to simulate. */
  readonly web: ServedGraph
  /** Pages in the order in which their answers were complete; one that was fetched twice is in it twice. */
  readonly visits: Uint32Array
  readonly summary: CrawlSummary
  /** What this machine added to the requests of each connection, in ascending order. */
  readonly overheadsMs: Float64Array
  readonly audit: LiveAudit
  /** All that the servers saw. */
  readonly log: RequestLog
}

interface LiveCrawlSettings extends Omit<LiveSettings, 'orders' | 'draws' | 'pagesPerConnection'> {
  readonly order: string
  /** None is given: as the frontier has it. */
  readonly pagesPerConnection: number | undefined
}

/** Fractions of a millisecond, as several pages may come within one. */
const clock = (): Instant => performance.timeOrigin + performance.now()

/** Aborting stops politely, with what there is by then. */
export async function liveCrawl(web: WebGraph, settings: LiveCrawlSettings, signal?: AbortSignal): Promise<LiveCrawl> {
  const { served, summary } = await crawlServed(web, settings, signal)
  const log = served.log.read()
  const asked = log.requests.toSorted((a, b) => a.endedAt - b.endedAt)
  return {
    web: served.web,
    visits: Uint32Array.from(asked.flatMap(({ address, path }) => served.pageAt(address, path) ?? [])),
    summary,
    overheadsMs: overheadsOf(log, served),
    audit: auditOf(log, settings.waitMs),
    log,
  }
}

/** Its servers are closed when it returns, so that every connection has an end in the log. */
async function crawlServed(
  web: WebGraph,
  settings: LiveCrawlSettings,
  signal: AbortSignal | undefined,
): Promise<{ readonly served: ServedWeb; readonly summary: CrawlSummary }> {
  const into = await mkdtemp(join(tmpdir(), 'comity-live-'))
  const random = createRandom(settings.seed)
  try {
    await using served = await serveWeb(web, { ...settings, clock })
    const summary = await crawl({
      into,
      options: { ...optionsFor(settings), seeds: served.homes },
      world: { now: () => Date.now(), random: () => random.next() },
      ...(signal && { signal }),
    })
    return { served, summary }
  } finally {
    await rm(into, { recursive: true, force: true })
  }
}

function optionsFor(settings: LiveCrawlSettings): Partial<CrawlOptions> {
  const { order, waitMs, pagesPerConnection, robots, topic } = settings
  return {
    order: orderNamed(order),
    topic: { ...crawlDefaults.topic, words: [topic] },
    scope: 'any',
    // What a page is called is up to the web, and none of these has effects.
    avoidSideEffects: false,
    allowPrivate: ['127.0.0.0/8'],
    privateDelayMs: waitMs,
    politeness: politenessOf(waitMs, pagesPerConnection),
    parallel: robots,
    // A thread takes a while to start, and where rests are short a hundred pages would have come before one is read.
    threads: 0,
  }
}
