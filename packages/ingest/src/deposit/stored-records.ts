/**
 * Stored records: the WARC records of what was taken in. A body that is stored already is referred to, not stored again; what
 * somebody else has archived keeps its own name, date and head.
 */
import { gzipRecord, responseHead, revisitRecord } from '@comity/protocol'
import type { Instant } from '@comity/protocol'
import type { BodyRow, Collection, PageRow, WarcPosition } from '@comity/collection'
import type { Head, PageAnswer } from '../exchange.ts'
import type { ArchivedAs, Reading } from '../read/reading.ts'

interface Stored {
  readonly positions: { readonly record?: WarcPosition; readonly body?: WarcPosition | undefined }
  readonly body: WarcPosition | undefined
  readonly newBody?: { readonly digest: string; readonly row: BodyRow }
}

export const NOTHING_STORED: Stored = { positions: {}, body: undefined }

/** What all records of one capture say. */
interface Observed {
  readonly url: string
  /** Empty when nobody was connected to. */
  readonly address: string
  readonly archived?: ArchivedAs | undefined
  /** What WARC files that are begun are named by. */
  readonly takenAt: Instant
}

export function storeAnswer(
  collection: Collection,
  { url, address, archived, takenAt }: Observed,
  answer: PageAnswer,
  reading: Reading,
  gzipLevel: number,
): Stored {
  const { digest, resourceType, recordId } = reading
  const at = answer.startedAt
  const whole = answer.truncated === undefined && reading.bodyBytes > 0 && answer.head.status === 200
  const twin = whole ? collection.body(digest) : undefined
  const append = (member: Uint8Array): WarcPosition => collection.appendRecord(member, takenAt)
  if (twin === undefined) {
    const position = append(reading.record)
    if (reading.beside.length > 0) append(reading.beside)
    const stored = { positions: { record: position, body: position }, body: position }
    return whole ? { ...stored, newBody: { digest, row: { ...position, url, at } } } : stored
  }
  const record = revisitRecord({
    url,
    at,
    ...(address === '' ? {} : { ip: address }),
    profile: 'identical-payload-digest',
    refersToUri: twin.url,
    refersToDate: twin.at,
    payloadDigest: digest,
    httpHead: archived?.httpHead ?? (resourceType === undefined ? responseHead(answer.head) : new Uint8Array(0)),
    resourceType,
    recordId,
  })
  const position = append(gzipRecord(record, gzipLevel))
  if (reading.beside.length > 0) append(reading.beside)
  const body = { file: twin.file, offset: twin.offset, length: twin.length }
  return { positions: { record: position, body }, body }
}

/** An answer that says that our copy is still good, as somebody else has archived it. */
export interface ArchivedConfirmation {
  readonly recordId?: string | undefined
  /** Undefined when the archive has kept none. */
  readonly httpHead?: Uint8Array | undefined
  readonly refersTo?: { readonly url: string; readonly at: Instant } | undefined
  /** Where the copy is that was still good then. */
  readonly body: WarcPosition
  readonly takenAt: Instant
}

/** The record of a 304 (RFC 9110 §15.4.5). */
export function storeConfirmation(
  collection: Collection,
  said: {
    readonly url: string
    readonly at: Instant
    readonly address: string
    readonly head: Head
    readonly archived?: ArchivedConfirmation | undefined
  },
  before: PageRow | undefined,
  gzipLevel: number,
): WarcPosition {
  const { url, at, address, head, archived } = said
  const { recordId, refersTo } = archived ?? {}
  const record = revisitRecord({
    url,
    at,
    ...(address === '' ? {} : { ip: address }),
    ...(recordId === undefined ? {} : { recordId }),
    profile: 'server-not-modified',
    refersToUri: refersTo?.url ?? url,
    refersToDate: refersTo?.at ?? before?.changedAt ?? before?.visitedAt ?? at,
    ...(before?.digest === undefined ? {} : { payloadDigest: before.digest }),
    httpHead: archived?.httpHead ?? responseHead(head),
  })
  return collection.appendRecord(gzipRecord(record, gzipLevel), archived?.takenAt ?? at)
}
