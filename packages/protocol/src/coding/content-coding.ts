/**
 * Content codings: a body as it was before the server compressed it (RFC 9110 §8.4).
 *
 * A kilobyte can stand for a gigabyte, so the output is capped while it is made, layer by layer: no more than the cap
 * is ever decoded. All outcomes are values; nothing a server sends makes this throw.
 */
import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { trimBlanks } from '../http/trim-blanks.ts'
import { unpackZstd, ZstdUnpacker } from './zstd-frames.ts'

interface DecodeLimits {
  readonly maxBytes: number
  /** Output by input of one coding. Text seldom passes 30; deflate's own limit is 1,032. */
  readonly maxRatio?: number
}

export type DecodedBody =
  | { readonly kind: 'ok'; readonly body: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'unknown-coding'; readonly coding: string }
  /** `body` is what could be read before the fault, to within a part in a thousand; of a long one, its first 8 MiB or less. */
  | { readonly kind: 'corrupt'; readonly message: string; readonly body: Uint8Array }
  /** The coding's end never came: `body` is what there was. */
  | { readonly kind: 'truncated'; readonly body: Uint8Array }

/** More layers than anybody means. */
const MAX_CODINGS = 5
/** A ratio says little about a body this short. */
const RATIO_FLOOR = 65_536

/** Of a body with a fault in the middle of it. */
const MAX_SALVAGED_BYTES = 8 << 20

/** What one coding, undone, can come to. */
type Layer = WithBody | { readonly kind: 'too-large' }
type WithBody = Extract<DecodedBody, { readonly body: Uint8Array }>
type Decode = (input: Uint8Array, options: { maxOutputLength: number; finishFlush?: number }) => Buffer
export interface Coding {
  readonly decode: Decode
  /** The flush that makes a decoder give what it has instead of asking for more. */
  readonly flush: number
}

/** One that an answer may name: undone as a whole, and piece by piece (`unpacked-pieces.ts`). `start`: what its body begins with. */
interface NamedCoding extends Coding {
  readonly engine: (options: { readonly chunkSize: number }, start: Uint8Array) => Transform
}

const gzip: NamedCoding = {
  decode: zlib.gunzipSync,
  flush: zlib.constants.Z_SYNC_FLUSH,
  engine: zlib.createGunzip,
}
const codings: ReadonlyMap<string, NamedCoding> = new Map<string, NamedCoding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  [
    'deflate',
    {
      decode: inflate,
      flush: zlib.constants.Z_SYNC_FLUSH,
      engine: (options, start) => (isZlib(start) ? zlib.createInflate(options) : zlib.createInflateRaw(options)),
    },
  ],
  [
    'br',
    {
      decode: zlib.brotliDecompressSync,
      flush: zlib.constants.BROTLI_OPERATION_FLUSH,
      engine: zlib.createBrotliDecompress,
    },
  ],
  [
    'zstd',
    {
      decode: unpackZstd,
      flush: zlib.constants.ZSTD_e_flush,
      engine: (options) => new ZstdUnpacker(options),
    },
  ],
])

/** What undoes a coding piece by piece; undefined for one that nobody knows. */
export const codingNamed = (name: string): NamedCoding | undefined => codings.get(name)

/** Undoes `contentEncoding`, last coding first. A fault in one layer still hands its remains to the layers below. */
export function decodeBody(body: Uint8Array, contentEncoding: string | undefined, limits: DecodeLimits): DecodedBody {
  const names = codingsOf(contentEncoding)
  const unknown = unknownCoding(names)
  if (unknown !== undefined) return { kind: 'unknown-coding', coding: unknown }
  let result: WithBody = { kind: 'ok', body }
  for (const name of names.toReversed()) {
    const next = undoCoding(codings.get(name)!, result.body, limits)
    if (next.kind === 'too-large') return next
    result = firstFault(result, next)
  }
  return result.body.length > limits.maxBytes ? { kind: 'too-large' } : result
}

/** Of faults in several layers the first is the cause, and those after it are its consequences. */
function firstFault(above: WithBody, below: WithBody): WithBody {
  if (above.kind === 'ok') return below
  return { ...above, body: below.body }
}

export function codingsOf(contentEncoding: string | undefined): string[] {
  const names = (contentEncoding ?? '').toLowerCase().split(',', MAX_CODINGS * 4)
  return names.map(trimBlanks).filter((name) => name !== '' && name !== 'identity')
}

/** One that cannot be undone, or more of them than anybody means. */
export function unknownCoding(names: readonly string[]): string | undefined {
  const unknown = names.length > MAX_CODINGS ? names.join(', ') : names.find((name) => !codings.has(name))
  return unknown?.slice(0, 100)
}

/** One coding, by what undoes it: `decode` throws for what is damaged or cut. */
export function undoCoding(coding: Coding, input: Uint8Array, limits: DecodeLimits): Layer {
  // Answers without content keep the header (RFC 9110 §9.3.2).
  if (input.length === 0) return { kind: 'ok', body: input }
  const byRatio = Math.max(RATIO_FLOOR, input.length * (limits.maxRatio ?? Infinity))
  const maxOutputLength = Math.max(1, Math.min(limits.maxBytes, byRatio))
  try {
    return { kind: 'ok', body: coding.decode(input, { maxOutputLength }) }
  } catch (error) {
    return explain(error, coding, input, maxOutputLength)
  }
}

function explain(error: unknown, coding: Coding, input: Uint8Array, maxOutputLength: number): Layer {
  if (!(error instanceof Error)) throw error
  if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'too-large' }
  const whole = decodePrefix(coding, input, maxOutputLength)
  if (whole !== undefined) return { kind: 'truncated', body: whole }
  return { kind: 'corrupt', message: error.message, body: beforeFault(coding, input, maxOutputLength) }
}

/** What a prefix decodes to as far as it goes; undefined when it has a fault in it. */
function decodePrefix(coding: Coding, input: Uint8Array, maxOutputLength: number): Uint8Array | undefined {
  try {
    return coding.decode(input, { maxOutputLength, finishFlush: coding.flush })
  } catch {
    // The fault is known and reported by the caller; here it only says that the prefix is too long.
    return undefined
  }
}

/** The longest good prefix, by halving: zlib's synchronous calls keep nothing of a body with a fault in it. */
function beforeFault(coding: Coding, input: Uint8Array, maxOutputLength: number): Uint8Array {
  // A wrong checksum is the commonest fault, and all before the eight bytes of it is good.
  const data = decodePrefix(coding, input.subarray(0, -8), maxOutputLength)
  if (data !== undefined) return data
  let best: Uint8Array = new Uint8Array(0)
  let good = 0
  let bad = input.length
  // Ten halvings: a thousandth is near enough. Each makes so much at most, whatever a hostile body could unpack to.
  const salvaged = Math.min(maxOutputLength, MAX_SALVAGED_BYTES)
  for (let step = 0; step < 10 && bad - good > 1; step++) {
    const middle = (good + bad) >> 1
    const body = decodePrefix(coding, input.subarray(0, middle), salvaged)
    if (body === undefined) bad = middle
    else [best, good] = [body, middle]
  }
  return best
}

/** `deflate` is zlib's format (RFC 9110 §8.4.1.2), but servers were built that send the bare stream. */
function inflate(input: Uint8Array, options: { maxOutputLength: number; finishFlush?: number }): Buffer {
  return isZlib(input) ? zlib.inflateSync(input, options) : zlib.inflateRawSync(input, options)
}

function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}
