/**
 * Batch: many pages in one request (002 §6.2, "serve multiple pages on one request").
 *
 *   QUERY /.well-known/comity/batch          RFC 10008: safe, repeatable, with a body; POST where a proxy refuses it
 *   Content-Type: application/x-ndjson
 *   {"url":"https://a.example/1","etag":"\"x\""}        one page a line, and what the asker holds of it
 *
 *   200, Content-Type: application/warc, packed as a whole by its Content-Encoding: pages of one site resemble each other
 *   response records, each an HTTP answer: 200 with the page, 226 with a difference, 404 or 410 when it is gone
 *   one metadata record of JSON at the end, the closing: what was not sent, and why
 *
 * A page that was asked for and is in none of them is unchanged, but only if the closing is there: an answer that was
 * cut off says nothing about the pages it did not reach.
 */
import { parsedJson, textField } from '../http/json-field.ts'

export const BATCH_PATH = '/.well-known/comity/batch'
export const BATCH_TYPE = 'application/x-ndjson'

export interface BatchLine {
  readonly url: string
  /** What the asker holds, quotes and weakness mark included; without it the page is sent whatever it is. */
  readonly etag?: string | undefined
  /** The same by content: `sha-256:` and hexadecimal digits. */
  readonly digest?: string | undefined
  /** The asker can take a difference against what it holds. */
  readonly delta?: boolean | undefined
}

export interface BatchLimits {
  readonly maxLines: number
  readonly maxLineBytes: number
}

export const batchLimits: BatchLimits = { maxLines: 10_000, maxLineBytes: 4_096 }

export interface BatchRequest {
  readonly lines: readonly BatchLine[]
  /** Lines that nobody could read, and lines past the limit. */
  readonly unreadable: number
  readonly cut: number
}

export function writeBatch(lines: Iterable<BatchLine>): string {
  let body = ''
  for (const { url, etag, digest, delta } of lines) body += `${JSON.stringify({ url, etag, digest, delta })}\n`
  return body
}

/** Whatever the bytes are, the lines that make sense. */
export function readBatch(body: Uint8Array, limits: BatchLimits = batchLimits): BatchRequest {
  const texts = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8').split('\n')
  const written = texts.filter((text) => text.trim() !== '')
  const lines: BatchLine[] = []
  let unreadable = 0
  for (const text of written.slice(0, limits.maxLines)) {
    const line = text.length > limits.maxLineBytes ? undefined : readLine(text)
    if (line === undefined) unreadable++
    else lines.push(line)
  }
  return { lines, unreadable, cut: Math.max(0, written.length - limits.maxLines) }
}

function readLine(text: string): BatchLine | undefined {
  const json = parsedJson(text)
  const url = textField(json, 'url')
  if (url === undefined) return undefined
  return { url, etag: textField(json, 'etag'), digest: textField(json, 'digest'), delta: json?.['delta'] === true }
}
