/**
 * ProxyResponse: what the origin's head says, and what of it goes to the client. An answer whose end is not sure is refused,
 * as requests are: the client would take a part of it for the answer to another request.
 */
import { exchangeLines } from './hop-fields.ts'
import type { WireHead } from './wire-head.ts'

/** `close`: until the connection ends. */
type BodyFraming = 'none' | 'length' | 'chunked' | 'close'

export interface ProxyResponse {
  readonly status: number
  /** After the status, with the blank before it. */
  readonly phrase: string
  /** Undefined: it was made here, and came from nobody. */
  readonly version: string | undefined
  readonly framing: BodyFraming
  /** As it says, also where no body follows; -1 for none. */
  readonly length: number
  /** Lines that pass on, without framing. */
  readonly fields: string
  readonly keepsAlive: boolean
  /** What it changes to, of 101. */
  readonly upgrade: string | undefined
  readonly head: Pick<WireHead, 'headers'>
}

const LINE = /^HTTP\/(1\.[01]) ([1-5]\d\d)( .*)?$/

/** What is wrong is said in words. */
export function readProxyResponse(head: WireHead, method: string): ProxyResponse | string {
  const parts = LINE.exec(head.line)
  if (parts === null) return 'its first line is no status line of HTTP/1'
  const status = Number(parts[2])
  const version = parts[1]!
  let [lengths, codings, lengthText, coding, connection] = [0, 0, '', '', '']
  let upgrade: string | undefined
  const { names } = head
  for (let at = 0; at < names.length; at++) {
    switch (names[at]) {
      case 'content-length':
        lengthText = head.value(at)
        lengths++
        break
      case 'transfer-encoding':
        coding = head.value(at)
        codings++
        break
      case 'connection':
        connection += connection === '' ? head.value(at) : `,${head.value(at)}`
        break
      case 'upgrade':
        upgrade = head.value(at)
        break
      default:
    }
  }
  if (lengths > 1) return 'it has more than one Content-Length'
  if (lengths > 0 && codings > 0) return 'it has both Content-Length and Transfer-Encoding'
  if (codings > 0 && (codings > 1 || coding.toLowerCase() !== 'chunked')) return 'its transfer coding is not chunked'
  if (codings > 0 && version === '1.0') return 'it is HTTP/1.0 and has a Transfer-Encoding'
  if (lengths > 0 && !/^\d{1,15}$/.test(lengthText)) return 'its Content-Length is no number'
  const tokens =
    connection === ''
      ? []
      : connection
          .toLowerCase()
          .split(',')
          .map((token) => token.trim())
  const hasNone = method === 'HEAD' || status < 200 || status === 204 || status === 304
  const framing = hasNone ? 'none' : codings > 0 ? 'chunked' : lengths > 0 ? 'length' : 'close'
  return {
    status,
    phrase: parts[3] ?? ' ',
    version,
    framing,
    length: lengths > 0 ? Number(lengthText) : -1,
    fields: exchangeLines(head, tokens, 'response'),
    keepsAlive: framing !== 'close' && (version === '1.1' ? !tokens.includes('close') : tokens.includes('keep-alive')),
    upgrade,
    head,
  }
}
