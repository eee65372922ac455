/**
 * The access logs of a site, read request by request, however long they are: a line at a time, packed or not, the files in
 * the order of time whatever order they are named in. Lines that are no requests are counted by what is wrong with them.
 */
import { MAX_ACCESS_LINE, readAccessLogLine } from '@comity/protocol'
import type { AccessLogFault, Instant, LoggedRequest } from '@comity/protocol'
import { unpackedChunks } from '../../webs/graph/source.ts'
import { webUnreadable } from '../../lab-error.ts'

export interface LogReading {
  readonly files: readonly string[]
  readonly lines: number
  readonly requests: number
  readonly faults: Readonly<Partial<Record<AccessLogFault, number>>>
  /** Of the first and the last request. */
  readonly from: Instant
  readonly until: Instant
}

/** After unpacking, of each file: a small file can unpack to any size. */
const MAX_BYTES = 2 ** 40

/** In the order of their first requests. Throws a LabError for a file that is missing, damaged, or no access log. */
export async function orderedLogs(paths: readonly string[]): Promise<readonly string[]> {
  const begins = await Promise.all(paths.map(async (path) => [path, await firstRequest(path)] as const))
  return begins.toSorted((a, b) => a[1] - b[1]).map(([path]) => path)
}

/** A log may begin with lines that are none; one that goes on so is another file. */
const MAX_FAULTS_AHEAD = 10_000

async function firstRequest(path: string): Promise<Instant> {
  let lines = 0
  for await (const text of linesOf(path)) {
    const line = text === undefined ? undefined : readAccessLogLine(text)
    if (line?.kind === 'request') return line.request.at
    if (++lines > MAX_FAULTS_AHEAD) break
  }
  throw webUnreadable(
    path,
    lines === 0
      ? 'The file is empty.'
      : 'Nothing here can be read as an access log in common or combined format. Name a log of your web server.',
  )
}

export async function readLogs(
  paths: readonly string[],
  onRequest: (request: LoggedRequest) => void,
): Promise<LogReading> {
  let [lines, requests, from, until] = [0, 0, Infinity, -Infinity]
  const faults: Partial<Record<AccessLogFault, number>> = {}
  for (const path of paths) {
    for await (const text of linesOf(path)) {
      lines++
      const line = text === undefined ? TOO_LONG : readAccessLogLine(text)
      if (line.kind === 'malformed') faults[line.fault] = (faults[line.fault] ?? 0) + 1
      else {
        requests++
        from = Math.min(from, line.request.at)
        until = Math.max(until, line.request.at)
        onRequest(line.request)
      }
    }
  }
  return { files: paths, lines, requests, faults, from, until }
}

const TOO_LONG = { kind: 'malformed', fault: 'too-long' } as const
const NEWLINE = 0x0a

/** Without their ends; undefined for one that is longer than any request, of which nothing is held. */
async function* linesOf(path: string): AsyncGenerator<string | undefined> {
  let begun: Buffer[] = []
  let bytes = 0
  const finished = (rest: Buffer): string | undefined => {
    const isLong = bytes + rest.length > MAX_ACCESS_LINE
    const whole = bytes === 0 ? rest : Buffer.concat([...begun, rest])
    begun = []
    bytes = 0
    return isLong ? undefined : whole.toString('utf8').replace(/\r$/, '')
  }
  for await (const chunk of unpackedChunks(path, MAX_BYTES)) {
    const all = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    let at = 0
    for (let end = all.indexOf(NEWLINE); end >= 0; end = all.indexOf(NEWLINE, at)) {
      yield finished(all.subarray(at, end))
      at = end + 1
    }
    if (at === all.length) continue
    bytes += all.length - at
    if (bytes > MAX_ACCESS_LINE) begun = []
    else begun.push(all.subarray(at))
  }
  if (bytes > 0) yield finished(Buffer.alloc(0))
}
