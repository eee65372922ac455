/**
 * AnswerHead: what the head of an answer says of itself and of where its body ends (RFC 9112 §6.3). What no reader may guess
 * about is refused here, in words: lengths that differ or are none, and a length beside a transfer coding. What one reader
 * may take and another must not pass on is told: the version, odd statuses, codings other than chunked.
 */
import type { WireHead } from './wire-head.ts'

/** `close`: until the connection ends. */
export type AnswerFraming = 'none' | 'length' | 'chunked' | 'close'

export interface AnswerHead {
  readonly version: string
  readonly status: number
  /** After the status, with the blank before it; empty when there is none. */
  readonly phrase: string
  /** As it says, also where no body follows; -1 for none. */
  readonly length: number
  /** All transfer codings, in the order they were put on. */
  readonly codings: readonly string[]
  readonly framing: AnswerFraming
  readonly keepsAlive: boolean
  /** Of Connection, in lower case. */
  readonly tokens: readonly string[]
  readonly upgrade: string | undefined
}

/** Some servers write 2.0 in text; what they mean is 1.1. A phrase may hold any bytes but those that end a line. */
const LINE = /^HTTP\/(0\.9|1\.[01]|2\.0) ([1-9]\d\d)( [^\r\n]*)?$/
const NONE: readonly string[] = []
const CHUNKED: readonly string[] = ['chunked']

/** `method`: of the request. What is wrong is said in words. */
export function readAnswerHead(head: WireHead, method: string): AnswerHead | string {
  const parts = LINE.exec(head.line)
  if (parts === null) return 'its first line is no status line of HTTP/1'
  let [lengths, codings, connection, lengthText] = [0, NONE, '', '']
  let upgrade: string | undefined
  const { names } = head
  for (let at = 0; at < names.length; at++) {
    switch (names[at]) {
      case 'content-length':
        lengthText = head.value(at)
        lengths++
        break
      case 'transfer-encoding':
        codings = codings === NONE ? listed(head.value(at)) : [...codings, ...listed(head.value(at))]
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
  if (lengths > 0 && codings !== NONE) return 'it has both Content-Length and Transfer-Encoding'
  // More digits than any body has would wrap somewhere; zeros before them do not.
  if (lengths > 0 && !/^0*\d{1,18}$/.test(lengthText)) return 'its Content-Length is no number'
  const [version, status, tokens] = [parts[1]!, Number(parts[2]), connection === '' ? NONE : listed(connection)]
  const length = lengths > 0 ? Number(lengthText) : -1
  const framing = framingOf(method, status, length, codings)
  const lasts = version === '1.1' || version === '2.0' ? !tokens.includes('close') : tokens.includes('keep-alive')
  const keepsAlive = framing !== 'close' && lasts
  return { version, status, phrase: parts[3] ?? '', length, codings, framing, keepsAlive, tokens, upgrade }
}

/** A body in codings of which chunked is not the last goes on until the connection ends. */
function framingOf(method: string, status: number, length: number, codings: readonly string[]): AnswerFraming {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 'none'
  if (codings !== NONE) return codings.at(-1) === 'chunked' ? 'chunked' : 'close'
  return length === -1 ? 'close' : 'length'
}

function listed(value: string): readonly string[] {
  const lower = value.toLowerCase()
  // Nearly all are this one.
  if (lower === 'chunked') return CHUNKED
  return lower.includes(',') ? lower.split(',').map((token) => token.trim()) : [lower]
}
