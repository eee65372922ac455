/** Why a proxy answers by itself, or not at all: each reason has a status, a counter, and words for who asked. */

const STATUSES = {
  'bad-request': 400,
  'ambiguous-framing': 400,
  'method-not-passed': 405,
  'head-too-slow': 408,
  'body-too-slow': 408,
  'reader-too-slow': 408,
  misdirected: 421,
  'head-too-large': 431,
  'coding-unknown': 501,
  'version-unknown': 505,
  'expectation-unknown': 417,
  'own-answer-broke-off': 500,
  'origin-unreachable': 502,
  'origin-broke-off': 502,
  'origin-odd': 502,
  'too-busy': 503,
  'too-many-connections': 503,
  'origin-too-slow': 504,
  'http2-resets': 400,
  'http2-flood': 400,
  'http2-continuations': 400,
  'http2-malformed': 400,
} as const
export type RefusalReason = keyof typeof STATUSES

export const REFUSAL_REASONS: readonly string[] = Object.keys(STATUSES)

export interface Refusal {
  readonly reason: RefusalReason
  readonly words: string
}

export const refusal = (reason: RefusalReason, words: string): Refusal => ({ reason, words })
export const refusalStatus = ({ reason }: Refusal): number => STATUSES[reason]

export function refusalCounters(): Record<RefusalReason, number> {
  return Object.fromEntries(REFUSAL_REASONS.map((name) => [name, 0])) as Record<RefusalReason, number>
}

const PHRASES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  417: 'Expectation Failed',
  421: 'Misdirected Request',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
}

/** The whole answer; the connection ends with it, since where the next request begins may not be sure. */
export function refusalMessage(refused: Refusal, isHead: boolean): string {
  const status = refusalStatus(refused)
  const body = `${refused.words}\n`
  const fields = [
    `HTTP/1.1 ${status} ${PHRASES[status]!}`,
    'Content-Type: text/plain; charset=utf-8',
    'Cache-Control: no-store',
    ...(status === 405 ? ['Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'] : []),
    ...(status === 503 ? ['Retry-After: 5'] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  return `${fields.join('\r\n')}\r\n\r\n${isHead ? '' : body}`
}
