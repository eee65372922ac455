/** Access log writer: what a server would write down of a request, for tests of those that read it. */
import { MONTHS } from '../http/access-log-line.ts'
import type { LoggedRequest } from '../http/access-log-line.ts'
import type { Instant } from '../instant.ts'

/** In combined format, or common where there is neither referrer nor agent. */
export function writeAccessLogLine(request: LoggedRequest): string {
  const { host, address, user = '-', at, method, target, protocol, status, bytes, referrer, agent } = request
  const asked = escaped([method, target, protocol].filter((part) => part !== '').join(' '))
  const sent = bytes === 0 ? '-' : String(bytes)
  const who = [...(host === undefined ? [] : [host]), address, '-', user].join(' ')
  const ends = [referrer, agent].map((text) => `"${escaped(text ?? '-')}"`)
  const isCommon = referrer === undefined && agent === undefined
  return [`${who} [${logTime(at)}] "${asked}" ${status} ${sent}`, ...(isCommon ? [] : ends)].join(' ')
}

const two = (value: number): string => String(value).padStart(2, '0')

function logTime(at: Instant): string {
  const date = new Date(at)
  const day = `${two(date.getUTCDate())}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}`
  return `${day}:${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`
}

/** All that could end the field or the line, and all that is not ASCII. */
const escaped = (text: string): string =>
  text
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/[^\x20-\x7e]+/g, (some) =>
      Array.from(Buffer.from(some, 'utf8'), (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    )
