/**
 * Zstd frames: data packed with zstd are one frame or several, one behind the other, of which some hold nothing (RFC 8878 §3);
 * `pzstd`, proxies that pack as they go and archives that can be read from the middle write many. Node's decoder stops at the end of
 * the first and says nothing of what is left, so each is given to a decoder of its own.
 */
import { Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'
import { createZstdDecompress, zstdDecompressSync } from 'node:zlib'
import type { ZstdDecompress, ZstdOptions } from 'node:zlib'

/** Of a body that is undone at once: each takes a decoder, and a frame of nothing is nine bytes long. */
const MOST_FRAMES = 1_000

/** All frames; throws as Node does, also for what is behind the last one and is none. */
export function unpackZstd(input: Uint8Array, options: ZstdOptions & { readonly maxOutputLength: number }): Buffer {
  const parts: Buffer[] = []
  let left = options.maxOutputLength
  for (let at = 0; at < input.length || parts.length === 0;) {
    if (parts.length === MOST_FRAMES) throw new Error(`more than ${MOST_FRAMES} zstd frames`)
    const { body, length } = unpackFrame(input.subarray(at), { ...options, maxOutputLength: Math.max(1, left) })
    if (body.length > left) throw tooLarge()
    left -= body.length
    at += length
    parts.push(body)
    // A frame that does not end where its data do.
    if (length === 0) break
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

function unpackFrame(input: Uint8Array, options: ZstdOptions): { readonly body: Buffer; readonly length: number } {
  // With `info` Node gives the decoder too, which knows how much it has read; its types do not say so.
  const made: unknown = zstdDecompressSync(input, { ...options, info: true })
  const { buffer, engine } = made as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }
  return { body: buffer, length: engine.bytesWritten }
}

/** As Node's own. */
const tooLarge = (): Error =>
  Object.assign(new RangeError('Cannot create a Buffer larger than the limit'), { code: 'ERR_BUFFER_TOO_LARGE' })

/* oxlint-disable no-underscore-dangle, promise/no-callback-in-promise -- what Node calls in a stream, by Node's names. */

/** The same piece by piece, for what may be large: any number of frames. */
export class ZstdUnpacker extends Transform {
  readonly #options: ZstdOptions
  #frame: Frame | undefined

  constructor(options: ZstdOptions = {}) {
    super()
    this.#options = options
  }

  override _read(size: number): void {
    this.#frame?.decoder.resume()
    super._read(size)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#unpack(chunk).then(() => done(), done)
  }

  override _flush(done: TransformCallback): void {
    const frame = this.#frame
    if (frame === undefined) return done()
    frame.decoder.end()
    frame.ended.then(() => done(), done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#frame?.decoder.destroy()
    super._destroy(error, done)
  }

  async #unpack(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length && !this.destroyed;) {
      const frame = (this.#frame ??= this.#begin())
      const before = frame.decoder.bytesWritten
      await Promise.race([written(frame.decoder, chunk.subarray(at)), frame.ended])
      at += frame.decoder.bytesWritten - before
      if (at >= chunk.length) return
      // It wants no more: the next frame begins here.
      await frame.ended
      this.#frame = undefined
    }
  }

  #begin(): Frame {
    const decoder = createZstdDecompress(this.#options)
    const ended = new Promise<void>((resolve, reject) => {
      decoder.on('end', resolve).on('error', reject)
    })
    // Told to whoever waits for it.
    ended.catch(() => undefined)
    decoder.on('data', (piece: Buffer) => {
      if (!this.push(piece)) decoder.pause()
    })
    return { decoder, ended }
  }
}

interface Frame {
  readonly decoder: ZstdDecompress
  /** All of it was given, or it is broken. */
  readonly ended: Promise<void>
}

const written = (decoder: ZstdDecompress, chunk: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    decoder.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
