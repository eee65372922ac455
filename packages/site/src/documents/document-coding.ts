/**
 * Document coding: which content coding an answer gets, and getting it. What is made once and sent often is packed hard;
 * what is made for one asker is packed fast.
 */
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import { combinedField, parseQualityList, qualityOf } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'

const CODINGS = ['br', 'zstd', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** The coding the asker likes best, ours first among equals; undefined for none. */
export function chooseCoding(request: HeaderList, ours: readonly Coding[] = CODINGS): Coding | undefined {
  const accepted = parseQualityList(combinedField(request, 'accept-encoding'))
  let best: Coding | undefined
  let most = 0
  for (const coding of ours) {
    const quality = qualityOf(accepted, coding)
    if (quality > most) [best, most] = [coding, quality]
  }
  return best
}

/** A stream has to be packed while somebody waits: zstd is the fastest for its size. */
export const STREAM_CODINGS: readonly Coding[] = ['zstd', 'br', 'gzip']

const hard: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  // Told the size, zstd makes tables for that and not for the largest there can be: milliseconds for a short answer.
  zstd: (bytes) =>
    promisify(zstdCompress)(bytes, {
      pledgedSrcSize: bytes.length,
      params: { [constants.ZSTD_c_compressionLevel]: 12 },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/** The same bytes give the same. */
export const encodeHard = async (bytes: Uint8Array, coding: Coding): Promise<Uint8Array> => await hard[coding](bytes)

/** Chunks packed as one stream. Whoever stops reading stops the source too. */
export function encodeStream(chunks: AsyncIterable<Uint8Array>, coding: Coding | undefined): AsyncIterable<Uint8Array> {
  if (coding === undefined) return chunks
  const packer =
    coding === 'br'
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
      : coding === 'zstd'
        ? createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } })
        : createGzip({ level: 6 })
  // An error of the source destroys the packer, and whoever reads it is told.
  pipeline(Readable.from(chunks, { objectMode: false, highWaterMark: 1 << 16 }), packer, () => undefined)
  return packer
}
