/** Upload record: what is remembered of an upload beside its bytes, and how it stands in a file. */
import { INBOX_DOORS, INBOX_SCHEMES } from '@comity/collection'
import type { InboxEndpoint, InboxScheme } from '@comity/collection'
import type { Instant } from '@comity/protocol'

export interface UploadFacts {
  readonly origin: string
  readonly door: InboxEndpoint
  readonly scheme: InboxScheme
  /** Media type of the whole. */
  readonly type: string
  readonly topic: string
  /** Of the subscription it came by. */
  readonly token?: string | undefined
  /** X-Hub-Signature of the whole. */
  readonly hubSignature?: string | undefined
  /** SHA-256 of the whole, in base64, where it is proven who said so. */
  readonly digest?: string | undefined
  /** Of the whole; may become known on the way. */
  readonly length?: number | undefined
}

export interface UploadRecord extends UploadFacts {
  readonly id: string
  /** When something was added last. */
  readonly touchedAt: Instant
  /** Kept: the answer it was given, for who did not hear it. */
  readonly isDone?: boolean | undefined
}

export function writeUploadRecord(record: UploadRecord): string {
  return `${JSON.stringify(record)}\n`
}

/** Undefined when it is none: then nobody can tell what its bytes are. Never throws. */
export function readUploadRecord(text: string): UploadRecord | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof json !== 'object' || json === null) return undefined
  const row = json as Readonly<Record<string, unknown>>
  const isWhole =
    [row['id'], row['origin'], row['type'], row['topic']].every(isText) &&
    [row['token'], row['hubSignature'], row['digest']].every(isTextOrNone) &&
    INBOX_DOORS.some((door) => door === row['door']) &&
    INBOX_SCHEMES.some((scheme) => scheme === row['scheme']) &&
    Number.isFinite(row['touchedAt']) &&
    (row['length'] === undefined || Number.isSafeInteger(row['length'])) &&
    (row['isDone'] === undefined || typeof row['isDone'] === 'boolean')
  return isWhole ? (json as UploadRecord) : undefined
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrNone = (value: unknown): boolean => value === undefined || isText(value)
