/**
 * A server's access log for the claims of 000 (§4.1, §4.2, §5): who crawls, who ever gets a 304, which files there are and of what
 * type, and how much of the traffic crawlers are. It is read and counted as `crawler-share` does, so both say the same of one log.
 */
import { basename } from 'node:path'
import { CrawlerShareCount } from '../../advise/crawlers/count.ts'
import { orderedLogs, readLogs } from '../../advise/site/log.ts'
import { adviseSiteDefaults } from '../../advise/site/settings.ts'
import { VisitorCount } from '../../advise/site/visitors.ts'
import type { LogFacts } from './log-facts.ts'

/** Throws a LabError for a file that is missing, damaged, or no access log. */
export async function readAccessLog(path: string): Promise<LogFacts> {
  const files = await orderedLogs([path])
  const [visitors, count] = [new VisitorCount(adviseSiteDefaults), new CrawlerShareCount()]
  await readLogs(files, (request) => {
    visitors.note(request)
    count.look(request)
  })
  const { lines, requests } = await readLogs(files, (request) => count.note(request, visitors.robotOf(request)))
  return count.facts(basename(path).replace(/\.(log|txt|gz|xz|zst)$/g, ''), lines - requests)
}
