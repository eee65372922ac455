/** `comity lab crawler-share LOG…`: how much of a server's traffic crawlers are, by its own access logs. */
import type { ExperimentResult } from '@comity/lab'
import { labPackage } from './lab-package.ts'
import { LabProgress } from './progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

/** Reads the logs and writes the report; what came out is the caller's to tell. */
export async function crawlerShareOf(
  logs: readonly string[],
  into: string,
  terminal: Terminal,
): Promise<{ readonly result: ExperimentResult; readonly files: readonly string[] }> {
  if (logs.length === 0)
    throw new UsageError('Name the access logs of a server: comity lab crawler-share /var/log/nginx/access.log*')
  const lab = await labPackage()
  using progress = new LabProgress(terminal)
  progress.begin(`reading ${logs.length === 1 ? logs[0]! : `${logs.length} logs`}`)
  const result = await lab.crawlerShare(logs, { onPart: (what, done, of) => progress.part(what, done, of) })
  const files = await lab.writeReport(into, [result])
  progress.done()
  return { result, files }
}
