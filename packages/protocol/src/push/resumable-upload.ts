/**
 * Resumable upload (draft-ietf-httpbis-resumable-upload): a large body in parts that go on after a cut. Header fields of
 * both sides, and what follows from them; nothing is sent here.
 *
 *   sender                                         receiver
 *   OPTIONS /push                                  204, Upload-Limit: max-size=…, max-append-size=…
 *   POST /push, Upload-Complete: ?0,               104, Location: /uploads/7          (as soon as it is there)
 *     Upload-Length: 100, bytes 0 to 39            201, Location, Upload-Offset: 40
 *   PATCH /uploads/7, Upload-Offset: 40, …         cut
 *   HEAD /uploads/7                                204, Upload-Offset: 63, Upload-Complete: ?0
 *   PATCH /uploads/7, Upload-Offset: 63,           the answer that the POST would have had,
 *     Upload-Complete: ?1, bytes 63 to 99            Upload-Complete: ?1
 *
 * A field that is not what it should be counts as not there (§4.1).
 */
import type { HeaderList } from '../capture.ts'
import { combinedField } from '../http/combined-field.ts'
import { parseFieldDictionary, parseFieldItem } from '../http/structured-field.ts'

/** Of the content of a PATCH (§6). */
export const PARTIAL_UPLOAD_TYPE = 'application/partial-upload'
/** Upload Resumption Supported (§5). */
export const UPLOAD_RESUMPTION_STATUS = 104

/** What a receiver takes (§4.1.4). */
export interface UploadLimits {
  /** Of the whole. */
  readonly maxSize?: number | undefined
  /** Of the whole, for it to be resumable. */
  readonly minSize?: number | undefined
  /** Of one request. */
  readonly maxAppendSize?: number | undefined
  /** Of one request, but the last. */
  readonly minAppendSize?: number | undefined
  /** From now on, until what was sent is forgotten. */
  readonly maxAgeSeconds?: number | undefined
}

/** What either side says of an upload. */
export interface UploadFields {
  readonly offset?: number | undefined
  readonly isComplete?: boolean | undefined
  /** Of the whole. */
  readonly length?: number | undefined
  readonly limits?: UploadLimits | undefined
}

const LIMIT_KEYS = {
  maxSize: 'max-size',
  minSize: 'min-size',
  maxAppendSize: 'max-append-size',
  minAppendSize: 'min-append-size',
  maxAgeSeconds: 'max-age',
} as const satisfies Record<keyof UploadLimits, string>
const LIMIT_NAMES = Object.keys(LIMIT_KEYS) as (keyof UploadLimits)[]

export function readUploadFields(headers: HeaderList): UploadFields {
  const complete = combinedField(headers, 'upload-complete')
  const item = complete === undefined ? undefined : parseFieldItem(complete)
  const limit = combinedField(headers, 'upload-limit')
  return {
    offset: wholeNumber(combinedField(headers, 'upload-offset')),
    isComplete: item?.kind === 'boolean' ? item.value : undefined,
    length: wholeNumber(combinedField(headers, 'upload-length')),
    limits: limit === undefined ? undefined : readLimits(limit),
  }
}

export function writeUploadFields({ offset, isComplete, length, limits }: UploadFields): HeaderList {
  return [
    ...(isComplete === undefined ? [] : ([['Upload-Complete', isComplete ? '?1' : '?0']] as const)),
    ...(offset === undefined ? [] : ([['Upload-Offset', String(offset)]] as const)),
    ...(length === undefined ? [] : ([['Upload-Length', String(length)]] as const)),
    ...(limits === undefined ? [] : ([['Upload-Limit', writeLimits(limits)]] as const)),
  ]
}

/** An integer, not a decimal or a date, which the same reader takes too. */
function wholeNumber(field: string | undefined): number | undefined {
  if (field === undefined || !/^ *\d{1,15} *(?:;|$)/.test(field)) return undefined
  const item = parseFieldItem(field)
  return item?.kind === 'number' ? item.value : undefined
}

/** One limit that is no number voids all of them; unknown ones are passed over (§4.1.4). */
function readLimits(field: string): UploadLimits | undefined {
  const members = parseFieldDictionary(field)
  if (members === undefined || members.size === 0) return undefined
  const limits: Partial<Record<keyof UploadLimits, number>> = {}
  for (const name of LIMIT_NAMES) {
    const member = members.get(LIMIT_KEYS[name])
    if (member === undefined) continue
    if (member.kind !== 'number' || !Number.isSafeInteger(member.value) || member.value < 0) return undefined
    limits[name] = member.value
  }
  return limits
}

/** No limit at all is said as `min-size=0`, since a field cannot be empty. */
function writeLimits(limits: UploadLimits): string {
  const members = LIMIT_NAMES.flatMap((name) => {
    const value = limits[name]
    return value === undefined ? [] : [`${LIMIT_KEYS[name]}=${Math.floor(value)}`]
  })
  return members.length === 0 ? 'min-size=0' : members.join(', ')
}

/** What a sender sends next of a whole. */
export interface UploadPart {
  readonly start: number
  readonly end: number
  readonly isLast: boolean
}

/** From `offset` on as much as the sender wants and the receiver takes; nothing is left when `start` is the length. */
export function nextUploadPart(
  length: number,
  offset: number,
  wantedBytes: number,
  limits: UploadLimits = {},
): UploadPart {
  const most = Math.max(1, limits.maxAppendSize ?? Infinity)
  const bytes = Math.min(most, Math.max(1, wantedBytes, limits.minAppendSize ?? 0))
  const start = Math.min(offset, length)
  const end = Math.min(length, start + bytes)
  return { start, end, isLast: end === length }
}

/** How long a whole is, as a request that begins or continues it says; `inconsistent` when it says two lengths. */
export function statedLength(
  { length, isComplete }: UploadFields,
  offset: number,
  contentLength: number | undefined,
): number | 'inconsistent' | undefined {
  const byContent = isComplete === true && contentLength !== undefined ? offset + contentLength : undefined
  if (length !== undefined && byContent !== undefined && length !== byContent) return 'inconsistent'
  return length ?? byContent
}

/** What a receiver knows of an upload that is under way. */
export interface UploadResource {
  readonly offset: number
  readonly length: number | undefined
  readonly maxSize: number
}

export type AppendVerdict =
  | { readonly kind: 'append'; readonly isLast: boolean; readonly length: number | undefined }
  | { readonly kind: 'refuse'; readonly status: number; readonly headers: HeaderList; readonly body: Uint8Array }

/** May a PATCH with these fields append? Its content still has to be counted: it may be longer than it says. */
export function appendVerdict(
  headers: HeaderList,
  { offset, length, maxSize }: UploadResource,
  contentLength: number | undefined,
): AppendVerdict {
  const fields = readUploadFields(headers)
  const type = combinedField(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== PARTIAL_UPLOAD_TYPE)
    return refusal(415, { title: `the content of a PATCH to an upload is ${PARTIAL_UPLOAD_TYPE}` })
  if (fields.isComplete === undefined || fields.offset === undefined)
    return refusal(400, { title: 'Upload-Complete and Upload-Offset are missing or malformed' })
  if (fields.offset !== offset) return offsetRefusal(offset, fields.offset)
  const stated = statedLength(fields, offset, contentLength)
  if (stated === 'inconsistent' || (stated !== undefined && length !== undefined && stated !== length))
    return refusal(400, { type: INCONSISTENT_LENGTH, title: 'inconsistent length values for upload' })
  const whole = length ?? stated
  if (offset + (contentLength ?? 0) > Math.min(whole ?? Infinity, maxSize))
    return refusal(413, { title: 'the upload is longer than it may be' }, { limits: { maxSize } })
  return { kind: 'append', isLast: fields.isComplete, length: whole }
}

const PROBLEMS = 'https://iana.org/assignments/http-problem-types#'
const INCONSISTENT_LENGTH = `${PROBLEMS}inconsistent-upload-length`

/** §4.4.2: the sender learns where to go on. */
function offsetRefusal(expected: number, provided: number): AppendVerdict {
  const problem = {
    type: `${PROBLEMS}mismatching-upload-offset`,
    title: 'offset from request does not match offset of resource',
    'expected-offset': expected,
    'provided-offset': provided,
  }
  return refusal(409, problem, { offset: expected })
}

function refusal(status: number, problem: Readonly<Record<string, unknown>>, fields: UploadFields = {}): AppendVerdict {
  const headers: HeaderList = [
    ['Content-Type', 'application/problem+json'],
    ...writeUploadFields({ isComplete: false, ...fields }),
  ]
  return { kind: 'refuse', status, headers, body: Buffer.from(JSON.stringify(problem)) }
}
