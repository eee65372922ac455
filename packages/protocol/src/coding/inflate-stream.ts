/**
 * Inflate stream: the data of one gzip member that is too large to hold, piece by piece, then whether it was sound.
 *
 * Only for such members: Node's streaming inflate costs several times what `inflateRawSync` does on a small one.
 */
import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib'

interface InflateEnd {
  readonly outcome: 'sound' | 'short' | 'bad'
  /** Bytes used, of deflate data and sums; what was pulled beyond them stands behind the member. */
  readonly used: number
}

/** Pulls deflate data and the eight bytes behind them (RFC 1952 §2.3.1) from `pull`, yields what they hold. */
export async function* inflateStream(
  pull: () => Promise<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array, InflateEnd> {
  const engine = createInflateRaw()
  const output: Buffer[] = []
  engine.on('data', (data: Buffer) => output.push(data))
  let sum = 0
  let size = 0
  let pulled = 0
  try {
    for (;;) {
      const piece = await pull()
      if (piece === undefined) return { outcome: 'short', used: pulled }
      pulled += piece.length
      const taken = await write(engine, piece)
      for (const data of output.splice(0)) {
        sum = crc32(data, sum)
        size += data.length
        yield data
      }
      if (!taken) return { outcome: 'bad', used: pulled }
      // Bytes left over mean that the deflate data ended in this piece, or with the one before.
      if (engine.bytesWritten < pulled) {
        const behind = piece.subarray(piece.length - (pulled - engine.bytesWritten))
        return await checkSums(behind, pull, sum, size, engine.bytesWritten)
      }
    }
  } finally {
    engine.destroy()
  }
}

/** Resolves when the engine has taken what it wants of the piece; false when zlib refuses the data. */
function write(engine: InflateRaw, piece: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    engine.once('error', () => resolve(false))
    engine.write(piece, () => {
      engine.removeAllListeners('error')
      resolve(true)
    })
  })
}

async function checkSums(
  behind: Uint8Array,
  pull: () => Promise<Uint8Array | undefined>,
  sum: number,
  size: number,
  inflated: number,
): Promise<InflateEnd> {
  let bytes = behind
  while (bytes.length < 8) {
    const piece = await pull()
    if (piece === undefined) return { outcome: 'short', used: inflated + bytes.length }
    bytes = Buffer.concat([bytes, piece])
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8)
  const sound = view.getUint32(0, true) === sum && view.getUint32(4, true) === size % 2 ** 32
  return { outcome: sound ? 'sound' : 'bad', used: inflated + 8 }
}
