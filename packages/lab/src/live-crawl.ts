/**
 * Live crawl: the crawler itself let loose on a served web, over real sockets and into a real collection, and what the
 * served side saw of it: which pages came in which order, how long they took, and whether anybody was disturbed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { crawl, crawlDefaults } from '@comity/crawler'
import type { CrawlSummary } from '@comity/crawler'
import { orderNamed } from '@comity/frontier'
import type { Instant } from '@comity/protocol'
import { overheadOf } from './live-overhead.ts'
import type { LiveSettings } from './live-settings.ts'
import { gaps, violations } from './politeness-audit.ts'
import type { Violation } from './politeness-audit.ts'
import { mannersOf } from './scheduling-runs.ts'
import { createRandom } from './seeded-random.ts'
import type { WrittenWeb } from './served-page.ts'
import { serveWeb } from './served-web.ts'
import type { WebGraph } from './web-graph.ts'

export interface LiveCrawl {
  readonly order: string
  /** The web as it was served, which is the one to simulate. */
  readonly web: WrittenWeb
  /** Pages in the order in which their answers were complete; one that was fetched twice is in it twice. */
  readonly visits: Uint32Array
  readonly summary: CrawlSummary
  /** What this machine added to each request, in the middle. */
  readonly overheadMs: number
  /** The shortest rest of a site between two connections, as its server saw it. */
  readonly shortestRestMs: number
  readonly violations: readonly Violation[]
  readonly tookMs: number
}

export type LiveCrawlSettings = Pick<
  LiveSettings,
  'waitMs' | 'pagesPerConnection' | 'robots' | 'speedUp' | 'topic' | 'seed'
>

/** Fractions of a millisecond, as several pages may come within one. */
const clock = (): Instant => performance.timeOrigin + performance.now()

/** Aborting stops politely, with what there is by then. */
export async function liveCrawl(
  given: WebGraph,
  order: string,
  settings: LiveCrawlSettings,
  signal?: AbortSignal,
): Promise<LiveCrawl> {
  const into = await mkdtemp(join(tmpdir(), 'comity-live-'))
  const lag = monitorEventLoopDelay({ resolution: 5 })
  try {
    await using served = await serveWeb(given, { speedUp: settings.speedUp, clock })
    lag.enable()
    const startedAt = clock()
    const random = createRandom(settings.seed)
    const summary = await crawl({
      into,
      options: { ...optionsFor(settings), order: orderNamed(order), seeds: served.homes },
      world: { now: () => Date.now(), random: () => random.next() },
      ...(signal && { signal }),
    })
    const tookMs = clock() - startedAt
    lag.disable()
    // Servers hear of the last closed connection a little later; closing them waits for it.
    await served[Symbol.asyncDispose]()
    const log = served.log.read()
    const asked = log.requests.toSorted((a, b) => a.endedAt - b.endedAt)
    const visits = asked.flatMap(({ address, path }) => served.pageAt(address, path) ?? [])
    return {
      order,
      web: served.web,
      visits: Uint32Array.from(visits),
      summary,
      overheadMs: overheadOf(log, served),
      shortestRestMs: Math.min(...gaps(log, 'connections').map(({ gapMs }) => gapMs)),
      violations: violations(log, { connectionGapMs: settings.waitMs, toleranceMs: KERNEL_MS + lag.max / 1e6 }),
      tookMs,
    }
  } finally {
    lag.disable()
    await rm(into, { recursive: true, force: true })
  }
}

/**
 * A server hears of a closed connection when its event loop comes round to it, so a rest in its log is shorter than the
 * real one by that. Here it shares the loop with the crawler, whose lag is measured; the rest is the kernel's.
 */
const KERNEL_MS = 5

function optionsFor({
  waitMs,
  pagesPerConnection,
  robots,
  topic,
}: LiveCrawlSettings): Partial<typeof crawlDefaults> {
  return {
    scope: 'any',
    // What a page is called is up to the web, and none of these has effects.
    avoidSideEffects: false,
    allowPrivate: ['127.0.0.0/8'],
    privateDelayMs: waitMs,
    manners: mannersOf(waitMs, pagesPerConnection),
    parallel: robots,
    topic: { ...crawlDefaults.topic, words: [topic] },
  }
}
