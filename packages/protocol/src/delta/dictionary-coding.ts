/**
 * Dictionary coding (RFC 9842): content codings `dcz` and `dcb`, zstd and brotli against bytes that both sides have.
 *
 *   dcz  5E 2A 4D 18 20 00 00 00 | SHA-256 of the dictionary | a zstd frame (§5: a skippable frame holds the digest)
 *   dcb  FF 44 43 42             | SHA-256 of the dictionary | a brotli stream (§4)
 *
 * The digest is compared before anything is decoded, and the output is capped while it is made. All outcomes are values.
 */
import { hash } from 'node:crypto'
import * as zlib from 'node:zlib'
import { unpackZstd } from '../coding/zstd-frames.ts'

export type DictionaryCoding = 'dcz' | 'dcb'

export type DecodedDictionary =
  | { readonly kind: 'ok'; readonly body: Uint8Array }
  /** It does not begin as this coding does. */
  | { readonly kind: 'bad-magic' }
  /** It was made with another dictionary than ours. */
  | { readonly kind: 'wrong-dictionary' }
  | { readonly kind: 'too-large' }
  /** The decoder would need more memory than the RFC makes us give. */
  | { readonly kind: 'window-too-large' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'corrupt'; readonly message: string }

const { constants } = zlib
const DIGEST_BYTES = 32
const MAGIC: Readonly<Record<DictionaryCoding, Buffer>> = {
  dcz: Buffer.from('5e2a4d1820000000', 'hex'),
  dcb: Buffer.from('ff444342', 'hex'),
}
/** 16 MB, the most that brotli has without its large windows (§4). */
const DCB_WINDOW_BITS = 24
/** 8 MB at least and 128 MB at most; between them 1.25 times the dictionary (§5). */
const DCZ_WINDOW_BITS = { least: 23, most: 27 }

/** Below 5 brotli makes no use of a dictionary, and zstd little below 3. */
const DEFAULT_LEVEL: Readonly<Record<DictionaryCoding, number>> = { dcz: 9, dcb: 5 }

/**
 * The body in the coding, or undefined when this dictionary cannot be used: bytes that begin as a trained dictionary of
 * zstd would be taken for one, though the RFC knows raw ones only.
 */
export function encodeWithDictionary(
  coding: DictionaryCoding,
  body: Uint8Array,
  dictionary: Uint8Array,
  level: number = DEFAULT_LEVEL[coding],
): Uint8Array | undefined {
  if (coding === 'dcz' && isTrained(dictionary)) return undefined
  const head = [MAGIC[coding], hash('sha256', dictionary, 'buffer')]
  if (coding === 'dcz') {
    const params = {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_windowLog]: zstdWindowBits(dictionary.length, body.length),
    }
    return Buffer.concat([...head, zlib.zstdCompressSync(body, { params, dictionary })])
  }
  const options: BrotliDictionaryOptions = {
    dictionary,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: level,
      [constants.BROTLI_PARAM_LGWIN]: DCB_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  }
  return Buffer.concat([...head, zlib.brotliCompressSync(body, options)])
}

/** Node 24.21 takes it; its types do not know of it. */
type BrotliDictionaryOptions = zlib.BrotliOptions & { readonly dictionary: Uint8Array }

const isTrained = (dictionary: Uint8Array): boolean =>
  Buffer.from(dictionary.subarray(0, 4)).toString('hex') === '37a430ec'

/** zstd forgets the dictionary once the window is full (§5), so the window takes both, within what must be granted. */
function zstdWindowBits(dictionaryBytes: number, bodyBytes: number): number {
  const wanted = Math.ceil(Math.log2(Math.max(1_024, dictionaryBytes + bodyBytes)))
  return Math.min(wanted, grantedBits(dictionaryBytes))
}

/** The largest power of two within 1.25 times the dictionary, or the least that is always granted. */
const grantedBits = (dictionaryBytes: number): number =>
  Math.min(DCZ_WINDOW_BITS.most, Math.max(DCZ_WINDOW_BITS.least, Math.floor(Math.log2(1.25 * dictionaryBytes + 1))))

/** The body out of its coding, given the dictionary that was announced in Available-Dictionary. Never throws. */
export function decodeWithDictionary(
  coding: DictionaryCoding,
  coded: Uint8Array,
  dictionary: Uint8Array,
  { maxBytes }: { readonly maxBytes: number },
): DecodedDictionary {
  const magic = MAGIC[coding]
  const start = magic.length + DIGEST_BYTES
  if (!magic.equals(coded.subarray(0, magic.length))) return { kind: 'bad-magic' }
  if (coded.length < start) return { kind: 'truncated' }
  if (!hash('sha256', dictionary, 'buffer').equals(coded.subarray(magic.length, start))) {
    return { kind: 'wrong-dictionary' }
  }
  const options = { maxOutputLength: Math.max(1, maxBytes), dictionary }
  try {
    const body =
      coding === 'dcb'
        ? zlib.brotliDecompressSync(coded.subarray(start), options)
        : unpackZstd(coded.subarray(start), {
            ...options,
            params: { [constants.ZSTD_d_windowLogMax]: grantedBits(dictionary.length) },
          })
    return body.length > maxBytes ? { kind: 'too-large' } : { kind: 'ok', body }
  } catch (error) {
    return explain(error)
  }
}

function explain(error: unknown): DecodedDictionary {
  if (!(error instanceof Error)) throw error
  const code = 'code' in error ? error.code : undefined
  if (code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'too-large' }
  if (code === 'ZSTD_error_frameParameter_windowTooLarge') return { kind: 'window-too-large' }
  if (code === 'Z_BUF_ERROR') return { kind: 'truncated' }
  return { kind: 'corrupt', message: error.message }
}
