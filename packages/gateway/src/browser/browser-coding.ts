/**
 * BrowserCoding: content codings as Chromium undoes them (net/filter). Sums and ends are not looked at; of gzip the first member
 * counts and what is behind it does not; `deflate` is tried with its envelope and then without; a coding that nobody knows leaves
 * all of them on. What a kilobyte can stand for is capped over all layers together.
 */
import { GZIP_MEMBER_HEAD, trimBlanks, undoCoding, unpackZstd } from '@comity/protocol'
import type { Coding } from '@comity/protocol'
import * as zlib from 'node:zlib'
import { fieldsOf, valuesOf } from './browser-head.ts'
import type { BrowserHead } from './browser-head.ts'

type BrowserDecoded =
  /** What there was up to the end, wherever that came. */
  | { readonly kind: 'shown'; readonly body: Uint8Array }
  /** As far as it went. */
  | { readonly kind: 'damaged'; readonly body: Uint8Array }
  | { readonly kind: 'too-large' }

interface Options {
  readonly maxOutputLength: number
  readonly finishFlush?: number
}

const gzip: Coding = { decode: gunzipped, flush: zlib.constants.Z_SYNC_FLUSH }
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { decode: inflated, flush: zlib.constants.Z_SYNC_FLUSH }],
  ['br', { decode: zlib.brotliDecompressSync, flush: zlib.constants.BROTLI_OPERATION_FLUSH }],
  [
    'zstd',
    { decode: (input, options) => unpackZstd(input, { ...options, ...WINDOW }), flush: zlib.constants.ZSTD_e_flush },
  ],
])

/** What it asks for in plain; br and zstd it takes where they were asked for: over https, which somebody took off before us. */
const ALWAYS = ['gzip', 'x-gzip', 'deflate', 'identity']
/** With more of them it gives up, and with it all that it was asked for at the time. */
const MOST_LAYERS = 10

export type CodingError = 'ERR_CONTENT_DECODING_FAILED' | 'ERR_ABORTED'

/** Why it does not look at a body that is coded so at all. `accepted`: what was asked for, if it was said. */
export function codingError(head: BrowserHead, accepted: string): CodingError | undefined {
  if (!takesCodings(head, accepted)) return 'ERR_CONTENT_DECODING_FAILED'
  return layersOf(head).length > MOST_LAYERS ? 'ERR_ABORTED' : undefined
}

function takesCodings(head: BrowserHead, accepted: string): boolean {
  const said = fieldsOf(head.headers, 'content-encoding').join(', ')
  if (/["=;*]/.test(said)) return false
  const allowed = new Set([
    ...ALWAYS,
    ...accepted
      .toLowerCase()
      .split(',')
      .map((name) => name.split(';')[0]!.trim()),
  ])
  for (const each of said.split(',')) {
    if (each === '') continue
    const name = trimBlanks(each).toLowerCase()
    if (/[ \t]/.test(name) || name === '') return false
    if (CODINGS.has(name) && !allowed.has(name)) return false
  }
  return true
}

export function undoneCodings(head: BrowserHead, body: Uint8Array, maxBytes: number): BrowserDecoded {
  let left = maxBytes
  let [bytes, isDamaged] = [body, false]
  for (const layer of layersOf(head).toReversed()) {
    const next = undoCoding(layer, bytes, { maxBytes: left })
    if (next.kind === 'too-large') return next
    if (next.kind === 'corrupt') isDamaged = true
    bytes = next.body
    left -= bytes.length
  }
  if (bytes.length > maxBytes) return { kind: 'too-large' }
  return { kind: isDamaged ? 'damaged' : 'shown', body: bytes }
}

/** None when one of them is unknown, or is no name at all. */
function layersOf(head: BrowserHead): Coding[] {
  const layers: Coding[] = []
  for (const name of valuesOf(head, 'content-encoding')) {
    const coding = CODINGS.get(name.toLowerCase())
    if (coding === undefined) return []
    layers.push(coding)
  }
  return layers
}

const FLAGS = { sum: 2, extra: 4, name: 8, comment: 16 }
const FIXED = 10

/** RFC 1952 §2.3.1. Neither the sum of the header nor what is behind the data counts. */
function gunzipped(input: Uint8Array, options: Options): Buffer {
  if (!startsAs(input, GZIP_MEMBER_HEAD)) throw new Error('no header of gzip')
  const begin = gzipDataAt(input)
  return zlib.inflateRawSync(input.subarray(begin ?? input.length), options)
}

const startsAs = (input: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, at) => at >= input.length || input[at] === byte)

/** Undefined: the header does not end. */
function gzipDataAt(input: Uint8Array): number | undefined {
  const flags = input[3] ?? 0
  let at = FIXED
  if (flags & FLAGS.extra) at += 2 + ((input[at] ?? 0) | ((input[at + 1] ?? 0) << 8))
  for (const flag of [FLAGS.name, FLAGS.comment]) {
    if ((flags & flag) === 0) continue
    const end = input.indexOf(0, at)
    if (end === -1) return undefined
    at = end + 1
  }
  return at + (flags & FLAGS.sum ? 2 : 0)
}

/** The header that it puts before data that have none: so they are expected to have a sum behind them. */
const ENVELOPE = Buffer.from([0x78, 0x01])

function inflated(input: Uint8Array, options: Options): Buffer {
  try {
    return zlib.inflateSync(input, options)
  } catch (error) {
    if (error instanceof RangeError) throw error
    return zlib.inflateSync(Buffer.concat([ENVELOPE, input]), options)
  }
}

/** Windows of up to 8 MB (RFC 8878 §3.1.1.1.2). */
const WINDOW = { params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }
