/** `comity crawl --estimate`: how large a crawl would be, asked for in a few requests. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { estimateSites } from '@comity/crawler'
import type { CheckRequest, CrawlOptions, CheckEstimate } from '@comity/crawler'
import { requestLine } from './check-report.ts'
import type { CrawlSettings } from './flags.ts'
import { estimateReport } from './estimate-report.ts'
import { onInterrupt } from '../terminal/interrupt.ts'
import { LiveLine } from '../terminal/live-line.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

/** The exit code is 1 when a site offers nothing to estimate from. */
export async function runEstimate(
  settings: CrawlSettings,
  options: Partial<CrawlOptions>,
  terminal: Terminal,
): Promise<number> {
  if ((options.seeds ?? []).length === 0) {
    throw new UsageError('Nothing to estimate: name a page of each site, such as https://example.org/.')
  }
  const { into, delay } = settings
  if (into !== undefined && !existsSync(join(into, 'collection.json'))) {
    throw new UsageError(`${into} is no collection to compare with; without --into the sites are estimated alone.`)
  }
  using line = new LiveLine(terminal)
  using interrupt = onInterrupt(() => line.say('stopping'))
  const { signal } = interrupt
  const onRequest = (request: CheckRequest): void => line.say(terminal.errorPaint('dim', requestLine(request)))
  const call = { options, into, pauseMs: delay, signal, onRequest }
  const estimate = await unlessStopped(() => estimateSites(call), signal)
  if (estimate === undefined) return 1
  if (settings.json) terminal.print(JSON.stringify(estimate))
  else terminal.print(estimateReport(estimate, terminal.paint).join('\n'))
  return estimate.sites.some(({ listing }) => listing === undefined) ? 1 : 0
}

async function unlessStopped(
  work: () => Promise<CheckEstimate>,
  signal: AbortSignal,
): Promise<CheckEstimate | undefined> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
