/**
 * Access log line: one request as Apache, nginx and most other servers write it down, in common or combined format.
 *
 *   192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET /a?b=c HTTP/1.1" 200 512 "https://r.example/" "Agent/1.0"
 *   address   user  time                        request              status bytes  referrer        user agent
 *
 * The last two are missing in common format. A virtual host may stand first (Apache's `vhost_combined`), and more fields may
 * follow, which are not read. Servers escape what a client wrote between quotes, Apache as `\"` and `\n`, nginx as `\x22`;
 * both are undone. A line that is none gives its fault by name; however odd, it is read once from left to right.
 */
import type { Instant } from '../instant.ts'
import { tableOf } from '../lookup.ts'

export interface LoggedRequest {
  /** `example.org:443`, in logs of several hosts. */
  readonly host?: string | undefined
  readonly address: string
  readonly user?: string | undefined
  readonly at: Instant
  readonly method: string
  /** As in the request line. */
  readonly target: string
  /** `HTTP/1.1`; empty for the first HTTP, which has none. */
  readonly protocol: string
  readonly status: number
  /** Of the body as it was sent. */
  readonly bytes: number
  readonly referrer?: string | undefined
  /** Empty when none was sent; absent where the log does not have the field. */
  readonly agent?: string | undefined
}

/** `no-request`: a connection that ended before it asked for anything, which servers note as 408 or 400. */
const ACCESS_LOG_FAULTS = [
  'empty',
  'too-long',
  'no-address',
  'no-time',
  'no-request',
  'bad-request',
  'no-status',
  'no-bytes',
] as const
export type AccessLogFault = (typeof ACCESS_LOG_FAULTS)[number]

export type AccessLogLine =
  | { readonly kind: 'request'; readonly request: LoggedRequest }
  | { readonly kind: 'malformed'; readonly fault: AccessLogFault }

/** Longer than any server lets a request line and two fields be together. */
export const MAX_ACCESS_LINE: number = 64 * 2 ** 10

export function readAccessLogLine(text: string): AccessLogLine {
  if (text.length > MAX_ACCESS_LINE) return malformed('too-long')
  const bracket = text.indexOf('[')
  if (text.trim() === '') return malformed('empty')
  const who = whoOf(bracket < 0 ? text : text.slice(0, bracket))
  if (who === undefined) return malformed('no-address')
  const close = text.indexOf(']', bracket)
  const at = bracket < 0 || close < 0 ? undefined : readLogTime(text.slice(bracket + 1, close))
  if (at === undefined) return malformed('no-time')
  const request = quotedAt(text, close + 1)
  if (request === undefined) return malformed('bad-request')
  if (request.text === '' || request.text === '-') return malformed('no-request')
  const asked = requestLine(request.text)
  if (asked === undefined) return malformed('bad-request')
  const [, status, bytes] = ANSWER.exec(text.slice(request.end, request.end + 40)) ?? []
  if (status === undefined) return malformed('no-status')
  if (bytes === undefined) return malformed('no-bytes')
  const referrer = quotedAt(text, request.end)
  const agent = referrer === undefined ? undefined : quotedAt(text, referrer.end)
  return {
    kind: 'request',
    request: {
      ...who,
      at,
      ...asked,
      status: Number(status),
      bytes: bytes === '-' ? 0 : Number(bytes),
      ...optional('referrer', referrer?.text),
      ...(agent !== undefined && { agent: agent.text === '-' ? '' : agent.text }),
    },
  }
}

const malformed = (fault: AccessLogFault): AccessLogLine => ({ kind: 'malformed', fault })

/** A status that may stay away, then a length that may be none; what follows is read elsewhere. */
const ANSWER = /^\s+([1-9]\d{2})(?:\s+(-|\d{1,15})(?=\s|$))?/

/** A field that is not there is a dash. */
const optional = (name: string, text: string | undefined): object =>
  text === undefined || text === '-' ? {} : { [name]: text }

type Who = Pick<LoggedRequest, 'host' | 'address' | 'user'>

/** `%h %l %u`, with `%v:%p` before it or not. A user's name may have spaces in it. */
function whoOf(text: string): Who | undefined {
  const [first, ...rest] = text.trim().split(/\s+/)
  if (first === undefined || first === '') return undefined
  const isHost = rest.length >= 3 && HOST.test(first) && LOOKS_LIKE_ADDRESS.test(rest[0]!)
  const [address, , ...user] = isHost ? rest : [first, ...rest]
  if (address === undefined || address === '-' || address.startsWith('"')) return undefined
  return {
    ...(isHost && { host: first }),
    address,
    ...optional('user', user.length === 0 ? undefined : user.join(' ')),
  }
}

const HOST = /^[a-z0-9.-]{1,253}:\d{1,5}$/i
const LOOKS_LIKE_ADDRESS = /^[0-9a-f:.]+$|\./i

export const MONTHS: readonly string[] = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
]
const TIME = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})? ([+-])(\d{2})(\d{2})$/

function readLogTime(text: string): Instant | undefined {
  const parts = TIME.exec(text)
  if (parts === null) return undefined
  const [day, year, hours, minutes, seconds] = [1, 3, 4, 5, 6].map((at) => Number(parts[at])) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const month = MONTHS.indexOf(parts[2]!)
  const local = Date.UTC(year, month, day, hours, minutes, seconds)
  // The 31st of June is the 1st of July to Date.UTC, and years before 100 are of the last century.
  if (month < 0 || new Date(local).getUTCDate() !== day || year < 1970 || hours > 23 || minutes > 59 || seconds > 60)
    return undefined
  const zone = (Number(parts[8]) * 60 + Number(parts[9])) * 60_000
  return parts[7] === '-' ? local + zone : local - zone
}

/** `GET /path HTTP/1.1`. Spaces in the target are the client's fault, and servers log them as they came. */
function requestLine(text: string): Pick<LoggedRequest, 'method' | 'target' | 'protocol'> | undefined {
  const first = text.indexOf(' ')
  const method = first < 0 ? '' : text.slice(0, first)
  if (!METHOD.test(method)) return undefined
  const last = text.lastIndexOf(' ')
  const end = text.slice(last + 1)
  const isVersion = last > first && PROTOCOL.test(end)
  const target = (isVersion ? text.slice(first + 1, last) : text.slice(first + 1)).trim()
  return target === '' || PROTOCOL.test(target) ? undefined : { method, target, protocol: isVersion ? end : '' }
}

const METHOD = /^[A-Za-z][A-Za-z-]{0,19}$/
const PROTOCOL = /^HTTP\/\d(?:\.\d)?$/

interface Quoted {
  readonly text: string
  /** Behind the second quote. */
  readonly end: number
}

/** The next text in quotes. One that does not end was cut off with its line, and is none. */
function quotedAt(line: string, from: number): Quoted | undefined {
  const begin = line.indexOf('"', from)
  if (begin < 0) return undefined
  for (let at = begin + 1; at < line.length; at++) {
    const char = line[at]
    if (char === '\\') at++
    else if (char === '"') return { text: unescaped(line.slice(begin + 1, at)), end: at + 1 }
  }
  return undefined
}

const PLAIN: ReadonlyMap<string, string> = tableOf({ n: '\n', r: '\r', t: '\t', b: '\b', v: '\v', f: '\f' })

/** Bytes that were escaped one by one are UTF-8 where they make sense as such. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replaceAll(/(?:\\x[0-9a-fA-F]{2})+|\\./gs, (escape) =>
    /^\\x[0-9a-fA-F]{2}/.test(escape)
      ? Buffer.from(escape.replaceAll('\\x', ''), 'hex').toString('utf8')
      : (PLAIN.get(escape[1]!) ?? escape[1]!),
  )
}
