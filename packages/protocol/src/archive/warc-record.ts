/**
 * WARC record: a version, named fields and a block of bytes (ISO 28500:2017, "WARC 1.1", §4).
 *
 * ```
 *   WARC/1.1 CRLF
 *   WARC-Type: response CRLF …      fields, UTF-8
 *   Content-Length: 1234 CRLF
 *   CRLF
 *   1234 bytes of block             for a response: the HTTP head and the body
 *   CRLF CRLF
 * ```
 */
import { headerOf, type HeaderList } from '../capture.ts'
import type { Instant } from '../instant.ts'

export type WarcType =
  | 'warcinfo'
  | 'response'
  | 'resource'
  | 'request'
  | 'metadata'
  | 'revisit'
  | 'conversion'
  | 'continuation'

export interface WarcRecord {
  /** `1.1` in all we write; readers also meet 0.17, 0.18 and 1.0. */
  readonly version: string
  /** All named fields in order, save Content-Length: that is the block's length and can be nothing else. */
  readonly fields: HeaderList
  /** When read, a view into the file's bytes: copy it to keep it longer than the file. */
  readonly block: Uint8Array
}

/** The first value of a named field, by any spelling of its name. */
export function warcField(record: WarcRecord, name: string): string | undefined {
  return headerOf(record.fields, name)
}

/** WARC-Type in lower case. A string, since §5.5 tells readers to expect types they do not know. */
export function warcType(record: WarcRecord): string | undefined {
  return warcField(record, 'WARC-Type')?.toLowerCase()
}

/** WARC-Target-URI, without the angle brackets that WARC 1.0's grammar asked for and wget still writes. */
export function warcTarget(record: WarcRecord): string | undefined {
  const target = warcField(record, 'WARC-Target-URI')
  return target?.startsWith('<') && target.endsWith('>') ? target.slice(1, -1) : target
}

/** WARC-Date as an instant; undefined when it is absent or not a date. */
export function warcDate(record: WarcRecord): Instant | undefined {
  const at = Date.parse(warcField(record, 'WARC-Date') ?? '')
  return Number.isNaN(at) ? undefined : at
}
