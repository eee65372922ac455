/**
 * What 000 reads out of a server's access log (§4.1, §4.2, §5): who crawls, who ever gets a 304, which files there are
 * and of what type, and how much of the traffic crawlers are.
 */
import { basename } from 'node:path'
import { likelyKindOf, readAccessLogLine } from '@comity/protocol'
import type { MediaKind } from '@comity/protocol'
import { graphLimits, ReadLog } from '../../webs/graph/limits.ts'
import { LineScanner } from '../../webs/graph/graph-lines.ts'
import { unpackedChunks } from '../../webs/graph/source.ts'
import { webUnreadable } from '../../lab-error.ts'

export interface AccessLine {
  readonly address: string
  /** `2015-05-17T10`: day and hour. */
  readonly hour: string
  readonly method: string
  /** Without what follows `?`. */
  readonly path: string
  readonly status: number
  readonly bytes: number
  readonly agent: string
}

export interface LogHour {
  readonly hits: number
  /** By addresses that asked for robots.txt, which is how the paper knows crawlers. */
  readonly byRobots: number
  /** By those that name themselves as crawlers. */
  readonly byName: number
}

export interface LogFacts {
  readonly name: string
  readonly requests: number
  readonly malformed: number
  readonly days: number
  readonly crawlers: { readonly addresses: number; readonly withNotModified: number }
  readonly hours: readonly LogHour[]
  /** Files that were answered with 200, by kind. */
  readonly files: ReadonlyMap<MediaKind, { readonly count: number; readonly bytes: number }>
}

const SELF_NAMED = /bot\b|crawl|spider|slurp|bot\//i

/** One request, or undefined when the line is none. */
export function parseAccessLine(text: string): AccessLine | undefined {
  const line = readAccessLogLine(text)
  if (line.kind === 'malformed') return undefined
  const { address, at, method, target, status, bytes, agent = '' } = line.request
  const hour = new Date(at).toISOString().slice(0, 13)
  return { address, hour, method, path: target.split('?', 1)[0]!, status, bytes, agent }
}

const MAX_LOG_BYTES = 2 ** 31
const MAX_LINE_BYTES = 64 * 2 ** 10
const MAX_REQUESTS = 5_000_000

/** Throws a LabError for a file that is missing, damaged, too large, or no access log. */
export async function readAccessLog(path: string): Promise<LogFacts> {
  const log = new ReadLog(path, { ...graphLimits, maxLineBytes: MAX_LINE_BYTES })
  const lines: AccessLine[] = []
  const scanner = new LineScanner((text, line) => {
    const read = parseAccessLine(text)
    if (read === undefined) log.malformedLine(line, 'a request in combined log format')
    else if (lines.push(read) > MAX_REQUESTS)
      throw webUnreadable(path, `It has more than ${MAX_REQUESTS} requests, the most we read. Name a part of it.`)
  }, log)
  for await (const chunk of unpackedChunks(path, MAX_LOG_BYTES)) scanner.write(chunk)
  scanner.end()
  if (lines.length === 0) throw webUnreadable(path, 'Nothing here can be read as an access log.')
  return { ...factsOf(basename(path).replace(/\.(log|txt|gz|xz|zst)$/g, ''), lines), malformed: log.malformed }
}

export function factsOf(name: string, lines: readonly AccessLine[]): LogFacts {
  const crawlers = new Set(
    lines.filter(({ path }) => path.toLowerCase() === '/robots.txt').map(({ address }) => address),
  )
  const notModified = new Set(lines.filter(({ status }) => status === 304).map(({ address }) => address))
  const hours = [...Map.groupBy(lines, ({ hour }) => hour).values()].map((group) => ({
    hits: group.length,
    byRobots: group.filter(({ address }) => crawlers.has(address)).length,
    byName: group.filter(({ agent }) => SELF_NAMED.test(agent)).length,
  }))
  return {
    name,
    requests: lines.length,
    malformed: 0,
    days: new Set(lines.map(({ hour }) => hour.slice(0, 10))).size,
    crawlers: {
      addresses: crawlers.size,
      withNotModified: [...crawlers].filter((address) => notModified.has(address)).length,
    },
    hours,
    files: filesOf(lines),
  }
}

/** What a site has, as far as somebody asked for it and got it (000 §4.2). A file counts once, at its largest. */
function filesOf(lines: readonly AccessLine[]): LogFacts['files'] {
  const sizes = new Map<string, number>()
  for (const { method, status, path, bytes } of lines) {
    if (method !== 'GET' || status !== 200) continue
    sizes.set(path, Math.max(bytes, sizes.get(path) ?? 0))
  }
  return fileKinds(sizes)
}

/** Files by kind, from the size of each path. */
export function fileKinds(sizes: ReadonlyMap<string, number>): LogFacts['files'] {
  const files = new Map<MediaKind, { count: number; bytes: number }>()
  for (const [path, bytes] of sizes) {
    // An address without an ending is a page more often than anything else.
    const kind = likelyKindOf(path) ?? 'page'
    const known = files.get(kind)
    if (known === undefined) files.set(kind, { count: 1, bytes })
    else {
      known.count++
      known.bytes += bytes
    }
  }
  return files
}
