/**
 * Access hits: how often each page was read, out of a server's access log. Readers count, crawlers do not: what crawlers
 * ask for says what crawlers like. Nothing else of the log goes on, neither addresses nor times nor what led here.
 */
import { readAccessLogLine, readCrawlerAgent } from '@comity/protocol'

export interface AccessHits {
  /** By URL. */
  readonly hits: ReadonlyMap<string, number>
  readonly lines: number
  /** Lines that are no requests in common or combined format. */
  readonly malformed: number
  readonly byCrawlers: number
}

/** More addresses than this are not counted, whatever somebody asked for. */
const MAX_URLS = 1_000_000

/** `base` is the address of the site: `https://example.org/`. */
export async function accessHits(lines: AsyncIterable<string> | Iterable<string>, base: string): Promise<AccessHits> {
  const { origin } = new URL(base)
  const hits = new Map<string, number>()
  let [count, malformed, byCrawlers] = [0, 0, 0]
  for await (const line of lines) {
    count++
    const read = readAccessLogLine(line)
    if (read.kind === 'malformed') malformed++
    else if (isCrawler(read.request.agent)) byCrawlers++
    else addHit(hits, origin, read.request)
  }
  return { hits, lines: count, malformed, byCrawlers }
}

const isCrawler = (agent: string | undefined): boolean =>
  agent !== undefined && agent !== '-' && readCrawlerAgent(agent).kind === 'crawler'

function addHit(
  hits: Map<string, number>,
  origin: string,
  { method, target, status }: { readonly method: string; readonly target: string; readonly status: number },
): void {
  const isRead = method === 'GET' && (status === 200 || status === 206 || status === 304) && target.startsWith('/')
  if (!isRead) return
  const url = `${origin}${target}`
  if (hits.size >= MAX_URLS && !hits.has(url)) return
  hits.set(url, (hits.get(url) ?? 0) + 1)
}
