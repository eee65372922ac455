/**
 * ProxyResponse: what the origin's head says, and what of it goes to the client. An answer whose end is not sure is refused,
 * as requests are: the client would take a part of it for the answer to another request.
 */
import { readAnswerHead } from '@comity/protocol'
import type { AnswerFraming, WireHead } from '@comity/protocol'
import { exchangeLines } from './hop-fields.ts'

export interface ProxyResponse {
  readonly status: number
  /** After the status, with the blank before it. */
  readonly phrase: string
  /** Undefined: it was made here, and came from nobody. */
  readonly version: string | undefined
  readonly framing: AnswerFraming
  /** As it says, also where no body follows; -1 for none. */
  readonly length: number
  /** Lines that pass on, without framing. */
  readonly fields: string
  readonly keepsAlive: boolean
  /** What it changes to, of 101. */
  readonly upgrade: string | undefined
  readonly head: Pick<WireHead, 'headers'>
}

/** What is wrong is said in words. */
export function readProxyResponse(head: WireHead, method: string): ProxyResponse | string {
  const answer = readAnswerHead(head, method)
  if (typeof answer === 'string') return answer
  const { version, status, phrase, codings, tokens, framing, length, keepsAlive, upgrade } = answer
  if ((version !== '1.1' && version !== '1.0') || status > 599) return 'its first line is no status line of HTTP/1'
  // Another hop may not know the coding, nor one of the first HTTP any.
  if (codings.length > 0 && (codings.length > 1 || codings[0] !== 'chunked'))
    return 'its transfer coding is not chunked'
  // It is written anew, and must be the same number.
  if (!Number.isSafeInteger(length)) return 'its Content-Length is no number'
  if (codings.length > 0 && version === '1.0') return 'it is HTTP/1.0 and has a Transfer-Encoding'
  const fields = exchangeLines(head, tokens, 'response')
  return { status, phrase: phrase || ' ', version, framing, length, fields, keepsAlive, upgrade, head }
}
