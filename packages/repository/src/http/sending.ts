/** Sending: an answer becomes bytes on a connection: security headers, validators, compression, and HEAD. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { WholeAnswer } from './route.ts'
import { securityHeaders } from '@comity/receiver'

const gzipped = promisify(gzip)

/** Shorter ones fit into a packet anyway. */
const MIN_GZIP_BYTES = 1_000
const GZIP_LEVEL = 4
const COMPRESSIBLE =
  /^(?:text\/|application\/(?:json|problem\+json|xml|opensearchdescription\+xml|x-suggestions\+json)|image\/svg)/

/** `policy` where the answer has none of its own. Returns the bytes sent. */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: WholeAnswer,
  policy: string,
): Promise<number> {
  const { status = 200, type, headers = {} } = answer
  const whole = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body
  // Weak, as the same answer goes out compressed and not (RFC 9110 §8.8.1).
  const etag = status === 200 ? etagOf(whole) : undefined
  const all: Record<string, string> = {
    ...securityHeaders(answer.policy ?? policy),
    'Cache-Control': status === 200 ? 'private, no-cache' : 'no-store',
    'Content-Type': type,
    ...(etag === undefined ? {} : { ETag: etag }),
    ...(COMPRESSIBLE.test(type) ? { Vary: 'Accept-Encoding' } : {}),
    ...headers,
  }
  if (etag !== undefined && isKnown(request.headers['if-none-match'], etag)) {
    delete all['Content-Type']
    response.writeHead(304, all).end()
    return 0
  }
  const isPacked =
    whole.length >= MIN_GZIP_BYTES && COMPRESSIBLE.test(type) && takesGzip(request.headers['accept-encoding'])
  const body = isPacked ? await gzipped(whole, { level: GZIP_LEVEL }) : whole
  if (isPacked) all['Content-Encoding'] = 'gzip'
  response.writeHead(status, { ...all, 'Content-Length': String(body.length) })
  response.end(request.method === 'HEAD' ? undefined : body)
  return request.method === 'HEAD' ? 0 : body.length
}

/** By the bytes themselves: an answer that is shared is sent many times. */
const etags = new WeakMap<Uint8Array, string>()

function etagOf(whole: Uint8Array): string {
  let etag = etags.get(whole)
  if (etag === undefined) {
    etag = `W/"${createHash('sha256').update(whole).digest('base64url').slice(0, 22)}"`
    etags.set(whole, etag)
  }
  return etag
}

/** RFC 9110 §13.1.2: any of the validators, compared weakly, or `*`. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const opaque = etag.replace(/^W\//, '')
  return header.split(',', 50).some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === opaque)
}

/** RFC 9110 §12.5.3, as far as gzip is concerned: named and not at weight 0. */
function takesGzip(header: string | string[] | undefined): boolean {
  const given = String(header ?? '').split(',', 50)
  return given.some((coding) =>
    /^\s*(?:gzip|x-gzip)\s*(?:;\s*q\s*=\s*(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?$/i.test(coding),
  )
}
