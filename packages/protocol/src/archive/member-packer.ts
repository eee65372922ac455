/**
 * Member packer: packs one record after the other with a compressor that is made once. `gzipSync` makes one of 268 KB for each call, and
 * that is what the collector of garbage counts: a crawl of ten thousand pages of 26 KB was held up by it fifty times. The bytes
 * are those of `gzipSync`.
 *
 * Node has no name for a compressor that is used again without a stream around it, so this reaches for the one in its stream. Where that is
 * not there, `gzipSync` does the same work, and a test says so.
 */
import { constants, createGzip, gzipSync } from 'node:zlib'

/** What stands behind a stream of Node's zlib. */
interface Handle {
  writeSync(
    flush: number,
    from: Uint8Array,
    at: number,
    bytes: number,
    to: Uint8Array,
    toAt: number,
    room: number,
  ): void
  reset(): void
}

const FIRST_BYTES = 65_536
/** A larger one is given back: one page of many megabytes must not hold as many for ever. */
const MOST_KEPT_BYTES = 1 << 20

class MemberPacker {
  readonly #handle: Handle
  /** What is left of the room, and of the bytes, after each write. */
  readonly #left: Uint32Array
  #room = Buffer.allocUnsafeSlow(FIRST_BYTES)

  constructor(handle: Handle, left: Uint32Array) {
    this.#handle = handle
    this.#left = left
  }

  /** A buffer of its own, of just that size. */
  pack(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    let [from, size] = [0, 0]
    for (;;) {
      const room = this.#room.length - size
      this.#handle.writeSync(constants.Z_FINISH, bytes, from, bytes.length - from, this.#room, size, room)
      size += room - this.#left[0]!
      from = bytes.length - this.#left[1]!
      if (this.#left[0]! > 0) break
      this.#room = Buffer.concat([this.#room], this.#room.length * 2)
    }
    this.#handle.reset()
    const member = new Uint8Array(this.#room.subarray(0, size))
    if (this.#room.length > MOST_KEPT_BYTES) this.#room = Buffer.allocUnsafeSlow(FIRST_BYTES)
    return member
  }
}

const byLevel = new Map<number, MemberPacker | undefined>()

export function gzipMember(bytes: Uint8Array, level: number): Uint8Array<ArrayBuffer> {
  if (!byLevel.has(level)) byLevel.set(level, packerOf(level))
  return byLevel.get(level)?.pack(bytes) ?? new Uint8Array(gzipSync(bytes, { level }))
}

/** Whether it is made once. */
export const isReused = (level: number): boolean => packerOf(level) !== undefined

function packerOf(level: number): MemberPacker | undefined {
  const stream = createGzip({ level })
  const [handle, left]: unknown[] = [Reflect.get(stream, '_handle'), Reflect.get(stream, '_writeState')]
  return isHandle(handle) && left instanceof Uint32Array ? new MemberPacker(handle, left) : undefined
}

function isHandle(handle: unknown): handle is Handle {
  if (typeof handle !== 'object' || handle === null || !('writeSync' in handle) || !('reset' in handle)) return false
  return typeof handle.writeSync === 'function' && typeof handle.reset === 'function'
}
