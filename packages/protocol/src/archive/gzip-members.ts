/**
 * Gzip members: a file of several gzip streams, one after the other, taken apart (RFC 1952 §2.2).
 *
 * Node's own `gunzip` joins members silently, but a member's place and length are how a WARC record is found again. So
 * the header is read here, the deflate data by zlib, and the sum and size at the end are checked here too.
 */
import { textOf } from '../text-of.ts'
import { GZIP_MEMBER_HEAD } from '../coding/packing.ts'
import { constants, crc32, inflateRawSync, type InflateRaw } from 'node:zlib'

type MemberResult =
  /** `end` is the offset behind the member. */
  | { readonly kind: 'member'; readonly data: Uint8Array; readonly end: number }
  /** The bytes stop before the member does. */
  | { readonly kind: 'short' }
  /** The member holds more than was allowed. */
  | { readonly kind: 'too-large' }
  /** `tried`: at most so many bytes were looked at. */
  | { readonly kind: 'bad'; readonly message: string; readonly tried: number }

/** Read the member at `start`, whole and verified. */
export function readMember(bytes: Uint8Array, start: number, maxBytes: number): MemberResult {
  const header = gzipHeaderEnd(bytes, start)
  if (header === 'short') return { kind: 'short' }
  if (header === 'bad') return { kind: 'bad', message: 'no gzip header', tried: 1 }
  // In steps, so that a member that is broken near its beginning costs little, however much follows it.
  for (let step = FIRST_STEP; ; step *= 8) {
    const rest = bytes.subarray(header, header + step)
    const inflated = inflateMember(rest, maxBytes)
    if (inflated.kind === 'data') return verify(bytes, header, inflated.data, inflated.read)
    if (inflated.kind === 'too-large') return { kind: 'too-large' }
    if (inflated.kind === 'bad') return { kind: 'bad', message: inflated.message, tried: rest.length }
    if (header + step >= bytes.length) return { kind: 'short' }
  }
}

const FIRST_STEP = 1 << 16

/** What can be read of a member whose end is missing; nothing is verified. */
export function readTornMember(bytes: Uint8Array, start: number, maxBytes: number): Uint8Array {
  const header = gzipHeaderEnd(bytes, start)
  if (typeof header === 'string') return new Uint8Array()
  try {
    return inflateRawSync(bytes.subarray(header), {
      maxOutputLength: maxBytes,
      finishFlush: constants.Z_SYNC_FLUSH,
    })
  } catch {
    // Torn and broken, or larger than allowed: nothing is readable, and the caller has already said so.
    return new Uint8Array()
  }
}

/** The offset where the deflate data begin. */
export function gzipHeaderEnd(bytes: Uint8Array, start: number): number | 'short' | 'bad' {
  for (const [i, byte] of GZIP_MEMBER_HEAD.entries()) {
    if (start + i >= bytes.length) return 'short'
    if (bytes[start + i] !== byte) return 'bad'
  }
  const flags = bytes[start + 3]
  if (flags === undefined) return 'short'
  if ((flags & RESERVED) !== 0) return 'bad'
  let at = start + 10
  // Extra fields are skipped whole: some writers keep a record's lengths there ("sl"), nobody needs them.
  if ((flags & FEXTRA) !== 0) at += 2 + ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8))
  for (const flag of [FNAME, FCOMMENT]) {
    if ((flags & flag) === 0) continue
    const zero = bytes.subarray(at, at + NAME_BYTES).indexOf(0)
    if (zero < 0) return bytes.length - at < NAME_BYTES ? 'short' : 'bad'
    at += zero + 1
  }
  if ((flags & FHCRC) !== 0) at += 2
  return at > bytes.length ? 'short' : at
}

const FHCRC = 2
const FEXTRA = 4
const FNAME = 8
const FCOMMENT = 16
const RESERVED = 0xe0
/** RFC 1952 sets no limit; a file name or comment longer than this is an attack or not gzip. */
const NAME_BYTES = 65_536

type Inflated =
  /** `read`: bytes of deflate data used. */
  | { readonly kind: 'data'; readonly data: Uint8Array; readonly read: number }
  | { readonly kind: 'short' | 'too-large' }
  | { readonly kind: 'bad'; readonly message: string }

function inflateMember(deflated: Uint8Array, maxBytes: number): Inflated {
  try {
    // With `info`, Node gives the engine as well, which knows how many bytes it took; the types do not say so.
    const result: unknown = inflateRawSync(deflated, { maxOutputLength: maxBytes, info: true })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- documented in "Class: Options" of node:zlib
    const { buffer, engine } = result as { readonly buffer: Uint8Array; readonly engine: InflateRaw }
    return { kind: 'data', data: buffer, read: engine.bytesWritten }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'Z_BUF_ERROR') return { kind: 'short' }
    return code === 'ERR_BUFFER_TOO_LARGE' ? { kind: 'too-large' } : { kind: 'bad', message: textOf(error) }
  }
}

function verify(bytes: Uint8Array, header: number, data: Uint8Array, read: number): MemberResult {
  const tail = header + read
  if (tail + 8 > bytes.length) return { kind: 'short' }
  const sums = new DataView(bytes.buffer, bytes.byteOffset + tail, 8)
  const sound = sums.getUint32(0, true) === crc32(data) && sums.getUint32(4, true) === data.length >>> 0
  return sound
    ? { kind: 'member', data, end: tail + 8 }
    : { kind: 'bad', message: 'gzip sum or size does not fit the data', tried: read }
}
