/**
 * ChunkLines: a body in pieces (RFC 9112 §7.1) cut into its lines and its data, as it comes. What a line means is up to whoever listens:
 * he says how much data comes behind it, or that there is no more.
 */

interface ChunkListener {
  data(bytes: Uint8Array): void
  /** Without its end; `isPair`: that was as it should be, a return and a feed. */
  line(line: string, isPair: boolean): void
  /** It is longer than any line may be. */
  tooLong(): void
}

export class ChunkLines {
  /** Data before the next line. */
  left = 0
  isOver = false
  #line = ''
  readonly #most: number
  readonly #listener: ChunkListener

  /** `most`: bytes of a line with its end. */
  constructor(most: number, listener: ChunkListener) {
    this.#most = most
    this.#listener = listener
  }

  /** How many of these bytes belong to it. */
  take(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length && !this.isOver) {
      if (this.left > 0) {
        const end = Math.min(bytes.length, at + this.left)
        this.#listener.data(bytes.subarray(at, end))
        this.left -= end - at
        at = end
        continue
      }
      const feed = bytes.indexOf(10, at)
      const end = feed === -1 ? bytes.length : feed + 1
      if (end - at + this.#line.length > this.#most) {
        this.isOver = true
        this.#listener.tooLong()
        return at - from
      }
      this.#line += latin1(bytes, at, end)
      at = end
      if (feed !== -1) this.#ended()
    }
    return at - from
  }

  #ended(): void {
    const isPair = this.#line.endsWith('\r\n')
    const line = this.#line.slice(0, isPair ? -2 : -1)
    this.#line = ''
    this.#listener.line(line, isPair)
  }
}

function latin1(bytes: Uint8Array, from: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('latin1')
}
