/** Page record: a page as an HTTP answer within a WARC file, whichever scheme sends it. */
import { hash } from 'node:crypto'
import { responseHead, responseRecord, writeHttpDate } from '@comity/protocol'
import type { HeaderList, WarcRecord } from '@comity/protocol'
import type { JournaledPage } from '../journal/journal.ts'
import { pageEtag } from '../page-etag.ts'

/** What the page's own answer would say of it, whatever its body is in. */
export function pageFields(page: JournaledPage): HeaderList {
  return [
    ['Content-Type', page.type],
    ['ETag', pageEtag(page)],
    ['Last-Modified', writeHttpDate(page.modifiedAt)],
  ]
}

/** The same page and body give the same record. */
export function pageRecord(page: JournaledPage, url: string, body: Uint8Array): WarcRecord {
  const headers: HeaderList = [...pageFields(page), ['Content-Length', String(body.length)]]
  const httpHead = responseHead({ status: 200, statusText: 'OK', headers })
  return responseRecord({ url, at: page.modifiedAt, recordId: uuidOf(`${url} ${page.digest}`), httpHead, body })
}

/** A UUID that follows from a name (RFC 9562 §5.8, version 8). */
export function uuidOf(name: string): string {
  const bytes = hash('sha256', name, 'buffer').subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
