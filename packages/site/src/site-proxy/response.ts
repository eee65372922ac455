/** Answers of the site's own as a proxy sends them: fields as lines, and framing that follows from the body alone. */
import { STATUS_CODES } from 'node:http'
import { headerOf } from '@comity/protocol'
import type { HeaderList, Instant } from '@comity/protocol'
import type { ProxyResponse } from '../proxy/proxy-response.ts'
import type { SiteAnswer } from '../site-request.ts'

/** Written by whoever sends. */
const OF_SENDER: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export function madeResponse({ status, headers, body }: SiteAnswer, method: string, now: Instant): ProxyResponse {
  const hasNone = method === 'HEAD' || status < 200 || status === 204 || status === 304
  const length = lengthOf(headers, body, hasNone)
  const observed = headers.filter(([name]) => !OF_SENDER.has(name.toLowerCase()))
  const dated: HeaderList =
    headerOf(headers, 'date') === undefined ? [['Date', new Date(now).toUTCString()], ...observed] : observed
  return {
    status,
    phrase: ` ${STATUS_CODES[status] ?? ''}`,
    version: undefined,
    framing: hasNone ? 'none' : length >= 0 ? 'length' : 'close',
    length,
    fields: fieldLines(dated),
    keepsAlive: true,
    upgrade: undefined,
    head: { headers },
  }
}

/** -1 when only its end will tell. What stands for a body that is not sent has the length it would have. */
function lengthOf(headers: HeaderList, body: SiteAnswer['body'], hasNone: boolean): number {
  const said = headerOf(headers, 'content-length') ?? ''
  const isSaid = /^\d{1,15}$/.test(said)
  if (body instanceof Uint8Array && (!hasNone || body.length > 0)) return body.length
  return isSaid ? Number(said) : -1
}

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
// oxlint-disable-next-line no-control-regex
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Throws for what would be read as another line. */
export function fieldLines(headers: HeaderList): string {
  return headers
    .map(([name, value]) => {
      if (!NAME.test(name) || !VALUE.test(value)) throw new TypeError(`${JSON.stringify(name)} is no field of HTTP`)
      return `${name}: ${value}\r\n`
    })
    .join('')
}

/** Lines with their ends, as a list. */
export function fieldsIn(lines: string): HeaderList {
  return lines
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
    })
}
