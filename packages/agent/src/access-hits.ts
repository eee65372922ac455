/**
 * Access hits: how often each page was read, out of a server's access log. Readers count, robots of any kind do not: what
 * they ask for says what robots like. Nothing else of the log goes on, neither addresses nor times nor what led here.
 */
import { readAccessLogLine, readUserAgent } from '@comity/protocol'

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
  const [hits, nameless] = [new Map<string, number>(), new Map<string, number>()]
  let [count, malformed, byCrawlers, withoutName, hasNames] = [0, 0, 0, 0, false]
  for await (const line of lines) {
    count++
    const read = readAccessLogLine(line)
    if (read.kind === 'malformed') {
      malformed++
      continue
    }
    const { agent } = read.request
    hasNames ||= agent !== undefined && agent !== ''
    if (agent === '') withoutName++
    if (agent === '' && !hasNames) addHit(nameless, origin, read.request)
    else if (isRobot(agent)) byCrawlers += agent === '' ? 0 : 1
    else addHit(hits, origin, read.request)
  }
  // Whoever says nothing is no browser, except where the log keeps nobody's name.
  return hasNames || nameless.size === 0
    ? { hits, lines: count, malformed, byCrawlers: byCrawlers + withoutName }
    : { hits: nameless, lines: count, malformed, byCrawlers }
}

/** A log without the field tells nothing of who asked. */
const isRobot = (agent: string | undefined): boolean => agent !== undefined && readUserAgent(agent).kind === 'robot'

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
