/**
 * Demo watch: after the first crawl the small web goes on changing, and the collection is kept fresh. The demo knows the
 * truth, so what comes of it is told for sites that help and sites that do not.
 */
import { crawl, watchDefaults, watchOptions } from '@comity/crawler'
import type { AgentPort, CrawlOptions, CrawlProgress } from '@comity/crawler'
import type { WatchSample } from '@comity/follow'
import type { LivingWeb } from '@comity/testbed'
import type { TruthSample } from '@comity/repository'
import type { DemoGateway } from './gateway.ts'
import { counted, formatBytes, formatCount, formatDuration } from '../terminal/quantity.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { textTable } from '../terminal/text-table.ts'
import { WatchLine, percent } from '../watch/report.ts'

/** Pages change every few seconds here, so a day is short: what takes weeks elsewhere is seen in a minute. */
export const DAY_MS = 5_000
/** Where sites that push are heard. */
export const DOOR_HOST = '127.0.0.1'
/** Enough for what is known to have changed, and too few to keep up with sites that say nothing. */
const REQUESTS_PER_SECOND = 12
/** A site that helps is asked that often what has changed, at most. */
const POLL_MS = 1_500

interface DemoWatchCall {
  readonly into: string
  readonly options: Partial<CrawlOptions>
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** The collection is open for writing. */
  readonly onBegin: () => void
  /** Our own agents at sites. */
  readonly agents?: AgentPort | undefined
  /** Heard beside the sites. */
  readonly gateway?: DemoGateway | undefined
}

/** Keeps fresh until told to stop. Returns the last sample. */
export async function watchDemo(call: DemoWatchCall): Promise<WatchSample | undefined> {
  const { into, options, signal, onBegin } = call
  using line = new WatchLine(call.terminal)
  let last: WatchSample | undefined
  const onProgress = (progress: CrawlProgress): void => {
    last = progress.watch ?? last
    line.update(progress)
  }
  const watch = watchOptions({
    requestsPerSecond: REQUESTS_PER_SECOND,
    dayMs: DAY_MS,
    minPollMs: POLL_MS,
    explore: 0.02,
    subscribeTo: ['agent', ...watchDefaults.subscribeTo],
  })
  // Here and not above: only who listens needs it, and everybody would pay for loading it.
  const { WatchEndpoints } = await import('@comity/receiver')
  const intake = new WatchEndpoints({
    dir: into,
    listen: { host: DOOR_HOST, port: 0 },
    mayBeHttp: true,
    agents: call.agents,
    gateways: call.gateway?.gateways,
    onOpen: (url) => call.gateway?.begin(url),
  })
  await crawl({ into, options: { ...options, seeds: [], watch }, signal, onProgress, onControl: onBegin, intake })
  return last
}

export function watchWords(sites: readonly LivingWeb['sites'][number][]): string {
  const calling = sites.filter(({ spec }) => spec.calls !== undefined).length
  const asked = sites.filter(({ spec }) => spec.cooperates).length
  return (
    `Now the pages change, and the collection is kept fresh with ${REQUESTS_PER_SECOND} requests a second. ` +
    `${counted(asked, 'site')} tells what changed\nwhen it is asked, ${calling} call, and the others do neither.`
  )
}

/** One row for each kind of site. */
export function truthLines({ groups }: TruthSample, watch: WatchSample | undefined): string[] {
  const head = ['', 'sites', 'pages', 'changes', 'truly fresh', 'age', 'requests', 'bytes']
  const rows = groups.map(({ name, sites, pages, changes, freshness, ageSeconds, requests, bytes }) => [
    name,
    formatCount(sites),
    formatCount(pages),
    formatCount(changes),
    percent(freshness),
    formatDuration(ageSeconds * 1_000),
    formatCount(requests),
    formatBytes(bytes),
  ])
  const align = head.map((_, i) => (i === 0 ? 'left' : 'right'))
  const estimated = watch === undefined ? [] : [`  ${percent(watch.freshness)} of it all was thought to be fresh`]
  return [...textTable([head, ...rows], align), ...estimated]
}
