/**
 * Demo watch: after the first crawl the small web goes on changing, and the collection is kept fresh. The demo knows the
 * truth, so what comes of it is told for sites that help and sites that do not.
 */
import { crawl, watchOptions } from '@comity/crawler'
import type { CrawlOptions, CrawlProgress, WatchSample } from '@comity/crawler'
import type { TruthSample } from '@comity/repository'
import { counted, formatBytes, formatCount, formatDuration } from './quantity.ts'
import type { Terminal } from './terminal.ts'
import { textTable } from './text-table.ts'
import { WatchLine, percent } from './watch-report.ts'

/** Pages change every few seconds here, so a day is short: what takes weeks elsewhere is seen in a minute. */
const DAY_MS = 5_000
/** Enough for the site that helps, and too few to keep up with those that do not. */
const REQUESTS_PER_SECOND = 5
/** A site that helps is asked that often what has changed, at most. */
const POLL_MS = 1_500

export interface DemoWatchCall {
  readonly into: string
  readonly options: Partial<CrawlOptions>
  readonly terminal: Terminal
  readonly signal: AbortSignal
  /** The collection is open for writing. */
  readonly onBegin: () => void
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
  })
  await crawl({ into, options: { ...options, seeds: [], watch }, signal, onProgress, onControl: onBegin })
  return last
}

export function watchWords(sites: number): string {
  return (
    `Now the pages change, and the collection is kept fresh with ${REQUESTS_PER_SECOND} requests a second. ` +
    `${counted(sites, 'site')} of them ${sites === 1 ? 'tells' : 'tell'} crawlers what changed; the others do not.`
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
