/**
 * Unpacked pieces: a body without its content codings, piece by piece, for what may be large and is read from its beginning on.
 * However much it unpacks to, only a few pieces of it are in memory, and what comes after the limit is not unpacked.
 *
 * For pages there is `decodeBody`, which is quicker and gives all of one.
 */
import type { Transform } from 'node:stream'
import { codingNamed, codingsOf, unknownCoding } from './content-coding.ts'
import { isPackedList } from './packing.ts'

/** In the words of `decodeBody`. */
export type UnpackedEnd =
  | { readonly kind: 'ok' | 'too-large' | 'truncated' }
  | { readonly kind: 'unknown-coding'; readonly coding: string }
  | { readonly kind: 'corrupt'; readonly message: string }

export interface UnpackLimits {
  /** Of each coding undone. */
  readonly maxBytes: number
  /** Many a list is a gzip file, whatever its answer says. */
  readonly alsoGzip?: boolean
}

/** No name of a coding: what a list is packed with, if it is. */
const PACKED_LIST = 'packed list'
/** What whole pieces come in, each of which nobody else has. */
const PIECE_BYTES = 64 << 10
/** Handed to a decoder at a time: it may make a thousand times as much of it. */
const SLICE_BYTES = 4 << 10
/** Behind the data of gzip; others have fewer. */
const SUM_BYTES = 8
/** What it begins with says what it is, and stands in one piece. */
const LEAST_PARTED = 64

/** All that came before a fault is given. Of faults in several layers the first is the cause, and those after it its consequences. */
export async function* unpackedPieces(
  body: Uint8Array,
  contentEncoding: string | undefined,
  { maxBytes, alsoGzip = false }: UnpackLimits,
): AsyncGenerator<Uint8Array, UnpackedEnd> {
  const names = codingsOf(contentEncoding)
  const unknown = unknownCoding(names)
  if (unknown !== undefined) return { kind: 'unknown-coding', coding: unknown }
  const faults: UnpackedEnd[] = []
  let pieces: AsyncIterable<Uint8Array> = limited(slicesOf(body), maxBytes, faults)
  for (const name of names.toReversed()) pieces = limited(undone(name, pieces, faults), maxBytes, faults)
  if (alsoGzip) pieces = limited(undone(PACKED_LIST, pieces, faults), maxBytes, faults)
  yield* pieces
  return faults[0] ?? { kind: 'ok' }
}

// oxlint-disable-next-line require-await -- as all layers above it are.
async function* slicesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  // A wrong sum is the commonest fault, and all before it is good: it comes alone.
  const sums = body.length < LEAST_PARTED ? body.length : body.length - SUM_BYTES
  if (body.length > 0) yield body.subarray(0, sums)
  if (sums < body.length) yield body.subarray(sums)
}

async function* limited(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
  faults: UnpackedEnd[],
): AsyncGenerator<Uint8Array> {
  let left = maxBytes
  for await (const piece of pieces) {
    if (piece.length > left) {
      faults.push({ kind: 'too-large' })
      if (left > 0) yield piece.subarray(0, left)
      return
    }
    left -= piece.length
    yield piece
  }
}

async function* undone(
  name: string,
  packed: AsyncIterable<Uint8Array>,
  faults: UnpackedEnd[],
): AsyncGenerator<Uint8Array> {
  let decoder: Decoder | undefined
  try {
    for await (const piece of packed) {
      decoder ??= new Decoder(engineOf(name, piece))
      for (let at = 0; at < piece.length && !decoder.isOver; at += SLICE_BYTES)
        yield* await decoder.write(piece.subarray(at, at + SLICE_BYTES))
      if (decoder.isOver) break
    }
    // Answers without content keep the header (RFC 9110 §9.3.2).
    if (decoder === undefined) return
    yield* await decoder.end()
    if (decoder.fault !== undefined) faults.push(decoder.fault)
  } finally {
    decoder?.close()
  }
}

/** Gives what it makes of each slice as soon as it is made, so that of a broken body no more is lost than its last slice. */
class Decoder {
  /** It wants no more. */
  isOver = false
  fault: UnpackedEnd | undefined
  readonly #engine: Transform | undefined
  #made: Uint8Array[] = []
  #wake: () => void = () => undefined

  constructor(engine: Transform | undefined) {
    this.#engine = engine
    engine?.on('data', (piece: Buffer) => this.#made.push(piece))
    engine?.on('end', () => this.#stop(undefined))
    engine?.on('error', (error) => this.#stop(faultOf(error)))
  }

  async write(slice: Uint8Array): Promise<Uint8Array[]> {
    const engine = this.#engine
    if (engine === undefined) return [slice]
    await new Promise<void>((resolve) => {
      this.#wake = resolve
      engine.write(slice, () => resolve())
    })
    return this.#taken()
  }

  async end(): Promise<Uint8Array[]> {
    const engine = this.#engine
    if (engine !== undefined && !this.isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        engine.end()
      })
    return this.#taken()
  }

  close(): void {
    this.#engine?.destroy()
  }

  #taken(): Uint8Array[] {
    return this.#made.splice(0)
  }

  #stop(fault: UnpackedEnd | undefined): void {
    this.isOver = true
    this.fault ??= fault
    this.#wake()
  }
}

/** Undefined where there is nothing to undo. */
function engineOf(name: string, start: Uint8Array): Transform | undefined {
  if (name === PACKED_LIST && !isPackedList(start)) return undefined
  return codingNamed(name === PACKED_LIST ? 'gzip' : name)!.engine({ chunkSize: PIECE_BYTES }, start)
}

function faultOf(error: Error & { readonly code?: string }): UnpackedEnd {
  return error.code === 'Z_BUF_ERROR' ? { kind: 'truncated' } : { kind: 'corrupt', message: error.message }
}
