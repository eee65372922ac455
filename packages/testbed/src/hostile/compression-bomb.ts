/**
 * Compression bombs: one gibibyte of zeros in every content coding, valid to the last byte. They are put together from
 * a repeated block instead of compressed, so making one takes milliseconds and a few hundred kilobytes.
 */
import { once } from 'node:events'
import { constants, createBrotliCompress, deflateRawSync, gzipSync } from 'node:zlib'

const mebibyte = 1 << 20
const mebibytes = 1_024
export const bombBytes: number = mebibytes * mebibyte

/** CRC-32 of that many zeros. Working it out takes a fifth of a second; a test does. */
export const zerosCrc = 0x5b64c2b0

export function gzipBomb(): Uint8Array {
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(zerosCrc, 0)
  trailer.writeUInt32LE(bombBytes, 4)
  return Buffer.concat([header, deflatedZeros(), trailer])
}

/** The zlib format (RFC 1950), which is what HTTP calls deflate. */
export function deflateBomb(): Uint8Array {
  const trailer = Buffer.alloc(4)
  // Adler-32 of n zeros: the low half stays 1 and the high half counts the bytes, modulo 65521.
  trailer.writeUInt32BE((bombBytes % 65_521) * 65_536 + 1, 0)
  return Buffer.concat([Buffer.from([0x78, 0x9c]), deflatedZeros(), trailer])
}

/** A gzip bomb in gzip: three kilobytes. */
export const gzippedGzipBomb = (): Uint8Array => gzipSync(gzipBomb(), { level: 9 })

/** Frame header, then run-length blocks of 128 KiB at four bytes each (RFC 8878 §3.1.1.2.2). */
export function zstdBomb(): Uint8Array {
  const blockBytes = 1 << 17
  const blocks = bombBytes / blockBytes
  const block = (isLast: boolean): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUIntLE((blockBytes << 3) | (1 << 1) | (isLast ? 1 : 0), 0, 3)
    return bytes
  }
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])
  return Buffer.concat([header, ...Array.from({ length: blocks - 1 }, () => block(false)), block(true)])
}

/**
 * A brotli stream has no blocks that stand alone, but from the second flush on the encoder's state no longer changes:
 * the same mebibyte gives the same bytes, and those may be repeated.
 */
export async function brotliBomb(): Promise<Uint8Array> {
  const encoder = createBrotliCompress({
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 16 },
  })
  let pieces: Buffer[] = []
  encoder.on('data', (piece: Buffer) => pieces.push(piece))
  const taken = (): Buffer => {
    const bytes = Buffer.concat(pieces)
    pieces = []
    return bytes
  }
  const flushed = async (): Promise<Buffer> => {
    encoder.write(Buffer.alloc(mebibyte))
    await new Promise<void>((resolve) => encoder.flush(constants.BROTLI_OPERATION_FLUSH, resolve))
    await new Promise(setImmediate)
    return taken()
  }
  const [first, steady] = [await flushed(), await flushed()]
  encoder.end()
  await once(encoder, 'end')
  return Buffer.concat([first, ...Array.from({ length: mebibytes - 1 }, () => steady), taken()])
}

/** A full flush makes a block depend on nothing before it (RFC 1951 §3.2), so it can be repeated; 03 00 ends. */
function deflatedZeros(): Buffer {
  const block = deflateRawSync(Buffer.alloc(mebibyte), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([...Array.from({ length: mebibytes }, () => block), Buffer.from([0x03, 0x00])])
}
