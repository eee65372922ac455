/** `comity lab advise-site LOG…`: which ways of cooperation would save a site how much, by its own access log. */
import { join, resolve } from 'node:path'
import { labPackage } from './lab-package.ts'
import { LabProgress } from './progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

interface SiteAdviceFlags {
  readonly docroot: string | undefined
  readonly base: string | undefined
  readonly journal: string | undefined
  readonly set: Readonly<Record<string, unknown>>
  readonly into: string
  readonly json: boolean
}

export async function adviseSiteOn(
  logs: readonly string[],
  { docroot, base, journal, set, into, json }: SiteAdviceFlags,
  terminal: Terminal,
): Promise<number> {
  if (logs.length === 0)
    throw new UsageError('Name the access logs of the site: comity lab advise-site /var/log/nginx/access.log*')
  const lab = await labPackage()
  using progress = new LabProgress(terminal)
  progress.begin(`reading ${logs.length === 1 ? logs[0]! : `${logs.length} logs`}`)
  const onPart = (what: string, done: number, of: number): void => progress.part(what, done, of)
  const site = { logs, docroot, base, journal, now: Date.now() }
  const advice = await lab.adviseSite(site, set, { onPart }).catch((error: unknown) => {
    // A RangeError is what the lab says about settings that make no sense.
    throw error instanceof RangeError ? new UsageError(`advise-site: ${error.message}.`, { cause: error }) : error
  })
  await lab.writeReport(into, [advice.result])
  progress.done()
  const report = resolve(join(into, 'report.html'))
  if (json) terminal.print(JSON.stringify({ report, ...advice.facts }))
  else terminal.print([...advice.lines, '', terminal.paint('cyan', report)].join('\n'))
  return 0
}
